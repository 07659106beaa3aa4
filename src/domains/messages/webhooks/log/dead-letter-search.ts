import type { Queryable } from '../../../../platform/db/database.ts';
import { nothing, type Sql, sql } from '../../../../platform/db/query/sql.ts';
import type { EventName } from '../../events/events.ts';
import type { LoggedDelivery } from './delivery-log.ts';

/*
 * Dead letters over all partners. Without a filter, or by time alone, they are read along the index of all dead letters. Any other
 * filter first finds the subscriptions it matches, among those that have dead letters, and then reads each one's own range of
 * `webhook_dead_letters_of_subscription`, which has them latest first and knows their events. So the cost depends on how many
 * receivers are in trouble, not on how long the log is.
 */

/** A delivery that was given up and not by choice, with what an operator needs to find out why. */
interface DeadLetter
  extends Pick<LoggedDelivery, 'subscriptionId' | 'event' | 'eventId' | 'attempts' | 'httpStatus' | 'error'> {
  readonly deliveryId: bigint;
  readonly partnerId: number;
  readonly url: string;
  /** Null if it died before this time was recorded. */
  readonly diedAt: Date | null;
}

interface DeadLetterFilter {
  readonly partnerId: number | undefined;
  readonly limit: number;
}

/** Dead letters of one world, the latest first. There is an index of dead letters alone, and one of them by partner. */
export function listDeadLetters(db: Queryable, { partnerId, limit }: DeadLetterFilter): Promise<DeadLetter[]> {
  const [ofPartner, latestFirst]: [Sql, Sql] =
    partnerId === undefined
      ? [nothing, sql`died_at desc nulls last, id desc`]
      : [sql`and partner_id = ${partnerId}`, sql`coalesce(died_at, '-infinity') desc, id desc`];
  return db.query(sql`
    select dead.id as "deliveryId", dead.partner_id as "partnerId", subscription_id as "subscriptionId", url,
      event_type as event, event_id as "eventId", attempts, http_code as "httpStatus", error, died_at as "diedAt"
    from (
      select id, partner_id, subscription_id, event_type, event_id, attempts, http_code, error, died_at
      from webhook_deliveries where status = 'dead' and not discarded ${ofPartner} order by ${latestFirst} limit ${limit}
    ) as dead
    cross join lateral (select url from webhook_subscriptions where id = dead.subscription_id limit 1) as subscription
    order by died_at desc nulls last, dead.id desc`);
}

/** The order of the list, for merging the lists of two worlds. */
export function latestDeathFirst(a: DeadLetter, b: DeadLetter): number {
  const apart = (b.diedAt?.getTime() ?? 0) - (a.diedAt?.getTime() ?? 0);
  return apart !== 0 ? apart : Number(b.deliveryId - a.deliveryId);
}

/** Which dead letters to find; an undefined field does not filter. */
export interface DeadLetterSearch {
  readonly partnerId?: number | undefined;
  readonly subscriptionId?: bigint | undefined;
  /** The receiver's host, with its port if the address has one. */
  readonly receiver?: string | undefined;
  readonly event?: EventName | undefined;
  /** Given up at this time or later, in real time. */
  readonly from?: Date | undefined;
  /** Given up before this time. */
  readonly until?: Date | undefined;
  /** Of an event at this time or later, in the account's own time. */
  readonly since?: Date | undefined;
}

export interface Place {
  readonly diedAt: Date;
  readonly deliveryId: bigint;
}

/** Dead letters of a world that one command sends again. */
export const MOST_REQUEUED = 5_000;
const MOST_LANES = 2_000;
/** Dead letters of one subscription are counted up to this. */
const MOST_COUNTED = 1_000;

const isDead = sql`status = 'dead' and not discarded`;
const diedAt = sql`coalesce(died_at, '-infinity')`;
const hostOf = sql`substring(url from '^[a-z]+://(?:[^/?#@]*@)?([^/?#]+)')`;

const ranges = ({ event, from, until, since }: DeadLetterSearch, after?: Place): Sql => sql`
  ${event === undefined ? nothing : sql`and event_type = ${event}`}
  ${from === undefined ? nothing : sql`and ${diedAt} >= ${from}::timestamptz`}
  ${until === undefined ? nothing : sql`and ${diedAt} < ${until}::timestamptz`}
  ${since === undefined ? nothing : sql`and created_at >= ${since}::timestamptz`}
  ${after === undefined ? nothing : sql`and (${diedAt}, id) < (${after.diedAt}::timestamptz, ${after.deliveryId}::bigint)`}`;

const laneByLane: Sql = sql`
    (select subscription_id as id, 1 as number from webhook_deliveries where ${isDead} order by subscription_id limit 1)
    union all
    select next.id, number + 1 from lane cross join lateral (
      select subscription_id as id from webhook_deliveries where ${isDead} and subscription_id > lane.id
      order by subscription_id limit 1
    ) as next
    where number < ${MOST_LANES}`;

/** The subscriptions that have dead letters, found by hopping from one to the next, as far as partner and receiver match. */
const lanes = ({ partnerId, subscriptionId, receiver }: DeadLetterSearch): Sql => sql`
  recursive lane as (
    ${subscriptionId === undefined ? laneByLane : sql`select ${subscriptionId}::bigint as id`}
  ), wanted as materialized (
    select lane.id, subscription.* from lane cross join lateral (
      select partner_id, url, ${hostOf} as receiver, status, deleted_at
      from webhook_subscriptions where id = lane.id limit 1
    ) as subscription
    where true ${partnerId === undefined ? nothing : sql`and subscription.partner_id = ${partnerId}`}
      ${receiver === undefined ? nothing : sql`and subscription.receiver = ${receiver}`}
  )`;

