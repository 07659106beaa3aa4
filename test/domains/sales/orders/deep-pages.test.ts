import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { shareBook } from '../../../../src/domains/billing/revenue-share/revenue-share.ts';
import { ledgerBooks } from '../../../../src/domains/money/books/books.ts';
import { createOrders } from '../../../../src/domains/sales/order-lists/order-lists.ts';
import { sql } from '../../../../src/platform/db/query/sql.ts';
import { createWalks } from '../../../../src/platform/db/query/walk.ts';
import { type TestApp, testApp } from '../../../support/program/app.ts';

const ROWS = 12_000;
const [COMMON, RARE] = ['esc_00000000000000aa', 'esc_00000000000000bb'];

let t: TestApp;
let key: string;
let partner: number;
/** Newest first. */
let ids: number[];

before(async () => {
  t = await testApp({ role: 'api' });
  partner = await t.partner({ billing: 'postpaid' });
  key = await t.key(partner);
  const owner = t.base.db;
  await owner.run(sql`update partners set revenue_share_pct = 40 where id = ${partner}`);
  await owner.run(sql`
    insert into live.orders (partner_id, plan_id, product_id, status, delivery, billing_mode, product_price, sale_price,
      cost_micros, product_title, data, amount_mb, day, is_unlimited, country_code, supplier, supplier_plan, created_at, refunded)
    select ${partner}, 1, case when n % 10 = 0 then ${RARE} else ${COMMON} end, case when n % 100 = 0 then 2 else 1 end,
      case when n % 100 = 0 then 'failed' else 'delivered' end, 'postpaid', 2000, 1800, 8000000, 'France 5 GB', '5 GB', 5120, 30,
      false, 'FR', 'simulated', 'fr-5', now(), case when n % 100 = 0 then 0 else 100 end
    from generate_series(1, ${ROWS}) n`);
  await owner.run(sql`
    insert into live.movements (partner_id, book, type, amount, balance_after, at, line)
    select ${partner}, 'debt', 'payment', 100, n * 100, now(), n from generate_series(1, ${ROWS}) n`);
  await owner.run(sql`update live.wallets set debt_lines = ${ROWS} where partner_id = ${partner}`);
  await owner.run(sql`
    insert into live.revenue_shares (order_id, partner_id, plan_mb, used_mb, unused_mb, unit_cost_micros,
      unused_cost_micros, share_pct, amount, capped, status, channel, settle_wallet, created_at, settled_at)
    select id, partner_id, 5120, 120, 5000, 1562, 7812500, 40, 300, false, 'settled', 'wallet', 300, now(), now() from live.orders`);
  await owner.run(sql`analyze live.orders, live.movements, live.revenue_shares`);
  const rows = await owner.query<{ id: bigint }>(sql`select id from live.orders where status <> 2 order by id desc`);
  ids = rows.map(({ id }) => Number(id));
});
after(() => t[Symbol.asyncDispose]());

const orderIds = async (query: string) => {
  const { status, body } = await t.get(`/order/get?${query}`, { key });
  assert.equal(status, 200);
  return { ids: body.order.map(({ id }: { id: string }) => Number(id)), more: body.has_more, start: body.start };
};

test('a page far back is the same as if it had been counted off', async () => {
  for (const start of [101, 102, 110, 118, 119, 120, 2 ** 31]) {
    const from = (start - 1) * 100;
    const more = ids.length > from + 100;
    assert.deepEqual(await orderIds(`limit=100&start=${start}`), {
      ids: ids.slice(from, from + 100),
      more,
      start: undefined,
    });
  }
  const odd = ids.slice(7 * 1600, 7 * 1601);
  assert.deepEqual((await orderIds('limit=7&start=1601')).ids, odd);
});

test('so is a page of what a filter finds', async () => {
  for (const filter of [`product_id=${COMMON}`, 'status=refunded', 'status=delivered', 'from=2020-01-01']) {
    const near = await orderIds(`limit=100&start=101&${filter}`);
    const far = await orderIds(`limit=100&start=102&${filter}`);
    const next = await orderIds(`limit=100&before_id=${near.ids.at(-1)}&${filter}`);
    assert.deepEqual(far, next, filter);
  }
});

test('so are pages of the other lists that have numbers', async () => {
  const { books } = t.base.worlds.live;
  type Read = (page: { limit: number; start: number }) => Promise<readonly { id: bigint }[]>;
  const lists: Record<string, Read> = {
    'statement by type': async (page) => (await books.statement(partner, page, { type: 'payment' }))?.lines ?? [],
    statement: async (page) => (await books.statement(partner, page))?.lines ?? [],
    profitshare: async (page) => (await books.shares(partner, page)).rows,
    'profitshare by status': async (page) => (await books.shares(partner, page, 'settled')).rows,
  };
  for (const [name, read] of Object.entries(lists)) {
    const all: bigint[] = [];
    for (let start = 1; start <= ROWS / 500 + 1; start++)
      all.push(...(await read({ limit: 500, start })).map(({ id }) => id));
    assert.deepEqual([all.length, new Set(all).size], [ROWS, ROWS], name);
    assert.deepEqual(
      all,
      all.toSorted((one, other) => Number(other - one)),
      name,
    );
    assert.deepEqual(await read({ limit: 500, start: 1_000_000_000 }), [], name);
  }
});

test('a page that is not reached in time is answered with the last page reached, and its number', async () => {
  const { db } = t.base.worlds.live;
  const walks = createWalks({ walkMs: 0 });
  const orders = createOrders(
    { schema: 'live', db, reads: db, walks },
    { vault: t.base.vault, panelUrl: new URL('http://panel.test') },
  );
  const page = { limit: 100, start: 110 };
  const reached = await orders.list(partner, { state: 'unfailed' }, page);
  assert.deepEqual([reached.reached, reached.hasMore], [101, true]);
  assert.deepEqual(
    reached.orders.map(({ id }) => Number(id)),
    ids.slice(10_000, 10_100),
  );
  assert.equal(
    (await ledgerBooks(db, walks).statement(partner, page, { type: 'payment' }))?.lines[0]?.balanceAfter,
    200_000n,
  );
  assert.equal((await shareBook(db, walks).shares(partner, page)).reached, 101);
});

test('a partner that asks for many pages far back is turned away before others have to wait', async () => {
  const other = await t.key(await t.partner());
  await t.get('/order/get', { key: other });
  const far = Array.from({ length: 30 }, () => t.get('/order/get?limit=1&start=11500', { key }));
  assert.equal((await t.get('/order/get', { key: other })).status, 200);
  const seen = (await Promise.all(far)).map(({ status, body }) => `${status} ${body.error ?? ''}`.trim());
  assert.deepEqual([...new Set(seen)].sort(), ['200', '503 service_unavailable']);
});
