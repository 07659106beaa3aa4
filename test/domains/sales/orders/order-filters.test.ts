import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createOrders, type PartnerOrderFilter } from '../../../../src/domains/sales/order-lists/order-lists.ts';
import { LOOKED_AT } from '../../../../src/domains/sales/order-lists/page.ts';
import { DAY } from '../../../../src/platform/clock.ts';
import type { Db } from '../../../../src/platform/db/database.ts';
import { raw, sql } from '../../../../src/platform/db/query/sql.ts';
import { createWalks } from '../../../../src/platform/db/query/walk.ts';
import { explainReads } from '../../../support/database/measured-plan.ts';
import { type TestApp, testApp } from '../../../support/program/app.ts';

const unfailed: PartnerOrderFilter = { state: 'unfailed' };
const [COMMON, RARE, UNSOLD] = ['esc_00000000000000aa', 'esc_00000000000000bb', 'esc_00000000000000cc'];

let t: TestApp;
before(async () => {
  t = await testApp({ role: 'api' });
});
after(() => t[Symbol.asyncDispose]());

const ordersOn = (db: Db, walks = createWalks()) =>
  createOrders(
    { schema: 'live', db, reads: db, walks },
    { vault: t.base.vault, panelUrl: new URL('http://panel.test') },
  );
const ago = (days: number) => new Date(t.clock.now() - days * DAY);

interface Seed {
  readonly orders: number;
  /** SQL over `n`, the running number of an order. */
  readonly partner: string;
  readonly product: string;
  readonly state: string;
  readonly reference: string;
  readonly iccid: string;
  readonly refunded: string;
  readonly daysAgo: string;
}

/** So many at a time that a statement stays far below its limit on a busy machine. */
const AT_ONCE = 5_000;

async function seed(db: Db, { orders, ...given }: Seed): Promise<void> {
  for (let first = 1; first <= orders; first += AT_ONCE)
    await seedSome(db, given, first, Math.min(first + AT_ONCE - 1, orders));
}

async function seedSome(db: Db, given: Omit<Seed, 'orders'>, first: number, last: number): Promise<void> {
  await db.run(sql`
    insert into live.orders (partner_id, plan_id, product_id, status, delivery, billing_mode, product_price, sale_price,
      cost_micros, product_title, data, amount_mb, day, is_unlimited, country_code, supplier, supplier_plan, iccid, reference,
      refunded, created_at, paid_at, provision_due_at)
    select ${raw(given.partner)}, 1, ${raw(given.product)},
      case state when 'delivered' then 1 when 'failed' then 2 when 'created' then 3 else 4 end,
      case state when 'created' then '' when 'paid' then '' else state end,
      'prepaid', 2000, 1800, 8000000, 'France 5 GB', '5 GB', 5120, 30, false, 'FR', 'simulated', 'fr-5', ${raw(given.iccid)},
      ${raw(given.reference)}, case state when 'delivered' then ${raw(given.refunded)} else 0 end,
      ${new Date(t.clock.now())}::timestamptz - (${raw(given.daysAgo)}) * interval '1 day', now(),
      case when state in ('paid', 'deferred') then now() + interval '1 hour' end
    from generate_series(${first}::int, ${last}::int) n cross join lateral (select ${raw(given.state)} as state) as drawn`);
}

/** `status` is SQL over `id` of an order; null: it has no refund. */
async function seedRefunds(db: Db, status: string): Promise<void> {
  await db.run(sql`
    insert into live.refunds (order_id, partner_id, status, requested_at)
    select id, partner_id, drawn.status, now() from live.orders cross join lateral (select ${raw(status)} as status) as drawn
    where drawn.status is not null on conflict do nothing`);
  // As it is a minute later: then its indexes alone answer.
  await db.run(sql`vacuum (analyze) live.refunds`);
}

