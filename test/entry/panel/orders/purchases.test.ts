import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import { pruneActionKeys } from '../../../../src/platform/audit/action-keys.ts';
import { DAY, MINUTE } from '../../../../src/platform/clock.ts';
import { raw, sql } from '../../../../src/platform/db/query/sql.ts';
import { eventually } from '../../../support/eventually.ts';
import { run } from '../../../support/program/operator.ts';
import { type Browser, signedIn, signedInAs } from '../../../support/program/panel.ts';
import { refillShop } from '../../../support/sales/refills.ts';
import { counts, credit } from '../../../support/sales/shop.ts';

const t = await refillShop();
after(() => t[Symbol.asyncDispose]());
const alias = await t.alias('tr-1');
const refill = await t.alias('some');

async function buyer(usd = '100.00') {
  const partnerId = await t.partner();
  await credit(t, partnerId, usd);
  return { partnerId, ana: await signedIn(t, partnerId) };
}
const priceOf = async (ana: Browser, query = `product_id=${alias}`, mode: 'live' | 'sandbox' = 'live') =>
  (await ana.v3(mode, `/purchase/quote?${query}`)).body.partner_price.toFixed(2) as string;
const buy = (ana: Browser, more: object, key = randomUUID(), mode = 'live') =>
  ana.post(`/api/${mode}/purchases`, { product_id: alias, ...more }, { headers: { 'idempotency-key': key } });

test('a member buys at the price they were shown: one order, one charge, one entry that names the member', async () => {
  const { partnerId, ana } = await buyer();
  const price = await priceOf(ana);
  const { status, body } = await buy(ana, { max_price: price, reference: 'desk-1' });
  assert.deepEqual([status, body.delivery], [200, 'delivered']);
  const { orders } = (await ana.get('/api/live/orders')).body;
  assert.deepEqual([orders[0].id, orders[0].reference, orders[0].charged], [body.order_id, 'desk-1', price]);
  const { id, email } = (await ana.get('/api/me')).body.member;
  const money = (await ana.get(`/api/live/orders/${body.order_id}/money`)).body;
  assert.match(money.idempotency_key, new RegExp(`^panel-${id}-[0-9a-f]{32}$`));
  const { steps } = (await ana.get(`/api/live/orders/${body.order_id}/timeline`)).body;
  assert.equal(steps[0].in_panel, true);
  const entry = await t.base.db.one<{ who: string; partnerId: number }>(sql`
    select who, partner_id as "partnerId" from audit_log where what = 'order buy' and target = ${`order ${body.order_id}`}`);
  assert.deepEqual(entry, { who: `member:${email}`, partnerId });
});

/** Whether each entry about an order was written by the transaction that charged it. */
const writtenWithCharge = (partnerId: number, world: 'live' | 'sandbox') =>
  t.base.db.query<{ isOne: boolean }>(sql`
    select m.xmin::text = e.xmin::text as "isOne"
    from ${raw(world)}.movements m left join audit_log e
      on e.what = 'order buy' and e.target = 'order ' || m.order_id and e.after ->> 'mode' = ${world}
    where m.partner_id = ${partnerId} and m.type = 'purchase' order by m.id`);

test('the entry is written in the transaction that charges, so no process can be killed between the two', async () => {
  const { partnerId, ana } = await buyer();
  const price = await priceOf(ana);
  // Charged together, where they arrive together.
  const made = await Promise.all(Array.from({ length: 4 }, () => buy(ana, { max_price: price })));
  assert.ok(made.every(({ status }) => status === 200));
  const { iccid } = (await ana.v3('live', `/order/detail/${made[0]?.body.order_id}`)).body.esim;
  const more = await priceOf(ana, `product_id=${refill}&iccid=${iccid}`);
  assert.equal((await buy(ana, { product_id: refill, iccid, max_price: more })).status, 200);
  assert.deepEqual(await writtenWithCharge(partnerId, 'live'), Array(5).fill({ isOne: true }));
  assert.equal((await buy(ana, { max_price: price }, undefined, 'sandbox')).status, 200);
  assert.deepEqual(await writtenWithCharge(partnerId, 'sandbox'), [{ isOne: true }]);
});

test('above the price that was shown nothing is bought; below it is bought as it is', async () => {
  const { ana } = await buyer();
  const before = await counts(t);
  for (const price of ['0.01', '0.02']) {
    const { status, body } = await buy(ana, { max_price: price });
    assert.deepEqual([status, body.error.code], [409, 'price_changed']);
  }
  for (const price of ['0', '-1.00', 'free', ''])
    assert.equal((await buy(ana, { max_price: price })).body.error.code, 'invalid_amount', price);
  assert.deepEqual(await counts(t), before);
  const { order_id } = (await buy(ana, { max_price: '9999' })).body;
  const orders = (await ana.get('/api/live/orders')).body.orders;
  assert.deepEqual([orders[0].id, orders[0].charged], [order_id, await priceOf(ana)]);
});

