import { createHmac } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { SECOND, timestamp } from '../clock.ts';
import { acceptingInterim } from '../http/interim-responses.ts';
import { Refused } from '../refused.ts';
import { type EventName, SECRET_PREFIX, sign, webhookHeaders } from '../webhooks/webhooks.ts';
import { API_AWAY, type Api, apiOptions, type Client, clientCommand, openApi } from './client.ts';
import { DeliveryWindow, FULL_PAGE, type Logged } from './delivery-window.ts';
import { required, text } from './options.ts';

const POLL_MS = 1 * SECOND;
const AWAY_MS = 2 * SECOND;
const ANSWER_MS = 10 * SECOND;
const dispatcher = new Agent({ connect: acceptingInterim() });

export interface Heard {
  /** Events forwarded, and how many of them the receiver took with a 2xx. */
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
  summary: 'Forward sandbox events to an address of your own, signed as delivered, until Ctrl-C',
  options: {
    ...apiOptions,
    forward: required(text('URL', 'where your receiver listens, e.g. http://localhost:3000/hook')),
    secret: text('whsec_…', 'sign with this; else with a secret made from the key, which is shown'),
  },
  async run(client, { key, url, forward, secret }) {
    const api = openApi(client, { key, url });
    const signing = secret ?? secretOf(key ?? client.key ?? '');
    client.write(`Forwarding sandbox events to ${forward}; Ctrl-C ends it.\n`);
    if (!secret) client.write(`Verify them with this secret: ${signing}\n`);
    return listen({ api, forward, secret: signing, client });
  },
});

/**
 * The API never gives out a subscription's secret, so what is forwarded is signed anew, by the same rule, with one the
 * developer holds: this, the same at every run with the same key, or the subscription's own by `--secret`.
 */
export function secretOf(key: string): string {
  return SECRET_PREFIX + createHmac('sha256', key).update('wayfare listen').digest('hex');
}

/** Reads the delivery log and forwards each event once, whatever became of its own delivery. Ends when told to stop. */
export async function listen({ api, forward, secret, client, pollMs = POLL_MS }: ListenOptions): Promise<Heard> {
  const { clock, write, stop } = client;
  const heard: Heard = { forwarded: 0, accepted: 0 };
  const log = async (): Promise<Logged[]> => (await api.get(`/webhook/deliveries?limit=${FULL_PAGE}`)).deliveries;

  async function look(window: DeliveryWindow): Promise<void> {
    const page = await log();
    const { deliveries, missed } = window.fresh(page);
    if (missed) write(`${FULL_PAGE} new deliveries or more since the last look: the oldest were not seen\n`);
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

  /** A server that is restarted is waited for; anything else it says is the end. */
  function isBack(error: unknown): false {
    if (!(error instanceof Refused && error.code === API_AWAY) || stop.aborted) throw error;
    write(`${error.message}; trying again\n`);
    return false;
  }

  try {
    const { count } = await api.get('/webhook/list');
    if (count === 0)
      throw new Refused('no_subscription', 'without a sandbox subscription no event is logged; it may point anywhere');
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
  const signed = sign([secret], delivery.event_id, payload, started);
  const headers = webhookHeaders(BigInt(delivery.id), delivery.event_type as EventName, delivery.event_id, signed);
  const took = () => clock.now() - started;
  try {
    const signal = AbortSignal.any([stop, AbortSignal.timeout(ANSWER_MS)]);
    const { statusCode, body } = await request(url, { dispatcher, method: 'POST', headers, body: payload, signal });
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
