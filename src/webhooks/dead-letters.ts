import type { Queryable } from '../db/database.ts';
import { nothing, type Sql, sql } from '../db/sql.ts';
import type { EventName } from './events.ts';

/** A delivery that was given up, with what an operator needs to see why. */
export interface DeadLetter {
  readonly delivery_id: bigint;
  readonly partner_id: number;
  readonly subscription_id: bigint;
  readonly url: string;
  readonly event_type: EventName;
  readonly event_id: string;
  readonly attempts: number;
  readonly http_code: number | null;
  readonly error: string;
  /** Null: before it was recorded. */
  readonly died_at: Date | null;
}

export interface DeadLetterFilter {
  readonly partnerId: number | undefined;
  readonly limit: number;
}

/** Dead letters of one world, the latest death first: read off an index that holds nothing else, the partner's own for one. */
export function listDeadLetters(db: Queryable, { partnerId, limit }: DeadLetterFilter): Promise<DeadLetter[]> {
  const [ofPartner, latestFirst]: [Sql, Sql] =
    partnerId === undefined
      ? [nothing, sql`died_at desc nulls last, id desc`]
      : [sql`and partner_id = ${partnerId}`, sql`coalesce(died_at, '-infinity') desc, id desc`];
  return db.query(sql`
    select dead.id as delivery_id, dead.partner_id, subscription_id, url, event_type, event_id, attempts, http_code, error,
      died_at
    from (
      select id, partner_id, subscription_id, event_type, event_id, attempts, http_code, error, died_at
      from webhook_deliveries where status = 'dead' ${ofPartner} order by ${latestFirst} limit ${limit}
    ) as dead
    cross join lateral (select url from webhook_subscriptions where id = dead.subscription_id limit 1) as subscription
    order by died_at desc nulls last, dead.id desc`);
}

/** The order of the list, for whoever puts two of them together. */
export function latestDeathFirst(a: DeadLetter, b: DeadLetter): number {
  const apart = (b.died_at?.getTime() ?? 0) - (a.died_at?.getTime() ?? 0);
  return apart !== 0 ? apart : Number(b.delivery_id - a.delivery_id);
}
