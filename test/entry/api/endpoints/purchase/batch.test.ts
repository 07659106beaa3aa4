import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { proveBooks } from '../../../../../src/domains/money/proof/prove.ts';
import { DAY, SECOND } from '../../../../../src/platform/clock.ts';
import type { Mode } from '../../../../../src/platform/contract/mode.ts';
import { sql } from '../../../../../src/platform/db/query/sql.ts';
import { eventually } from '../../../../support/eventually.ts';
import { type Answer, type TestApp, testApp } from '../../../../support/program/app.ts';
import { run } from '../../../../support/program/operator.ts';
import { refused, sandbox } from '../../../../support/refusal.ts';
import { testPlan } from '../../../../support/sales/paid-order.ts';
import { buy, catalogKnows, counts, credit, pausedSubscription } from '../../../../support/sales/shop.ts';

/** What an item may hold, and what it may not. */
type Item = Record<string, unknown>;
const MODES: readonly Mode[] = ['live', 'sandbox'];

let t: TestApp;
let product: string;
let other: string;
let refill: string;

before(async () => {
  t = await testApp({ config: { provisioning: { budgetMs: 1_000, overdueMs: DAY } } });
  const plan = await testPlan(t);
  product = plan.alias;
  other = (await testPlan(t, { price: 7 })).alias;
  refill = (await testPlan(t, { refills: [plan.code] })).alias;
  await catalogKnows(t, product);
  await catalogKnows(t, other);
});
after(async () => {
  for (const mode of MODES) assert.deepEqual((await proveBooks(t.base.worlds[mode].db, () => {})).drift, []);
  await t[Symbol.asyncDispose]();
});

let keys = 0;
const send = (key: string, items: unknown, more: Record<string, string> = {}): Promise<Answer> => {
  keys += 1;
  const text = typeof items === 'string' ? items : JSON.stringify(items);
  return t.post('/purchase/batch', { items: text, idempotency_key: `batch-${keys}`, ...more }, { key });
};
const read = (key: string, id: number) => t.get(`/purchase/batch/${id}`, { key });

/** A partner with a key that may call as often as it likes, and money in both worlds. */
async function buyer(mode: Mode, usd = '1000.00') {
  const partnerId = await t.partner();
  const key = await unlimited(partnerId, mode);
  // A gift: a top-up would change the price.
  if (mode === 'live') await credit(t, partnerId, usd, 'promo');
  else await t.post('/account/sandboxBalance', { operation: 'set', amount: usd }, { key });
  return { partnerId, key };
}

async function unlimited(partnerId: number, mode: Mode): Promise<string> {
  const { key, key_id } = await run(t.operator(), `key create --partner ${partnerId} --mode ${mode}`);
  await run(t.operator(), `key set ${key_id} --ceilings purchase=1000000`);
  return key;
}

const balanceOf = async (key: string) => (await t.get('/account/balance', { key })).body.balance;

