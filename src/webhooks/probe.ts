import { fail } from '../contract/errors.ts';
import type { Log } from '../log.ts';
import { type EventName, type EventStyle, sampleMessage } from './events.ts';
import { webhookHeaders } from './headers.ts';
import type { Answer, Sender } from './send.ts';
import { newSecret, sign } from './signature.ts';

/** One signed request to any public URL; nothing of it is kept. */
export interface Probe {
  readonly eventId: string;
  readonly payload: string;
  readonly timestamp: string;
  readonly signature: string;
  /** Made for this call and forgotten with it. */
  readonly secret: string;
  readonly answer: Answer;
}

/** Probes one process has under way at a time; each can last as long as an attempt. */
const MAX_AT_ONCE = 64;
const NOTE = 'Probe: it describes no order.';

export class Prober {
  readonly #sender: Sender;
  readonly #log: Log;
  #underWay = 0;

  constructor(sender: Sender, log: Log) {
    this.#sender = sender;
    this.#log = log;
  }

  async probe(style: EventStyle, url: string, event: EventName, now: number): Promise<Probe> {
    if (this.#underWay >= MAX_AT_ONCE) throw fail('probe_unavailable');
    this.#underWay += 1;
    try {
      const request = this.#build(style, event, now);
      const answer = await this.#sender.send(url, request.headers, request.payload);
      if (answer.refused) throw fail('probe_blocked', { request_sent: false, reason: answer.refused });
      return { ...request, answer };
    } finally {
      this.#underWay -= 1;
    }
  }

  #build(style: EventStyle, event: EventName, now: number) {
    try {
      const secret = newSecret();
      const { eventId, body } = sampleMessage(style, event, 0, NOTE, now);
      const signed = sign([secret], eventId, body, now);
      const headers = { ...webhookHeaders(0n, event, eventId, signed), 'X-Webhook-Probe': '1' };
      return { eventId, payload: body, timestamp: signed.timestamp, signature: signed.signature, secret, headers };
    } catch (error) {
      this.#log.error({ err: error }, 'a probe could not be signed');
      throw fail('probe_unavailable');
    }
  }
}
