import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { readPartnerFigures } from '../../../../src/domains/insight/figures/read.ts';
import { readSales } from '../../../../src/domains/insight/figures/sales.ts';
import { countChangedDays } from '../../../../src/domains/insight/rollups/sales-by-day.ts';
import { DAY, HOUR, MINUTE } from '../../../../src/platform/clock.ts';
import type { Db } from '../../../../src/platform/db/database.ts';
import { raw, sql } from '../../../../src/platform/db/query/sql.ts';
import {
  countedPlans,
  countedSales,
  countedSalesOfAll,
  directHours,
  directPlans,
  directSales,
  directSalesOfAll,
} from '../../../support/database/direct-count.ts';
import { explain } from '../../../support/database/measured-plan.ts';
import { testApp } from '../../../support/program/app.ts';
import { run } from '../../../support/program/operator.ts';
import { random } from '../../../support/random.ts';
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

async function count(db: Db, batch?: number): Promise<void> {
  while ((await countChangedDays(db, t.clock, batch)) > 0);
}

/** The sums are those of a direct count over the orders and the ledger. */
async function requireExact(db: Db): Promise<void> {
  assert.deepEqual(await countedSales(db), await directSales(db));
  assert.deepEqual(await countedSalesOfAll(db), await directSalesOfAll(db));
  assert.deepEqual(await countedPlans(db), await directPlans(db));
}

const ordersCounted = async (db: Db, partnerId: number): Promise<number> =>
  (
    await db.one<{ n: number }>(
      sql`select coalesce(sum(orders), 0)::int as n from partner_sales_by_day where partner_id = ${partnerId}`,
    )
  ).n;

const wide = (per: 'hour' | 'day' | 'month') => {
  const today = Math.floor(t.clock.now() / DAY) * DAY;
  return { from: new Date(today - 7 * DAY), to: new Date(today + 2 * DAY), per };
};

test('every order is counted once, with its outcome and what was refunded of it', async () => {
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
  const [unwanted, handedBack] = [await paidOrder(t, { partnerId, plan }), await paidOrder(t, { partnerId, plan })];
  await delivered(t, partnerId);
  await count(live.db);
  await requireExact(live.db);

  // What happens later counts in the day on which the order was placed.
  t.clock.advance(2 * DAY);
  await live.db.run(sql`
    update orders set status = 1, delivery = 'delivered', provision_due_at = null, delivered_at = paid_at + interval '90 seconds'
    where id = ${waiting.id}`);
  await run(t.operator(), `order fail ${hopeless.id}`);
  await live.db.run(
    sql`update orders set cancel_status = 'requested', cancel_requested_at = now() where id = ${unwanted.id}`,
  );
  await run(t.operator(), `order fail ${unwanted.id}`);
  await live.db.run(sql`
    update orders set status = 1, delivery = 'delivered', provision_due_at = null, delivered_at = paid_at where id = ${handedBack.id}`);
  await count(live.db);
  // Its day is counted again although nothing else of it changes.
  await live.db.run(sql`update orders set cancel_status = 'cancelled' where id = ${handedBack.id}`);
  const { order_id: first } = bought[0]?.body ?? {};
  await run(t.operator(), `order refund ${first} --amount 1.50`);
  await run(t.operator(), `order refund ${first}`);
  await count(live.db);
  await requireExact(live.db);
  const sold = (await directSales(live.db)) as { returned: bigint; cancelled: number; failed: number }[];
  assert.ok(sold.some(({ returned }) => returned > 0n));
  assert.deepEqual(
    [sold.reduce((all, one) => all + one.cancelled, 0), sold.reduce((all, one) => all + one.failed, 0)],
    [2, 1],
  );
  await count(live.db);
  await requireExact(live.db);

  // Charts by the hour are read from the orders.
  const span = wide('hour');
  const { points, total, took } = await live.insight.bought(partnerId, span);
  const hours = (await directHours(live.db)) as ({ partnerId: number; hour: Date; took: number[] } & Record<
    string,
    unknown
  >)[];
  const shown = points.filter((one) => one.orders + one.refused > 0);
  assert.deepEqual(
    shown.map(({ at, tookMs: _, ...sums }) => ({ hour: at, ...sums })),
    hours
      .filter((row) => row.partnerId === partnerId && row.hour >= span.from)
      .map(({ partnerId: _, took: __, ...row }) => row),
  );
  assert.deepEqual([total.orders, took.find(({ upToSeconds }) => upToSeconds === 120)?.orders], [8, 1]);
  const { total: byDay } = await live.insight.bought(partnerId, wide('day'));
  assert.deepEqual(byDay, total);
  const plans = (await directPlans(live.db)) as { partnerId: number; day: string }[];
  assert.deepEqual(
    (await live.insight.plans(partnerId, wide('day'))).map(({ at, ...one }) => ({
      partnerId,
      day: at.toISOString().slice(0, 10),
      ...one,
    })),
    plans.filter((row) => row.partnerId === partnerId && row.day >= span.from.toISOString().slice(0, 10)),
  );
});

