import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { run } from '../../../support/program/operator.ts';
import type { StockedApp } from '../../../support/sales/catalog.ts';
import {
  type OwnedEsim,
  ownEsim,
  refillShop,
  type Shopper,
  shopperIn,
  withdraw,
} from '../../../support/sales/refills.ts';

let t: StockedApp;
before(async () => {
  t = await refillShop();
});
after(() => t[Symbol.asyncDispose]());

/** As the detail has them, and the list the same. */
async function capabilities({ key }: Shopper, { iccid }: OwnedEsim): Promise<string[]> {
  const { esim } = (await t.get(`/esim/detail/${iccid}`, { key })).body;
  const { esims } = (await t.get('/esim/list?limit=100', { key })).body;
  const row = esims.find((one: OwnedEsim) => one.iccid === iccid);
  assert.deepEqual(row.capabilities, esim.capabilities);
  return esim.capabilities;
}

for (const mode of ['live', 'sandbox'] as const)
  suite(mode, () => {
    test('a new eSIM can be suspended, replaced, refilled and refunded, and a suspended one too', async () => {
      const shopper = await shopperIn(t, mode);
      const esim = await ownEsim(t, shopper);
      assert.deepEqual(await capabilities(shopper, esim), ['suspend', 'replace', 'refill', 'refund']);
      await t.post('/esim/suspend', { iccid: esim.iccid }, { key: shopper.key });
      assert.deepEqual(await capabilities(shopper, esim), ['suspend', 'replace', 'refill', 'refund']);
    });

    test('nothing can be asked for of an eSIM that was returned', async () => {
      const shopper = await shopperIn(t, mode);
      const esim = await ownEsim(t, shopper);
      await t.post('/order/refund', { order_id: String(esim.orderId) }, { key: shopper.key });
      assert.deepEqual(await capabilities(shopper, esim), []);
    });

    test('a refund that was requested, rejected or made in part is not offered again: asking answers the one on record', async () => {
      const shopper = await shopperIn(t, mode);
      const esim = await ownEsim(t, shopper);
      await run(t.operator(), `order refund ${esim.orderId} --amount 1.00 --mode ${mode}`);
      assert.deepEqual(await capabilities(shopper, esim), ['suspend', 'replace', 'refill']);
    });
  });

test('live: an expired eSIM cannot be suspended, and is refilled where its supplier sells refills', async () => {
  const shopper = await shopperIn(t, 'live');
  const esim = await ownEsim(t, shopper);
  await run(t.operator(), `usage set ${esim.iccid} --used 5 --expires-at 2020-01-01T00:00:00Z`);
  assert.deepEqual(await capabilities(shopper, esim), ['refill', 'refund']);
});

test('a plan without refills cannot be refilled', async () => {
  const shopper = await shopperIn(t, 'live');
  assert.deepEqual(await capabilities(shopper, await ownEsim(t, shopper, {}, 'tr-big')), [
    'suspend',
    'replace',
    'refund',
  ]);
});

test('sandbox: an expired eSIM can be refunded, and nothing else', async () => {
  const shopper = await shopperIn(t, 'sandbox');
  assert.deepEqual(await capabilities(shopper, await ownEsim(t, shopper, { sandbox_usage: 'expired' })), ['refund']);
});

test('an eSIM that was withdrawn without a refund can still be refunded', async () => {
  const shopper = await shopperIn(t, 'live');
  const esim = await ownEsim(t, shopper);
  await withdraw(t, 'live', esim);
  assert.deepEqual(await capabilities(shopper, esim), ['refund']);
});
