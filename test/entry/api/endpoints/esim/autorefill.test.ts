import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { messages, messagesByCause } from '../../../../../src/platform/contract/messages.ts';
import { sql } from '../../../../../src/platform/db/query/sql.ts';
import { refused, sandbox } from '../../../../support/refusal.ts';
import type { StockedApp } from '../../../../support/sales/catalog.ts';
import {
  type OwnedEsim,
  ownEsim,
  refillShop,
  type Shopper,
  shopperIn,
  withdraw,
} from '../../../../support/sales/refills.ts';
import { counts } from '../../../../support/sales/shop.ts';

let t: StockedApp;
before(async () => {
  t = await refillShop();
  t.clock.freeze();
});
after(() => t[Symbol.asyncDispose]());

type Fields = Record<string, string>;

const worlds = ['live', 'sandbox'] as const;
const send = ({ key }: { key: string }, fields: Fields) => t.post('/esim/autorefill', fields, { key });
const ruleFor = async ({ iccid }: { iccid: string }, more: Fields = {}): Promise<Fields> => ({
  iccid,
  product_id: await t.alias('some'),
  at_percent: '80',
  times: '5',
  max_price: '4.50',
  ...more,
});
const detail = async ({ key }: Shopper, { iccid }: OwnedEsim) => (await t.get(`/esim/detail/${iccid}`, { key })).body;