test('any combination of filters finds exactly the orders that fit, newest first, whatever their times', async () => {
  const mine = await t.partner();
  const theirs = await t.partner();
  // Times jump: a week forwards and back again, as in a sandbox whose clock was turned and reset.
  await seed(t.base.db, {
    orders: 400,
    partner: `case when n % 7 = 0 then ${theirs} else ${mine} end`,
    product: `case n % 3 when 0 then '${COMMON}' else '${RARE}' end`,
    state: `(array['paid', 'deferred', 'delivered', 'delivered', 'delivered', 'failed', 'created'])[1 + n * 13 % 7]`,
    reference: `(array['', 'a', 'b', 'A'])[1 + n * 7 % 4]`,
    iccid: `(array[null, '8900001', '8900002'])[1 + n * 5 % 3]`,
    refunded: 'case n % 5 when 0 then 700 else 0 end',
    daysAgo: 'case when n % 50 < 10 then 3 else 10 end + (n * 37 % 400) / 40.0',
  });
  await seedRefunds(
    t.base.db,
    `case id % 6 when 0 then 'withdrawing' when 1 then 'requested' when 2 then 'refunded' when 3 then 'rejected' end`,
  );
  await t.base.db.run(sql`update live.orders set cancel_status = 'cancelled' where status in (1, 2) and id % 4 = 0`);
  interface Row {
    readonly refund: string | null;
    readonly id: bigint;
    readonly partnerId: number;
    readonly productId: string;
    readonly status: number;
    readonly delivery: string;
    readonly reference: string;
    readonly iccid: string | null;
    readonly refunded: bigint;
    readonly isCancelled: boolean;
    readonly createdAt: Date;
  }
  const rows = await t.base.db.query<Row>(sql`
    select id, partner_id as "partnerId", product_id as "productId", status, delivery, reference, iccid, refunded,
      coalesce(cancel_status = 'cancelled', false) as "isCancelled", created_at as "createdAt",
      (select case status when 'withdrawing' then 'requested' else status end from live.refunds where order_id = orders.id) as refund
    from live.orders order by id desc`);
  const isInState: Record<string, (row: Row) => boolean> = {
    paid: (row) => row.status === 4 && row.delivery === '',
    deferred: (row) => row.status === 4 && row.delivery === 'deferred',
    delivered: (row) => row.status === 1,
    failed: (row) => row.status === 2 && !row.isCancelled,
    cancelled: (row) => row.isCancelled,
    unfulfilled: (row) => row.status === 2,
    refunded: (row) => row.status !== 2 && row.refunded > 0n,
    undefined: () => true,
    unfailed: (row) => row.status !== 2,
  };
  const fits = (row: Row, filter: PartnerOrderFilter) =>
    row.partnerId === mine &&
    isInState[String(filter.state)]?.(row) &&
    (filter.reference === undefined || row.reference === filter.reference) &&
    (filter.iccid === undefined || row.iccid === filter.iccid) &&
    (filter.productId === undefined || row.productId === filter.productId) &&
    (filter.refund === undefined || row.refund === filter.refund) &&
    (filter.from === undefined || row.createdAt >= filter.from) &&
    (filter.to === undefined || row.createdAt < filter.to) &&
    (filter.beforeId === undefined || row.id < filter.beforeId);

  const { id, createdAt } = rows[200] as Row;
  const choices = {
    reference: [undefined, 'a', 'nothing'],
    iccid: [undefined, '8900001'],
    productId: [undefined, RARE, UNSOLD],
    state: [undefined, 'paid', 'deferred', 'delivered', 'failed', 'cancelled', 'unfulfilled', 'refunded', 'unfailed'],
    from: [undefined, ago(12), createdAt],
    to: [undefined, ago(5), createdAt],
    beforeId: [undefined, id],
    refund: [undefined, 'requested', 'refunded', 'rejected'],
  } as const;
  let filters: PartnerOrderFilter[] = [unfailed];
  for (const [name, values] of Object.entries(choices))
    filters = filters.flatMap((one) => values.map((value) => ({ ...one, [name]: value })));
  const orders = ordersOn(t.base.worlds.live.db);
  let found = 0;
  // A sample spread over all combinations: 11 shares no factor with the number of values of any filter.
  for (const [i, filter] of filters.entries()) {
    if (i % 11 !== 0) continue;
    const expected = rows.filter((row) => fits(row, filter)).map((row) => row.id);
    const page = await orders.list(mine, filter, { limit: 30, start: 1 });
    assert.deepEqual(
      [page.orders.map((order) => order.id), page.hasMore],
      [expected.slice(0, 30), expected.length > 30],
      JSON.stringify(filter, (_, value) => (typeof value === 'bigint' ? String(value) : value)),
    );
    found += expected.length > 0 ? 1 : 0;
  }
  assert.ok(found > 50, `only ${found} combinations found anything`);
});

