import assert from 'node:assert/strict';
import test from 'node:test';
import { claimDue, dueSuppliers } from '../../../../src/domains/sales/usage/watch.ts';
import { DAY } from '../../../../src/platform/clock.ts';
import type { Db } from '../../../../src/platform/db/database.ts';
import { sql } from '../../../../src/platform/db/query/sql.ts';
import { explain } from '../../../support/database/measured-plan.ts';
import { testApp } from '../../../support/program/app.ts';

const ROWS = 30_000;
const CLAIM = 40;

test('due readings are found and claimed by reading only those, however many eSIMs are watched', async () => {
  await using t = await testApp({ role: 'api' });
  const partner = await t.partner();
  const now = t.clock.now();
  await t.base.db.run(sql`
    insert into live.orders (partner_id, plan_id, product_id, status, delivery, billing_mode, product_price, sale_price,
      cost_micros, product_title, data, amount_mb, day, is_unlimited, country_code, supplier, supplier_plan, iccid,
      created_at, delivered_at, watch_due_at)
    select ${partner}, 1, 'esc_00000000000000aa', 1, 'delivered', 'prepaid', 2000, 1800, 8000000, 'France 5 GB', '5 GB', 5120, 30,
      false, 'FR', (array['aurora', 'borealis', 'cirrus'])[1 + n % 3], 'fr-5', '89' || lpad(n::text, 17, '0'),
      ${new Date(now)}, ${new Date(now)}, ${new Date(now + DAY)}::timestamptz + n * interval '1 second'
    from generate_series(1, ${ROWS}) n`);
  const { db } = t.base.worlds.live;
  await db.run(sql`
    update orders set watch_due_at = ${new Date(now - 1000)} where supplier = 'borealis' and iccid < '8900000000000000400'`);
  await t.base.db.run(sql`analyze live.orders`);
  assert.deepEqual(await dueSuppliers(db, new Date(now)), ['borealis']);
  const looked = await db.tx((tx) => explain(tx, (on) => dueSuppliers(on as Db, new Date(now)).catch(() => {})));
  assert.ok(looked.rowsRead <= 20, `${looked.rowsRead} rows: ${looked.steps.join('; ')}`);
  const claiming = await db.tx((tx) => explain(tx, (on) => claimDue(on as Db, 'borealis', CLAIM, now)));
  assert.ok(claiming.rowsRead <= 6 * CLAIM, `${claiming.rowsRead} rows: ${claiming.steps.join('; ')}`);
  for (const { steps } of [looked, claiming])
    assert.ok(!steps.some((step) => step.startsWith('Seq Scan')), steps.join('; '));
  assert.equal((await claimDue(db, 'aurora', CLAIM, now)).length, 0);
});
