import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setBehaviour } from '../../../../../src/domains/supply/adapters/simulated/store.ts';
import { DAY, parseTimestamp, SECOND } from '../../../../../src/platform/clock.ts';
import { sql } from '../../../../../src/platform/db/query/sql.ts';
import { rowCounts } from '../../../../support/database/rows.ts';
import { eventually } from '../../../../support/eventually.ts';
import { run } from '../../../../support/program/operator.ts';
import { refused } from '../../../../support/refusal.ts';
import type { StockedApp } from '../../../../support/sales/catalog.ts';
import { ownEsim, refill, refillShop, shopperIn, withdraw } from '../../../../support/sales/refills.ts';
import { buy, counts, pausedSubscription } from '../../../../support/sales/shop.ts';

let t: StockedApp;
before(async () => {
  t = await refillShop();
});
after(() => t[Symbol.asyncDispose]());

const usageOf = async (key: string, iccid: string) => (await t.get(`/order/usage/${iccid}`, { key })).body.usage;

for (const mode of ['live', 'sandbox'] as const) {
  const marked = mode === 'live' ? {} : { livemode: false };

  describe(`in ${mode}`, () => {
    test('answers like purchase/buy, with the ICCID; charged once; the new data is in the usage at once', async () => {
      const shopper = await shopperIn(t, mode);
      const esim = await ownEsim(t, shopper);
      const before = await usageOf(shopper.key, esim.iccid);
      const bought = (await buy(t, shopper.key, await t.alias('tr-1'))).body;
      const { body, status } = await refill(t, shopper, esim, 'more', { reference: 'trip 7' });
      assert.equal(status, 200);
      assert.deepEqual(Object.keys(body).toSorted(), [...Object.keys(bought), 'iccid'].toSorted());
      assert.deepEqual(Object.keys(body.order), Object.keys(bought.order));
      assert.deepEqual(
        [body.iccid, body.delivery, body.provision, body.order.product_type, body.order.reference, body.order.status],
        [esim.iccid, 'delivered', 'completed', 'refill', 'trip 7', '1'],
      );
      assert.deepEqual([body.order.sale_price, body.balance], ['12.00', Number((bought.balance - 12).toFixed(2))]);
      const usage = await usageOf(shopper.key, esim.iccid);
      assert.deepEqual([usage.total_mb, usage.sale_id], [before.total_mb + 2048, esim.orderId]);
    });

    test('its order is in the same lists: it names the eSIM and brings no activation data', async () => {
      const shopper = await shopperIn(t, mode);
      const esim = await ownEsim(t, shopper);
      const { order_id } = (await refill(t, shopper, esim)).body;
      const { order } = (await t.get('/order/get', { key: shopper.key })).body;
      assert.deepEqual(
        order.map((one: { id: string; product_type: string }) => [one.id, one.product_type]),
        [
          [String(order_id), 'refill'],
          [String(esim.orderId), 'esim'],
        ],
      );
      assert.deepEqual(
        [order[0].esim.iccid, order[0].esim.activationCode, order[0].esim.qrcode_url],
        [esim.iccid, '', ''],
      );
      const detail = (await t.get(`/order/detail/${order_id}`, { key: shopper.key })).body;
      const { iccid, ...rest } = detail.esim;
      assert.equal(iccid, esim.iccid);
      assert.ok(Object.values(rest).every((value) => value === null));
    });

    test('checks in order: the eSIM, the product, the key, the reference', async () => {
      const shopper = await shopperIn(t, mode);
      const esim = await ownEsim(t, shopper);
      const unchanged = await counts(t, mode);
      const [more, wrong] = [await t.alias('more'), 'idempotency_key=a%3Cb&reference=%3C&sandbox_scenario=odd'];
      for (const [form, code] of [
        ['', 'iccid_required'],
        ['iccid=', 'iccid_required'],
        [`iccid=${esim.iccid}&iccid=${esim.iccid}`, 'iccid_required'],
        ['iccid=8999', 'esim_not_found'],
        ["iccid=' or 1=1", 'esim_not_found'],
        ['iccid=8900000000000000000', 'esim_not_found'],
        [`iccid=8900000000000000000&product_id=${more}`, 'esim_not_found'],
        [`iccid=${esim.iccid}`, 'product_id_required'],
        [`iccid=${esim.iccid}&product_id=17`, 'invalid_product'],
        [`iccid=${esim.iccid}&product_id=${more}&product_id=${more}`, 'invalid_product'],
        [`iccid=${esim.iccid}&product_id=esc_00000000000000ff`, 'invalid_product'],
        [`iccid=${esim.iccid}&product_id=${await t.alias('tr-1')}`, 'invalid_refill'],
        [`iccid=${esim.iccid}&product_id=${await t.alias('fr-more')}`, 'invalid_refill'],
        [`iccid=${esim.iccid}&product_id=${more}`, 'invalid_idempotency_key'],
      ] as const) {
        refused(await t.post('/purchase/refill', `${form}&${wrong}`, { key: shopper.key }), code, marked);
      }
      const late = `iccid=${esim.iccid}&product_id=${more}&reference=%3C&sandbox_scenario=odd`;
      refused(await t.post('/purchase/refill', late, { key: shopper.key }), 'invalid_reference', marked);
      assert.deepEqual(await counts(t, mode), unchanged);
    });

    test('an eSIM of another partner is answered byte for byte like one that does not exist', async () => {
      const [owner, stranger] = [await shopperIn(t, mode), await shopperIn(t, mode)];
      const esim = await ownEsim(t, owner);
      const unchanged = await rowCounts(t);
      const [foreign, missing] = [
        await refill(t, stranger, esim),
        await refill(t, stranger, { iccid: '8900000000000000000' }),
      ];
      assert.equal(foreign.status, 404);
      assert.equal(foreign.text, missing.text);
      assert.deepEqual(await rowCounts(t), unchanged);
    });

    test('a plan off sale is 404 product_not_found, a cancelled eSIM 400 invalid_refill; what was recorded is replayed', async () => {
      const shopper = await shopperIn(t, mode);
      const esim = await ownEsim(t, shopper);
      refused(await refill(t, shopper, esim, 'gone'), 'product_not_found', marked);
      const first = await refill(t, shopper, esim, 'some', { idempotency_key: 'early' });
      await withdraw(t, mode, esim);
      refused(await refill(t, shopper, esim, 'some', { idempotency_key: 'late' }), 'invalid_refill', marked);
      refused(await refill(t, shopper, esim, 'some', { idempotency_key: 'a<b' }), 'invalid_refill', marked);
      const replay = await refill(t, shopper, esim, 'some', { idempotency_key: 'early' });
      assert.deepEqual(replay.body, first.body);
    });

    test('keys share one namespace with purchase/buy: another product or another eSIM is a conflict', async () => {
      const shopper = await shopperIn(t, mode);
      const [one, other] = [await ownEsim(t, shopper), await ownEsim(t, shopper)];
      const idempotency_key = 'shared';
      const first = await refill(t, shopper, one, 'some', { idempotency_key, reference: 'first' });
      const again = await refill(t, shopper, one, 'some', { idempotency_key, reference: 'second' });
      assert.deepEqual(again.body, first.body, 'the reference recorded first is shown');
      refused(await refill(t, shopper, other, 'some', { idempotency_key }), 'idempotency_key_conflict', marked);
      refused(await refill(t, shopper, one, 'more', { idempotency_key }), 'idempotency_key_conflict', marked);
      refused(
        await buy(t, shopper.key, await t.alias('tr-1'), { idempotency_key }),
        'idempotency_key_conflict',
        marked,
      );
      await buy(t, shopper.key, await t.alias('tr-1'), { idempotency_key: 'bought' });
      refused(await refill(t, shopper, one, 'some', { idempotency_key: 'bought' }), 'idempotency_key_conflict', marked);
    });

    test('50 equal refills with one key at once charge once and add once', async () => {
      const shopper = await shopperIn(t, mode);
      const esim = await ownEsim(t, shopper);
      const { total_mb } = await usageOf(shopper.key, esim.iccid);
      const balance = async () => (await t.get('/account/balance', { key: shopper.key })).body.balance;
      const before = await balance();
      const answers = await Promise.all(
        Array.from({ length: 50 }, () => refill(t, shopper, esim, 'some', { idempotency_key: 'once' })),
      );
      assert.equal(new Set(answers.map(({ status, body }) => `${status} ${body.order_id} ${body.delivery}`)).size, 1);
      assert.equal(await balance(), before - 3);
      assert.equal((await usageOf(shopper.key, esim.iccid)).total_mb, total_mb + 512);
    });
  });
}