interface FoundDeadLetter extends DeadLetter {
  readonly partner: string;
}

/** The latest first, `after` a place in the list. */
export function searchDeadLetters(
  db: Queryable,
  search: DeadLetterSearch,
  { after, limit }: { readonly after?: Place | undefined; readonly limit: number },
): Promise<FoundDeadLetter[]> {
  const { partnerId, subscriptionId, receiver, event, from, until, since } = search;
  const isOfAll = [partnerId, subscriptionId, receiver, event, since].every((one) => one === undefined);
  // The index of all dead letters knows the bare column. Those without a time are the last.
  const along = sql`
    select id, died_at from webhook_deliveries where ${isDead}
      ${from === undefined ? nothing : sql`and died_at >= ${from}::timestamptz`}
      ${until === undefined ? nothing : sql`and died_at < ${until}::timestamptz`}
      ${after === undefined ? nothing : sql`and (died_at, id) < (${after.diedAt}::timestamptz, ${after.deliveryId}::bigint)`}
    order by died_at desc nulls last, id desc limit ${limit}`;
  const byLane = sql`
    select latest.id, latest.died_at from wanted cross join lateral (
      select id, died_at from webhook_deliveries
      where subscription_id = wanted.id and ${isDead} ${ranges(search, after)}
      order by ${diedAt} desc, id desc limit ${limit}
    ) as latest
    order by coalesce(latest.died_at, '-infinity') desc, latest.id desc limit ${limit}`;
  return db.query(sql`
    with ${isOfAll ? nothing : sql`${lanes(search)},`} found as materialized (${isOfAll ? along : byLane})
    select found.id as "deliveryId", dead.partner_id as "partnerId", partner.name as partner, subscription_id as "subscriptionId", url,
      event_type as event, event_id as "eventId", attempts, http_code as "httpStatus", error, found.died_at as "diedAt"
    from found
    cross join lateral (select * from webhook_deliveries where id = found.id limit 1) as dead
    cross join lateral (select url from webhook_subscriptions where id = dead.subscription_id limit 1) as subscription
    cross join lateral (select name from shared.partners where id = dead.partner_id limit 1) as partner
    order by coalesce(found.died_at, '-infinity') desc, found.id desc`);
}

interface DeadReceiver {
  readonly subscriptionId: bigint;
  readonly receiver: string;
  readonly url: string;
  readonly partnerId: number;
  readonly partner: string;
  readonly status: 1 | 2 | 3;
  readonly isDeleted: boolean;
  /** Counted up to `MOST_COUNTED`. */
  readonly dead: number;
  readonly hasMore: boolean;
  readonly latestAt: Date | null;
  readonly latestHttpStatus: number | null;
  readonly latestError: string;
}

/** Those with the most first. */
export function deadReceivers(db: Queryable, search: DeadLetterSearch): Promise<DeadReceiver[]> {
  return db.query(sql`
    with ${lanes(search)}
    select wanted.id as "subscriptionId", receiver, url, wanted.partner_id as "partnerId", partner.name as partner,
      wanted.status, deleted_at is not null as "isDeleted", least(counted.number, ${MOST_COUNTED}) as dead,
      counted.number > ${MOST_COUNTED} as "hasMore", latest.died_at as "latestAt", latest.http_code as "latestHttpStatus", latest.error as "latestError"
    from wanted
    cross join lateral (
      select count(*)::int as number from (
        select from webhook_deliveries where subscription_id = wanted.id and ${isDead} ${ranges(search)}
        limit ${MOST_COUNTED + 1}
      ) as one
    ) as counted
    cross join lateral (
      select died_at, http_code, error from webhook_deliveries
      where subscription_id = wanted.id and ${isDead} ${ranges(search)} order by ${diedAt} desc, id desc limit 1
    ) as latest
    cross join lateral (select name from shared.partners where id = wanted.partner_id limit 1) as partner
    order by counted.number desc, latest.died_at desc nulls last, wanted.id`);
}

/**
 * Dead letters that can be sent again, the oldest of each subscription. Left out: bodies that are no longer stored, deleted subscriptions,
 * closed partners. `asOf`: the database's time when they were chosen (see resend.ts); undefined if there are none.
 */
export async function listRequeueable(db: Queryable, search: DeadLetterSearch, limit: number) {
  const found = await db.query<{ id: bigint; asOf: Date }>(sql`
    with ${lanes(search)}
    select dead.id, now() as "asOf" from wanted
    cross join lateral (select deleted_at from shared.partners where id = wanted.partner_id limit 1) as partner
    cross join lateral (
      select id from webhook_deliveries
      where subscription_id = wanted.id and ${isDead} and body is not null ${ranges(search)}
      order by ${diedAt}, id limit ${limit + 1}
    ) as dead
    where wanted.deleted_at is null and partner.deleted_at is null
    limit ${limit + 1}`);
  return { ids: found.slice(0, limit).map(({ id }) => id), left: found.length > limit, asOf: found[0]?.asOf };
}