for (const mode of worlds)
  suite(mode, () => {
    const extra = mode === 'sandbox' ? sandbox : {};

    test('sets a rule, which esim/detail shows; the same again changes nothing, another one replaces it, off ends it', async () => {
      const shopper = await shopperIn(t, mode);
      const esim = await ownEsim(t, shopper);
      assert.equal((await detail(shopper, esim)).autorefill, null);
      const fields = await ruleFor(esim);
      const set = await send(shopper, fields);
      assert.equal(set.status, 200, set.text);
      const shown = {
        product_id: fields.product_id,
        at_percent: 80,
        times: 5,
        done: 0,
        max_price: '4.50',
        stopped: null,
      };
      assert.deepEqual(set.body.autorefill, shown);
      assert.deepEqual((await detail(shopper, esim)).autorefill, shown);
      assert.equal((await send(shopper, fields)).text, set.text);
      const version = () =>
        t.base.worlds[mode].db.one<{ version: number }>(sql`
          select version from autorefills where order_id = ${esim.orderId}`);
      assert.deepEqual(await version(), { version: 1 });
      const other = await send(shopper, { ...fields, at_percent: '100', times: '20', max_price: '7' });
      assert.deepEqual(other.body.autorefill, { ...shown, at_percent: 100, times: 20, max_price: '7.00' });
      for (let round = 0; round < 2; round++) {
        const ended = await send(shopper, { iccid: esim.iccid, off: '1' });
        assert.deepEqual([ended.status, ended.body.autorefill], [200, null]);
      }
      assert.equal((await detail(shopper, esim)).autorefill, null);
      assert.equal((await detail(shopper, esim)).orders.length, 1);
    });

    test('refused in this order: the eSIM, the product, the percentage, how often, the price', async () => {
      const shopper = await shopperIn(t, mode);
      const esim = await ownEsim(t, shopper);
      const wrong: [string, string[]][] = [
        ['iccid_required', ['']],
        ['esim_not_found', ['8999999999999999999']],
      ];
      const good = await ruleFor(esim);
      const bad: Fields = { iccid: '1', product_id: 'x', at_percent: '49', times: '0', max_price: '0', off: '' };
      for (const [code, values] of wrong)
        for (const iccid of values) refused(await send(shopper, { ...bad, iccid }), code as 'esim_not_found', extra);
      refused(await send(shopper, { ...bad, iccid: esim.iccid, product_id: '' }), 'product_id_required', extra);
      refused(await send(shopper, { ...bad, iccid: esim.iccid }), 'invalid_product', extra);
      for (const code of ['fr-more', 'tr-1'])
        refused(
          await send(shopper, { ...bad, iccid: esim.iccid, product_id: await t.alias(code) }),
          'invalid_refill',
          extra,
        );
      for (const at_percent of ['', '49', '101', '80.5', '-80', 'x', '0x50'])
        refused(await send(shopper, { ...good, times: '0', at_percent }), 'invalid_at_percent', extra);
      for (const times of ['', '0', '21', '1.5', 'x'])
        refused(await send(shopper, { ...good, max_price: '0', times }), 'invalid_times', extra);
      for (const max_price of ['', '0', '0.00', '-1', '4.555', '1e3', 'x'])
        refused(await send(shopper, { ...good, max_price }), 'invalid_max_price', {
          ...extra,
          message: messagesByCause.invalid_max_price.rule,
        });
      refused(await send(shopper, { ...good, off: 'yes' }), 'invalid_off', extra);
      refused(await send(shopper, { ...good, product_id: await t.alias('gone') }), 'product_not_found', extra);
      assert.equal((await detail(shopper, esim)).autorefill, null);
      assert.match(messages.invalid_off, /0 or 1/);
    });

    test('ending a rule needs nothing but the eSIM', async () => {
      const shopper = await shopperIn(t, mode);
      const esim = await ownEsim(t, shopper);
      await send(shopper, await ruleFor(esim));
      const ended = await send(shopper, { iccid: esim.iccid, off: '1', times: 'x', product_id: 'x' });
      assert.deepEqual([ended.status, ended.body.autorefill], [200, null]);
      refused(await send(shopper, { off: '1' }), 'iccid_required', extra);
    });

    test('not yours is answered like unknown, byte for byte, and nothing changes for its owner', async () => {
      const [shopper, other] = [await shopperIn(t, mode), await shopperIn(t, mode)];
      const foreign = await ownEsim(t, other, { ...(mode === 'sandbox' && { sandbox_usage: 'depleted' }) });
      await send(other, await ruleFor(foreign, { at_percent: '90', times: '1', max_price: '0.01' }));
      const before = await detail(other, foreign);
      for (const more of [{}, { off: '1' }] as Fields[]) {
        const unknown = await send(shopper, await ruleFor({ iccid: '8999999999999999999' }, more));
        refused(unknown, 'esim_not_found', extra);
        for (const iccid of [foreign.iccid, 'nonsense', '1'.repeat(40)])
          assert.equal((await send(shopper, await ruleFor({ iccid }, more))).text, unknown.text);
      }
      assert.deepEqual((await detail(other, foreign)).autorefill, before.autorefill);
    });

    test('an eSIM that was withdrawn takes no rule', async () => {
      const shopper = await shopperIn(t, mode);
      const esim = await ownEsim(t, shopper);
      await withdraw(t, mode, esim);
      refused(await send(shopper, await ruleFor(esim)), 'invalid_refill', extra);
    });

    test('a key that may not buy is refused, and so is a caller without a key', async () => {
      const shopper = await shopperIn(t, mode);
      const esim = await ownEsim(t, shopper);
      for (const permission of ['read', 'money', 'webhooks'] as const) {
        const key = await t.key(await t.partner(), mode, { permissions: [permission] });
        refused(await send({ key }, await ruleFor(esim)), 'key_not_permitted', { permission: 'buy', ...extra });
        refused(await send({ key }, { iccid: esim.iccid, off: '1' }), 'key_not_permitted', {
          permission: 'buy',
          ...extra,
        });
      }
      assert.equal((await t.post('/esim/autorefill', await ruleFor(esim), {})).body.error, 'api_key_required');
      assert.equal((await detail(shopper, esim)).autorefill, null);
    });

    test('twenty at once set one rule', async () => {
      const shopper = await shopperIn(t, mode);
      const esim = await ownEsim(t, shopper);
      const fields = await ruleFor(esim);
      const answers = await Promise.all(Array.from({ length: 20 }, () => send(shopper, fields)));
      assert.deepEqual([...new Set(answers.map(({ text }) => text))].length, 1);
      assert.equal((await detail(shopper, esim)).orders.length, 1);
    });
  });

