import assert from 'node:assert/strict';
import test from 'node:test';
import { createEsims, type EsimState, suppliedEsims } from '../../../../src/domains/sales/esims/esims.ts';
import { usageStatesJob } from '../../../../src/domains/sales/usage/usage.ts';
import { DAY } from '../../../../src/platform/clock.ts';
import type { Db, Queryable } from '../../../../src/platform/db/database.ts';
import { raw, sql } from '../../../../src/platform/db/query/sql.ts';
import { scriptedEsims } from '../../../../src/worlds/sandbox/scripted-supplier.ts';
import { explain, explainReads } from '../../../support/database/measured-plan.ts';
import { testApp } from '../../../support/program/app.ts';

const ROWS = 20_000;
const PAGE = 20;
/** Of the page: its order, what refilled it, whether its ICCID was used again, its reading. */
const MOST_READ = 12 * PAGE;

/** Nearly all eSIMs are of one kind; a few of each other kind are the oldest, where a walk from the newest finds them last. */
const kinds: readonly EsimState[] = ['active', 'depleted', 'expired', 'not_active', 'cancelled'];

test('a page of eSIMs is read off an index, in any state, however many others there are', async (suite) => {
  await using t = await testApp();
  const partner = await t.partner();
  const now = new Date(t.clock.now());
  const soon = new Date(now.getTime() + DAY);
  for (const schema of ['live', 'sandbox'])
    await t.base.db.run(sql`
      insert into ${raw(schema)}.orders (partner_id, plan_id, product_id, status, delivery, billing_mode, product_price, sale_price,
        cost_micros, product_title, data, amount_mb, day, is_unlimited, country_code, supplier, supplier_plan, iccid,
        created_at, delivered_at, usage_state, usage_ends_at, withdrawn_at, script)
      select ${partner}, 1, 'esc_00000000000000aa', 1, 'delivered', 'prepaid', 2000, 1800, 8000000, 'France 5 GB', '5 GB', 5120, 30,
        false, 'FR', 'simulated', 'fr-5', '89' || lpad(n::text, 17, '0'), ${now}, ${now}, kind,
        case when kind in ('active', 'depleted') then ${soon}::timestamptz end,
        case when kind = 'cancelled' then ${now}::timestamptz end,
        ${schema === 'live' ? null : sql`jsonb_build_object('usage', kind)`}
      from (
        select n, case when n <= 100 then (${kinds}::text[])[1 + n % 5] else 'not_active' end as kind
        from generate_series(1, ${ROWS}) n
      ) as made`);
  for (const schema of ['live', 'sandbox']) {
    const all = raw(schema);
    // Something is known of nearly all of them. Some of the oldest are suspended.
    await t.base.db.run(sql`
      insert into ${all}.esim_profiles (order_id, partner_id, iccid, state, suspended_at, updated_at)
      select id, partner_id, iccid, 'enabled', case when id % 8 = 0 and right(iccid, 17)::bigint between 201 and 400 then ${now}::timestamptz end, ${now}
      from ${all}.orders where right(iccid, 17)::bigint not between 101 and 200`);
  }
  await t.base.db.run(sql`analyze live.orders, sandbox.orders, live.esim_profiles, sandbox.esim_profiles`);
  const rules = { live: suppliedEsims(t.base.worlds.live.suppliers), sandbox: scriptedEsims };
  for (const mode of ['live', 'sandbox'] as const) {
    const { db } = t.base.worlds[mode];
    const reads = (work: (on: Queryable) => Promise<unknown>) => db.tx((tx) => explain(tx, work));
    for (const state of [undefined, ...kinds, 'suspended' as const]) {
      await suite.test(`${mode}: ${state ?? 'all'}`, async () => {
        const page = { limit: PAGE, beforeId: undefined, state };
        const found = await createEsims({ db, reads: db }, rules[mode]).list(partner, page, now.getTime());
        assert.equal(found.length, PAGE);
        assert.ok(found.every((esim) => state === undefined || esim.state === state));
        const plan = await reads((on) =>
          createEsims({ db, reads: on }, rules[mode]).list(partner, page, now.getTime()),
        );
        assert.ok(plan.rowsRead <= MOST_READ, `${plan.rowsRead} rows: ${plan.steps.join('; ')}`);
        assert.ok(!plan.steps.some((step) => step.startsWith('Seq Scan')), plan.steps.join('; '));
      });
    }
  }

  await suite.test('live: those whose time has just passed are found, and then marked, by their end', async () => {
    const { db } = t.base.worlds.live;
    const later = new Date(soon.getTime() + 1);
    const page = { limit: 100, beforeId: undefined, state: 'expired' } as const;
    const list = (on: Db) => createEsims({ db: on, reads: on }, rules.live).list(partner, page, later.getTime());
    assert.equal((await list(db)).length, 60);
    const plan = await db.tx((tx) => explain(tx, (on) => list(on as Db)));
    assert.ok(plan.rowsRead <= 10 * 60, `${plan.rowsRead} rows: ${plan.steps.join('; ')}`);
    const job = usageStatesJob({ db: db }, { now: () => later.getTime() });
    assert.equal(await job.run(new AbortController().signal), 40);
    assert.equal((await list(db)).length, 60);
  });
});

test('expired eSIMs are found without reading all others of a partner that has far more than most', async () => {
  await using t = await testApp();
  const partner = await t.partner();
  const now = new Date(t.clock.now());
  await t.base.db.tx(async (tx) => {
    // The others need no accounts of their own.
    await tx.run(sql`set local session_replication_role = replica`);
    await tx.run(sql`
      insert into live.orders (partner_id, plan_id, product_id, status, delivery, billing_mode, product_price, sale_price,
        cost_micros, product_title, data, amount_mb, day, is_unlimited, country_code, supplier, supplier_plan, iccid,
        created_at, delivered_at, usage_state, usage_ends_at)
      select case when n % 5 = 0 then ${partner}::int else 1000 + n % 4000 end, 1, 'esc_00000000000000aa', 1, 'delivered', 'prepaid',
        2000, 1800, 8000000, 'France 5 GB', '5 GB', 5120, 30, false, 'FR', 'simulated', 'fr-5', '89' || lpad(n::text, 17, '0'),
        ${now}, ${now}, case when n % 100 = 3 then 'active' else 'expired' end,
        case when n % 100 = 3 then ${new Date(now.getTime() + DAY)}::timestamptz end
      from generate_series(1, ${ROWS}) n`);
  });
  await t.base.db.run(sql`analyze live.orders`);
  const { db, suppliers } = t.base.worlds.live;
  const page = { limit: PAGE, beforeId: undefined, state: 'expired' } as const;
  const { result, rowsRead, steps } = await explainReads(db, (on) =>
    createEsims({ db, reads: on }, suppliedEsims(suppliers)).list(partner, page, now.getTime()),
  );
  assert.equal(result.length, PAGE);
  assert.ok(rowsRead <= MOST_READ, `${rowsRead} rows: ${steps.join('; ')}`);
});
