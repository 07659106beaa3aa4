import assert from 'node:assert/strict';
import { test } from 'node:test';
import { proveBooks } from '../../../src/domains/money/proof/prove.ts';
import { buy } from '../../support/sales/shop.ts';
import { fakeAiralo } from '../../support/suppliers/fake-airalo.ts';
import { fakeEsimAccess } from '../../support/suppliers/fake-esim-access.ts';
import { supplierShop } from '../../support/suppliers/supplier-shop.ts';

const airaloShop = () =>
  supplierShop('airalo', fakeAiralo, (fake) => ({ airalo: { ...fake.settings, url: fake.url } }));
const esimAccessShop = () => supplierShop('esim-access', fakeEsimAccess, (fake) => ({ esimAccess: fake.settings }));

test('esim access: an unused eSIM is withdrawn there before its money goes back, however often asked', async () => {
  await using t = await esimAccessShop();
  const { body } = await buy(t, t.key1, await t.alias('one-gb'));
  const ask = () => t.post('/order/refund', { order_id: body.id }, { key: t.key1 });
  for (let asked = 0; asked < 2; asked++) {
    const { status, body: answer } = await ask();
    assert.deepEqual([status, answer.refund?.status, answer.refund?.amount], [200, 'refunded', '3.60']);
  }
  const [made] = t.fake.orders.values();
  assert.deepEqual([made?.profile.esimStatus, t.fake.timesCalled(/cancel$/)], ['CANCEL', 1]);
  assert.equal(await t.balance(), 100);
  assert.deepEqual((await proveBooks(t.base.worlds.live.db, () => {})).drift, []);
});

test('esim access: an eSIM in use is not withdrawn; its refund is a request', async () => {
  await using t = await esimAccessShop();
  const { body } = await buy(t, t.key1, await t.alias('one-gb'));
  for (const { profile } of t.fake.orders.values())
    Object.assign(profile, { esimStatus: 'IN_USE', smdpStatus: 'ENABLED' });
  const { body: answer } = await t.post('/order/refund', { order_id: body.id }, { key: t.key1 });
  assert.equal(answer.refund?.status, 'requested');
  assert.equal(t.fake.timesCalled(/cancel$/), 0);
});

test('airalo: takes nothing back by itself, so a refund is a request', async () => {
  await using t = await airaloShop();
  const { body } = await buy(t, t.key1, await t.alias('one-gb'));
  const { status, body: answer } = await t.post('/order/refund', { order_id: body.id }, { key: t.key1 });
  assert.deepEqual([status, answer.refund?.status], [200, 'requested']);
  assert.equal(await t.balance(), 96);
});
