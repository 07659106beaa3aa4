import type { Queryable } from '../../../../platform/db/database.ts';
import { sql } from '../../../../platform/db/query/sql.ts';
import { nextTryAt } from '../queue/next-attempt.ts';
import type { Subscription } from './subscriptions.ts';

export interface StoppedSubscription extends Pick<Subscription, 'id' | 'url' | 'status'> {
  /** When a disabled one is tried next, in the account's own time; null if it is not, or no longer. */
  readonly nextTryAt: Date | null;
  /** How many deliveries wait for it to be resumed, counted up to `MOST_COUNTED`. */
  readonly held: number;
}

export const MOST_COUNTED = 100;

export interface StoppedOfPartner extends StoppedSubscription {
  readonly partnerId: number;
  readonly partner: string;
  readonly failCount: number;
  readonly heldSince: Date;
}

const MOST_LISTED = 200;

/** The paused and disabled subscriptions of all open partners, the latest first. */
export function listAllStopped(db: Queryable): Promise<StoppedOfPartner[]> {
  return db.query(sql`
    select stopped.id, url, status, partner_id as "partnerId", partner.name as partner, fail_count as "failCount",
      held_since as "heldSince", next_try_at as "nextTryAt", held.number as held
    from (
      select id, url, status, partner_id, fail_count, held_since, ${nextTryAt()} as next_try_at from webhook_subscriptions
      where deleted_at is null and status <> 1 order by held_since desc, id desc limit ${MOST_LISTED}
    ) as stopped
    cross join lateral (select name, deleted_at from shared.partners where id = partner_id limit 1) as partner
    cross join lateral (
      select count(*)::int as number
      from (select from webhook_queue where subscription_id = stopped.id limit ${MOST_COUNTED}) as counted
    ) as held
    where partner.deleted_at is null
    order by held_since desc, stopped.id desc`);
}

/** The paused and disabled subscriptions of a partner, with what they hold back. */
export function listStopped(db: Queryable, partnerId: number): Promise<StoppedSubscription[]> {
  return db.query(sql`
    select id, url, status, ${nextTryAt()} as "nextTryAt", held.number as held
    from webhook_subscriptions
    cross join lateral (
      select count(*)::int as number
      from (select from webhook_queue where subscription_id = webhook_subscriptions.id limit ${MOST_COUNTED}) as counted
    ) as held
    where partner_id = ${partnerId} and deleted_at is null and status <> 1
    order by id`);
}
