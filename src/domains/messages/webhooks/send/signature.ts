import { createHmac, createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import type { EventName } from '../../events/events.ts';

/**
 * One secret, two signatures. The key of `X-Signature` is the secret exactly as shown, including `whsec_`. The key of the
 * Standard Webhooks header is what that standard's libraries derive from the same string: everything after `whsec_`, decoded as
 * base64 (64 hex characters are valid base64 for 48 bytes). So a partner pastes the same string into either verifier.
 */
const SECRET_PREFIX = 'whsec_';

export function newSecret(): string {
  return `${SECRET_PREFIX}${randomBytes(32).toString('hex')}`;
}

/** The prefix and the last four characters: enough to recognise a secret, useless for signing. */
export function maskSecret(last4: string): string {
  return `${SECRET_PREFIX}${'*'.repeat(8)}${last4}`;
}

export const signatureRule =
  "X-Signature = 'sha256=' + hex(HMAC-SHA256(secret, X-Webhook-Timestamp + '.' + raw body)); " +
  'compare in constant time and refuse timestamps more than 300 seconds from your clock.';

export interface Signed {
  /** Unix seconds, as sent. */
  readonly timestamp: string;
  readonly signature: string;
  /** The value of webhook-signature: one signature per secret, the newest first. */
  readonly standardSignature: string;
}

/** A secret to sign with. Key objects, because Node makes one from anything else at every use, which costs more than the signature. */
export interface SigningKey {
  readonly own: KeyObject;
  readonly standard: KeyObject;
}

export const signingKey = (secret: string): SigningKey => ({
  own: createSecretKey(secret, 'utf8'),
  standard: createSecretKey(secret.slice(SECRET_PREFIX.length), 'base64'),
});

/**
 * `keys`: of the current secret and, while a rotation is open, of the one it replaces. `X-Signature` has room for one signature and
 * uses the last: a receiver that verifies it switches secrets when the rotation is finished.
 */
export function sign(keys: readonly [SigningKey, ...SigningKey[]], eventId: string, body: string, now: number): Signed {
  const timestamp = String(Math.floor(now / 1000));
  const { own } = keys.at(-1) ?? keys[0];
  const signature = createHmac('sha256', own).update(`${timestamp}.${body}`).digest('hex');
  const content = `${eventId}.${timestamp}.${body}`;
  const standard = keys.map((key) => `v1,${createHmac('sha256', key.standard).update(content).digest('base64')}`);
  return { timestamp, signature: `sha256=${signature}`, standardSignature: standard.join(' ') };
}

export const USER_AGENT = 'wayfare-webhook/1.0';

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