describe('in live', () => {
  const behave = (behaviour: 'deliver' | 'refuse' | 'break') =>
    t.base.db.tx((tx) => setBehaviour(tx, 'aurora', 'some', behaviour));

  test('a refill of another supplier does not fit, and purchase/buy sells no refill', async () => {
    const shopper = await shopperIn(t, 'live');
    const esim = await ownEsim(t, shopper);
    refused(await refill(t, shopper, esim, 'other'), 'invalid_refill');
    refused(await refill(t, shopper, await ownEsim(t, shopper, {}, 'tr-big'), 'more'), 'invalid_refill');
    refused(await buy(t, shopper.key, await t.alias('more')), 'invalid_product');
  });

  test('the message names the cause: unknown id, internal id, wrong form, a refill bought as an eSIM and the reverse', async () => {
    const shopper = await shopperIn(t, 'live');
    const esim = await ownEsim(t, shopper);
    const [plan, more] = [await t.alias('tr-1'), await t.alias('more')];
    const { key } = shopper;
    const bought = async (product: string) => (await buy(t, key, product)).body.message;
    const added = async (product: string) =>
      (await t.post('/purchase/refill', { iccid: esim.iccid, product_id: product }, { key })).body.message;
    for (const ask of [bought, added]) {
      assert.match(await ask('esc_00000000000000ff'), /no product has this id/);
      assert.match(await ask('17'), /internal ids are not accepted/);
      for (const wrong of ['x', 'ESC_00000000000000ff', 'esc_00000000000000f'])
        assert.match(
          await ask(wrong),
          /^Use the `id` of a product from the catalog: esc_ and 16 hexadecimal digits\.$/,
        );
    }
    assert.match(await bought(more), /purchase\/refill, because it is a refill/);
    assert.match(await added(plan), /purchase\/buy, because it brings a new eSIM/);
    assert.equal(await added(await t.alias('fr-more')), 'Choose a plan from esim/refills of this eSIM.');
    const batch = [{ product_id: plan }, { product_id: 'esc_00000000000000ff' }];
    const form = { items: JSON.stringify(batch), idempotency_key: 'a-batch' };
    const { item, message } = (await t.post('/purchase/batch', form, { key })).body;
    assert.deepEqual([item, /no product has this id/.test(message)], [1, true]);
    await withdraw(t, 'live', esim);
    assert.match(await added(more), /this one was cancelled/);
  });

  test('the message depends on the form of an unknown id alone', async () => {
    const { key } = await shopperIn(t, 'live');
    const [one, other] = [await buy(t, key, 'esc_00000000000000ff'), await buy(t, key, 'esc_00000000000000fe')];
    assert.equal(one.text, other.text);
    assert.equal(
      (await buy(t, key, '17')).text,
      (await buy(t, key, '999999999')).text,
      'an internal id that exists or not',
    );
  });

  test('an empty wallet: 402 with a failed order; the eSIM is as it was', async () => {
    const shopper = await shopperIn(t, 'live');
    const esim = await ownEsim(t, shopper);
    await buy(t, shopper.key, await t.alias('tr-big'));
    while ((await refill(t, shopper, esim, 'more')).status === 200);
    const answer = await refill(t, shopper, esim, 'more', { idempotency_key: 'poor' });
    refused(answer, 'insufficient_balance', {
      balance: answer.body.balance,
      required: 12,
      order_id: answer.body.order_id,
    });
    const replay = await refill(t, shopper, esim, 'more', { idempotency_key: 'poor' });
    assert.deepEqual([replay.status, replay.body.delivery, replay.body.iccid], [200, 'failed', esim.iccid]);
    const { orders } = (await t.get(`/esim/detail/${esim.iccid}`, { key: shopper.key })).body;
    assert.ok(!orders.some(({ order_id }: { order_id: number }) => order_id === replay.body.order_id));
  });

  test('refused by the supplier: the price goes back, and the eSIM has no more data than before', async () => {
    const shopper = await shopperIn(t, 'live');
    const esim = await ownEsim(t, shopper);
    await behave('refuse');
    const { body } = await refill(t, shopper, esim, 'some');
    await behave('deliver');
    assert.deepEqual([body.delivery, body.delivery_reason, body.balance], ['failed', 'provider_rejected', 90]);
    assert.equal((await usageOf(shopper.key, esim.iccid)).total_mb, 1024);
    assert.equal((await t.get('/esim/list', { key: shopper.key })).body.esims[0].refills, 0);
  });

  test('an answer that was lost is looked up, never ordered twice', async () => {
    const shopper = await shopperIn(t, 'live');
    const esim = await ownEsim(t, shopper);
    await behave('break');
    const { body } = await refill(t, shopper, esim, 'some');
    await behave('deliver');
    assert.equal(body.delivery, 'delivered');
    assert.equal((await usageOf(shopper.key, esim.iccid)).total_mb, 1024 + 512);
  });
});

