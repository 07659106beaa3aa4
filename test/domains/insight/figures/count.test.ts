import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { countOrders, countPlans } from '../../../../src/domains/insight/figures/count.ts';
import { HOUR, MINUTE } from '../../../../src/platform/clock.ts';
import type { Db } from '../../../../src/platform/db/database.ts';
import { sql } from '../../../../src/platform/db/query/sql.ts';
import {
  countedDays,
  countedHours,
  countedPlans,
  directDays,
  directHours,
  directPlans,
} from '../../../support/database/direct-count.ts';
import { testApp } from '../../../support/program/app.ts';
import { run } from '../../../support/program/operator.ts';
import { clockSeen } from '../../../support/sales/account-clock.ts';
import { paidOrder, testPlan } from '../../../support/sales/paid-order.ts';
import { delivered } from '../../../support/sales/sales.ts';
import { buy, catalogKnows, credit } from '../../../support/sales/shop.ts';

// Its jobs do not run by themselves: what is counted when is up to the tests.
const t = await testApp({ role: 'api' });
after(() => t[Symbol.asyncDispose]());
const { live, sandbox } = t.base.worlds;
const plan = await testPlan(t);
await catalogKnows(t, plan.alias);

/** Twice: the first may only finish the mark of an earlier pass, which later orders are beyond. */
async function count(db: Db, batch?: number): Promise<void> {
  for (const pass of [countOrders, countOrders, countPlans, countPlans]) while ((await pass(db, t.clock, batch)) > 0);
}

async function requireExact(db: Db): Promise<void> {
  assert.deepEqual(await countedHours(db), await directHours(db));
  assert.deepEqual(await countedDays(db), await directDays(db));
  assert.deepEqual(await countedPlans(db), await directPlans(db));
}

const ordersCounted = async (db: Db, partnerId: number): Promise<number> =>
  (
    await db.one<{ n: number }>(
      sql`select coalesce(sum(orders), 0)::int as n from order_figures where partner_id = ${partnerId}`,
    )
  ).n;

test('every order is in the figures once, with its outcome and its money', async () => {
  const partnerId = await t.partner();
  const key = await t.key(partnerId);
  await credit(t, partnerId, '60');
  const bought = await Promise.all(Array.from({ length: 4 }, () => buy(t, key, plan.alias)));
  assert.deepEqual(
    bought.map(({ status }) => status),
    [200, 200, 200, 200],
  );
  await count(live.db);
  await requireExact(live.db);

  t.clock.advance(HOUR);
  const broke = await t.key(await t.partner());
  assert.equal((await buy(t, broke, plan.alias)).status, 402);
  const waiting = await paidOrder(t, { partnerId, plan });
  const hopeless = await paidOrder(t, { partnerId, plan });
  await delivered(t, partnerId);
  await count(live.db);
  await requireExact(live.db);

  // Later, their ends and their refunds are added to the hour in which they were placed.
  t.clock.advance(2 * HOUR);
  await live.db.run(sql`
    update orders set status = 1, delivery = 'delivered', provision_due_at = null, delivered_at = paid_at + interval '90 seconds'
    where id = ${waiting.id}`);
  await run(t.operator(), `order fail ${hopeless.id}`);
  const { order_id: first } = bought[0]?.body ?? {};
  await run(t.operator(), `order refund ${first} --amount 1.50`);
  await run(t.operator(), `order refund ${first}`);
  await count(live.db);
  await requireExact(live.db);
  assert.ok((await directHours(live.db)).some((row) => (row as { returned: bigint }).returned > 0n));
  await count(live.db);
  await requireExact(live.db);
});

/** What a pass asks the database for, explained. */
async function plansOf(pass: (db: Db) => Promise<void>): Promise<string[]> {
  const plans: string[] = [];
  await pass({
    ...live.db,
    tx: (work) =>
      live.db.tx((tx) =>
        work({
          ...tx,
          async one(statement) {
            const rows = await tx.query<{ 'QUERY PLAN': string }>(sql`explain ${statement}`);
            plans.push(rows.map((row) => row['QUERY PLAN']).join('\n'));
            return tx.one(statement);
          },
        }),
      ),
  });
  return plans;
}

test('finished orders are looked for among the open ones, not among all, whatever statistics the planner has', async () => {
  await paidOrder(t, { partnerId: await t.partner(), plan });
  await count(live.db);
  const ends = (await plansOf(count)).find((one) => one.includes('Delete on orders_counted_open'));
  assert.match(ends ?? '', /Index Scan using orders_pkey on orders .*\n\s*Index Cond: \(id = counted.order_id\)/);
});

test('a pass that finds nothing new does not try to count', async () => {
  const counting = (plans: readonly string[]) => plans.filter((one) => /Insert on plan_figures/.test(one)).length;
  const passes = (db: Db) => countPlans(db, t.clock).then(() => {});
  await count(live.db);
  assert.equal(counting(await plansOf(passes)), 0);
  const partnerId = await t.partner();
  await credit(t, partnerId, '60');
  assert.equal((await buy(t, await t.key(partnerId), plan.alias)).status, 200);
  assert.notEqual(counting(await plansOf(passes)), 0);
  await count(live.db);
  await requireExact(live.db);
});

