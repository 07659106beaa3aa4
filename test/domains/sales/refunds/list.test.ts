import assert from 'node:assert/strict';
import test from 'node:test';
import { readRefund } from '../../../../src/domains/sales/refunds/refunds.ts';
import { listRefunds } from '../../../../src/domains/sales/refunds/rows.ts';
import type { Queryable } from '../../../../src/platform/db/database.ts';
import { sql } from '../../../../src/platform/db/query/sql.ts';
import { explainReads } from '../../../support/database/measured-plan.ts';
import { testApp } from '../../../support/program/app.ts';

const REFUNDS = 20_000;
const LIMIT = 50;

test('refunds are listed off indexes, however many there are and wherever they lie', async (suite) => {
  await using t = await testApp({ role: 'api' });
  const [big, small] = [await t.partner(), await t.partner()];
  const owner = t.base.db;
  await owner.run(sql`
    insert into live.orders (partner_id, plan_id, product_id, status, delivery, billing_mode, product_price, sale_price,
      cost_micros, product_title, data, amount_mb, day, is_unlimited, country_code, supplier, supplier_plan, created_at)
    select case when n < 1000 and n % 100 = 0 then ${small}::int else ${big}::int end, 1, 'esc_00000000000000aa', 1, 'delivered',
      'prepaid', 2000, 1800, 8000000, 'France 5 GB', '5 GB', 5120, 30, false, 'FR', 'simulated', 'fr-5', now()
    from generate_series(1, ${REFUNDS}) n`);
  // Those that wait are the oldest, so that reading backwards through all of them finds them last.
  await owner.run(sql`
    insert into live.refunds (order_id, partner_id, status, requested_at, due_at)
    select id, partner_id, drawn.status, now(), case drawn.status when 'withdrawing' then now() + interval '1 hour' end
    from live.orders cross join lateral (
      select case when id % 500 = 1 and id < 6000 then 'requested' when id % 500 = 2 and id < 6000 then 'withdrawing'
        when id % 2 = 0 then 'refunded' else 'rejected' end as status) as drawn`);
  await owner.run(sql`analyze live.orders, live.refunds`);
  const { id } = await owner.one<{ id: bigint }>(sql`select max(id) as id from live.orders`);

  const filter = (given: Partial<Parameters<typeof listRefunds>[1]>) => (db: Queryable) =>
    listRefunds(db, { partnerId: undefined, status: undefined, limit: LIMIT, ...given });
  const reads: [string, (db: Queryable) => Promise<unknown>][] = [
    ['all refunds', filter({})],
    ['refunds of a partner', filter({ partnerId: small })],
    ['those that wait for the operator', filter({ status: 'requested' })],
    ['those that wait for the supplier', filter({ status: 'withdrawing' })],
    ['those that were given', filter({ status: 'refunded' })],
    ['those of a partner that wait for the operator', filter({ partnerId: big, status: 'requested' })],
    ['those that were given to a partner with few', filter({ partnerId: small, status: 'refunded' })],
    ['the one of an order', (db) => readRefund(db, id)],
  ];
  for (const [name, read] of reads)
    await suite.test(name, async () => {
      const { rowsRead, steps } = await explainReads(t.base.worlds.live.db, read);
      assert.ok(rowsRead <= 4 * LIMIT, `${rowsRead} rows\n${steps.join('\n')}`);
    });
});