for (const mode of MODES) {
  test(`${mode}: a batch is one order for each eSIM, in the order of the items, charged in one sum`, async () => {
    const { key } = await buyer(mode);
    const items = [
      { product_id: product, quantity: 2, reference: 'first' },
      { product_id: other },
      { product_id: product, reference: ' last ' },
    ];
    const { status, body } = await send(key, items);
    assert.equal(status, 202);
    assert.deepEqual([body.count, body.charged, Object.keys(body).includes('delivered')], [4, 37, false]);
    assert.deepEqual(
      body.orders.map((order: Item) => [order.product_id, order.reference, order.sale_price, order.status]),
      [
        [product, 'first', '10.00', '1'],
        [product, 'first', '10.00', '1'],
        [other, '', '7.00', '1'],
        [product, 'last', '10.00', '1'],
      ],
    );
    assert.equal(await balanceOf(key), 963);
    const listed = (await t.get('/order/get', { key })).body.order;
    assert.deepEqual(listed.toReversed(), body.orders, 'as order/get shows them');
    assert.ok(body.orders.every(({ esim }: { esim: Item }) => esim.activationCode !== ''));
    const now = await read(key, body.batch_id);
    const { code: _, ...placed } = body;
    const { code: __, delivered, deferred, failed, ...stands } = now.body;
    assert.deepEqual([now.status, delivered, deferred, failed], [200, 4, 0, 0]);
    assert.deepEqual(stands, placed);
  });

  test(`${mode}: 100 eSIMs in one call, each with its own line in the books and its own events`, async () => {
    const { partnerId, key } = await buyer(mode);
    if (mode === 'sandbox') await pausedSubscription(t, partnerId);
    const { body } = await send(key, [{ product_id: product, quantity: 100, reference: 'group' }]);
    assert.deepEqual([body.count, body.charged, body.warnings], [100, 1000, undefined]);
    assert.equal((await read(key, body.batch_id)).body.delivered, 100);
    const { movements, sum } = await t.base.worlds[mode].db.one<{ movements: number; sum: bigint }>(sql`
      select count(*)::int as movements, sum(amount)::bigint as sum from movements
      where partner_id = ${partnerId} and type = 'purchase'`);
    assert.deepEqual([movements, sum], [100, -100_000n]);
    const { ledger } = (await t.get('/account/history?reference=group&limit=200&sandbox_ledger=1', { key })).body;
    assert.equal(ledger.length, 100);
    assert.deepEqual(
      new Set(ledger.map(({ order_id }: Item) => String(order_id))),
      new Set(body.orders.map(({ id }: Item) => id)),
    );
    if (mode === 'live') return;
    const events = await t.base.worlds.sandbox.db.query<{ event: string; orders: number }>(sql`
      select event_type as event, count(distinct order_id)::int as orders from webhook_deliveries
      where partner_id = ${partnerId} group by 1 order by 1`);
    assert.deepEqual(events, [
      { event: 'order.created', orders: 100 },
      { event: 'order.delivered', orders: 100 },
      { event: 'order.paid', orders: 100 },
    ]);
  });

  test(`${mode}: the same key returns the batch as it stands and charges nothing; other items are a conflict`, async () => {
    const { key } = await buyer(mode);
    const items = [{ product_id: product, quantity: 2, reference: 'a' }, { product_id: other }];
    const again = { idempotency_key: 'again' };
    const first = await send(key, items, again);
    const second = await send(key, items, again);
    assert.deepEqual([second.status, second.body], [202, first.body]);
    const spelled = [...Array(2).fill({ reference: 'a', product_id: product }), { product_id: other, quantity: 1 }];
    assert.deepEqual((await send(key, spelled, again)).body, first.body, 'the same eSIMs, written otherwise');
    for (const changed of [
      [{ product_id: product, quantity: 3, reference: 'a' }],
      [{ product_id: product, quantity: 2, reference: 'b' }, { product_id: other }],
      [{ product_id: other }, { product_id: product, quantity: 2, reference: 'a' }],
    ])
      assert.equal((await send(key, changed, again)).body.error, 'idempotency_key_conflict', JSON.stringify(changed));
    assert.equal(await balanceOf(key), 973);
  });

  test(`${mode}: keys are those of purchase/buy: one that either used is a conflict for the other`, async () => {
    const { key } = await buyer(mode);
    await send(key, [{ product_id: product }], { idempotency_key: 'batch' });
    for (const wanted of [product, other])
      assert.equal((await buy(t, key, wanted, { idempotency_key: 'batch' })).body.error, 'idempotency_key_conflict');
    await buy(t, key, product, { idempotency_key: 'single' });
    const { status, body } = await send(key, [{ product_id: product }], { idempotency_key: 'single' });
    assert.deepEqual([status, body.error], [409, 'idempotency_key_conflict']);
    assert.equal(await balanceOf(key), 980);
  });

  test(`${mode}: a batch over the balance charges nothing, records nothing and leaves its key unused`, async () => {
    const { key } = await buyer(mode, '29.99');
    const before = await counts(t, mode);
    const items = [{ product_id: product, quantity: 3 }];
    const answer = await send(key, items, { idempotency_key: 'later' });
    refused(answer, 'insufficient_balance', {
      ...(mode === 'sandbox' && sandbox),
      balance: 29.99,
      required: 30,
    });
    assert.ok(!('order_id' in answer.body));
    assert.deepEqual(await counts(t, mode), before);
    assert.equal((await buy(t, key, product, { idempotency_key: 'later' })).status, 200);
    assert.equal(await balanceOf(key), 19.99);
  });

  test(`${mode}: an unknown id and a foreign one are the same 404, and so is one that cannot exist`, async () => {
    const { key } = await buyer(mode);
    const { body } = await send(key, [{ product_id: product, quantity: 2 }]);
    const single = (await buy(t, key, product)).body.order_id;
    const foreign = await read((await buyer(mode)).key, body.batch_id);
    assert.deepEqual([foreign.status, foreign.body.error], [404, 'batch_not_found']);
    for (const id of ['999999999', 'x', '0', '1e3', '9'.repeat(40), String(single), body.orders[1].id]) {
      const unknown = await t.get(`/purchase/batch/${id}`, { key });
      assert.deepEqual([unknown.status, unknown.text], [404, foreign.text], id);
    }
  });
}