suite('sandbox', () => {
  const empty = (shopper: Shopper, more: Fields = {}) => ownEsim(t, shopper, { sandbox_usage: 'depleted', ...more });

  test('an eSIM past its mark is refilled at once, as an order with a key of its own, as often as it takes', async () => {
    const shopper = await shopperIn(t, 'sandbox');
    const esim = await empty(shopper, { reference: 'trip 9' });
    const set = await send(shopper, await ruleFor(esim, { times: '1' }));
    assert.deepEqual([set.body.autorefill.done, set.body.autorefill.stopped], [1, 'done']);
    const { orders, usage, esim: now } = await detail(shopper, esim);
    assert.deepEqual(
      orders.map(({ product_type, sale_price, reference }: Fields) => [product_type, sale_price, reference]),
      [
        ['refill', '3.00', 'trip 9'],
        ['esim', '10.00', 'trip 9'],
      ],
    );
    assert.deepEqual([usage.total_mb, usage.used_mb, now.state], [1024 + 512, 1024, 'active']);
    const keys = await t.base.worlds.sandbox.db.query<{ key: string }>(sql`
      select idempotency_key as key from orders where refill_of = ${esim.orderId}`);
    assert.deepEqual(keys, [{ key: `autorefill:${esim.iccid}:1` }]);
    // 1024 of 1536 MB are 66 percent.
    const higher = await send(shopper, await ruleFor(esim, { at_percent: '70' }));
    assert.equal(higher.body.autorefill.done, 0);
    const lower = await send(shopper, await ruleFor(esim, { at_percent: '65' }));
    assert.deepEqual([lower.body.autorefill.done, lower.body.autorefill.stopped], [1, null]);
    assert.equal((await detail(shopper, esim)).orders.length, 3);
  });

  test('an eSIM that was delivered late is refilled late, and the refill counts once it is there', async () => {
    const shopper = await shopperIn(t, 'sandbox');
    const { order_id } = (
      await t.post(
        '/purchase/buy',
        { product_id: await t.alias('tr-1'), sandbox_scenario: 'deferred', sandbox_usage: 'depleted' },
        { key: shopper.key },
      )
    ).body;
    await t.post('/sandbox/clock', { advance: '61' }, { key: shopper.key });
    const { iccid } = (await t.get(`/order/detail/${order_id}`, { key: shopper.key })).body.esim;
    const set = await send(shopper, await ruleFor({ iccid }));
    assert.deepEqual([set.body.autorefill.done, set.body.autorefill.stopped], [0, null]);
    const { order } = (await t.get('/order/get?limit=1', { key: shopper.key })).body;
    assert.equal(order[0].status, '4');
    await t.post('/sandbox/clock', { advance: '61' }, { key: shopper.key });
    await t.base.worlds.sandbox.db.run(sql`update autorefills set due_at = '-infinity' where iccid = ${iccid}`);
    await t.base.worlds.sandbox.autorefills.buyDue({ quote: () => assert.fail('it was bought already') });
    assert.equal((await detail(shopper, { iccid, orderId: order_id })).autorefill.done, 1);
    assert.equal((await detail(shopper, { iccid, orderId: order_id })).orders.length, 2);
  });

  test('each of its codes can be simulated, and nothing happens', async () => {
    const shopper = await shopperIn(t, 'sandbox');
    const esim = await empty(shopper);
    const before = await counts(t, 'sandbox');
    for (const code of [
      'iccid_required',
      'esim_not_found',
      'invalid_refill',
      'product_not_found',
      'invalid_at_percent',
      'invalid_times',
      'invalid_max_price',
    ] as const)
      refused(await send(shopper, await ruleFor(esim, { sandbox_error: code })), code, {
        ...sandbox,
        sandbox_simulated: true,
      });
    assert.equal((await detail(shopper, esim)).autorefill, null);
    assert.deepEqual(await counts(t, 'sandbox'), before);
  });

  test('a reset forgets the rules, and the numbers begin again', async () => {
    const shopper = await shopperIn(t, 'sandbox');
    await send(shopper, await ruleFor(await empty(shopper)));
    await t.post('/account/sandboxReset', {}, { key: shopper.key });
    const left = await t.base.worlds.sandbox.db.query(sql`
      select from autorefills where partner_id = ${shopper.partnerId}`);
    assert.equal(left.length, 0);
  });
});
