import type { EventName } from '../../events/events.ts';
import { maskSecret, SECRET_PREFIX, type Signed, sign, signatureRule, signingKey } from './signature.ts';

const USER_AGENT = 'wayfare-webhook/1.0';

/** The headers of one request: the contract's own, and those of Standard Webhooks, whose message id is the event id. */
export function webhookHeaders(
  id: bigint,
  event: EventName,
  eventId: string,
  { timestamp, signature, standardSignature }: Signed,
): Record<string, string> {
  return {
    'Content-Type': 'application/json',
    'User-Agent': USER_AGENT,
    'X-Webhook-Event': event,
    'X-Webhook-Id': String(id),
    'X-Webhook-Timestamp': timestamp,
    'X-Signature': signature,
    'webhook-id': eventId,
    'webhook-timestamp': timestamp,
    'webhook-signature': standardSignature,
  };
}

/** What a receiver sees of a secret, and how it is used. */
export const signing = {
  key: signingKey,
  sign,
  headers: webhookHeaders,
  rule: signatureRule,
  mask: maskSecret,
  SECRET_PREFIX,
};
