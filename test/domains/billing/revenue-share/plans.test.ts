import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY } from '../../../../src/platform/clock.ts';
import type { Db } from '../../../../src/platform/db/database.ts';
import { sql } from '../../../../src/platform/db/query/sql.ts';
import { explainReads } from '../../../support/database/measured-plan.ts';
import { testApp } from '../../../support/program/app.ts';
import { run } from '../../../support/program/operator.ts';
import { revenueShareOn } from '../../../support/sales/shares.ts';

const PAST = 10_000;
const DUE = 60;
const WAITING = 40;

/** How many rows each transaction has read of the tables that only grow, by its own count. */
function counting(db: Db): { db: Db; rows: number[] } {
  const rows: number[] = [];
  return {
    rows,
    db: {
      ...db,
      tx: (work) =>
        db.tx(async (tx) => {
          const result = await work(tx);
          const { read } = await tx.one<{ read: number }>(sql`
            select sum(coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))::int as read from pg_stat_xact_user_tables
            where schemaname = 'live' and relname in ('orders', 'movements', 'transfers', 'revenue_shares', 'usage_readings')`);
          rows.push(read);
          return result;
        }),
    },
  };
}

test('a settlement, and its preview, look up what is due among all sales and movements there ever were', async () => {
  await using t = await testApp({ role: 'api' });
  const partner = await t.partner({ billing: 'postpaid' });
  await run(t.operator(), `partner set ${partner} --revenue-share 40`);
  const now = t.clock.now();
  const [sold, expired] = [new Date(now - 60 * DAY), new Date(now - 20 * DAY)];
  const owner = t.base.db;
  // All are settled but the last: those have no share yet, or one that is not paid.
  await owner.run(sql`
    insert into live.orders (partner_id, plan_id, product_id, status, delivery, billing_mode, product_price, sale_price, cost_micros,
      product_title, data, amount_mb, day, is_unlimited, country_code, supplier, supplier_plan, iccid, created_at, paid_at, delivered_at,
      usage_due_at)
    select ${partner}, 1, 'esc_00000000000000aa', 1, 'delivered', 'prepaid', 2000, 1800, 8000000, 'France 5 GB', '5 GB', 5120, 30, false,
      'FR', 'simulated', 'fr-5', '89' || n, ${sold}, ${sold}, ${sold}, case when n <= ${PAST + WAITING} then 'infinity'::timestamptz end
    from generate_series(1, ${PAST + WAITING + DUE}) n`);
  await owner.run(sql`
    insert into live.usage_readings (iccid, state, total_mb, used_mb, expires_at, fetched_at)
    select iccid, 'expired', 5120, 1280, ${expired}, ${expired} from live.orders`);
  await owner.run(sql`
    insert into live.revenue_shares (order_id, partner_id, plan_mb, used_mb, unused_mb, unit_cost_micros, unused_cost_micros, share_pct,
      amount, capped, status, channel, settle_wallet, created_at, settled_at)
    select id, ${partner}, 5120, 1280, 3840, 1562, 6000000, 40, 240, false, case when is_paid then 'settled' else 'shadow' end,
      case when is_paid then 'wallet' else '' end, case when is_paid then 240 else 0 end, ${sold}, case when is_paid then ${expired}::timestamptz end
    from (select id, row_number() over (order by id) <= ${PAST} as is_paid from live.orders where usage_due_at = 'infinity') as sold`);
  await owner.run(sql`
    insert into live.movements (partner_id, book, type, amount, balance_after, order_id, at, line)
    select ${partner}, 'wallet', case when n % 2 = 0 then 'refund' else 'profit_share' end, 100, 0, orders.id, ${expired}, row_number() over ()
    from live.orders cross join generate_series(1, 2) n where usage_due_at = 'infinity' and orders.id % 50 = 0`);
  await owner.run(sql`
    update live.wallets set wallet_lines = (select count(*) from live.movements where partner_id = ${partner}) where partner_id = ${partner}`);
  await owner.run(sql`analyze live.orders, live.usage_readings, live.revenue_shares, live.movements, live.wallets`);

  const live = t.base.worlds.live.db;
  const most = 20 * (DUE + WAITING);
  assert.ok(most < PAST / 4);
  const preview = await explainReads(live, (db) => revenueShareOn({ ...live, ...db }).preview(now));
  assert.deepEqual([preview.result.looked, preview.result.partners[0]?.shares], [DUE, DUE + WAITING]);
  assert.ok(preview.rowsRead < most, `${preview.rowsRead} rows: ${preview.steps.join(', ')}`);
  for (const index of ['orders_share_candidates', 'revenue_shares_to_settle', 'movements_after_charge'])
    assert.ok(
      preview.steps.some((step) => step.includes(index)),
      `${index} among ${preview.steps.join(', ')}`,
    );

  const { db, rows } = counting(live);
  const { looked, settled } = await revenueShareOn(db).pass(now);
  assert.deepEqual([looked, settled], [DUE, DUE + WAITING]);
  const [paid = 0, ...others] = rows;
  assert.deepEqual(others, []);
  assert.ok(paid >= DUE + WAITING && paid < most, `${paid} rows`);
});
