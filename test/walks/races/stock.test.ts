import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { proveBooks } from '../../../src/domains/money/proof/prove.ts';
import { DAY } from '../../../src/platform/clock.ts';
import { sql } from '../../../src/platform/db/query/sql.ts';
import { eventually } from '../../support/eventually.ts';
import { type TestApp, testApp } from '../../support/program/app.ts';
import { buy, catalogKnows, credit } from '../../support/sales/shop.ts';
import { csvOf, importText, newItems, stockPlans } from '../../support/suppliers/stock-shop.ts';

const BUYERS = 1_000;
const ITEMS = 500;
const PARTNERS = 20;

let t: TestApp;
let other: TestApp;

before(async () => {
  t = await testApp({ config: { provisioning: { budgetMs: 30_000, overdueMs: DAY }, requestMs: 120_000 } });
  other = await t.another();
});
after(async () => {
  await other[Symbol.asyncDispose]();
  await t[Symbol.asyncDispose]();
});

test(`${BUYERS} buyers at two servers for ${ITEMS} items: each is sold once, the others wait and get the next ones`, {
  timeout: 600_000,
}, async () => {
  const product = await stockPlans(t.base);
  for (const app of [t, other]) await catalogKnows(app, product);
  const keys = await Promise.all(
    Array.from({ length: PARTNERS }, async () => {
      const partnerId = await t.partner();
      await credit(t, partnerId, '1000.00');
      return t.key(partnerId);
    }),
  );
  await t.base.db.run(sql`update api_keys set tier_ceilings = '{"purchase": 1000000, "money": 1000000}'`);
  await importText(t, csvOf(newItems(ITEMS)));

  const answers = await Promise.all(
    Array.from({ length: BUYERS }, (_, i) => buy(i % 2 === 0 ? t : other, keys[i % PARTNERS] as string, product)),
  );
  const count = (delivery: string) => answers.filter(({ body }) => body.delivery === delivery).length;
  assert.deepEqual(
    { delivered: count('delivered'), deferred: count('deferred') },
    { delivered: ITEMS, deferred: ITEMS },
  );

  await importText(other, csvOf(newItems(BUYERS - ITEMS)));
  const { db } = t.base.worlds.live;
  await eventually('everybody has an eSIM', async () => {
    t.clock.advance(5_000);
    const { open } = await db.one<{ open: number }>(
      sql`select count(*)::int as open from orders where delivery <> 'delivered'`,
    );
    return open === 0;
  });
  const sums = await db.one(sql`
    select (select count(distinct iccid)::int from orders) as iccids, (select count(*)::int from orders) as orders,
      (select count(*)::int from stock_items where state = 'sold') as sold,
      (select count(*)::int from stock_items where state <> 'sold') as left,
      (select count(*)::int from stock_items join orders using (iccid) where stock_items.reference = 'wf-live-' || orders.id) as matched`);
  assert.deepEqual(sums, { iccids: BUYERS, orders: BUYERS, sold: BUYERS, left: 0, matched: BUYERS });
  assert.deepEqual((await proveBooks(db, () => {})).drift, []);
});
