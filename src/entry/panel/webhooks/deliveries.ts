import { type Place, resendMatching, resendOne, resendOrder } from '../../../actions/messages/deliveries.ts';
import { contractEvents, type EventName, eventNames } from '../../../domains/messages/events/events.ts';
import {
  type AttemptDetail,
  type DeliveryStatus,
  type Due,
  deliveryStatuses,
  type LoggedDelivery,
  type Resendable,
  type ResendFilter,
  resendStatuses,
  type Subscription,
  webhookLimits,
} from '../../../domains/messages/webhooks/webhooks.ts';
import { parseTimestamp } from '../../../platform/clock.ts';
import { Refused } from '../../../platform/contract/refused.ts';
import { Type } from '../../../platform/contract/schema.ts';
import type { Base } from '../../../worlds/base.ts';
import { bigIdOf, iso, jsonOf, requireMode, shortText } from '../../site/json/action.ts';
import { filtersFrom } from '../../site/json/filters.ts';
import { subscriptionView } from '../../site/views/records.ts';
import { fields, type MemberCall, memberChange, memberRead } from '../member-action.ts';

/* Which deliveries a request is about: those of which subscription, in which world, by which filter. */

const placeOf = (worlds: Base['worlds'], call: MemberCall): Place => {
  const mode = requireMode(call);
  return { mode, partnerId: call.member.partnerId, webhooks: worlds[mode].webhooks };
};
const requireSubscription = async ({ partnerId, webhooks }: Place, call: MemberCall): Promise<Subscription> => {
  const found = (await webhooks.subscriptions(partnerId)).find(({ id }) => id === bigIdOf(call));
  if (!found) throw new Refused('subscription_not_found');
  return found;
};

const filterFields = {
  status: Type.Optional(shortText),
  event: Type.Optional(shortText),
  from: Type.Optional(shortText),
  until: Type.Optional(shortText),
};

/** From the address of a list, or from the fields of a request about the same deliveries. */
function deliveryFilterFrom<S extends DeliveryStatus>(call: Pick<MemberCall, 'query'>, statuses: readonly S[]) {
  const { oneOf } = filtersFrom(call);
  const { timestamp } = filtersFrom(call, 'invalid_time');
  return {
    status: oneOf('status', statuses),
    event: oneOf<EventName>('event', eventNames),
    from: timestamp('from'),
    until: timestamp('until'),
  };
}

function requireTime(text: string): Date {
  const at = parseTimestamp(text);
  if (!at) throw new Refused('invalid_time');
  return at;
}

const PAGE = 25;

export const SUBSCRIPTION_VIEWED = {
  ...fields('id', 'url', 'secret_mask', 'events', 'status', 'fail_count', 'held_since', 'tries'),
  ...fields('next_try_at', 'rotation_ends_at', 'created_at', 'updated_at'),
};
const DELIVERY_VIEWED = {
  ...fields('id', 'subscription_id', 'event', 'event_id', 'order_id', 'status', 'is_held', 'attempts'),
  ...fields('max_attempts', 'tries', 'http_status', 'error', 'sent_at', 'created_at', 'is_under_way'),
  ...fields('next_attempt_at'),
};

/** The log of one subscription, and each delivery with its attempts. */
export const deliveryActions = ({ worlds }: Base) => [
  memberRead('/api/{mode}/webhooks/{id}', {
    may: 'see',
    viewed: {
      ...fields('events', 'all_events', 'has_more', 'held'),
      subscription: SUBSCRIPTION_VIEWED,
      deliveries: DELIVERY_VIEWED,
    },
    async read(call) {
      const place = placeOf(worlds, call);
      const { partnerId, webhooks } = place;
      const subscription = await requireSubscription(place, call);
      const filter = { subscriptionId: subscription.id, ...deliveryFilterFrom(call, deliveryStatuses) };
      const ignoring = filtersFrom(call, 'ignored');
      const limit = ignoring.limit(PAGE);
      const found = await webhooks.deliveries(partnerId, {
        ...filter,
        before: ignoring.id('before'),
        limit: limit + 1,
      });
      const rows = found.slice(0, limit);
      const due = await webhooks.dueOf(
        partnerId,
        rows.filter(isWaiting).map(({ id }) => id),
      );
      const stopped = subscription.status === 1 ? [] : await webhooks.stopped(partnerId);
      // How many deliveries wait for it to be active again, counted up to `webhookLimits.counted`.
      const held = stopped.find(({ id }) => id === subscription.id)?.held ?? 0;
      return {
        subscription: subscriptionView(subscription),
        events: contractEvents,
        all_events: eventNames,
        deliveries: rows.map((row) => deliveryView(row, due.get(row.id))),
        has_more: found.length > limit,
        held,
      };
    },
  }),
  memberRead('/api/{mode}/deliveries/{id}', {
    may: 'see',
    viewed: {
      as_of: true,
      delivery: DELIVERY_VIEWED,
      attempts: fields('attempt', 'started_at', 'duration_ms', 'http_status', 'error'),
    },
    async read(call) {
      const { partnerId, webhooks } = placeOf(worlds, call);
      const id = bigIdOf(call);
      // Attempts are read last: one that ends meanwhile is then shown, and the next read shows the delivery's outcome.
      const found = await webhooks.delivery(partnerId, id);
      if (!found) throw new Refused('delivery_not_found');
      const [due, attempts] = [await webhooks.dueOf(partnerId, [id]), await webhooks.attempts(partnerId, id)];
      return {
        delivery: deliveryView(found.delivery, due.get(id)),
        /** The exact body that is signed; null once it is no longer stored. */
        payload: found.payload ?? null,
        /** The latest first. */
        attempts: attempts.map(attemptView),
        /** To be sent back with a request to send it again. */
        as_of: iso(found.asOf),
      };
    },
  }),
];