test('what is refused about an item names it, counted from 0', async () => {
  const { key } = await buyer('sandbox');
  const before = await counts(t, 'sandbox');
  const ok = { product_id: product };
  const cases: readonly (readonly [items: unknown, code: string, item?: number | null])[] = [
    ['', 'items_required'],
    [[], 'items_required'],
    ['[', 'invalid_items', null],
    ['"x"', 'invalid_items', null],
    [{ items: [ok] }, 'invalid_items', null],
    [[ok, 'x'], 'invalid_items', 1],
    [[ok, null], 'invalid_items', 1],
    [[[ok]], 'invalid_items', 0],
    ...[0, 101, -1, 1.5, '2', true, {}].map((quantity) => [[ok, { ...ok, quantity }], 'invalid_items', 1] as const),
    [[{ ...ok, qty: 5 }], 'invalid_items', 0],
    [[ok, {}], 'product_id_required', 1],
    [[ok, { product_id: '' }], 'product_id_required', 1],
    [[ok, { product_id: 'esc_00000000000000ff' }], 'invalid_product', 1],
    [[ok, { product_id: 17 }], 'invalid_product', 1],
    [[ok, { product_id: refill }], 'invalid_product', 1],
    [[{ ...ok, reference: 'x'.repeat(65) }], 'reference_too_long', 0],
    ...['a<b', 17, '\ud800', '\0'].map((reference) => [[ok, { ...ok, reference }], 'invalid_reference', 1] as const),
    [Array(101).fill(ok), 'too_many_items'],
    [
      [
        { ...ok, quantity: 60 },
        { ...ok, quantity: 41 },
      ],
      'too_many_items',
    ],
  ];
  for (const [items, code, item] of cases) {
    const { status, body } = await send(key, items);
    assert.deepEqual([status, body.error, body.item], [400, code, item], JSON.stringify(items));
  }
  const twice = `items=${encodeURIComponent(JSON.stringify([ok]))}`;
  assert.equal((await t.post('/purchase/batch', `${twice}&${twice}`, { key })).body.error, 'invalid_items');
  // An empty optional value counts as not sent.
  const sparse = await send(key, [{ ...ok, quantity: null, reference: null }]);
  assert.deepEqual([sparse.status, sparse.body.count], [202, 1]);
  assert.equal((await counts(t, 'sandbox')).orders, (before.orders as number) + 1);
});

test('after the items come the key, the scenario and a simulated error, in this order', async () => {
  const { key } = await buyer('sandbox');
  const items = [{ product_id: product, quantity: 3 }];
  const wrong = { sandbox_scenario: 'later', sandbox_error: 'insufficient_balance' };
  const code = async (of: unknown, more: Record<string, string>) => (await send(key, of, more)).body.error;
  assert.equal(await code([{}], { ...wrong, idempotency_key: '' }), 'product_id_required');
  assert.equal(await code(items, { ...wrong, idempotency_key: '' }), 'idempotency_key_required');
  assert.equal(await code(items, { ...wrong, idempotency_key: 'x'.repeat(192) }), 'idempotency_key_too_long');
  assert.equal(await code(items, { ...wrong, idempotency_key: 'a<b' }), 'invalid_idempotency_key');
  assert.equal(await code(items, wrong), 'invalid_sandbox_scenario');
  const simulated = await send(key, items, { sandbox_error: 'insufficient_balance' });
  assert.deepEqual([simulated.body.sandbox_simulated, simulated.body.required], [true, 30]);
  assert.equal(await code(items, { sandbox_error: 'batch_not_found' }), 'invalid_sandbox_error');
  const missing = await t.get('/purchase/batch/1?sandbox_error=order_read_failed', { key });
  assert.deepEqual([missing.status, missing.body.sandbox_simulated], [500, true]);
  assert.equal((await t.get('/order/get', { key })).body.order.length, 0);
});

