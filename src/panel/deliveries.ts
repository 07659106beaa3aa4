import { Type } from 'typebox';
import { type Place, resendMatching, resendOne, resendOrder } from '../actions/deliveries.ts';
import type { Base } from '../base.ts';
import { parseTimestamp } from '../clock.ts';
import { Refused } from '../contract/refused.ts';
import { contractEvents, type EventName, eventNames } from '../events/events.ts';
import { bigIdOf, iso, requireMode, shortText } from '../site/action.ts';
import { subscriptionView } from '../site/views/subscription.ts';
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
} from '../webhooks/webhooks.ts';
import { type MemberAction, type MemberCall, memberAction } from './member-action.ts';

const PAGE = 25;

const filterFields = {
  status: Type.Optional(shortText),
  event: Type.Optional(shortText),
  from: Type.Optional(shortText),
  until: Type.Optional(shortText),
};

/** The log of one subscription, each delivery with its attempts, and sending again. */
export const deliveryActions = ({ worlds }: Base): MemberAction[] => {
  const placeOf = (call: MemberCall): Place => {
    const mode = requireMode(call);
    return { mode, partnerId: call.member.partnerId, webhooks: worlds[mode].webhooks };
  };
  const requireSubscription = async (call: MemberCall): Promise<Subscription> => {
    const { partnerId, webhooks } = placeOf(call);
    const found = (await webhooks.subscriptions(partnerId)).find(({ id }) => id === bigIdOf(call));
    if (!found) throw new Refused('subscription_not_found');
    return found;
  };
  return [
    memberAction({
      verb: 'GET',
      path: '/api/{mode}/webhooks/{id}',
      may: 'see',
      viewed: `subscription(id,url,secret_mask,events,status,fail_count,held_since,tries,next_try_at,
      rotation_ends_at,created_at,updated_at),events,
        all_events,deliveries(id,subscription_id,event,event_id,order_id,status,is_held,attempts,max_attempts,tries,
        http_status,error,sent_at,created_at,is_under_way,next_attempt_at),has_more,held`,
      async handle(call) {
        const { partnerId, webhooks } = placeOf(call);
        const subscription = await requireSubscription(call);
        const filter = { subscriptionId: subscription.id, ...requireWanted(wantedOf(call), deliveryStatuses) };
        const found = await webhooks.deliveries(partnerId, { ...filter, before: beforeOf(call), limit: PAGE + 1 });
        const rows = found.slice(0, PAGE);
        const due = await webhooks.dueOf(
          partnerId,
          rows.filter(isWaiting).map(({ id }) => id),
        );
        const stopped = subscription.status === 1 ? [] : await webhooks.stopped(partnerId);
        const held = stopped.find(({ id }) => id === subscription.id)?.held ?? 0;
        return { body: { ...logView(subscription, rows, due, found.length > PAGE), held } };
      },
    }),
    memberAction({
      verb: 'GET',
      path: '/api/{mode}/deliveries/{id}',
      may: 'see',
      viewed: `delivery(id,subscription_id,event,event_id,order_id,status,is_held,attempts,max_attempts,tries,http_status,error,
        sent_at,created_at,is_under_way,next_attempt_at),attempts(attempt,started_at,duration_ms,http_status,error),
        as_of`,
      async handle(call) {
        const { partnerId, webhooks } = placeOf(call);
        const id = bigIdOf(call);
        // Attempts last: one that ends meanwhile is then shown, and the next look shows what became of the delivery.
        const found = await webhooks.delivery(partnerId, id);
        if (!found) throw new Refused('delivery_not_found');
        const [due, attempts] = [await webhooks.dueOf(partnerId, [id]), await webhooks.attempts(partnerId, id)];
        return { body: detailView(found, due.get(id), attempts) };
      },
    }),
    memberAction({
      verb: 'POST',
      path: '/api/{mode}/deliveries/{id}/resend',
      may: 'develop',
      body: Type.Object({ as_of: shortText }),
      async handle(call, { as_of }) {
        const resent = await resendOne(call.actor, placeOf(call), bigIdOf(call), requireTime(as_of));
        return { body: { resent: resent ? 1 : 0 } };
      },
    }),
    memberAction({
      verb: 'POST',
      path: '/api/{mode}/orders/{id}/resend',
      may: 'develop',
      body: Type.Object({ as_of: shortText }),
      async handle(call, { as_of }) {
        const place = placeOf(call);
        const id = bigIdOf(call);
        if (!(await worlds[place.mode].orders.summary(place.partnerId, id))) throw new Refused('order_not_found');
        const asked = { asOf: requireTime(as_of), target: `order ${id}` };
        return { body: { resent: await resendOrder(call.actor, place, id, asked) } };
      },
    }),
    memberAction({
      verb: 'GET',
      path: '/api/{mode}/webhooks/{id}/resend',
      may: 'see',
      viewed: 'count,without_body,too_many,most,as_of',
      async handle(call) {
        const { id: subscriptionId } = await requireSubscription(call);
        const wanted = requireWanted(wantedOf(call), resendStatuses);
        const { partnerId, webhooks } = placeOf(call);
        return { body: resendableView(await webhooks.resendable(partnerId, { subscriptionId, ...wanted })) };
      },
    }),
    memberAction({
      verb: 'POST',
      path: '/api/{mode}/webhooks/{id}/resend',
      may: 'develop',
      body: Type.Object({ ...filterFields, as_of: shortText }),
      async handle(call, { as_of, ...given }) {
        const wanted = requireWanted(given, resendStatuses);
        const filter: ResendFilter = { subscriptionId: bigIdOf(call), ...wanted };
        return { body: { resent: await resendMatching(call.actor, placeOf(call), filter, requireTime(as_of)) } };
      },
    }),
  ];
};

