import assert from 'node:assert/strict';
import test, { suite } from 'node:test';
import { sql } from '../../../../src/platform/db/query/sql.ts';
import { testApp } from '../../../support/program/app.ts';

suite('profiles', () => {
  test('an eSIM of which nothing was reported is unknown in live and released in the sandbox', async () => {
    await using t = await testApp();
    for (const [mode, state] of [
      ['live', 'unknown'],
      ['sandbox', 'released'],
    ] as const) {
      const partnerId = await t.partner();
      await t.base.worlds[mode].db.run(sql`
        insert into orders (partner_id, plan_id, product_id, status, delivery, billing_mode, product_price, sale_price, cost_micros,
          product_title, data, amount_mb, day, is_unlimited, country_code, supplier, supplier_plan, iccid, created_at, delivered_at)
        values (${partnerId}, 1, 'esc_00000000000000aa', 1, 'delivered', 'prepaid', 2000, 1800, 8000000, 'France 5 GB', '5 GB', 5120,
          30, false, 'FR', 'simulated', 'fr-5', '8900000000000000001', now(), now())`);
      const esim = await t.base.worlds[mode].esims.find(partnerId, '8900000000000000001', t.clock.now());
      assert.deepEqual(esim?.profile, { state, device: null, country: null, seenAt: null });
      assert.equal(esim.isSuspended, false);
    }
  });
});