test('a product that went off sale is 404 with its item, and a batch bought before is still returned', async () => {
  const { key } = await buyer('sandbox');
  const plan = await testPlan(t);
  await catalogKnows(t, plan.alias);
  const items = [{ product_id: product }, { product_id: plan.alias }];
  const bought = await send(key, items, { idempotency_key: 'before' });
  await t.base.db.run(sql`update plans set on_sale = false where id = ${plan.id}`);
  await t.base.db.run(sql`notify wayfare_catalog`);
  await eventually('the plan is off sale', async () => (await buy(t, key, plan.alias)).status === 404);
  const { status, body } = await send(key, items);
  assert.deepEqual([status, body.error, body.item], [404, 'product_not_found', 1]);
  assert.deepEqual((await send(key, items, { idempotency_key: 'before' })).body, bought.body);
  const another = await send(key, [...items, { product_id: product }], { idempotency_key: 'before' });
  assert.equal(another.body.error, 'idempotency_key_conflict');
});

test('on credit: all of it fits under the limit, or nothing is charged; the statement has a line for each', async () => {
  const partnerId = await t.partner({ billing: 'postpaid' });
  await run(t.operator(), `partner set ${partnerId} --credit-limit 50`);
  const key = await unlimited(partnerId, 'live');
  const over = await send(key, [{ product_id: product, quantity: 6 }]);
  refused(over, 'credit_limit_exceeded', { outstanding: 0, credit_limit: 50, available: 50, required: 60 });
  const { body } = await send(key, [{ product_id: product, quantity: 5, reference: 'group' }]);
  assert.deepEqual([body.charged, body.count], [50, 5]);
  const statement = (await t.get('/account/statement?reference=group', { key })).body;
  assert.deepEqual([statement.outstanding, statement.ledger.length], ['50.00', 5]);
});

test('suspended: the batch is refused and records nothing, but one that was bought before is returned', async () => {
  const { partnerId, key } = await buyer('live');
  const items = [{ product_id: product, quantity: 2 }];
  const bought = await send(key, items, { idempotency_key: 'before' });
  await run(t.operator(), `partner set ${partnerId} --suspended true`);
  const before = await counts(t);
  const { status, body } = await send(key, items);
  assert.deepEqual([status, body.error], [403, 'partner_account_suspended']);
  assert.deepEqual((await send(key, items, { idempotency_key: 'before' })).body, bought.body);
  assert.deepEqual(await counts(t), before);
});

test('a charge the ledger refuses leaves no order, on a wallet and on a credit line', async () => {
  const onCredit = await t.partner({ billing: 'postpaid' });
  await run(t.operator(), `partner set ${onCredit} --credit-limit 500`);
  const { key } = await buyer('live');
  const creditKey = await unlimited(onCredit, 'live');
  const before = await counts(t);
  await t.base.db.run(sql`alter table live.transfers add constraint broken check (amount <> 700) not valid`);
  const items = [{ product_id: product }, { product_id: other }];
  const [wallet, credit] = [await send(key, items), await send(creditKey, items)];
  await t.base.db.run(sql`alter table live.transfers drop constraint broken`);
  assert.equal(wallet.body.error, 'sale_insert_failed');
  assert.deepEqual([credit.status, credit.body.error, 'order_id' in credit.body], [402, 'credit_charge_failed', false]);
  assert.deepEqual(await counts(t), before);
});

test('a member that fails is refunded alone, one that waits is deferred, and `charged` stays what was taken', async () => {
  const { partnerId, key } = await buyer('live');
  const [refuse, delay] = [await testPlan(t), await testPlan(t)];
  await run(t.operator(), `supplier simulate ${refuse.alias} --behaviour refuse`);
  await run(t.operator(), `supplier simulate ${delay.alias} --behaviour delay`);
  await catalogKnows(t, delay.alias);
  const { body } = await send(key, [
    { product_id: product, quantity: 2 },
    { product_id: refuse.alias, quantity: 2 },
    { product_id: delay.alias },
  ]);
  assert.equal(body.charged, 50);
  assert.deepEqual(
    body.orders.map(({ status }: Item) => status),
    ['1', '1', '2', '2', '4'],
  );
  const now = (await read(key, body.batch_id)).body;
  assert.deepEqual([now.delivered, now.deferred, now.failed, now.charged], [2, 1, 2, 50]);
  assert.equal(await balanceOf(key), 970);
  const refunds = await t.base.worlds.live.db.query<{ orderId: bigint }>(sql`
    select order_id as "orderId" from movements where partner_id = ${partnerId} and type = 'refund' order by order_id`);
  assert.deepEqual(
    refunds.map(({ orderId }) => String(orderId)),
    [body.orders[2].id, body.orders[3].id],
  );
  const returned = await t.post('/order/refund', { order_id: body.orders[0].id }, { key });
  assert.equal(returned.body.refund.status, 'refunded');
  assert.deepEqual(
    (await read(key, body.batch_id)).body.orders.map(({ refunded }: Item) => refunded),
    ['10.00', '0.00', '0.00', '0.00', '0.00'],
  );
});

