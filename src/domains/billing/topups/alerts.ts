import { HOUR } from '../../../platform/clock.ts';
import { ago, counted } from '../../../platform/db/alerts.ts';
import { type Sql, sql } from '../../../platform/db/query/sql.ts';

/** Unpaid card payments are closed after a day. One that is still open an hour later cannot be closed. */
const OPEN_PAYMENT_MS = 25 * HOUR;

export const paymentMatters = (now: number): Sql => sql`
  ${counted(
    'open_payments',
    sql`select created_at as since from topups where status = 'requires_payment' and created_at < ${ago(now, OPEN_PAYMENT_MS)}`,
  )}
  union all ${counted(
    'disputed_payments',
    sql`select created_at as since from topups where (refunded + disputed > 0 or mismatch is not null)
      and case when mismatch is null then status = 'succeeded' and least(refunded + disputed, amount) > recovered
        else refunded + disputed = 0 end`,
  )}`;
