import type { Queryable } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import type { Subscription } from './subscriptions.ts';

/** A subscription that gets nothing at present. */
export interface StoppedSubscription extends Pick<Subscription, 'id' | 'url' | 'status'> {
  /** How many deliveries wait for it to be resumed, counted up to `MOST_COUNTED`. */
  readonly held: number;
}

export const MOST_COUNTED = 100;

/** The paused and disabled subscriptions of a partner, with what they hold back. */
export function listStopped(db: Queryable, partnerId: number): Promise<StoppedSubscription[]> {
  return db.query(sql`
    select id, url, status, held.number as held
    from webhook_subscriptions
    cross join lateral (
      select count(*)::int as number
      from (select from webhook_queue where subscription_id = webhook_subscriptions.id limit ${MOST_COUNTED}) as counted
    ) as held
    where partner_id = ${partnerId} and deleted_at is null and status <> 1
    order by id`);
}