test('sandbox_scenario applies to all members: deferred ones are delivered by a read after 60 s, failed ones cost nothing', async () => {
  const { key } = await buyer('sandbox');
  const items = [{ product_id: product, quantity: 3 }];
  const failed = (await send(key, items, { sandbox_scenario: 'failed', idempotency_key: 'failed' })).body;
  assert.equal(failed.charged, 0);
  const read1 = (await read(key, failed.batch_id)).body;
  assert.deepEqual([read1.failed, read1.count, await balanceOf(key)], [3, 3, 1000]);
  assert.equal((await send(key, items, { idempotency_key: 'failed' })).body.batch_id, failed.batch_id);
  const deferred = (await send(key, items, { sandbox_scenario: 'deferred' })).body;
  assert.equal((await read(key, deferred.batch_id)).body.deferred, 3);
  await t.post('/sandbox/clock', { advance: '61' }, { key });
  assert.equal((await read(key, deferred.batch_id)).body.delivered, 3);
});

test('a reset of the sandbox deletes batches, and frees their keys', async () => {
  const { key } = await buyer('sandbox');
  const items = [{ product_id: product, quantity: 2 }];
  const { batch_id } = (await send(key, items, { idempotency_key: 'reset' })).body;
  await t.post('/account/sandboxReset', {}, { key });
  assert.equal((await read(key, batch_id)).body.error, 'batch_not_found');
  const anew = (await send(key, items, { idempotency_key: 'reset' })).body;
  assert.ok(anew.batch_id > batch_id);
});

test('a batch that does not fit under the waiting limit of the sandbox says so once, and sells', async () => {
  const { partnerId, key } = await buyer('sandbox');
  await pausedSubscription(t, partnerId);
  await send(key, [{ product_id: product, quantity: 100 }]);
  await t.post('/account/sandboxBalance', { operation: 'set', amount: '1000' }, { key });
  const { body } = await send(key, [{ product_id: product, quantity: 100 }]);
  assert.deepEqual([body.count, body.warnings], [100, ['sandbox_queue_full']]);
});

test('a batch counts as its number of eSIMs against the quota; one that is refused there counts as nothing', async () => {
  const { partnerId } = await buyer('sandbox', '5000');
  const key = await t.key(partnerId, 'sandbox');
  t.clock.freeze(Math.ceil(t.clock.now() / 60_000) * 60_000 + 1_000);
  const left = (answer: Answer) => Number(answer.headers['x-ratelimit-remaining']);
  const items = (quantity: number) => [{ product_id: product, quantity }];
  assert.equal(left(await send(key, [{ product_id: product, quantity: 0 }])), 149, 'one that is wrong is one call');
  assert.equal(left(await send(key, items(90))), 59);
  const over = await send(key, items(60));
  assert.deepEqual([over.status, over.body.tier, left(over)], [429, 'purchase', 59]);
  assert.ok(over.body.retry_after > 0);
  assert.equal(left(await send(key, items(9))), 50);
  assert.equal(left(await buy(t, key, product)), 49);
  t.clock.advance(over.body.retry_after * SECOND);
  assert.equal((await send(key, [{ product_id: product }])).status, 202);
});

test('each path has its own verb, and no other path leads to a batch', async () => {
  const { key } = await buyer('sandbox');
  for (const [method, path, status, allow] of [
    ['GET', '/purchase/batch', 405, 'POST'],
    ['GET', '/purchase/batch/', 405, 'POST'],
    ['POST', '/purchase/batch/1', 405, 'GET'],
    ['GET', '/purchase/batch/1/2', 404, undefined],
    ['GET', '/purchase/buy/1', 404, undefined],
  ] as const) {
    const answer = await t.get(path, { key, method });
    assert.deepEqual([answer.status, answer.headers.allow], [status, allow], `${method} ${path}`);
  }
  const { body } = await send(key, [{ product_id: product }]);
  assert.equal((await t.get(`/purchase/batch/${body.batch_id}/`, { key, method: 'HEAD' })).status, 200);
});
