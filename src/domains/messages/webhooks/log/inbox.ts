import { HOUR } from '../../../../platform/clock.ts';
import type { Queryable, Tx } from '../../../../platform/db/database.ts';
import { sql } from '../../../../platform/db/query/sql.ts';
import type { Vault } from '../../../../platform/vault/secrets.ts';
import { isSame } from '../../../../platform/vault/secrets.ts';
import { eventNames } from '../../events/events.ts';
import type { PostResult } from '../send/send.ts';
import { type SigningKey, sign } from '../send/signature.ts';
import {
  createSubscription,
  findSubscription,
  listSubscriptions,
  type Subscription,
} from '../subscriptions/subscriptions.ts';

/*
 * A built-in receiver for partners who have none yet: a subscription like any other, whose deliveries are queued, signed, logged
 * and retried as usual, but received in this process instead of being sent. Nobody can enter its address: `target.ts` accepts only
 * https, and only `openInbox` writes this scheme. In a world without an inbox, such a row goes to the sender, which refuses it.
 *
 * It stores nothing itself: the panel reads deliveries from the log, and each answer says whether the signature was valid.
 */
export const INBOX_URL = 'inbox:events';

/** An inbox closes automatically. Opening it again restarts its time. */
const INBOX_OPEN_MS = 1 * HOUR;
/** How far a timestamp may be from the receiver's clock, according to the contract. */
const TOLERATED_SECONDS = 300;

/** The account's inbox, opened if it was not. */
async function openInbox(tx: Tx, vault: Vault, partnerId: number, now: number): Promise<Subscription> {
  const open = (await listSubscriptions(tx, partnerId)).find(({ url }) => url === INBOX_URL);
  const id =
    open?.id ??
    (await createSubscription(tx, vault, { partnerId, url: INBOX_URL, events: eventNames }, now)).subscriptionId;
  await tx.run(sql`update webhook_subscriptions set updated_at = ${new Date(now)} where id = ${id}`);
  return findSubscription(tx, id);
}

/** Closes those whose time is up. What is still waiting for them is given up by `abandonHeld`. */
export const closeInboxes = (db: Queryable, vault: Vault, now: number): Promise<number> =>
  db.run(sql`
    update webhook_subscriptions
    set deleted_at = ${new Date(now)}, secret = ${vault.seal('')}, previous_secret = null, previous_secret_until = null
    where url = ${INBOX_URL} and deleted_at is null and updated_at <= ${new Date(now - INBOX_OPEN_MS)}`);

/** Receives one delivery as a partner's server should: checks signature and time, and answers 401 if either is wrong. */
export function received(
  keys: readonly SigningKey[],
  headers: Readonly<Record<string, string>>,
  body: string,
  now: number,
): PostResult {
  const sentAt = Number(headers['X-Webhook-Timestamp']);
  const isRecent = Math.abs(now / 1000 - sentAt) <= TOLERATED_SECONDS;
  const given = headers['X-Signature'] ?? '';
  const isOurs = keys.some((key) => isSame(sign([key], '', body, sentAt * 1000).signature, given));
  const isValid = isRecent && isOurs;
  const reply = JSON.stringify({ signature: isValid ? 'valid' : 'invalid' });
  return {
    requestSent: true,
    refused: undefined,
    httpStatus: isValid ? 200 : 401,
    responseHeaders: 'content-type: application/json',
    responseBody: reply,
    longResponseBody: reply,
    error: '',
    durationMs: 0,
  };
}

export const inbox = { url: INBOX_URL, openMs: INBOX_OPEN_MS, open: openInbox };