test('every filter reads few rows of an index, however many orders a partner has and wherever its matches are', async (suite) => {
  const [big, small, none] = [await t.partner(), await t.partner(), await t.partner()];
  const ORDERS = 60_000;
  // The planner will think that one partner, one product and one reference are everywhere, and meets the exceptions last.
  await seed(t.base.db, {
    orders: ORDERS,
    partner: `case when n % 6000 = 1 then ${small} else ${big} end`,
    product: `case when n in (7, 11) then '${RARE}' else '${COMMON}' end`,
    state: `case when n <= 60 then 'failed' when n between 100 and 160 then 'deferred' when n = 161 then 'paid' else 'delivered' end`,
    reference: `case when n % 2 = 0 then '' when n = 501 then 'one' else 'shared' end`,
    iccid: `'89' || n`,
    refunded: 'case when n in (1001, 1002) then 700 else 0 end',
    daysAgo: `(${ORDERS} - n) / 200.0`,
  });
  await seedRefunds(
    t.base.db,
    `case when id % 9000 = 3 then 'rejected' when id % 15000 = 5 then 'withdrawing' when id % 20000 = 7 then 'requested'
      when id % 2 = 0 then 'refunded' end`,
  );
  await t.base.db.run(sql`update live.orders set cancel_status = 'cancelled' where id % 4000 = 9`);
  await t.base.db.run(sql`alter table live.orders alter column partner_id set (n_distinct = 1)`);
  await t.base.db.run(sql`alter table live.orders alter column product_id set (n_distinct = 1)`);
  await t.base.db.run(sql`analyze live.orders`);
  const period = { from: ago(200), to: ago(150) };
  const filters: Record<string, Partial<PartnerOrderFilter>> = {
    'no filter': {},
    'before an old id': { beforeId: 5_000n },
    'a reference': { reference: 'one' },
    'a reference that half of all orders have': { reference: 'shared' },
    'an unknown reference': { reference: 'unknown' },
    'an eSIM': { iccid: '89777' },
    'an unknown eSIM': { iccid: '12345' },
    'a common product': { productId: COMMON },
    'a rare product': { productId: RARE },
    'a product without orders': { productId: UNSOLD },
    paid: { state: 'paid' },
    deferred: { state: 'deferred' },
    delivered: { state: 'delivered' },
    failed: { state: 'failed' },
    cancelled: { state: 'cancelled' },
    'a common product, cancelled': { productId: COMMON, state: 'cancelled' },
    'cancelled in a period': { ...period, state: 'cancelled' },
    refunded: { state: 'refunded' },
    'with failed ones': { state: undefined },
    'with failed ones, before an old id': { state: undefined, beforeId: 5_000n },
    'with failed ones, a shared reference': { state: undefined, reference: 'shared' },
    'with failed ones, a rare product': { state: undefined, productId: RARE },
    'with failed ones in a period': { ...period, state: undefined },
    'since yesterday': { from: ago(1) },
    'since tomorrow': { from: ago(-1) },
    'until half of them': { to: ago(150) },
    'until before all of them': { to: ago(1000) },
    'a period': period,
    'a period before all of them': { from: ago(1000), to: ago(900) },
    'a moment': { from: ago(200), to: ago(199.99) },
    'a period, paged': { ...period, beforeId: 25_000n },
    'a shared reference and a rare product': { reference: 'shared', productId: RARE },
    'a shared reference, failed': { reference: 'shared', state: 'failed' },
    'a shared reference, refunded': { reference: 'shared', state: 'refunded' },
    'a shared reference, deferred': { reference: 'shared', state: 'deferred' },
    'a common product, failed': { productId: COMMON, state: 'failed' },
    'a common product, refunded': { productId: COMMON, state: 'refunded' },
    'a common product, deferred': { productId: COMMON, state: 'deferred' },
    'a rare product, delivered': { productId: RARE, state: 'delivered' },
    'a common product in a period': { ...period, productId: COMMON },
    'a rare product in a period': { ...period, productId: RARE },
    'a shared reference in a period': { ...period, reference: 'shared' },
    'failed in a period': { ...period, state: 'failed' },
    'refunded in a period': { ...period, state: 'refunded' },
    'deferred in a period': { ...period, state: 'deferred' },
    'delivered in a period': { ...period, state: 'delivered' },
    'a refund requested': { refund: 'requested' },
    'a refund made': { refund: 'refunded' },
    'a refund rejected': { refund: 'rejected' },
    'a refund made, before an old id': { refund: 'refunded', beforeId: 5_000n },
    'a refund made in a period': { ...period, refund: 'refunded' },
    'a refund rejected in a period': { ...period, refund: 'rejected' },
    'a refund made, failed': { refund: 'refunded', state: 'failed' },
    'a refund made, a rare product': { refund: 'refunded', productId: RARE },
    'a refund requested, a shared reference': { refund: 'requested', reference: 'shared' },
    'a refund rejected, with failed ones': { refund: 'rejected', state: undefined },
  };
  const COUNTED = 10_000;
  for (const [name, filter] of Object.entries(filters)) {
    await suite.test(name, async () => {
      for (const partnerId of [big, small, none]) {
        const { rowsRead, steps } = await explainReads(t.base.worlds.live.db, (db) =>
          ordersOn(db as Db).list(partnerId, { ...unfailed, ...filter }, { limit: 10, start: 1 }),
        );
        const counted = steps.filter((step) => step.includes(`: ${COUNTED} rows in 1 loops`));
        assert.ok(counted.every((step) => step.startsWith('Index Only Scan')) && counted.length <= 1, steps.join('\n'));
        // The rows of the page three times, and a look for each of the 43 weeks, twice.
        assert.ok(rowsRead - counted.length * COUNTED <= 250, `${rowsRead} rows\n${steps.join('\n')}`);
      }
    });
  }
});