test('an order that is committed after one with a larger id is not missed', async () => {
  const [slow, quick] = [await t.partner(), await t.partner()];
  const hold = Promise.withResolvers<void>();
  const taken = Promise.withResolvers<void>();
  const written = live.db.tx(async (tx) => {
    const { id } = await tx.one<{ id: bigint }>(sql`select nextval('orders_id_seq') as id`);
    await tx.run(sql`
      insert into orders (id, partner_id, plan_id, product_id, status, delivery, billing_mode, product_price, sale_price, cost_micros,
        product_title, data, amount_mb, day, is_unlimited, country_code, supplier, supplier_plan, created_at, paid_at, delivered_at)
      overriding system value
      values (${id}, ${slow}, ${plan.id}, ${plan.alias}, 1, 'delivered', 'prepaid', 1000, 900, 4000000, '1 GB', '1 GB', 1024, 7, false,
        'FR', 'aurora', ${plan.code}, now(), now(), now())`);
    taken.resolve();
    await hold.promise;
  });
  await taken.promise;
  await delivered(t, quick);
  await count(live.db);
  assert.deepEqual([await ordersCounted(live.db, slow), await ordersCounted(live.db, quick)], [0, 1]);
  hold.resolve();
  await written;
  await count(live.db);
  assert.deepEqual([await ordersCounted(live.db, slow), await ordersCounted(live.db, quick)], [1, 1]);
  await requireExact(live.db);
});

test('a purchase notes its day once: an open order is found by the next pass, and what changes in it leaves a row', async () => {
  const partnerId = await t.partner();
  await count(live.db);
  const noted = async () =>
    (await live.db.query(sql`select from order_days_changed where partner_id = ${partnerId}`)).length;
  const change = async (sets: string) => {
    await live.db.run(sql`update orders set ${raw(sets)} where partner_id = ${partnerId}`);
    assert.equal(await noted(), 1);
    await count(live.db);
    await requireExact(live.db);
  };
  await paidOrder(t, { partnerId, plan });
  assert.equal(await noted(), 0);
  await count(live.db);
  assert.equal(await ordersCounted(live.db, partnerId), 1);
  // Long after the pass no longer looks for it.
  t.clock.advance(3 * DAY);
  await count(live.db);
  await count(live.db);
  await change(`supplier = 'boreal'`);
  await change(`status = 1, delivery = 'delivered', provision_due_at = null, delivered_at = paid_at`);
});

test('a pass that is killed has done nothing, and passes at the same time count once', async () => {
  const partnerId = await t.partner();
  for (let i = 0; i < 10; i++) await delivered(t, partnerId);
  for (const table of ['order_days_changed', 'partner_sales_by_day', 'sales_by_day', 'sales_by_day_progress']) {
    await t.base.db.run(sql`
      create function live.fall_over() returns trigger language plpgsql security definer as $$ begin
        perform pg_terminate_backend(pg_backend_pid());
        return null;
      end $$`);
    await t.base.db.run(
      raw(
        `create trigger fall_over after insert or update or delete on live.${table} execute function live.fall_over()`,
      ),
    );
    await assert.rejects(count(live.db), /terminating connection/, table);
    await t.base.db.run(sql`drop function live.fall_over cascade`);
    assert.equal(await ordersCounted(live.db, partnerId), 0, table);
  }
  for (let round = 0; round < 8; round++)
    await Promise.all(Array.from({ length: 4 }, () => countChangedDays(live.db, t.clock, 3)));
  await count(live.db);
  await requireExact(live.db);
});

test('orders of before the upgrade are counted by a walk through all orders, and until then the figures say that they are not complete', async () => {
  const partnerId = await t.partner();
  await count(live.db);
  await t.base.db.tx(async (tx) => {
    // As if the trigger did not exist yet.
    await tx.run(sql`alter table live.orders disable trigger user`);
    await tx.run(sql`
      insert into live.orders (partner_id, plan_id, product_id, status, delivery, billing_mode, product_price, sale_price, cost_micros,
        product_title, data, amount_mb, day, is_unlimited, country_code, supplier, supplier_plan, created_at, paid_at, delivered_at)
      select ${partnerId}, 1, 'esc_00000000000000aa', 1, 'delivered', 'prepaid', 1000, 900, 4000000, '1 GB', '1 GB', 1024, 7, false, 'FR',
        'aurora', 'x', at, at, at from generate_series(now() - interval '20 days', now(), interval '10 hours') as at`);
    await tx.run(sql`alter table live.orders enable trigger user`);
  });
  await count(live.db);
  assert.equal(await ordersCounted(live.db, partnerId), 0);
  await t.base.db.run(sql`delete from live.sales_by_day_progress`);
  assert.ok((await countChangedDays(live.db, t.clock, 20)) > 0);
  assert.equal(await live.insight.countedUntil(), null);
  await count(live.db, 20);
  assert.notEqual(await live.insight.countedUntil(), null);
  assert.equal(await ordersCounted(live.db, partnerId), 49);
  await requireExact(live.db);
});