test("a member's purchase counts towards the limits of the account, and is refused beyond them", async () => {
  const { ana, partnerId } = await buyer();
  await run(t.operator(), `partner set ${partnerId} --limit day=1x`);
  const max_price = await priceOf(ana);
  assert.equal((await buy(ana, { max_price })).status, 200);
  const { status, body } = await buy(ana, { max_price });
  assert.deepEqual([status, body.error.code], [409, 'limit_exceeded']);
  assert.equal((await ana.v3('live', '/account/limits')).body.limits[0].used_count, 1);
});

test('a form sent again finds its order even where no answer was kept, and only its own', async () => {
  const { ana, partnerId } = await buyer();
  const price = await priceOf(ana);
  const key = randomUUID();
  const first = (await buy(ana, { max_price: price }, key)).body;
  // As a process that was killed before it could leave an answer.
  await t.base.db.run(sql`delete from action_keys where key = ${key}`);
  const before = await counts(t);
  assert.equal((await buy(ana, { max_price: price }, key)).body.order_id, first.order_id);
  assert.deepEqual(await counts(t), before);
  assert.equal((await writtenWithCharge(partnerId, 'live')).length, 1);
  // The same key of a colleague is another purchase.
  const bea = await signedInAs(t, partnerId, 'developer');
  assert.notEqual((await buy(bea, { max_price: price }, key)).body.order_id, first.order_id);
});

test('what became of a purchase is told by its key, to the member who sent it and to nobody else', async () => {
  const { ana, partnerId } = await buyer();
  const price = await priceOf(ana);
  const [key, batch, refused] = [randomUUID(), randomUUID(), randomUUID()];
  const became = async (who: Browser, of: string, mode = 'live') =>
    (await who.get(`/api/${mode}/purchases?key=${of}`)).body;
  const nothing = { is_running: false, order: null };
  assert.deepEqual(await became(ana, key), nothing);
  const { order_id: id } = (await buy(ana, { max_price: price }, key)).body;
  const order = { id, batch_id: null, state: 'delivered', charged: price };
  assert.deepEqual(await became(ana, key), { is_running: false, order });
  const made = (await buy(ana, { max_price: price, quantity: 2 }, batch)).body;
  const first = await became(ana, batch);
  assert.deepEqual([first.order.id, first.order.batch_id], [made.order_id, made.batch_id]);
  assert.equal((await buy(ana, { max_price: '0.01' }, refused)).status, 409);
  assert.deepEqual(await became(ana, refused), nothing);
  assert.deepEqual(await became(ana, key, 'sandbox'), nothing);
  const colleague = await signedInAs(t, partnerId, 'developer');
  const stranger = (await buyer()).ana;
  for (const other of [colleague, stranger]) assert.deepEqual(await became(other, key), nothing);
  const reader = await signedInAs(t, partnerId, 'read-only');
  assert.equal((await became(reader, key)).error.code, 'role_forbids');
});

test('while a purchase is being made, nobody is told that it did not happen', async () => {
  const { ana, partnerId } = await buyer();
  const price = await priceOf(ana);
  const key = randomUUID();
  const ask = async () => (await ana.get(`/api/live/purchases?key=${key}`)).body;
  const { answer } = await t.base.worlds.live.db.tx(async (tx) => {
    await tx.run(sql`select from wallets where partner_id = ${partnerId} for update`);
    const answer = buy(ana, { max_price: price }, key);
    await eventually('it is running', async () => (await ask()).is_running === true);
    assert.equal((await ask()).order, null);
    return { answer };
  });
  const { order_id: id } = (await answer).body;
  const { is_running, order } = await ask();
  assert.deepEqual([is_running, order.id, order.charged], [false, id, price]);
});

test('its answer is kept for good, like all that is about money', async () => {
  const { ana } = await buyer();
  const price = await priceOf(ana);
  const key = randomUUID();
  const first = await buy(ana, { max_price: price }, key);
  await pruneActionKeys(t.base.db, t.clock.now() + 400 * DAY);
  const { kept } = await t.base.db.one<{ kept: number }>(sql`
    select count(*)::int as kept from action_keys where key = ${key} and step = 0`);
  assert.deepEqual([first.status, kept], [200, 1]);
});

test('what the API refuses is refused in a sentence, and costs nothing', async () => {
  const { ana } = await buyer('0.01');
  const price = await priceOf(ana);
  const { status, body } = await buy(ana, { max_price: price });
  assert.deepEqual([status, body.error.code], [409, 'purchase_refused']);
  assert.match(body.error.message, /balance/i);
  assert.equal(
    (await buy(ana, { product_id: 'esc_0000000000000000', max_price: price })).body.error.code,
    'purchase_refused',
  );
});

