import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { proveBooks } from '../../../src/domains/money/proof/prove.ts';
import { sql } from '../../../src/platform/db/query/sql.ts';
import { enterSchema } from '../../../src/platform/db/search-path.ts';
import { type Answer, testApp } from '../../support/program/app.ts';
import { buy, catalogKnows, credit } from '../../support/sales/shop.ts';
import { stockPlans } from '../../support/suppliers/stock-shop.ts';

const ORDERS = 30;

// Five connections per world. No jobs: nothing but these requests waits for a wallet.
const t = await testApp({ role: 'api' });
after(() => t[Symbol.asyncDispose]());
const partners: { id: number; key: string; sandbox: string }[] = [];
let product: string;
before(async () => {
  product = await stockPlans(t.base);
  await catalogKnows(t, product);
  for (let n = 0; n < 2; n++) {
    const id = await t.partner();
    await credit(t, id, '1000.00');
    partners.push({ id, key: await t.key(id), sandbox: await t.key(id, 'sandbox') });
  }
  await t.base.db.run(sql`update api_keys set tier_ceilings = '{"purchase": 1000000, "money": 1000000}'`);
});

/** Orders that wait for stock. */
async function ordersOf(key: string): Promise<string[]> {
  const bought = await Promise.all(Array.from({ length: ORDERS }, () => buy(t, key, product)));
  return bought.map(({ status, body }) => {
    assert.equal(status, 202);
    return String(body.order_id);
  });
}

const cancelAll = (key: string, orders: readonly string[]): Promise<Answer[]> =>
  Promise.all(orders.map((order_id) => t.post('/order/cancel', { order_id }, { key })));

const outcomes = (answers: readonly Answer[]) => [
  ...new Set(answers.map(({ status, body }) => `${status} ${body.cancel?.status}`)),
];

test('orders of one partner that wait for stock are all cancelled and refunded when they are cancelled at once', async () => {
  const [{ id, key }] = partners as [(typeof partners)[0]];
  const orders = await ordersOf(key);
  assert.deepEqual(outcomes(await cancelAll(key, orders)), ['200 cancelled']);
  assert.equal((await t.get('/account/balance', { key })).body.balance, 1000);
  const { drift } = await proveBooks(t.base.worlds.live.db, () => {});
  assert.deepEqual(drift, [], `partner ${id}`);
});

/** Runs `work` while another connection holds the wallet. */
async function whileHeld<T>(world: 'live' | 'sandbox', partnerId: number, work: () => Promise<T>): Promise<T> {
  return t.base.db.tx(async (tx) => {
    await enterSchema(tx, world);
    await tx.run(sql`select from wallets where partner_id = ${partnerId} for update`);
    return work();
  });
}

test('requests that wait for the wallet of one partner leave the connections to the others', async () => {
  const [one, other] = partners as [(typeof partners)[0], (typeof partners)[0]];
  const orders = await ordersOf(one.key);
  const waiting = await whileHeld('live', one.id, async () => {
    // Not awaited here: they wait until the wallet is free.
    const cancels = cancelAll(one.key, orders);
    const topups = Array.from({ length: 3 }, () => t.post('/account/topup', { amount: '10' }, { key: one.key }));
    const others = await Promise.all([
      buy(t, other.key, product),
      t.get('/account/balance', { key: other.key }),
      t.get('/account/history', { key: other.key }),
    ]);
    assert.deepEqual(
      others.map(({ status }) => status),
      [202, 200, 200],
    );
    return { cancels, topups };
  });
  assert.deepEqual(outcomes(await waiting.cancels), ['200 cancelled']);
  for (const { status } of await Promise.all(waiting.topups)) assert.ok(status < 500);
});

test('the same in the sandbox, for changes of a balance and resets', async () => {
  const [one, other] = partners as [(typeof partners)[0], (typeof partners)[0]];
  const key = one.sandbox;
  const waiting = await whileHeld('sandbox', one.id, async () => {
    const changes = Array.from({ length: ORDERS }, (_, n) =>
      n % 2 === 0
        ? t.post('/account/sandboxBalance', { operation: 'set', amount: '500' }, { key })
        : t.post('/account/sandboxReset', {}, { key }),
    );
    assert.equal((await buy(t, other.sandbox, product)).status, 200);
    return { changes };
  });
  const statuses = (await Promise.all(waiting.changes)).map(({ status }) => status);
  assert.deepEqual([...new Set(statuses)], [200]);
});