test('the figures say until when they are complete', async () => {
  t.clock.advance(MINUTE);
  const now = t.clock.now();
  await count(live.db);
  assert.equal((await live.insight.countedUntil())?.getTime(), now);
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
  const span = { from: new Date(0), to: new Date(t.clock.now() + 400 * DAY), per: 'month' } as const;
  await sandbox.insight.bought(partnerId, span);
  await count(sandbox.db);
  await requireExact(sandbox.db);
  const { total } = await sandbox.insight.bought(partnerId, span);
  assert.deepEqual([total.orders, total.delivered, total.refused], [2, 2, 1]);
});

test('a reset leaves nothing of a sandbox in the figures, whenever it happens', async () => {
  const partnerId = await t.partner();
  const key = await t.key(partnerId, 'sandbox');
  for (let round = 0; round < 10; round++) {
    t.clock.advance(2 * MINUTE);
    await Promise.all([buy(t, key, plan.alias), buy(t, key, plan.alias, { sandbox_scenario: 'deferred' })]);
    const [, reset] = await Promise.all([
      countChangedDays(sandbox.db, t.clock, 1),
      t.post('/account/sandboxReset', '', { key }),
      countChangedDays(sandbox.db, t.clock, 1),
      buy(t, key, plan.alias),
    ]);
    assert.equal(reset.status, 200);
  }
  await count(sandbox.db);
  await requireExact(sandbox.db);
});

for (const seed of [1, 2, 3])
  test(`whatever is placed, corrected later or killed, the operator sees what the orders say (seed ${seed})`, async () => {
    const dice = random(seed);
    const partners = await Promise.all(Array.from({ length: 12 }, () => t.partner()));
    const today = Math.floor(t.clock.now() / DAY) * DAY;
    const [suppliers, destinations] = [
      ['aurora', 'boreal', 'cirrus'],
      ['FR', 'DE', 'JP', 'europe'],
    ];
    const sell = (orders: number) =>
      t.base.db.run(sql`
        insert into live.orders (partner_id, plan_id, product_id, status, delivery, billing_mode, product_price, sale_price, cost_micros,
          product_title, data, amount_mb, day, is_unlimited, country_code, supplier, supplier_plan, created_at, paid_at, delivered_at)
        select partner, 1, 'esc_00000000000000aa', status, '', 'prepaid', 2000, price, cost, '1 GB', '1 GB', 1024, 7, false, destination,
          supplier, 'x', at, case when status <> 2 then at end, case when status = 1 then at + took * interval '1 second' end
        from jsonb_to_recordset(${JSON.stringify(
          Array.from({ length: orders }, () => ({
            partner: partners[dice(partners.length)],
            status: [1, 1, 1, 2, 4][dice(5)],
            price: 500 + dice(2000),
            cost: dice(4) === 0 ? 0 : 1_000_000 + dice(9_000_000),
            destination: destinations[dice(destinations.length)],
            supplier: suppliers[dice(suppliers.length)],
            at: new Date(today + dice(DAY) - dice(60) * DAY),
            took: dice(5_000),
          })),
        )}::jsonb) as sold (partner int, status int, price int, cost bigint, destination text, supplier text, at timestamptz, took int)`);
    for (let round = 0; round < 8; round++) {
      await sell(1 + dice(200));
      // Later, another supplier delivers some of them.
      await live.db.run(sql`
        update orders set status = 1, delivery = 'delivered', supplier = 'cirrus', delivered_at = paid_at + interval '1 day'
        where id in (
          select id from orders where status = 4 and partner_id = any (${partners}::int[]) order by (id * 7919 + ${dice(9_999)}) % 10007 limit 3)`);
      for (let pass = 0; pass < 1 + dice(3); pass++) await countChangedDays(live.db, t.clock, 10 + dice(200));
    }
    await count(live.db, 50);
    await requireExact(live.db);
    for (let i = 0; i < 10; i++) {
      const from = new Date(today - dice(70) * DAY);
      const span = {
        from,
        to: new Date(from.getTime() + (1 + dice(70)) * DAY),
        per: (['day', 'month'] as const)[dice(2)] ?? 'day',
      };
      const filter = {
        partnerId: dice(3) === 0 ? partners[dice(partners.length)] : undefined,
        supplier: dice(3) === 0 ? suppliers[dice(suppliers.length)] : undefined,
        destination: dice(3) === 0 ? destinations[dice(destinations.length)] : undefined,
      };
      const is = (row: Row) =>
        (filter.partnerId ?? row.partnerId) === row.partnerId &&
        (filter.supplier ?? row.supplier) === row.supplier &&
        (filter.destination ?? row.destination) === row.destination &&
        Date.parse(row.day) >= span.from.getTime() &&
        Date.parse(row.day) < span.to.getTime();
      type Row = {
        day: string;
        partnerId: number;
        supplier: string;
        destination: string;
        orders: number;
        cost: bigint;
      };
      const rows = ((await directSales(live.db)) as Row[]).filter(is);
      const sum = (of: readonly Row[]) => of.reduce((all, row) => all + row.orders, 0);
      const by = (key: (row: Row) => string) =>
        [...Map.groupBy(rows, key)]
          .map(([name, of]) => [name, sum(of)] as const)
          .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
      const sales = await readSales(live.db, span, filter);
      const shown = (of: readonly { key: string; orders: number }[]) => of.map(({ key, orders }) => [key, orders]);
      const about = JSON.stringify({ span, filter });
      assert.equal(sales.total.orders, sum(rows), about);
      assert.equal(
        sales.total.cost,
        rows.reduce((all, { cost }) => all + cost, 0n),
        about,
      );
      assert.deepEqual(
        shown(sales.suppliers),
        by(({ supplier }) => supplier),
        about,
      );
      assert.deepEqual(
        shown(sales.destinations),
        by(({ destination }) => destination),
        about,
      );
      const partnersDue = by(({ partnerId }) => String(partnerId));
      assert.deepEqual(
        [sales.partnersInAll, shown(sales.partners)],
        [partnersDue.length, partnersDue.slice(0, 100)],
        about,
      );
      assert.equal(
        sales.points.reduce((all, { orders }) => all + orders, 0),
        sum(rows),
        about,
      );
    }
  });

