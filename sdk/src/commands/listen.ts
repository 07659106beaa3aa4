import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { setTimeout as wait } from 'node:timers/promises';
import { URL } from 'node:url';
import type { Wayfare } from '../client.ts';
import { WayfareConnectionError } from '../errors.ts';
import { hex, hmac, signedHeaders } from '../sign.ts';
import {
  apiOptions,
  CommandRefused,
  type DeveloperCommand,
  requireAddress,
  requireKey,
  requireSandboxClient,
  type Terminal,
  textOf,
} from './command.ts';
import { DeliveryWindow, FULL_PAGE, type Logged } from './delivery-window.ts';

const POLL_MS = 1_000;
const AWAY_MS = 2_000;
const ANSWER_MS = 10_000;
/** That of a delivery. */
const USER_AGENT = 'wayfare-webhook/1.0';

/** Events forwarded, and how many of them the receiver answered with a 2xx. */
export interface Forwarded {
  forwarded: number;
  accepted: number;
}

export interface ForwardOptions {
  readonly wayfare: Wayfare;
  readonly forward: string;
  readonly secret: string;
  readonly terminal: Pick<Terminal, 'now' | 'write' | 'stop'>;
  readonly pollMs?: number;
}

export const listenCommand: DeveloperCommand = {
  name: 'listen',
  summary: 'Forward sandbox events to your own address, signed as in a delivery, until Ctrl-C',
  options: {
    ...apiOptions,
    forward: {
      placeholder: 'URL',
      summary: 'the address of your receiver, e.g. http://localhost:3000/hook',
      isRequired: true,
    },
    secret: {
      placeholder: 'whsec_…',
      summary: 'signing secret; by default one derived from the API key and printed',
    },
  },
  async run(terminal, given) {
    const forward = requireAddress('--forward', textOf(given.forward) ?? '');
    const wayfare = requireSandboxClient(terminal, given);
    const own = textOf(given.secret);
    const secret = own ?? (await secretOf(requireKey(terminal, given)));
    terminal.write(`Forwarding sandbox events to ${forward}; press Ctrl-C to stop.\n`);
    if (!own) terminal.write(`Verify them with this secret: ${secret}\n`);
    return { ...(await forwardEvents({ wayfare, forward, secret, terminal })) };
  },
};

/**
 * The API never returns a subscription's secret, so forwarded events are signed again with a secret the developer has: this
 * one, which stays the same for the same key, or the subscription's own when given as `--secret`.
 */
export const secretOf = async (key: string): Promise<string> =>
  `whsec_${hex(await hmac(new TextEncoder().encode(key), 'wayfare listen'))}`;

/** Polls the delivery log and forwards each event once, whether or not its delivery succeeded, until `stop` is aborted. */
export async function forwardEvents({ wayfare, forward, secret, terminal, pollMs = POLL_MS }: ForwardOptions) {
  const { now, write, stop } = terminal;
  const count: Forwarded = { forwarded: 0, accepted: 0 };
  const options = { signal: stop };
  const log = async (): Promise<Logged[]> =>
    (await wayfare.webhook.deliveries({ limit: FULL_PAGE }, options)).deliveries;

  async function poll(window: DeliveryWindow): Promise<void> {
    const page = await log();
    const { deliveries, missed } = window.fresh(page);
    if (missed) write(`${FULL_PAGE} or more new deliveries since the last poll: the oldest were missed\n`);
    for (const delivery of deliveries) {
      const { payload, payload_pruned } = await wayfare.webhook.delivery(delivery.id, {}, options);
      if (payload_pruned) continue;
      const { answer, ok, ms } = await forwardOne(forward, secret, delivery, payload, terminal);
      window.forwarded(delivery);
      count.forwarded += 1;
      if (ok) count.accepted += 1;
      const time = new Date(now()).toISOString().slice(11, 19);
      write(row(time, delivery.event_type, delivery.sale_id, answer, String(ms)));
    }
    window.done(page);
  }

  /** Waits for a server that restarts; any other error ends the command. */
  function isBack(error: unknown): false {
    if (!(error instanceof WayfareConnectionError) || stop.aborted) throw error;
    write(`${error.message}; retrying\n`);
    return false;
  }

  try {
    const { count: subscriptions } = await wayfare.webhook.list({}, options);
    if (subscriptions === 0)
      throw new CommandRefused(
        'no_subscription',
        'create a sandbox subscription first, in the panel or with webhook/create (any URL will do): without one no event is logged',
      );
    const window = new DeliveryWindow(await log());
    write(row('time', 'event', 'order', 'answer', 'ms'));
    while (!stop.aborted) {
      const isThere = await poll(window).then(() => true, isBack);
      await wait(isThere ? pollMs : AWAY_MS, undefined, { signal: stop });
    }
  } catch (error) {
    if (!stop.aborted) throw error;
  }
  return count;
}

async function forwardOne(
  url: string,
  secret: string,
  { id, event_id, event_type }: Logged,
  body: string,
  { now, stop }: ForwardOptions['terminal'],
): Promise<{ answer: string; ok: boolean; ms: number }> {
  const started = now();
  const headers = await signedHeaders({ body, event: event_type, eventId: event_id, deliveryId: id }, secret, started);
  try {
    const status = await post(url, headers, body, AbortSignal.any([stop, AbortSignal.timeout(ANSWER_MS)]));
    return { answer: String(status), ok: status >= 200 && status < 300, ms: now() - started };
  } catch (error) {
    const { code, name } = error as Error & { code?: string };
    return { answer: typeof code === 'string' ? code : name, ok: false, ms: now() - started };
  }
}

/** Not `fetch`, which gives up on receivers that send `100 Continue` first, as some HTTP stacks always do. */
function post(url: string, headers: Record<string, string>, body: string, signal: AbortSignal): Promise<number> {
  const send = new URL(url).protocol === 'https:' ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    const sent = send(url, {
      method: 'POST',
      headers: { ...headers, 'user-agent': USER_AGENT, 'content-length': Buffer.byteLength(body) },
      signal,
    });
    sent.on('error', reject).on('response', (response) => {
      response.resume().on('error', reject);
      response.on('end', () => resolve(response.statusCode ?? 0));
    });
    sent.end(body);
  });
}

const WIDTHS = [10, 17, 10, 14, 6] as const;
const row = (...cells: readonly string[]): string =>
  `${cells
    .map((cell, i) => cell.padEnd(WIDTHS[i] ?? 0))
    .join('')
    .trimEnd()}\n`;
