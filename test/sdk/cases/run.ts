/* Runs cases against the TypeScript SDK: from standard input, with the outcomes on standard output. `run.py` and `run.php` do the same. */
import { text } from 'node:stream/consumers';
import {
  verifyWebhook,
  Wayfare,
  WayfareConnectionError,
  WayfareError,
  WebhookRejected,
} from '../../../sdk/src/wayfare.ts';
import type { Asked, Call, Outcome, Webhook } from './asked.ts';

let waits: number[] = [];
const real = globalThis.setTimeout as (...args: unknown[]) => unknown;
/** A wait between two attempts is noted and over at once. */
globalThis.setTimeout = ((then: () => void, ms: number, ...more: unknown[]) => {
  if (!/at pause .*\/sdk\/src\/time\.ts/.test(new Error().stack ?? '')) return real(then, ms, ...more);
  waits.push(ms);
  return real(then, 0);
}) as typeof setTimeout;

type Method = (...args: unknown[]) => Promise<unknown> & AsyncGenerator<Record<string, unknown>>;

async function made(wayfare: Wayfare, { method, id, fields, extra, options = {}, take }: Call): Promise<unknown> {
  const { key, timeout_ms, max_retries, sandbox_error } = options;
  const given = {
    ...(key !== undefined && { key }),
    ...(timeout_ms !== undefined && { timeoutMs: timeout_ms }),
    ...(max_retries !== undefined && { maxRetries: max_retries }),
    ...(sandbox_error !== undefined && { sandboxError: sandbox_error as 'rate_limited' }),
  };
  const all = { ...fields, ...extra };
  const [verb, path] = method.split(' ');
  if (path !== undefined) return wayfare.request(verb as 'GET', path, all, given);
  const [group = '', name = ''] = method.split('.');
  const call = (wayfare as unknown as Record<string, Record<string, Method>>)[group]?.[name] as Method;
  const calling = call(...(id === undefined ? [] : [id]), all, given);
  if (take === undefined) return calling;
  const rows: unknown[] = [];
  for await (const row of calling) {
    rows.push(row.id);
    if (rows.length >= take) break;
  }
  return rows;
}

async function outcomeOf(work: () => Promise<unknown>): Promise<Outcome> {
  try {
    const answer = await work();
    return { answer: answer instanceof Uint8Array ? new TextDecoder('latin1').decode(answer) : answer };
  } catch (error) {
    if (error instanceof WayfareError) {
      const { code, httpStatus, requestId = null, idempotencyKey = null, message } = error as Error & WayfareError;
      const { required, balance } = error as unknown as Record<string, unknown>;
      return {
        refused: {
          code,
          httpStatus,
          requestId,
          idempotencyKey,
          message,
          required: required ?? null,
          balance: balance ?? null,
        },
      };
    }
    if (error instanceof WayfareConnectionError) {
      const { isTimeout, httpStatus = null, requestId = null, idempotencyKey = null, message } = error;
      return { unanswered: { isTimeout, httpStatus, requestId, idempotencyKey, message } };
    }
    if (error instanceof WebhookRejected) return { rejected: error.reason };
    if (error instanceof TypeError) return { misused: true };
    throw error;
  }
}

const verified = ({ body, headers, secret, now }: Webhook) =>
  outcomeOf(async () => (await verifyWebhook(body, headers, { secret, now: now * 1000 })).event);

const { calls, webhooks } = JSON.parse(await text(process.stdin)) as Asked;
const done = [];
for (const { base_url, settings = {}, calls: some } of calls) {
  waits = [];
  const { key = 'esk_test_one', timeout_ms, max_retries, user_agent } = settings;
  const wayfare = new Wayfare({
    key,
    baseUrl: base_url,
    timeoutMs: timeout_ms,
    maxRetries: max_retries,
    userAgent: user_agent,
  });
  const outcomes = [];
  for (const call of some) outcomes.push(await outcomeOf(() => made(wayfare, call)));
  done.push({ outcomes, waits });
}
process.stdout.write(JSON.stringify({ calls: done, webhooks: await Promise.all(webhooks.map(verified)) }));
