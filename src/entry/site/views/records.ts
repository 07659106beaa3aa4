import type { LoggedField } from '../../../domains/insight/request-log/request-log.ts';
import type { DescribedEvent } from '../../../domains/messages/events/events.ts';
import { type Subscription, signing } from '../../../domains/messages/webhooks/webhooks.ts';
import type { Application } from '../../../domains/partners/applications/applications.ts';
import { type ApiKey, latestKeys, maskKey } from '../../../domains/partners/keys/keys.ts';
import { limitsText } from '../../../domains/partners/limits/limits.ts';
import type { Member } from '../../../domains/partners/people/people.ts';
import type { BatchSum } from '../../../domains/sales/order-lists/order-lists.ts';
import { type LimitUse, limitValues } from '../../../domains/sales/purchase/purchase.ts';
import { formatCents } from '../../../platform/amounts/cents.ts';
import { SECOND } from '../../../platform/clock.ts';
import { limitBody } from '../../../platform/contract/resources.ts';
import type { Queryable } from '../../../platform/db/database.ts';
import type { Base } from '../../../worlds/base.ts';
import { iso, jsonOf } from '../json/action.ts';

export const limitView = (use: LimitUse) => ({ ...limitBody(limitValues(use)), resets_at: iso(use.resetsAt) });

const keyView = (key: ApiKey, uses: readonly LimitUse[]) => ({
  id: key.keyId,
  ...jsonOf(key, 'mode', 'name', 'note'),
  mask: maskKey(key.mode, key.last4),
  /** `permissions`: what it may do; null if it is not restricted. `client_id`: for software made for Airalo; null if it has none. */
  ...jsonOf(key, 'allowList', 'permissions', 'clientId'),
  /** What it may spend, with its use; and as it is typed: `day=500.00, hour=20x`. */
  limits: uses.map(limitView),
  limits_text: limitsText(key.limits),
  ...jsonOf(key, 'createdAt', 'expiresAt', 'revokedAt', 'lastUsedAt', 'refusedAddress', 'refusedAt'),
});

export type KeyView = ReturnType<typeof keyView>;

/** Keys of one partner, whose sandbox is so far ahead of real time. A key that is revoked spends nothing any more. */
export function keyViews(
  { worlds }: Pick<Base, 'worlds'>,
  keys: readonly ApiKey[],
  { now, aheadMs }: { readonly now: number; readonly aheadMs: number },
): Promise<KeyView[]> {
  return Promise.all(
    keys.map(async (key) => {
      const { keyId, partnerId, mode, revokedAt } = key;
      const limits = revokedAt ? [] : key.limits.map((limit) => ({ ...limit, scope: 'key' as const }));
      const at = new Date(mode === 'sandbox' ? now + aheadMs : now);
      return keyView(key, await worlds[mode].checkout.limitUses({ partnerId, keyId, limits, at }));
    }),
  );
}

/** What an applicant wrote about their company. */
export const detailsView = ({
  taxNumber = '',
  address = '',
  country = '',
  volume = '',
  use = '',
}: Application['details']) => ({
  ...{ address, country, volume, use },
  tax_number: taxNumber,
});

export const memberView = (member: Member) => ({
  id: member.memberId,
  ...jsonOf(member, 'email', 'role', 'invitedAt', 'lastSignInAt', 'accepted'),
});

export const clockView = (aheadMs: number, now: number) => ({
  on: aheadMs > 0,
  now: iso(new Date(now + aheadMs)),
  real: iso(new Date(now)),
  ahead_seconds: Math.round(aheadMs / SECOND),
});

export type ClockView = ReturnType<typeof clockView>;

export const subscriptionView = (subscription: Subscription) => ({
  ...jsonOf(subscription, 'id', 'url'),
  secret_mask: signing.mask(subscription.secretLast4),
  /** `held_since`: since when it is paused or disabled. `tries`: how often it was tried again since it was disabled. */
  ...jsonOf(subscription, 'events', 'status', 'failCount', 'heldSince', 'tries'),
  /** When a disabled one is tried next. Null: it is not, or no longer. */
  ...jsonOf(subscription, 'nextTryAt', 'rotationEndsAt', 'createdAt', 'updatedAt'),
});

export const eventsView = (events: readonly DescribedEvent[]) => ({
  events: events.map((event) => jsonOf(event, 'name', 'about', 'isStandard', 'sample')),
});

export type EventsView = ReturnType<typeof eventsView>;
export type SubscriptionView = ReturnType<typeof subscriptionView>;

export type Keys = Awaited<ReturnType<typeof keysOf>>;

/** The account's keys as the log names them. */
export const keysOf = async (db: Queryable, partnerId: number) =>
  (await latestKeys(db, partnerId)).map((key) => ({
    id: key.keyId,
    ...jsonOf(key, 'mode', 'name', 'permissions'),
    mask: maskKey(key.mode, key.last4),
  }));

export const loggedKeyView = (id: number, keys: Keys) => {
  const key = keys.find((one) => one.id === id);
  return { id, name: key?.name ?? '', mask: key?.mask ?? `key ${id}`, permissions: key?.permissions ?? null };
};

/** The whole batch of some of the orders listed. */
export const batchView = ({ batchId, orders, plans, price, states }: BatchSum) => ({
  id: batchId.toString(),
  orders,
  plans,
  price: formatCents(price),
  states,
});

/** `text` null: nothing of it is kept; shorter than `length`: only its beginning is, or secrets were replaced in it. */
export const answerView = ({ answer, answerLength }: { answer: string | null; answerLength: number }) => ({
  text: answer,
  length: answerLength,
});

export const fieldView = (field: LoggedField) => ({
  ...jsonOf(field, 'in', 'name', 'value'),
  note: field.note ?? null,
});