const isWaiting = ({ status }: LoggedDelivery): boolean => status === 'pending' || status === 'failed';

const deliveryView = (row: LoggedDelivery, due: Due | undefined) => ({
  ...jsonOf(row, 'id', 'subscriptionId', 'event', 'eventId'),
  /** Null: it belongs to no order. */
  order_id: row.orderId === 0n ? null : String(row.orderId),
  status: row.status,
  /** It waits because its subscription is paused or disabled. */
  is_held: row.held,
  ...jsonOf(row, 'attempts', 'maxAttempts'),
  /** Attempts made besides these while its subscription was disabled. */
  tries: row.tries,
  ...jsonOf(row, 'httpStatus', 'error', 'sentAt', 'createdAt'),
  is_under_way: due?.isUnderWay ?? false,
  /** Null: none is planned. In the past: as soon as it is its turn. */
  next_attempt_at: due && !row.held ? iso(due.at) : null,
});

const attemptView = (attempt: AttemptDetail) => ({
  ...jsonOf(attempt, 'attempt', 'startedAt', 'durationMs', 'httpStatus', 'error'),
  /** `request_headers` is null if no request was sent. */
  ...jsonOf(attempt, 'requestHeaders', 'responseHeaders', 'responseBody'),
});

export type DeliveryView = ReturnType<typeof deliveryView>;

/** Sending again: one delivery, the events of an order, or what a filter of a subscription's log finds. */
export const resendActions = ({ worlds }: Base) => [
  memberChange('/api/{mode}/deliveries/{id}/resend', {
    may: 'develop',
    body: Type.Object({ as_of: shortText }),
    async handle(call, { as_of }) {
      const resent = await resendOne(call.actor, placeOf(worlds, call), bigIdOf(call), requireTime(as_of));
      return { body: { resent: resent ? 1 : 0 } };
    },
  }),
  memberChange('/api/{mode}/orders/{id}/resend', {
    may: 'develop',
    body: Type.Object({ as_of: shortText }),
    async handle(call, { as_of }) {
      const place = placeOf(worlds, call);
      const id = bigIdOf(call);
      if (!(await worlds[place.mode].orders.summary(place.partnerId, id))) throw new Refused('order_not_found');
      const target = place.mode === 'live' ? `order ${id}` : `sandbox order ${id}`;
      const shown = { asOf: requireTime(as_of), target };
      return { body: { resent: await resendOrder(call.actor, place, id, shown) } };
    },
  }),
  memberRead('/api/{mode}/webhooks/{id}/resend', {
    may: 'see',
    viewed: fields('count', 'without_body', 'too_many', 'most', 'as_of'),
    async read(call) {
      const place = placeOf(worlds, call);
      const { id: subscriptionId } = await requireSubscription(place, call);
      const wanted = deliveryFilterFrom(call, resendStatuses);
      const found = await place.webhooks.resendable(place.partnerId, { subscriptionId, ...wanted });
      return resendableView(found);
    },
  }),
  memberChange('/api/{mode}/webhooks/{id}/resend', {
    may: 'develop',
    body: Type.Object({ ...filterFields, as_of: shortText }),
    async handle(call, { as_of, ...given }) {
      const wanted = deliveryFilterFrom({ query: (name) => given[name as keyof typeof given] ?? '' }, resendStatuses);
      const filter: ResendFilter = { subscriptionId: bigIdOf(call), ...wanted };
      return { body: { resent: await resendMatching(call.actor, placeOf(worlds, call), filter, requireTime(as_of)) } };
    },
  }),
];

const resendableView = (found: Resendable) => ({
  ...jsonOf(found, 'count', 'withoutBody', 'tooMany', 'asOf'),
  most: webhookLimits.resent,
});
