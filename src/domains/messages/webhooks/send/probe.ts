import type { Log } from '../../../../platform/log.ts';
import { type EventName, type EventStyle, sampleMessage } from '../../events/events.ts';
import type { PostResult, Sender } from './send.ts';
import { newSecret, sign, signingKey, webhookHeaders } from './signature.ts';

/** One signed request to any public URL. Nothing about it is stored. */
interface Probe {
  readonly eventId: string;
  readonly payload: string;
  readonly timestamp: string;
  readonly signature: string;
  /** Made for this call and forgotten with it. */
  readonly secret: string;
  readonly answer: PostResult;
}

export type ProbeOutcome =
  | ({ readonly outcome: 'sent' } & Probe)
  /** The guard refused the address, so no request left. */
  | { readonly outcome: 'blocked'; readonly reason: string }
  /** Too many probes at once, or the request could not be signed. */
  | { readonly outcome: 'unavailable' };

export type Prober = ReturnType<typeof openProber>;

/** Concurrent probes of one process. Each can take as long as a delivery attempt. */
const MAX_AT_ONCE = 64;
const NOTE = 'Probe: it describes no order.';

/** One for the whole process, so that the limit holds over both worlds together. */
export function openProber({ sender, log }: { sender: Sender; log: Log }) {
  let underWay = 0;

  function build(style: EventStyle, event: EventName, now: number) {
    try {
      const secret = newSecret();
      const { eventId, body } = sampleMessage(style, event, 0, NOTE, now);
      const signed = sign([signingKey(secret)], eventId, body, now);
      const headers = { ...webhookHeaders(0n, event, eventId, signed), 'X-Webhook-Probe': '1' };
      return { eventId, payload: body, timestamp: signed.timestamp, signature: signed.signature, secret, headers };
    } catch (error) {
      log.error({ err: error }, 'a probe could not be signed');
      return undefined;
    }
  }

  return {
    async probe(style: EventStyle, url: string, event: EventName, now: number): Promise<ProbeOutcome> {
      if (underWay >= MAX_AT_ONCE) return { outcome: 'unavailable' };
      underWay += 1;
      try {
        const request = build(style, event, now);
        if (!request) return { outcome: 'unavailable' };
        const answer = await sender.send(url, request.headers, request.payload);
        return answer.refused
          ? { outcome: 'blocked', reason: answer.refused }
          : { outcome: 'sent', ...request, answer };
      } finally {
        underWay -= 1;
      }
    },
  };
}