test('an eSIM is refilled from the panel, and one of another partner is not', async () => {
  const { ana } = await buyer();
  const { order_id } = (await buy(ana, { max_price: await priceOf(ana) })).body;
  const { iccid } = (await ana.v3('live', `/order/detail/${order_id}`)).body.esim;
  const price = await priceOf(ana, `product_id=${refill}&iccid=${iccid}`);
  const { status, body } = await buy(ana, { product_id: refill, iccid, max_price: price });
  assert.deepEqual([status, body.delivery], [200, 'delivered']);
  const stranger = (await buyer()).ana;
  const foreign = await buy(stranger, { product_id: refill, iccid, max_price: price });
  const missing = await buy(stranger, { product_id: refill, iccid: '8900000000000000000', max_price: price });
  assert.deepEqual([foreign.status, foreign.text], [missing.status, missing.text]);
});

test('the API’s own purchase endpoints stay closed to members, whatever they send', async () => {
  const { ana } = await buyer();
  const price = await priceOf(ana);
  for (const path of ['/purchase/buy', '/purchase/refill', '/purchase/batch'])
    for (const form of [{ product_id: alias }, { product_id: alias, max_price: price, buyer: 'ana' }])
      assert.equal((await ana.v3('live', path, form)).body.error, 'unknown_method', path);
});

test('buying counts towards the limit of purchases', async () => {
  const { ana } = await buyer();
  // On a busy machine the requests would last long enough for room to come back.
  t.clock.freeze();
  const unknown = { product_id: 'esc_0000000000000000', max_price: '1.00' };
  const answers = await Promise.all(Array.from({ length: 151 }, () => buy(ana, unknown)));
  assert.ok(answers.some(({ status }) => status === 429));
  t.clock.advance(MINUTE);
  assert.equal((await buy(ana, { max_price: await priceOf(ana) })).status, 200);
});

test('several eSIMs are bought as one batch: charged together, each an order that names the member, and the same form once', async () => {
  const { ana, partnerId } = await buyer('100.00');
  const price = await priceOf(ana);
  const key = randomUUID();
  const { status, body } = await buy(ana, { max_price: price, quantity: 3, reference: 'group-1' }, key);
  assert.equal(status, 200);
  assert.match(body.batch_id, /^\d+$/);
  const { orders, batches } = (await ana.get(`/api/live/orders?batch=${body.batch_id}`)).body;
  const sum = (Number(price) * 3).toFixed(2);
  const whole = [{ id: body.batch_id, orders: 3, plans: 1, price: sum, states: { delivered: 3 } }];
  assert.deepEqual(batches, whole);
  assert.deepEqual((await ana.get('/api/live/overview')).body.batches, whole);
  // A page with a part of it knows all of it.
  const part = (await ana.get('/api/live/orders?limit=1')).body;
  assert.deepEqual([part.orders.length, part.has_more, part.batches], [1, true, whole]);
  assert.deepEqual(
    orders.map(({ reference, charged }: { reference: string; charged: string }) => [reference, charged]),
    Array(3).fill(['group-1', price]),
  );
  assert.equal((await ana.get('/api/live/orders')).body.orders.length, 3);
  assert.deepEqual(await writtenWithCharge(partnerId, 'live'), Array(3).fill({ isOne: true }));
  // As a process that was killed before it could leave an answer.
  await t.base.db.run(sql`delete from action_keys where key = ${key}`);
  assert.equal(
    (await buy(ana, { max_price: price, quantity: 3, reference: 'group-1' }, key)).body.batch_id,
    body.batch_id,
  );
});

test('a batch that costs more than was shown, or than there is, buys nothing; neither does a number that cannot be', async () => {
  const { ana } = await buyer('10.00');
  const price = await priceOf(ana);
  const before = await counts(t);
  const low = (Number(price) - 0.01).toFixed(2);
  assert.equal((await buy(ana, { max_price: low, quantity: 2 })).body.error.code, 'price_changed');
  assert.equal((await buy(ana, { max_price: price, quantity: 100 })).body.error.code, 'purchase_refused');
  for (const quantity of [0, -1, 101, 1.5, '2'])
    assert.equal((await buy(ana, { max_price: price, quantity })).status, 400, String(quantity));
  const refused = await buy(ana, { max_price: price, quantity: 2, iccid: '8900000000000000000' });
  assert.deepEqual([refused.status, refused.body.error.code], [400, 'invalid_input']);
  assert.deepEqual(await counts(t), before);
});
