import type { Cents } from '../../../platform/amounts/cents.ts';
import type { Queryable } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/query/sql.ts';

export interface FailedTopup {
  readonly paymentKey: string;
  readonly amount: Cents;
  readonly currency: string;
  readonly failedAt: Date;
}

/** A partner may have opened any number that were never paid, so only the latest are read. */
const LATEST = 100;

/** The top-up that was decided last, if it failed after `since`. A later success clears it. */
export function lastFailed(db: Queryable, partnerId: number, since: Date): Promise<FailedTopup | undefined> {
  return db.maybe(sql`
    select payment_key as "paymentKey", amount, currency, closed_at as "failedAt"
    from (
      select payment_key, amount, currency, closed_at, status from (
        select payment_key, amount, currency, closed_at, status from topups
        where partner_id = ${partnerId} order by id desc limit ${LATEST}
      ) as latest
      where status in ('succeeded', 'failed') order by closed_at desc limit 1
    ) as decided
    where status = 'failed' and closed_at > ${since}`);
}