describe('in the sandbox', () => {
  const reading = async (key: string, iccid: string) => {
    const { status, total_mb, used_mb, expires_at } = await usageOf(key, iccid);
    return { status, total_mb, used_mb, ends: expires_at && parseTimestamp(expires_at)?.getTime() };
  };

  test('adds the plan’s data and days; an eSIM that was used up is active again', async () => {
    const shopper = await shopperIn(t, 'sandbox');
    const esim = await ownEsim(t, shopper, { sandbox_usage: 'depleted' });
    const before = await reading(shopper.key, esim.iccid);
    assert.equal(before.status, 'depleted');
    await refill(t, shopper, esim);
    const { ends, ...after } = await reading(shopper.key, esim.iccid);
    assert.deepEqual(after, { status: 'active', total_mb: 1024 + 2048, used_mb: 1024 });
    assert.equal(ends, before.ends + 30 * DAY);
  });

  test('an expired eSIM takes none, also when the test clock made it so', async () => {
    const shopper = await shopperIn(t, 'sandbox');
    const over = await ownEsim(t, shopper, { sandbox_usage: 'expired' });
    refused(await refill(t, shopper, over), 'invalid_refill', { livemode: false });
    const esim = await ownEsim(t, shopper, { sandbox_usage: 'active' });
    await run(t.operator(), `sandbox clock advance --partner ${shopper.partnerId} --by 8d`);
    await eventually('the eSIM is over', async () => (await usageOf(shopper.key, esim.iccid)).status === 'expired');
    const answer = await refill(t, shopper, esim);
    assert.deepEqual([answer.status, answer.body.error], [400, 'invalid_refill']);
  });

  test('another country’s refill does not fit; another supplier’s does', async () => {
    const shopper = await shopperIn(t, 'sandbox');
    const esim = await ownEsim(t, shopper);
    refused(await refill(t, shopper, esim, 'fr-more'), 'invalid_refill', { livemode: false });
    assert.equal((await refill(t, shopper, esim, 'other')).body.delivery, 'delivered');
  });

  test('deferred: 202, nothing is added yet; after its time the first read of the eSIM delivers it', async () => {
    t.clock.freeze();
    const shopper = await shopperIn(t, 'sandbox');
    const esim = await ownEsim(t, shopper, { sandbox_usage: 'active' });
    const answer = await refill(t, shopper, esim, 'more', { sandbox_scenario: 'deferred' });
    assert.deepEqual([answer.status, answer.body.delivery], [202, 'deferred']);
    assert.equal((await usageOf(shopper.key, esim.iccid)).total_mb, 1024);
    const other = await ownEsim(t, shopper);
    t.clock.advance(61 * SECOND);
    await usageOf(shopper.key, other.iccid);
    const { status } = await t.base.worlds.sandbox.db.one<{ status: number }>(sql`
      select status from orders where id = ${answer.body.order_id}`);
    assert.equal(status, 4, 'reading another eSIM does not');
    assert.equal((await usageOf(shopper.key, esim.iccid)).total_mb, 1024 + 2048);
    assert.equal((await t.get(`/order/detail/${answer.body.order_id}`, { key: shopper.key })).body.order.status, '1');
  });

  test('failed: a failed order and no charge; any other scenario is refused', async () => {
    const shopper = await shopperIn(t, 'sandbox');
    const esim = await ownEsim(t, shopper);
    const { body } = await refill(t, shopper, esim, 'more', { sandbox_scenario: 'failed' });
    assert.deepEqual([body.delivery, body.delivery_reason, body.balance], ['failed', 'sandbox_scenario', 990]);
    refused(await refill(t, shopper, esim, 'more', { sandbox_scenario: 'odd' }), 'invalid_sandbox_scenario', {
      livemode: false,
    });
  });

  test('its events carry the reference; order.delivered the ICCID and an empty qr_code', async () => {
    const shopper = await shopperIn(t, 'sandbox');
    const esim = await ownEsim(t, shopper);
    await pausedSubscription(t, shopper.partnerId);
    const { order_id } = (await refill(t, shopper, esim, 'more', { reference: 'trip 9' })).body;
    const { deliveries } = (await t.get('/webhook/deliveries', { key: shopper.key })).body;
    const events = [];
    for (const { id } of deliveries.toReversed()) {
      const { payload } = (await t.get(`/webhook/deliveries?id=${id}`, { key: shopper.key })).body;
      events.push(JSON.parse(payload));
    }
    assert.ok(events.every((event) => event.order_id === order_id));
    assert.deepEqual(
      events.map(({ event, iccid, qr_code, reference }) => [event, iccid, qr_code, reference]),
      [
        ['order.created', '', '', 'trip 9'],
        ['order.paid', '', '', 'trip 9'],
        ['order.delivered', esim.iccid, '', 'trip 9'],
      ],
    );
  });
});