test('a pass reads the orders of the partners and weeks that changed, and a chart of one partner its own rows', async () => {
  const [partnerId, other] = [await t.partner(), await t.partner()];
  await live.db.run(sql`
    insert into orders (partner_id, plan_id, product_id, status, delivery, billing_mode, product_price, sale_price, cost_micros,
      product_title, data, amount_mb, day, is_unlimited, country_code, supplier, supplier_plan, created_at, paid_at, delivered_at)
    select partner, 1, 'esc_00000000000000aa', 1, 'delivered', 'prepaid', 1000, 900, 4000000, '1 GB', '1 GB', 1024, 7, false, 'FR',
      'aurora', 'x', at, at, at
    from generate_series(now() - interval '300 days', now(), interval '3 hours') as at, unnest(${[partnerId, other]}::int[]) as partner`);
  await count(live.db);
  await t.base.db.run(sql`analyze live.orders, live.partner_sales_by_day, live.sales_by_day, live.order_days_changed`);
  const today = Math.floor(t.clock.now() / DAY) * DAY;
  const span = (days: number, per: 'hour' | 'day') => ({
    from: new Date(today - (days - 1) * DAY),
    to: new Date(today + DAY),
    per,
  });
  const year = await explain(live.db, (db) => readPartnerFigures(db, partnerId, span(365, 'day')));
  assert.ok(year.rowsRead < 301 + 100, `${year.rowsRead} rows: ${year.steps.join('\n')}`);
  const hours = await explain(live.db, (db) => readPartnerFigures(db, partnerId, span(2, 'hour')));
  assert.ok(hours.rowsRead < 2 * 7 * 8 + 100, `${hours.rowsRead} rows: ${hours.steps.join('\n')}`);
  await delivered(t, partnerId, { deliveredAt: t.clock.now() - 100 * DAY });
  const plans: string[] = [];
  await countChangedDays(
    {
      ...live.db,
      tx: (work) =>
        live.db.tx((tx) =>
          work({
            ...tx,
            async run(statement) {
              const rows = await tx.query<{ 'QUERY PLAN': string }>(sql`explain ${statement}`);
              plans.push(rows.map((row) => row['QUERY PLAN']).join('\n'));
              return tx.run(statement);
            },
          }),
        ),
    },
    t.clock,
  );
  const counting = plans.find((one) => one.includes('Insert on partner_sales_by_day')) ?? '';
  assert.match(counting, /Index Scan using orders_closed_by_week/);
  assert.doesNotMatch(counting, /Seq Scan on orders/);
});
