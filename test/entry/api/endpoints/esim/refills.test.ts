import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { eventually } from '../../../../support/eventually.ts';
import { run } from '../../../../support/program/operator.ts';
import { refused } from '../../../../support/refusal.ts';
import type { StockedApp } from '../../../../support/sales/catalog.ts';
import { ownEsim, refillShop, shopperIn, withdraw } from '../../../../support/sales/refills.ts';

let t: StockedApp;
before(async () => {
  t = await refillShop();
});
after(() => t[Symbol.asyncDispose]());

interface Row {
  title: string;
  partner_price: number;
}
const ask = (key: string, iccid: string) => t.get(`/esim/refills/${iccid}`, { key });
const titles = ({ body }: Awaited<ReturnType<typeof ask>>) => [
  body.refillable,
  body.count,
  ...body.products.map(({ title }: Row) => title),
];

test('live: the refills its supplier sells for its plan, cheapest first, as Product rows', async () => {
  const shopper = await shopperIn(t, 'live');
  const esim = await ownEsim(t, shopper);
  const answer = await ask(shopper.key, esim.iccid);
  assert.equal(answer.body.iccid, esim.iccid);
  assert.deepEqual(titles(answer), [true, 2, 'Half a GB', 'Two more']);
  const [product] = (await t.get('/catalog/products?country=TR', { key: shopper.key })).body.products;
  assert.deepEqual(Object.keys(answer.body.products[0]), Object.keys(product));
  assert.deepEqual([answer.body.products[0].id, answer.body.products[0].partner_price], [await t.alias('some'), 3]);
  const without = await ownEsim(t, shopper, {}, 'tr-big');
  assert.deepEqual(titles(await ask(shopper.key, without.iccid)), [false, 0]);
});

test('sandbox: every refill of the destination, from any supplier', async () => {
  const shopper = await shopperIn(t, 'sandbox');
  const esim = await ownEsim(t, shopper, {}, 'tr-big');
  assert.deepEqual(titles(await ask(shopper.key, esim.iccid)), [true, 3, 'Half a GB', 'Elsewhere', 'Two more']);
  const over = await ownEsim(t, shopper, { sandbox_usage: 'expired' });
  assert.deepEqual(titles(await ask(shopper.key, over.iccid)), [false, 0]);
});

for (const mode of ['live', 'sandbox'] as const) {
  test(`${mode}: a cancelled eSIM gets an empty list; another partner's is not found, byte for byte`, async () => {
    const [shopper, stranger] = [await shopperIn(t, mode), await shopperIn(t, mode)];
    const esim = await ownEsim(t, shopper);
    assert.equal((await ask(stranger.key, esim.iccid)).text, (await ask(stranger.key, '8900000000000000000')).text);
    refused(await ask(stranger.key, esim.iccid), 'esim_not_found', mode === 'live' ? {} : { livemode: false });
    refused(await ask(shopper.key, ''), 'iccid_required', mode === 'live' ? {} : { livemode: false });
    refused(await ask(shopper.key, 'x'), 'esim_not_found', mode === 'live' ? {} : { livemode: false });
    await withdraw(t, mode, esim);
    assert.deepEqual(titles(await ask(shopper.key, esim.iccid)), [false, 0]);
  });
}

test('cheapest by what this partner pays, not by list price', async () => {
  const shopper = await shopperIn(t, 'sandbox');
  const esim = await ownEsim(t, shopper);
  const rule = `--scope product --target ${await t.alias('more')} --partner ${shopper.partnerId} --price 7.20`;
  await run(t.operator(), `pricing rule add ${rule}`);
  const prices = async () =>
    (await ask(shopper.key, esim.iccid)).body.products.map(({ title, partner_price }: Row) => [title, partner_price]);
  await eventually('the rule applies', async () => (await prices()).flat().includes(7.2));
  assert.deepEqual(await prices(), [
    ['Half a GB', 3],
    ['Two more', 7.2],
    ['Elsewhere', 10],
  ]);
});

test('no refill is in the catalog', async () => {
  const { key } = await shopperIn(t, 'live');
  const { products } = (await t.get('/catalog/products?country=TR&all_variants=1', { key })).body;
  assert.deepEqual(products.map(({ title }: Row) => title).toSorted(), ['Türkiye 1 GB', 'Türkiye 5 GB']);
});
