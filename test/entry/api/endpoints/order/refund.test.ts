import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { lockWallets, refundOrders } from '../../../../../src/domains/money/ledger/ledger.ts';
import { MINUTE, timestamp } from '../../../../../src/platform/clock.ts';
import { sql } from '../../../../../src/platform/db/query/sql.ts';
import { testApp } from '../../../../support/program/app.ts';
import { run } from '../../../../support/program/operator.ts';
import { clockSeen } from '../../../../support/sales/account-clock.ts';
import { buy, counts, pausedSubscription } from '../../../../support/sales/shop.ts';
import { refundShop, type Shop, type Withdrawals, withdrawals } from '../../../../support/suppliers/withdrawals.ts';

const t = await testApp();
after(() => t[Symbol.asyncDispose]());
let shop: Shop;
let supplier: Withdrawals;
before(async () => {
  shop = await refundShop(t);
  supplier = await withdrawals(t, { outcome: 'withdrawn' });
});

const refund = (key: string, order_id: string, more: Record<string, string> = {}) =>
  t.post('/order/refund', { order_id, ...more }, { key });
const detail = async (key: string, id: string) => (await t.get(`/order/detail/${id}`, { key })).body;
const balance = async (key: string): Promise<number> => (await t.get('/account/balance', { key })).body.balance;

