import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { proveBooks } from '../../../../../src/domains/money/proof/prove.ts';
import { sql } from '../../../../../src/platform/db/query/sql.ts';
import { type TestApp, testApp } from '../../../../support/program/app.ts';
import { run } from '../../../../support/program/operator.ts';
import { testPlan } from '../../../../support/sales/paid-order.ts';
import { buy, catalogKnows, counts, credit } from '../../../../support/sales/shop.ts';

let t: TestApp;
let product: string;
before(async () => {
  t = await testApp();
  product = (await testPlan(t)).alias;
  await catalogKnows(t, product);
});
after(async () => {
  for (const world of [t.base.worlds.live, t.base.worlds.sandbox]) {
    assert.deepEqual((await proveBooks(world.db, () => {})).drift, []);
  }
  await t[Symbol.asyncDispose]();
});

async function shopper(usd: string, wanted: Parameters<TestApp['partner']>[0] = {}) {
  const partnerId = await t.partner(wanted);
  if (usd !== '0.00') await credit(t, partnerId, usd);
  return { partnerId, key: await t.key(partnerId) };
}

describe('prepaid', () => {
  test('200 delivered: charged once at the partner price, every field of the contract, no activation data', async () => {
    const { key } = await shopper('25.00');
    const answer = await buy(t, key, product);
    assert.equal(answer.status, 200);
    const { order, ...body } = answer.body;
    assert.deepEqual(body, {
      result: 'ok',
      code: '200',
      title: 'Successful',
      api_version: 3,
      id: String(body.order_id),
      order_id: body.order_id,
      billing_mode: 'prepaid',
      balance: 15,
      delivery: 'delivered',
      delivery_reason: '',
      provision: 'completed',
    });
    assert.deepEqual(Object.keys(order), [
      'id',
      'product_id',
      'product_title',
      'product_price',
      'sale_price',
      'coupon_code',
      'product_type',
      'date',
      'status',
      'api_sale_id',
      'api_sale_code',
      'reference',
    ]);
    assert.equal(order.status, '1');
    assert.equal(order.sale_price, '10.00');
    assert.match(order.date, /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
    assert.equal((await t.get('/account/balance', { key })).body.balance, 15);
    const detail = await t.get(`/order/detail/${body.id}`, { key });
    assert.match(detail.body.esim.activationCode, /^LPA:1\$/);
    assert.ok(!answer.text.includes(detail.body.esim.iccid));
  });

  test('402 insufficient_balance: nothing charged, order failed, key consumed', async () => {
    const { key, partnerId } = await shopper('3.20');
    const answer = await buy(t, key, product, { idempotency_key: 'short' });
    assert.equal(answer.status, 402);
    assert.equal(answer.body.error, 'insufficient_balance');
    assert.equal(answer.body.balance, 3.2);
    assert.equal(answer.body.required, 10);
    assert.equal((await t.get('/account/balance', { key })).body.balance, 3.2);
    const detail = await t.get(`/order/detail/${answer.body.order_id}`, { key });
    assert.equal(detail.body.order.status, '2');
    assert.deepEqual((await t.get('/order/get', { key })).body.order, []);

    await credit(t, partnerId, '50.00');
    const replay = await buy(t, key, product, { idempotency_key: 'short' });
    assert.equal(replay.status, 200);
    assert.equal(replay.body.delivery, 'failed');
    assert.equal(replay.body.delivery_reason, 'insufficient_balance');
    assert.equal(replay.body.provision, 'none');
    assert.equal(replay.body.order_id, answer.body.order_id);
    assert.equal(replay.body.balance, 53.2, "the balance in a replay is today's");
    assert.equal((await buy(t, key, product, { idempotency_key: 'short-2' })).body.delivery, 'delivered');
  });

  test('a purchase draws promo money first, then cash', async () => {
    const { key, partnerId } = await shopper('20.00');
    await credit(t, partnerId, '4.00', 'promo');
    assert.equal((await buy(t, key, product)).body.balance, 14);
    const wallet = await t.base.worlds.live.db.one(
      sql`select cash, promo from wallets where partner_id = ${partnerId}`,
    );
    assert.deepEqual(wallet, { cash: 1400n, promo: 0n });
  });
});

describe('postpaid', () => {
  test('the price is added to the debt and the balance does not change', async () => {
    const { key, partnerId } = await shopper('0.00', { billing: 'postpaid', creditLimit: 2500n as never });
    const answer = await buy(t, key, product);
    assert.equal(answer.body.billing_mode, 'postpaid');
    assert.equal(answer.body.balance, 0);
    const wallet = await t.base.worlds.live.db.one(
      sql`select outstanding from wallets where partner_id = ${partnerId}`,
    );
    assert.deepEqual(wallet, { outstanding: 1000n });
  });

  test('403 credit_limit_exceeded: what is missing is said, the order is failed, the key is consumed', async () => {
    const { key } = await shopper('0.00', { billing: 'postpaid', creditLimit: 1500n as never });
    await buy(t, key, product);
    const answer = await buy(t, key, product, { idempotency_key: 'over' });
    assert.equal(answer.status, 403);
    const { error, outstanding, credit_limit, available, required } = answer.body;
    assert.deepEqual(
      { error, outstanding, credit_limit, available, required },
      { error: 'credit_limit_exceeded', outstanding: 10, credit_limit: 15, available: 5, required: 10 },
    );
    const replay = await buy(t, key, product, { idempotency_key: 'over' });
    assert.equal(replay.status, 200);
    assert.equal(replay.body.delivery, 'failed');
    assert.equal(replay.body.delivery_reason, 'credit_limit_exceeded');
  });

  test('402 credit_charge_failed: the ledger refuses the charge, the order is marked failed, a new key buys again', async () => {
    const { key, partnerId } = await shopper('0.00', { billing: 'postpaid', creditLimit: 10000n as never });
    const owner = t.base.db;
    await owner.run(sql`
      create function live.refuse_charge() returns trigger language plpgsql as
      'begin if new.type = ''charge'' and new.partner_id = tg_argv[0]::int then raise exception ''no room on disk''; end if; return new; end'`);
    const { raw } = await import('../../../../../src/platform/db/query/sql.ts');
    await owner.run(sql`
      create trigger refuse_charge before insert on live.movements for each row
      execute function live.refuse_charge(${raw(`'${partnerId}'`)})`);
    const answer = await buy(t, key, product, { idempotency_key: 'broken' });
    await owner.run(sql`drop trigger refuse_charge on live.movements`);
    assert.equal(answer.status, 402);
    assert.equal(answer.body.error, 'credit_charge_failed');
    assert.equal(answer.body.billing_mode, 'postpaid');
    assert.equal(answer.body.outstanding, 0);
    assert.equal(answer.body.required, 10);
    assert.equal((await t.get(`/order/detail/${answer.body.order_id}`, { key })).body.order.status, '2');
    assert.equal(
      (await buy(t, key, product, { idempotency_key: 'broken' })).body.delivery_reason,
      'credit_charge_failed',
    );
    assert.equal((await buy(t, key, product, { idempotency_key: 'mended' })).body.delivery, 'delivered');
  });
});

describe('checks before money', () => {
  test('product_id: missing, malformed, unknown, repeated', async () => {
    const { key } = await shopper('20.00');
    const unchanged = await counts(t);
    for (const [form, error] of [
      ['', 'product_id_required'],
      ['product_id=', 'product_id_required'],
      ['product_id=17', 'invalid_product'],
      ['product_id=esc_00000000000000ff', 'invalid_product'],
      [`product_id=${product}&product_id=${product}`, 'invalid_product'],
      [`product_id[]=${product}`, 'invalid_product'],
    ] as const) {
      const answer = await t.post('/purchase/buy', form, { key });
      assert.equal(answer.status, 400, form);
      assert.equal(answer.body.error, error, form);
    }
    assert.deepEqual(await counts(t), unchanged);
  });

  test('404 product_not_found for a product no longer on sale; an outcome recorded before is still replayed', async () => {
    const { key } = await shopper('30.00');
    const { alias } = await testPlan(t);
    await catalogKnows(t, alias);
    const first = await buy(t, key, alias, { idempotency_key: 'early' });
    await run(t.operator(), `catalog product set ${alias} --on-sale false`);
    for (let tries = 0; (await t.get(`/catalog/product/${alias}`, { key })).status === 200; tries++) {
      assert.ok(tries < 100);
      await new Promise((next) => setTimeout(next, 30));
    }
    const answer = await buy(t, key, alias, { idempotency_key: 'late' });
    assert.equal(answer.status, 404);
    assert.equal(answer.body.error, 'product_not_found');
    const replay = await buy(t, key, alias, { idempotency_key: 'early' });
    assert.equal(replay.status, 200);
    assert.equal(replay.body.order_id, first.body.order_id);
    assert.equal(replay.body.balance, 20);
  });

  test('400 invalid_price: the product has no sellable price', async () => {
    const { key } = await shopper('30.00');
    const { alias } = await testPlan(t, { price: 0, cost: 0 });
    await settled();
    const answer = await buy(t, key, alias);
    assert.deepEqual([answer.status, answer.body.error], [400, 'invalid_price']);
  });

  test('403 partner_account_suspended: no order, reads keep working, an outcome recorded before is still replayed', async () => {
    const { key, partnerId } = await shopper('30.00');
    const first = await buy(t, key, product, { idempotency_key: 'before' });
    await run(t.operator(), `partner set ${partnerId} --suspended true`);
    const unchanged = await counts(t);
    const answer = await buy(t, key, product, { idempotency_key: 'after' });
    assert.equal(answer.status, 403);
    assert.deepEqual(
      [answer.body.error, answer.body.billing_mode, answer.body.status],
      ['partner_account_suspended', 'prepaid', 2],
    );
    assert.deepEqual(await counts(t), unchanged);
    assert.equal((await t.get('/account/balance', { key })).status, 200);
    assert.equal((await buy(t, key, product, { idempotency_key: 'before' })).body.order_id, first.body.order_id);
    await run(t.operator(), `partner set ${partnerId} --suspended false`);
    assert.equal((await buy(t, key, product, { idempotency_key: 'after' })).body.delivery, 'delivered');
  });
});

const settled = () => new Promise((next) => setTimeout(next, 400));

describe('idempotency', () => {
  test('same key, same product: the recorded outcome, charged once', async () => {
    const { key } = await shopper('30.00');
    const first = await buy(t, key, product, { idempotency_key: 'k-1' });
    const again = await buy(t, key, product, { idempotency_key: '  k-1\t' });
    assert.deepEqual(again.body, first.body);
    assert.equal((await t.get('/account/balance', { key })).body.balance, 20);
  });

  test('409 idempotency_key_conflict: same key, another product', async () => {
    const { key } = await shopper('30.00');
    const { alias } = await testPlan(t);
    await catalogKnows(t, alias);
    await buy(t, key, product, { idempotency_key: 'k-2' });
    const answer = await buy(t, key, alias, { idempotency_key: 'k-2' });
    assert.deepEqual([answer.status, answer.body.error], [409, 'idempotency_key_conflict']);
  });

  test('keys compare byte for byte, per partner: case and leading zeros matter', async () => {
    const { key } = await shopper('60.00');
    const other = await shopper('60.00');
    const ids = new Set<number>();
    for (const idempotency_key of ['abc', 'ABC', '7', '007', 'é', 'e\u0301']) {
      ids.add((await buy(t, key, product, { idempotency_key })).body.order_id);
    }
    ids.add((await buy(t, other.key, product, { idempotency_key: 'abc' })).body.order_id);
    assert.equal(ids.size, 7);
  });

  test('without a key, or with one that is only white space, every call is a purchase', async () => {
    const { key } = await shopper('30.00');
    await buy(t, key, product);
    await buy(t, key, product, { idempotency_key: ' \r\n ' });
    assert.equal((await buy(t, key, product)).body.balance, 0);
  });

  test('191 bytes after trimming is the most; length is counted in bytes and before characters', async () => {
    const { key } = await shopper('60.00');
    assert.equal((await buy(t, key, product, { idempotency_key: ` ${'a'.repeat(191)} ` })).status, 200);
    assert.equal((await buy(t, key, product, { idempotency_key: `${'é'.repeat(95)}a` })).status, 200);
    for (const idempotency_key of ['a'.repeat(192), 'é'.repeat(96), `<${'a'.repeat(191)}`, `\0${'a'.repeat(191)}`]) {
      const answer = await buy(t, key, product, { idempotency_key });
      assert.deepEqual([answer.status, answer.body.error], [400, 'idempotency_key_too_long']);
    }
  });

  test('refused characters, invalid UTF-8, repeated and bracketed keys: 400 invalid_idempotency_key, nothing changes', async () => {
    const { key } = await shopper('60.00');
    const unchanged = await counts(t);
    const encoded = ['a"b', "a'b", 'a\\b', 'a<b', 'a>b', 'a\u0001b', 'a\u007fb', 'a\u0085b', '😀', 'a\u0000b'];
    const bodies = [
      ...encoded.map((bad) => `idempotency_key=${encodeURIComponent(bad)}`),
      'idempotency_key=%ff%fe',
      'idempotency_key=%zz',
      'idempotency_key=a&idempotency_key=a',
      'idempotency_key[]=a',
      'idempotency_key[x]=a',
    ];
    for (const body of bodies) {
      const answer = await t.post('/purchase/buy', `product_id=${product}&${body}`, { key });
      assert.deepEqual([answer.status, answer.body.error], [400, 'invalid_idempotency_key'], body);
    }
    assert.deepEqual(await counts(t), unchanged);
  });

  test('check order: product_id, missing or unresolvable, then the key, then the sandbox fields', async () => {
    const key = await t.key(await t.partner(), 'sandbox');
    const bad = 'idempotency_key=a%3Cb&sandbox_scenario=odd&sandbox_usage=odd&sandbox_error=odd';
    for (const [body, error] of [
      [`product_id=&${bad}`, 'product_id_required'],
      [`product_id=foo&${bad}`, 'invalid_product'],
      [`product_id=esc_0000000000000000&${bad}`, 'invalid_product'],
      [`product_id=${product}&${bad}`, 'invalid_idempotency_key'],
      [`product_id=${product}&${bad.replace('a%3Cb', 'a')}`, 'invalid_sandbox_scenario'],
    ] as const) {
      assert.equal((await t.post('/purchase/buy', body, { key })).body.error, error, body);
    }
  });

  test('409 charge_incomplete: an order left in status 3 with no charge; it does not clear on retry', async () => {
    const { key, partnerId } = await shopper('30.00');
    const { order_id } = (await buy(t, key, product, { idempotency_key: 'half' })).body;
    // A copy that stopped half-way, as an import from elsewhere could leave it.
    const db = t.base.worlds.live.db;
    await db.run(sql`update orders set idempotency_key = null where id = ${order_id}`);
    const { id } = await db.one<{ id: bigint }>(sql`
      insert into orders (partner_id, idempotency_key, plan_id, product_id, status, billing_mode, product_price, sale_price,
        cost_micros, product_title, data, amount_mb, day, is_unlimited, country_code, supplier, supplier_plan, created_at)
      select partner_id, 'half', plan_id, product_id, 3, billing_mode, product_price, sale_price, cost_micros,
        product_title, data, amount_mb, day, is_unlimited, country_code, supplier, supplier_plan, created_at
      from orders where id = ${order_id} returning id`);
    for (let tries = 0; tries < 2; tries++) {
      const answer = await buy(t, key, product, { idempotency_key: 'half' });
      assert.equal(answer.status, 409);
      const { error, billing_mode, outstanding } = answer.body;
      assert.deepEqual(
        [error, answer.body.order_id, billing_mode, outstanding],
        ['charge_incomplete', Number(id), 'prepaid', 0],
      );
    }
    // The repair: the operator gives it up, and the key replays what became of it.
    await run(t.operator(), `order fail ${id}`);
    const replay = await buy(t, key, product, { idempotency_key: 'half' });
    assert.deepEqual([replay.status, replay.body.delivery, replay.body.order_id], [200, 'failed', Number(id)]);
    assert.equal((await t.get('/account/balance', { key })).body.balance, 20, `partner ${partnerId} was charged once`);
  });

  test('409 charge_in_progress: the wallet is held by another charge past the wait; the same key buys afterwards', async () => {
    const { key, partnerId } = await shopper('30.00');
    const held = Promise.withResolvers<void>();
    const holding = t.base.worlds.live.db.tx(async (tx) => {
      await tx.run(sql`select from wallets where partner_id = ${partnerId} for update`);
      await held.promise;
    });
    const other = await shopper('30.00');
    const waiting = buy(t, key, product, { idempotency_key: 'held' });
    assert.equal((await buy(t, other.key, product)).status, 200, 'no other partner waits with it');
    const answer = await waiting;
    assert.equal(answer.status, 409);
    assert.equal(answer.body.error, 'charge_in_progress');
    assert.deepEqual([answer.body.billing_mode, answer.body.outstanding], ['prepaid', 0]);
    held.resolve();
    await holding;
    assert.equal((await buy(t, key, product, { idempotency_key: 'held' })).body.delivery, 'delivered');
  });
});

test('500 sale_insert_failed: the order row cannot be written; the same key buys once it can', async () => {
  const { key } = await shopper('30.00');
  await t.base.db.run(
    sql`alter table live.orders add constraint broken check (idempotency_key <> 'unlucky') not valid`,
  );
  const answer = await buy(t, key, product, { idempotency_key: 'unlucky' });
  await t.base.db.run(sql`alter table live.orders drop constraint broken`);
  assert.deepEqual([answer.status, answer.body.error], [500, 'sale_insert_failed']);
  assert.equal((await t.get('/account/balance', { key })).body.balance, 30);
  assert.equal((await buy(t, key, product, { idempotency_key: 'unlucky' })).body.delivery, 'delivered');
});