test('an order that is committed after one with a larger id is not missed', async () => {
  const [slow, quick] = [await t.partner(), await t.partner()];
  const hold = Promise.withResolvers<void>();
  const taken = Promise.withResolvers<void>();
  const written = live.db.tx(async (tx) => {
    // As a purchase: the wallet first, then the id.
    await tx.run(sql`select from wallets where partner_id = ${slow} for update`);
    const { id } = await tx.one<{ id: bigint }>(sql`select nextval('orders_id_seq') as id`);
    taken.resolve();
    await hold.promise;
    await tx.run(sql`
      insert into orders (id, partner_id, plan_id, product_id, status, delivery, billing_mode, product_price, sale_price, cost_micros,
        product_title, data, amount_mb, day, is_unlimited, country_code, supplier, supplier_plan, created_at, paid_at, delivered_at)
      overriding system value
      values (${id}, ${slow}, ${plan.id}, ${plan.alias}, 1, 'delivered', 'prepaid', 1000, 900, 4000000, '1 GB', '1 GB', 1024, 7, false,
        'FR', 'aurora', ${plan.code}, now(), now(), now())`);
  });
  await taken.promise;
  await delivered(t, quick);
  const before = await live.insight.countedUntil();
  await count(live.db);
  await count(live.db);
  assert.equal(await ordersCounted(live.db, quick), 0, 'nothing is counted past an id that may still appear');
  assert.deepEqual(await live.insight.countedUntil(), before, 'and the page says that the figures are older');
  hold.resolve();
  await written;
  await count(live.db);
  assert.deepEqual([await ordersCounted(live.db, slow), await ordersCounted(live.db, quick)], [1, 1]);
  await count(live.db);
  await requireExact(live.db);
});

test('a pass that is cut off counts nothing, and passes at the same time count once', async () => {
  const partnerId = await t.partner();
  for (let i = 0; i < 10; i++) await delivered(t, partnerId);
  // The pass has counted when it wants to write here. It is not let, as if its process had died.
  await t.base.db.run(sql`
    create function live.fall_over() returns trigger language plpgsql security definer as $$ begin
      perform pg_terminate_backend(pg_backend_pid());
      return null;
    end $$`);
  await t.base.db.run(sql`
    create trigger fall_over before update on live.figure_progress for each row
    when (new.orders_to > old.orders_to) execute function live.fall_over()`);
  await assert.rejects(count(live.db), /terminating connection/);
  await t.base.db.run(sql`drop function live.fall_over cascade`);
  assert.equal(await ordersCounted(live.db, partnerId), 0);
  for (let round = 0; round < 8; round++)
    await Promise.all(Array.from({ length: 4 }, () => countOrders(live.db, t.clock, 3)));
  await count(live.db);
  await requireExact(live.db);
});

test('a backup that is restored on another server does not stop the counting', async () => {
  const partnerId = await t.partner();
  await live.db.run(sql`
    update figure_progress set mark_writers = '{999/999}', mark_orders = orders_to, mark_movements = movements_to, mark_at = now()`);
  await delivered(t, partnerId);
  await count(live.db);
  await count(live.db);
  assert.equal(await ordersCounted(live.db, partnerId), 1);
});

test('the figures say until when they are complete', async () => {
  t.clock.advance(MINUTE);
  const now = t.clock.now();
  await count(live.db);
  const until = await live.insight.countedUntil();
  assert.ok(until && until.getTime() >= now);
});

test('in the sandbox, orders are counted by the account’s clock, and a deferred one once it is read as delivered', async () => {
  const partnerId = await t.partner();
  const key = await t.key(partnerId, 'sandbox');
  await run(t.operator(), `sandbox clock advance --partner ${partnerId} --by 40d`);
  await clockSeen(t, key, 'ahead');
  await buy(t, key, plan.alias);
  await buy(t, key, plan.alias, { sandbox_scenario: 'deferred' });
  await buy(t, key, plan.alias, { sandbox_scenario: 'failed' });
  await count(sandbox.db);
  await requireExact(sandbox.db);
  t.clock.advance(2 * MINUTE);
  const span = { from: new Date(0), to: new Date(t.clock.now() + 400 * 24 * HOUR), per: 'month' } as const;
  await sandbox.insight.orders(partnerId, span);
  await count(sandbox.db);
  await requireExact(sandbox.db);
  const { total } = await sandbox.insight.orders(partnerId, span);
  assert.deepEqual([total.orders, total.delivered, total.refused], [2, 2, 1]);
});

test('a reset leaves nothing of a sandbox in the figures, whenever it happens', async () => {
  const partnerId = await t.partner();
  const key = await t.key(partnerId, 'sandbox');
  for (let round = 0; round < 10; round++) {
    t.clock.advance(2 * MINUTE);
    await Promise.all([buy(t, key, plan.alias), buy(t, key, plan.alias, { sandbox_scenario: 'deferred' })]);
    const [, reset] = await Promise.all([
      countOrders(sandbox.db, t.clock, 1),
      t.post('/account/sandboxReset', '', { key }),
      countOrders(sandbox.db, t.clock, 1),
      buy(t, key, plan.alias),
    ]);
    assert.equal(reset.status, 200);
  }
  await count(sandbox.db);
  await requireExact(sandbox.db);
  assert.deepEqual(
    await sandbox.db.query(sql`
      select order_id from orders_counted_open where not exists (select from orders where id = order_id)`),
    [],
  );
});