for (const world of ['live', 'sandbox'] as const) {
  suite(`order/refund in ${world}`, () => {
    let key: string;
    before(() => {
      key = shop[world];
      supplier.answer = { outcome: 'withdrawn' };
    });

    test('an eSIM that was never used is withdrawn and its whole price goes back', async () => {
      const { id } = await shop.order(key);
      assert.equal((await detail(key, id)).refund, null);
      const had = await balance(key);
      t.clock.freeze();
      const now = timestamp(t.clock.now());
      const { status, body } = await refund(key, id, { reason: 'Trip cancelled' });
      assert.equal(status, 200);
      assert.deepEqual(body.refund, {
        status: 'refunded',
        amount: '10.00',
        reason: 'Trip cancelled',
        note: '',
        requested_at: now,
        decided_at: now,
      });
      assert.equal(await balance(key), had + 10);
      const { ledger } = (await t.get('/account/history', { key })).body;
      // The play money of a sandbox has no history.
      if (world === 'live')
        assert.deepEqual(
          [ledger[0].type, ledger[0].amount, ledger[0].order_id, ledger[0].balance_after],
          ['refund', 10, Number(id), had + 10],
        );
      const shown = await detail(key, id);
      assert.deepEqual(shown.refund, body.refund);
      assert.equal(shown.order.status, '1', 'it was delivered, and stays so');
      assert.notEqual(shown.esim.iccid, null);
      const row = await t.base.worlds[world].db.one(sql`
        select refunded, withdrawn_at is not null as withdrawn, status, delivery from orders where id = ${id}`);
      assert.deepEqual(row, { refunded: 1000n, withdrawn: true, status: 1, delivery: 'delivered' });
    });

    test('asking again returns the refund as it is, and nothing moves twice', async () => {
      const { id } = await shop.order(key);
      const first = await refund(key, id, { reason: 'one' });
      const before = await counts(t, world);
      const again = await refund(key, id, { reason: 'two' });
      assert.equal(again.status, 200);
      assert.deepEqual(again.body.refund, first.body.refund);
      assert.deepEqual(await counts(t, world), before);
    });

    test('errors of a request are reported in a fixed order, and nothing changes', async () => {
      const { id } = await shop.order(key);
      const before = await counts(t, world);
      const long = 'é'.repeat(201);
      const asked = async (form: Record<string, string> | string) => {
        const { status, body } = await t.post('/order/refund', form, { key });
        return `${status} ${body.error}`;
      };
      assert.equal(await asked({}), '400 order_id_required');
      assert.equal(await asked({ order_id: '', reason: long }), '400 order_id_required');
      assert.equal(await asked(`order_id=${id}&order_id=${id}`), '400 order_id_required');
      assert.equal(await asked(`order_id[]=${id}`), '400 order_id_required');
      assert.equal(await asked({ order_id: id, reason: long }), '400 reason_too_long');
      assert.equal(await asked(`order_id=${id}&reason=a&reason=b`), '400 reason_too_long');
      assert.equal(await asked({ order_id: 'x', reason: long }), '400 reason_too_long');
      for (const malformed of ['x', '0', '-1', '1.0', `0${id}`, ' 1', '9'.repeat(40), `${id}'--`])
        assert.equal(await asked({ order_id: malformed }), '404 order_not_found', malformed);
      assert.equal((await t.get('/order/refund', { key })).status, 405);
      assert.deepEqual(await counts(t, world), before);
      assert.equal((await detail(key, id)).refund, null);
      // 200 characters are enough, whatever they weigh.
      const kept = await refund(key, id, { reason: 'é'.repeat(200) });
      assert.equal(kept.body.refund.reason, 'é'.repeat(200));
    });

    test("another partner's order is answered like one that does not exist, refunded or not", async () => {
      const stranger = await t.key(await t.partner(), world);
      const missing = await refund(stranger, '999999999');
      assert.deepEqual([missing.status, missing.body.error], [404, 'order_not_found']);
      const { id } = await shop.order(key);
      const before = await counts(t, world);
      assert.equal((await refund(stranger, id)).text, missing.text);
      assert.deepEqual(await counts(t, world), before);
      await refund(key, id);
      assert.equal((await refund(stranger, id)).text, missing.text);
      // At the same moment, too: one process answers both.
      const { id: another } = await shop.order(key);
      const [mine, theirs] = await Promise.all([refund(key, another), refund(stranger, another)]);
      assert.deepEqual([mine.status, theirs.text], [200, missing.text]);
    });

    test('a refill, and an eSIM that was refilled or is being refilled, waits for the operator', async () => {
      const refilled = async (status: number, delivery: string) => {
        const { id, iccid } = await shop.order(key);
        const refill = await shop.order(key);
        const open = status === 4 ? sql`now() + interval '1 hour'` : sql`null`;
        await t.base.db.run(sql`
          update ${world === 'live' ? sql`live.orders` : sql`sandbox.orders`}
          set refill_of = ${id}, iccid = ${iccid}, esim = null, status = ${status}, delivery = ${delivery},
            provision_due_at = ${open} where id = ${refill.id}`);
        return { id, refill: refill.id };
      };
      const done = await refilled(1, 'delivered');
      assert.equal((await refund(key, done.id)).body.refund.status, 'requested');
      assert.equal((await refund(key, done.refill)).body.refund.status, 'requested');
      const open = await refilled(4, 'deferred');
      assert.equal((await refund(key, open.id)).body.refund.status, 'requested');
      const { id, refill } = await refilled(2, 'failed');
      await t.base.worlds[world].db.tx(async (tx) => {
        const of = { orderId: BigInt(refill), partnerId: shop.partnerId };
        await refundOrders(tx, await lockWallets(tx, [shop.partnerId]), [of], '', new Date(t.clock.now()));
      });
      assert.equal((await refund(key, id)).body.refund.status, 'refunded', 'a refill that failed never was one');
    });
  });
}