interface Given {
  readonly status?: string;
  readonly event?: string;
  readonly from?: string;
  readonly until?: string;
}

const wantedOf = ({ query }: MemberCall): Given => ({
  status: query('status'),
  event: query('event'),
  from: query('from'),
  until: query('until'),
});

/** Empty and missing are the same: no filter. */
function requireWanted<S extends DeliveryStatus>(given: Given, statuses: readonly S[]) {
  const { status = '', event = '', from = '', until = '' } = given;
  return {
    status: status === '' ? undefined : requireOne(statuses, status, 'status'),
    event: event === '' ? undefined : requireOne<EventName>(eventNames, event, 'event'),
    from: from === '' ? undefined : requireTime(from),
    until: until === '' ? undefined : requireTime(until),
  };
}

function requireOne<T extends string>(known: readonly T[], given: string, what: 'status' | 'event'): T {
  const found = known.find((one) => one === given);
  if (found === undefined) throw new Refused(`invalid_${what}`, `the ${what} is none of ${known.join(', ')}`);
  return found;
}

function requireTime(text: string): Date {
  const at = parseTimestamp(text);
  if (!at) throw new Refused('invalid_time');
  return at;
}

/** Text that cannot be an id is ignored: the list begins with the newest. */
function beforeOf({ query }: MemberCall): bigint | undefined {
  const text = query('before');
  return /^\d{1,18}$/.test(text) ? BigInt(text) : undefined;
}

const isWaiting = ({ status }: LoggedDelivery): boolean => status === 'pending' || status === 'failed';

const deliveryView = (row: LoggedDelivery, due: Due | undefined) => ({
  id: String(row.id),
  subscription_id: String(row.subscriptionId),
  event: row.event,
  event_id: row.eventId,
  /** Null: it belongs to no order. */
  order_id: row.orderId === 0n ? null : String(row.orderId),
  status: row.status,
  /** It waits because its subscription is paused or disabled. */
  is_held: row.held,
  attempts: row.attempts,
  max_attempts: row.maxAttempts,
  /** Attempts made besides these while its subscription was disabled. */
  tries: row.tries,
  http_status: row.httpStatus,
  error: row.error,
  sent_at: iso(row.sentAt),
  created_at: iso(row.createdAt),
  is_under_way: due?.isUnderWay ?? false,
  /** Null: none is planned. In the past: as soon as it is its turn. */
  next_attempt_at: due && !row.held ? iso(due.at) : null,
});

const logView = (
  subscription: Subscription,
  rows: readonly LoggedDelivery[],
  due: ReadonlyMap<bigint, Due>,
  hasMore: boolean,
) => ({
  subscription: subscriptionView(subscription),
  events: contractEvents,
  all_events: eventNames,
  deliveries: rows.map((row) => deliveryView(row, due.get(row.id))),
  has_more: hasMore,
});

const attemptView = (attempt: AttemptDetail) => ({
  attempt: attempt.attempt,
  started_at: iso(attempt.startedAt),
  duration_ms: attempt.durationMs,
  http_status: attempt.httpStatus,
  error: attempt.error,
  /** Null: no request was sent. */
  request_headers: attempt.requestHeaders,
  response_headers: attempt.responseHeaders,
  response_body: attempt.responseBody,
});

const detailView = (
  { delivery, payload, asOf }: { delivery: LoggedDelivery; payload: string | undefined; asOf: Date },
  due: Due | undefined,
  attempts: readonly AttemptDetail[],
) => ({
  delivery: deliveryView(delivery, due),
  /** The exact body that is signed; null once it is no longer stored. */
  payload: payload ?? null,
  /** The latest first. */
  attempts: attempts.map(attemptView),
  /** To be returned with the wish to send it again. */
  as_of: iso(asOf),
});

const resendableView = ({ count, withoutBody, tooMany, asOf }: Resendable) => ({
  count,
  without_body: withoutBody,
  too_many: tooMany,
  most: webhookLimits.resent,
  as_of: iso(asOf),
});

/** `held`: how many deliveries wait for it to be active again, counted up to `MOST_COUNTED`. */
export type LogView = ReturnType<typeof logView> & { readonly held: number };
export type DeliveryView = ReturnType<typeof deliveryView>;
export type DeliveryDetailView = ReturnType<typeof detailView>;
export type AttemptView = ReturnType<typeof attemptView>;
export type ResendableView = ReturnType<typeof resendableView>;
