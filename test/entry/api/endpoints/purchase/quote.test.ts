import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { toCents } from '../../../../../src/platform/amounts/cents.ts';
import { contents } from '../../../../support/database/rows.ts';
import { eventually } from '../../../../support/eventually.ts';
import { run } from '../../../../support/program/operator.ts';
import { refused } from '../../../../support/refusal.ts';
import type { StockedApp } from '../../../../support/sales/catalog.ts';
import { ownEsim, refill, refillShop, shopperIn, withdraw } from '../../../../support/sales/refills.ts';
import { buy, credit } from '../../../../support/sales/shop.ts';

let t: StockedApp;
before(async () => {
  t = await refillShop();
});
after(() => t[Symbol.asyncDispose]());

const ask = async (key: string, code: string, iccid = '') =>
  t.get(`/purchase/quote?product_id=${await t.alias(code)}&iccid=${iccid}`, { key });
const verdict = async (key: string, code: string) => {
  const { status, body } = await ask(key, code);
  return [status, body.can_buy, body.blocked_by, body.available];
};

for (const mode of ['live', 'sandbox'] as const) {
  const marked = mode === 'live' ? {} : { livemode: false };

  describe(`in ${mode}`, () => {
    test('the price of a plan and whether it would be sold; nothing is written', async () => {
      const shopper = await shopperIn(t, mode);
      const unchanged = await contents(t, mode);
      const { status, body } = await ask(shopper.key, 'tr-1');
      const { result, code, title, api_version, livemode, ...own } = body;
      assert.deepEqual([status, result, code, api_version], [200, 'ok', '200', 3]);
      assert.deepEqual(own, {
        product_id: await t.alias('tr-1'),
        product_title: 'Türkiye 1 GB',
        list_price: 10,
        partner_price: 10,
        discount: 0,
        source: 'none',
        billing_mode: 'prepaid',
        available: mode === 'live' ? 100 : 1000,
        can_buy: true,
        blocked_by: '',
      });
      assert.deepEqual(await contents(t, mode), unchanged);
    });

    test('the price of a refill of an eSIM', async () => {
      const shopper = await shopperIn(t, mode);
      const esim = await ownEsim(t, shopper);
      const { body } = await ask(shopper.key, 'more', esim.iccid);
      assert.deepEqual([body.partner_price, body.can_buy, body.blocked_by], [12, true, '']);
      assert.equal((await refill(t, shopper, esim, 'more')).body.order.sale_price, '12.00');
      const gone = await ask(shopper.key, 'gone', esim.iccid);
      assert.deepEqual([gone.status, gone.body.blocked_by], [200, 'product_not_found']);
      await withdraw(t, mode, esim);
      refused(await ask(shopper.key, 'more', esim.iccid), 'invalid_refill', marked);
    });

    test('errors of the product are those of purchase/buy, errors of the eSIM those of purchase/refill', async () => {
      const [shopper, stranger] = [await shopperIn(t, mode), await shopperIn(t, mode)];
      const esim = await ownEsim(t, shopper);
      const [plan, more] = [await t.alias('tr-1'), await t.alias('more')];
      for (const [query, code] of [
        ['', 'product_id_required'],
        ['product_id=', 'product_id_required'],
        ['product_id=17', 'invalid_product'],
        [`product_id=${plan}&product_id=${plan}`, 'invalid_product'],
        [`product_id=${more}`, 'invalid_product'],
        [`iccid=8900000000000000000&product_id=${more}`, 'esim_not_found'],
        ['iccid=8900000000000000000', 'esim_not_found'],
        [`iccid=${esim.iccid}`, 'product_id_required'],
        [`iccid=${esim.iccid}&iccid=${esim.iccid}&product_id=${more}`, 'iccid_required'],
        [`iccid=${esim.iccid}&product_id=${plan}`, 'invalid_refill'],
        [`iccid=${esim.iccid}&product_id=${await t.alias('fr-more')}`, 'invalid_refill'],
      ] as const)
        refused(await t.get(`/purchase/quote?${query}`, { key: shopper.key }), code, marked);
      const foreign = await ask(stranger.key, 'more', esim.iccid);
      assert.equal(foreign.text, (await ask(stranger.key, 'more', '8900000000000000000')).text);
    });
  });
}

test('prepaid: what is short is named as purchase/buy would, and to the cent', async () => {
  const partnerId = await t.partner();
  const key = await t.key(partnerId);
  await credit(t, partnerId, '9.99');
  assert.deepEqual(await verdict(key, 'tr-1'), [200, false, 'insufficient_balance', 9.99]);
  assert.equal((await buy(t, key, await t.alias('tr-1'))).body.error, 'insufficient_balance');
  await credit(t, partnerId, '0.01', 'promo');
  assert.deepEqual(await verdict(key, 'tr-1'), [200, true, '', 10]);
  assert.equal((await buy(t, key, await t.alias('tr-1'))).body.delivery, 'delivered');
});

test('postpaid: available is the credit limit minus the debt', async () => {
  const partnerId = await t.partner({ billing: 'postpaid', creditLimit: toCents(2500n) });
  const key = await t.key(partnerId);
  assert.deepEqual(await verdict(key, 'tr-big'), [200, true, '', 25]);
  await buy(t, key, await t.alias('tr-big'));
  assert.deepEqual(await verdict(key, 'tr-1'), [200, false, 'credit_limit_exceeded', 5]);
  assert.equal((await ask(key, 'tr-1')).body.billing_mode, 'postpaid');
});

test('a suspended account, and a plan that is off sale, are named before the money', async () => {
  const partnerId = await t.partner();
  const key = await t.key(partnerId);
  await run(t.operator(), `partner set ${partnerId} --suspended true`);
  assert.deepEqual(await verdict(key, 'tr-1'), [200, false, 'partner_account_suspended', 0]);
  await run(t.operator(), `catalog product set ${await t.alias('fr-1')} --on-sale false`);
  await eventually('it is off sale', async () => (await verdict(key, 'fr-1'))[2] === 'product_not_found');
});

test('the partner price, its discount and where it comes from', async () => {
  const partnerId = await t.partner();
  const key = await t.key(partnerId);
  await run(t.operator(), `pricing rule add --scope country --target TR --partner ${partnerId} --share 25`);
  await eventually('the rule applies', async () => (await ask(key, 'tr-1')).body.source === 'country');
  const { body } = await ask(key, 'tr-1');
  assert.deepEqual([body.list_price, body.partner_price, body.discount], [10, 8.5, 1.5]);
});