suite('what only the sandbox can play', () => {
  test('an eSIM in use waits for the operator: no money moves', async () => {
    for (const sandbox_usage of ['active', 'depleted', 'expired']) {
      const { id } = await shop.order(shop.sandbox, { sandbox_usage });
      const had = await balance(shop.sandbox);
      const { status, body } = await refund(shop.sandbox, id);
      const { requested_at, ...block } = body.refund;
      assert.equal(status, 200);
      assert.deepEqual(block, { status: 'requested', amount: '0.00', reason: '', note: '', decided_at: null });
      assert.deepEqual((await refund(shop.sandbox, id, { reason: 'now' })).body.refund, body.refund);
      assert.deepEqual((await detail(shop.sandbox, id)).refund, body.refund);
      assert.equal(await balance(shop.sandbox), had);
    }
  });

  test('an order that is not delivered cannot be refunded; a deferred one can as soon as its time has passed', async () => {
    const failed = await shop.order(shop.sandbox, { sandbox_scenario: 'failed' });
    const deferred = await shop.order(shop.sandbox, { sandbox_scenario: 'deferred' });
    for (const { id } of [failed, deferred]) {
      const { status, body } = await refund(shop.sandbox, id);
      assert.deepEqual([status, body.error], [409, 'order_not_refundable']);
      assert.equal((await detail(shop.sandbox, id)).refund, null);
    }
    t.clock.advance(2 * MINUTE);
    assert.equal((await refund(shop.sandbox, deferred.id)).body.refund.status, 'refunded');
  });

  test('a sandbox whose clock was moved answers with its own time', async () => {
    const { id } = await shop.order(shop.sandbox);
    await run(t.operator(), `sandbox clock advance --partner ${shop.partnerId} --by 3d`);
    await clockSeen(t, shop.sandbox, 'ahead');
    const { requested_at, decided_at } = (await refund(shop.sandbox, id)).body.refund;
    assert.ok(requested_at >= timestamp(t.clock.now() + 3 * 24 * 60 * MINUTE - MINUTE), requested_at);
    assert.ok(decided_at >= requested_at, decided_at);
    await run(t.operator(), `sandbox clock reset --partner ${shop.partnerId}`);
    await clockSeen(t, shop.sandbox, 'reset');
  });

  test('a reset takes refunds away with their orders', async () => {
    const partnerId = await t.partner();
    const key = await t.key(partnerId, 'sandbox');
    const { product_id } = (await detail(shop.sandbox, (await shop.order(shop.sandbox)).id)).order;
    const { body } = await buy(t, key, product_id);
    await refund(key, String(body.order_id));
    assert.equal((await t.post('/account/sandboxReset', {}, { key })).body.deleted_orders, 1);
    assert.equal((await refund(key, String(body.order_id))).body.error, 'order_not_found');
  });
});

