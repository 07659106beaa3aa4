import { createHmac } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Agent } from 'undici';
import { SECOND, timestamp } from '../clock.ts';
import { Refused } from '../contract/refused.ts';
import type { EventName } from '../events/events.ts';
import { acceptingInterim } from '../http/interim-responses.ts';
import { undici } from '../http/undici.ts';
import { signing } from '../webhooks/webhooks.ts';
import { API_AWAY, type Api, apiOptions, type Client, clientCommand, openApi } from './client.ts';
import { DeliveryWindow, FULL_PAGE, type Logged } from './delivery-window.ts';
import { required, text } from './options.ts';

const POLL_MS = 1 * SECOND;
const AWAY_MS = 2 * SECOND;
const ANSWER_MS = 10 * SECOND;
let dispatcher: Agent | undefined;

export interface Heard {
  /** Events forwarded, and how many of them the receiver answered with a 2xx. */
  forwarded: number;
  accepted: number;
}

export interface ListenOptions {
  readonly api: Api;
  readonly forward: string;
  readonly secret: string;
  readonly client: Pick<Client, 'clock' | 'write' | 'stop'>;
  readonly pollMs?: number;
}

export const listenCommand = clientCommand({
  path: ['listen'],
  console: { never: 'it runs on a developer’s own machine, with a key' },
  summary: 'Forward sandbox events to your own address, signed as in a delivery, until Ctrl-C',
  options: {
    ...apiOptions,
    forward: required(text('URL', 'the address of your receiver, e.g. http://localhost:3000/hook')),
    secret: text('whsec_…', 'signing secret; by default one derived from the API key and printed'),
  },
  async run(client, { key, url, forward, secret }) {
    const api = openApi(client, { key, url });
    const signing = secret ?? secretOf(key ?? client.key ?? '');
    client.write(`Forwarding sandbox events to ${forward}; press Ctrl-C to stop.\n`);
    if (!secret) client.write(`Verify them with this secret: ${signing}\n`);
    return listen({ api, forward, secret: signing, client });
  },
});

/**
 * The API never returns a subscription's secret, so forwarded events are signed again with a secret the developer has: this
 * one, which stays the same for the same key, or the subscription's own when given as `--secret`.
 */
export function secretOf(key: string): string {
  return signing.SECRET_PREFIX + createHmac('sha256', key).update('wayfare listen').digest('hex');
}

/** Polls the delivery log and forwards each event once, whether or not its delivery succeeded, until `stop` is aborted. */
export async function listen({ api, forward, secret, client, pollMs = POLL_MS }: ListenOptions): Promise<Heard> {
  const { clock, write, stop } = client;
  const heard: Heard = { forwarded: 0, accepted: 0 };
  const log = async (): Promise<Logged[]> => (await api.get(`/webhook/deliveries?limit=${FULL_PAGE}`)).deliveries;

  async function look(window: DeliveryWindow): Promise<void> {
    const page = await log();
    const { deliveries, missed } = window.fresh(page);
    if (missed) write(`${FULL_PAGE} or more new deliveries since the last poll: the oldest were missed\n`);
    for (const delivery of deliveries) {
      const { payload, payload_pruned } = await api.get(`/webhook/deliveries?id=${delivery.id}`);
      if (payload_pruned) continue;
      const { answer, ok, ms } = await forwardOne(forward, secret, delivery, payload, client);
      window.forwarded(delivery);
      heard.forwarded += 1;
      if (ok) heard.accepted += 1;
      write(row(timestamp(clock.now()).slice(11), delivery.event_type, delivery.sale_id, answer, String(ms)));
    }
    window.done(page);
  }

  /** Waits for a server that restarts; any other error ends the command. */
  function isBack(error: unknown): false {
    if (!(error instanceof Refused && error.code === API_AWAY) || stop.aborted) throw error;
    write(`${error.message}; retrying\n`);
    return false;
  }

  try {
    const { count } = await api.get('/webhook/list');
    if (count === 0)
      throw new Refused(
        'no_subscription',
        'create a sandbox subscription first (any URL will do): without one no event is logged',
      );
    const window = new DeliveryWindow(await log());
    write(row('time', 'event', 'order', 'answer', 'ms'));
    while (!stop.aborted) {
      const isThere = await look(window).then(() => true, isBack);
      await wait(isThere ? pollMs : AWAY_MS, undefined, { signal: stop });
    }
  } catch (error) {
    if (!stop.aborted) throw error;
  }
  return heard;
}

async function forwardOne(
  url: string,
  secret: string,
  delivery: Logged,
  payload: string,
  { clock, stop }: ListenOptions['client'],
): Promise<{ answer: string; ok: boolean; ms: number }> {
  const started = clock.now();
  const signed = signing.sign([signing.key(secret)], delivery.event_id, payload, started);
  const headers = signing.headers(BigInt(delivery.id), delivery.event_type as EventName, delivery.event_id, signed);
  const took = () => clock.now() - started;
  try {
    const signal = AbortSignal.any([stop, AbortSignal.timeout(ANSWER_MS)]);
    dispatcher ??= new (undici().Agent)({ connect: acceptingInterim() });
    const options = { dispatcher, method: 'POST', headers, body: payload, signal } as const;
    const { statusCode, body } = await undici().request(url, options);
    await body.dump();
    return { answer: String(statusCode), ok: statusCode >= 200 && statusCode < 300, ms: took() };
  } catch (error) {
    return { answer: (error as { code?: string }).code ?? (error as Error).name, ok: false, ms: took() };
  }
}

const WIDTHS = [10, 17, 10, 14, 6] as const;
const row = (...cells: readonly string[]): string =>
  `${cells
    .map((cell, i) => cell.padEnd(WIDTHS[i] ?? 0))
    .join('')
    .trimEnd()}\n`;
