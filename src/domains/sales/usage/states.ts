import { type Clock, MINUTE } from '../../../platform/clock.ts';
import type { Db } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/query/sql.ts';
import type { Job } from '../../../platform/jobs/runner.ts';
import type { UsageReading } from '../../supply/port/port.ts';
import { usageMarks } from '../orders/orders.ts';
import { usageFigures } from './figures.ts';

const AT_ONCE = 500;

/** Keeps the state that orders show of their eSIMs in step with time, so that lists of one state stay short to read. */
export const usageStatesJob = ({ db }: { readonly db: Db }, clock: Clock): Job => ({
  name: 'usage states',
  everyMs: MINUTE,
  run: async () =>
    (await usageMarks.expire(db, new Date(clock.now()), AT_ONCE)) + (await noteReadings(db, clock.now())),
});

interface NotNoted extends UsageReading {
  readonly iccid: string;
  /** Null: the eSIM is gone. */
  readonly orderId: bigint | null;
  readonly amountMb: number;
  readonly isUnlimited: boolean;
}

/** Readings that the previous version took: it does not write their state beside the order. */
async function noteReadings(db: Db, now: number): Promise<number> {
  return db.tx(async (tx) => {
    const rows = await tx.query<NotNoted>(sql`
      select reading.iccid, reading.state, reading.total_mb as "totalMb", reading.used_mb as "usedMb",
        reading.activated_at as "activatedAt", reading.expires_at as "expiresAt", latest.id as "orderId",
        coalesce(latest.amount_mb, 0) as "amountMb", coalesce(latest.is_unlimited, false) as "isUnlimited"
      from (
        select * from usage_readings where order_id is null and fetched_at is not null
        order by iccid limit ${AT_ONCE} for update skip locked
      ) reading
      left join lateral (
        select id, amount_mb, is_unlimited from orders
        where iccid = reading.iccid and status = 1 and refill_of is null order by id desc limit 1
      ) latest on true`);
    if (rows.length === 0) return 0;
    const noted = sql`unnest(
        ${rows.map(({ iccid }) => iccid)}::text[], ${rows.map(({ orderId }) => orderId)}::bigint[],
        ${rows.map((row) => usageFigures(row, row, now).status)}::text[],
        ${rows.map(({ expiresAt }) => expiresAt)}::timestamptz[]
      ) as noted (iccid, order_id, state, ends_at)`;
    await usageMarks.noteAll(tx, noted);
    await tx.run(sql`
      update usage_readings set order_id = coalesce(noted.order_id, 0) from ${noted} where usage_readings.iccid = noted.iccid`);
    return rows.length;
  });
}