suite('order.refunded', () => {
  const deliveriesTo = async (subscription: bigint) => {
    const { deliveries } = (await t.get(`/webhook/deliveries?subscription_id=${subscription}`, { key: shop.sandbox }))
      .body;
    return deliveries as { id: string; event_type: string; event_id: string; sale_id: string }[];
  };

  test('goes once to a subscription that names it, and never to one that named no events', async () => {
    const named = await pausedSubscription(t, shop.partnerId, 'order.refunded');
    await run(t.operator(), `webhook set ${named} --url https://93.184.215.14/named`);
    const unnamed = await pausedSubscription(t, shop.partnerId);
    const { id, iccid } = await shop.order(shop.sandbox);
    const { refund: block } = (await refund(shop.sandbox, id)).body;
    await refund(shop.sandbox, id);
    const [delivery, ...more] = await deliveriesTo(named);
    assert.deepEqual(more, []);
    assert.deepEqual(
      [delivery?.event_type, delivery?.event_id, delivery?.sale_id],
      ['order.refunded', `sbx_order.refunded:${id}:1`, id],
    );
    const { payload } = (await t.get(`/webhook/deliveries?id=${delivery?.id}`, { key: shop.sandbox })).body;
    const { occurred_at, qr_code, ...told } = JSON.parse(payload);
    assert.deepEqual(told, {
      event: 'order.refunded',
      event_id: `sbx_order.refunded:${id}:1`,
      order_id: Number(id),
      status: '1',
      delivery: 'delivered',
      delivery_reason: '',
      iccid,
      reference: '',
      refund: block,
      livemode: false,
    });
    assert.equal(qr_code, (await detail(shop.sandbox, id)).esim.qrcode);
    assert.deepEqual(
      (await deliveriesTo(unnamed)).filter(({ sale_id }) => sale_id === id).map(({ event_type }) => event_type),
      ['order.delivered', 'order.paid', 'order.created'],
    );
    const filtered = (await t.get('/webhook/deliveries?event=order.refunded', { key: shop.sandbox })).body.deliveries;
    assert.deepEqual(
      filtered.map(({ event_id }: { event_id: string }) => event_id),
      [delivery?.event_id],
    );
  });

  test('a subscription shows the events it chose; the lists of valid events stay those of the contract', async () => {
    const { events, subscriptions } = (await t.get('/webhook/list', { key: shop.sandbox })).body;
    const six = ['order.created', 'order.paid', 'order.delivered', 'order.deferred', 'order.failed', 'order.test'];
    assert.deepEqual(events, six);
    assert.deepEqual(
      subscriptions.map(({ events_list }: { events_list: string[] }) => events_list),
      [['order.refunded'], six],
    );
    assert.deepEqual((await t.get('/webhook/deliveries', { key: shop.sandbox })).body.events, six);
  });

  test('when too many deliveries wait, the money goes back and the event is dropped', async () => {
    const partnerId = await t.partner();
    const key = await t.key(partnerId, 'sandbox');
    const { product_id } = (await detail(shop.sandbox, (await shop.order(shop.sandbox)).id)).order;
    const { body: bought } = await buy(t, key, product_id);
    const hook = await pausedSubscription(t, partnerId, 'order.refunded');
    await t.base.db.run(sql`
      with made as (
        insert into sandbox.webhook_deliveries (partner_id, subscription_id, order_id, event_id, event_type, max_attempts, created_at, body)
        select ${partnerId}, ${hook}, 0, 'sbx_order.test:0:' || n, 'order.test', 5, now(), '' from generate_series(1, 500) n
        returning id
      )
      insert into sandbox.webhook_queue (delivery_id, subscription_id, due_at, max_attempts)
      select id, ${hook}, now(), 5 from made`);
    assert.equal((await refund(key, String(bought.order_id))).body.refund.status, 'refunded');
    const { deliveries } = (await t.get('/webhook/deliveries?event=order.refunded', { key })).body;
    assert.deepEqual(deliveries, []);
  });
});

suite('where the money goes in live', () => {
  test('promo and cash come back as what they were; on credit terms the debt goes down', async () => {
    const { product_id } = (await detail(shop.live, (await shop.order(shop.live)).id)).order;
    const prepaid = await t.partner();
    await run(t.operator(), `wallet credit --partner ${prepaid} --amount 4 --promo`);
    await run(t.operator(), `wallet credit --partner ${prepaid} --amount 6`);
    const prepaidKey = await t.key(prepaid);
    const first = await buy(t, prepaidKey, product_id);
    await refund(prepaidKey, String(first.body.order_id));
    const { promo, cash } = await run(t.operator(), `wallet show --partner ${prepaid}`);
    assert.deepEqual([promo, cash], ['4.00', '6.00']);

    const postpaid = await t.partner({ billing: 'postpaid' });
    await run(t.operator(), `partner set ${postpaid} --credit-limit 100`);
    const postpaidKey = await t.key(postpaid);
    const second = await buy(t, postpaidKey, product_id);
    await refund(postpaidKey, String(second.body.order_id));
    const { outstanding, ledger } = (await t.get('/account/statement', { key: postpaidKey })).body;
    assert.equal(Number(outstanding), 0);
    assert.deepEqual(
      ledger.map(({ type, amount }: { type: string; amount: string }) => [type, amount]),
      [
        ['refund', '-10.00'],
        ['charge', '10.00'],
      ],
    );
  });

  test('money that came back was not topped up: the share tier does not move', async () => {
    const tier = async () => (await t.get('/account/pricing', { key: shop.live })).body;
    const before = await tier();
    const { id } = await shop.order(shop.live);
    await refund(shop.live, id);
    assert.deepEqual(await tier(), before);
  });

  test('the proof of the ledger passes afterwards', async () => {
    const { ok, ...proof } = await run(t.operator(), 'audit');
    assert.ok(
      ok,
      JSON.stringify(proof, (_, value) => (typeof value === 'bigint' ? String(value) : value)),
    );
  });
});
