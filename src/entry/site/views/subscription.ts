import type { DescribedEvent } from '../../../domains/messages/events/events.ts';
import { type Subscription, signing } from '../../../domains/messages/webhooks/webhooks.ts';
import { iso } from '../json/action.ts';

export const subscriptionView = ({
  id,
  url,
  secretLast4,
  events,
  status,
  failCount,
  heldSince,
  tries,
  nextTryAt,
  rotationEndsAt,
  createdAt,
  updatedAt,
}: Subscription) => ({
  id: String(id),
  url,
  secret_mask: signing.mask(secretLast4),
  events,
  status,
  fail_count: failCount,
  /** Since when it is paused or disabled. */
  held_since: iso(heldSince),
  /** How often it was tried again since it was disabled. */
  tries,
  /** When a disabled one is tried next. Null: it is not, or no longer. */
  next_try_at: iso(nextTryAt),
  rotation_ends_at: rotationEndsAt && iso(rotationEndsAt),
  created_at: iso(createdAt),
  updated_at: iso(updatedAt),
});

export const eventsView = (events: readonly DescribedEvent[]) => ({
  events: events.map(({ name, about, isStandard, sample }) => ({ name, about, is_standard: isStandard, sample })),
});

export type EventsView = ReturnType<typeof eventsView>;
export type SubscriptionView = ReturnType<typeof subscriptionView>;
