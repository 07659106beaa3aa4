import type { Queryable } from '../../../../platform/db/database.ts';
import { nothing, type Sql, sql } from '../../../../platform/db/query/sql.ts';
import type { EventName } from '../../events/events.ts';

/** A delivery that was given up and not by choice, with what an operator needs to find out why. */
export interface DeadLetter {
  readonly deliveryId: bigint;
  readonly partnerId: number;
  readonly subscriptionId: bigint;
  readonly url: string;
  readonly event: EventName;
  readonly eventId: string;
  readonly attempts: number;
  readonly httpStatus: number | null;
  readonly error: string;
  /** Null if it died before this time was recorded. */
  readonly diedAt: Date | null;
}

export interface DeadLetterFilter {
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