/** On the orders of the test before: 60,000, in which one partner has nearly all. */
const ofBig = async () => {
  const { partnerId } = await t.base.db.one<{ partnerId: number }>(sql`
    select partner_id as "partnerId" from live.orders group by partner_id order by count(*) desc limit 1`);
  const ids = await t.base.db.query<{ id: bigint }>(
    sql`select id from live.orders where partner_id = ${partnerId} order by id`,
  );
  return { partnerId, ids: ids.map(({ id }) => id) };
};

test('orders of one API key are looked for among so many at a time, and the answer says how far it looked', async () => {
  const { partnerId, ids } = await ofBig();
  const [oldest = 0n, recent = 0n] = [ids[3], ids.at(-4)];
  await t.base.db.run(sql`update live.orders set key_id = 7 where id in (${oldest}, ${recent})`);
  const found: bigint[] = [];
  let looks = 0;
  for (let beforeId: bigint | undefined; looks === 0 || beforeId !== undefined; looks++) {
    const { result, rowsRead } = await explainReads(t.base.worlds.live.db, (db) =>
      ordersOn(db as Db).summaries(partnerId, { ...unfailed, state: undefined, keyId: 7, beforeId }, 20),
    );
    found.push(...result.orders.map(({ id }) => id));
    assert.ok(rowsRead <= 3 * LOOKED_AT + 300, `${rowsRead} rows`);
    assert.ok(!result.hasMore);
    beforeId = result.lookedTo;
  }
  assert.deepEqual([found, looks], [[recent, oldest], Math.ceil(ids.length / LOOKED_AT)]);
  const page = await ordersOn(t.base.worlds.live.db).summaries(partnerId, { ...unfailed, keyId: 7 }, 1);
  assert.deepEqual([page.orders[0]?.id, page.hasMore], [recent, false]);
});

test('a search reads a few entries of an index, whatever the text', async () => {
  const { partnerId, ids } = await ofBig();
  const stranger = await t.partner();
  const [id = 0n] = ids.slice(900);
  await t.base.db.run(sql`update live.orders set idempotency_key = 'once-1', iccid = '8988303000000012345', reference = 'Tour 7'
    where id = ${id}`);
  await t.base.db.run(sql`analyze live.orders`);
  const search = async (text: string, whose = partnerId) => {
    const { result, rowsRead, steps } = await explainReads(t.base.worlds.live.db, (db) =>
      ordersOn(db as Db).search(whose, text, 6),
    );
    assert.ok(rowsRead <= 300, `${text}: ${rowsRead} rows\n${steps.join('\n')}`);
    return result.map((order) => `${order.by} ${order.id}`);
  };
  assert.equal((await search(String(id)))[0], `id ${id}`, 'the one itself, then those that begin with it');
  assert.deepEqual(await search('8988303000000012345'), [`iccid ${id}`]);
  assert.deepEqual(await search('898830300000001234'), [`iccid ${id}`], 'without its check digit');
  assert.deepEqual(await search('once-1'), [`idempotency_key ${id}`]);
  assert.deepEqual(await search('Tour 7'), [`reference ${id}`]);
  assert.deepEqual(await search('Tou'), [`reference ${id}`]);
  assert.deepEqual(await search('tour'), [`reference ${id}`], 'in any case');
  assert.equal((await search('sh')).length, 6);
  for (const text of ['%', '_', '', '; drop table orders', '0', '9'.repeat(40), 'unknown'])
    assert.deepEqual(await search(text), text === '' ? await search('') : [], text);
  for (const text of [String(id), '8988303000000012345', 'once-1', 'Tour 7', 'sh'])
    assert.deepEqual(await search(text, stranger), [], `not theirs: ${text}`);
});
