import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { run } from '../../../support/program/operator.ts';
import { ownEsim, refill, refillShop, shopperIn } from '../../../support/sales/refills.ts';

const t = await refillShop();
after(() => t[Symbol.asyncDispose]());

test('a refill that is paid for and still on its way leaves the replacement of its eSIM to the operator', async () => {
  const shopper = await shopperIn(t, 'sandbox');
  await run(t.operator(), `partner set ${shopper.partnerId} --replacements 100.00`);
  const esim = await ownEsim(t, shopper);
  assert.equal((await refill(t, shopper, esim, 'more', { sandbox_scenario: 'deferred' })).body.delivery, 'deferred');
  const wanted = { iccid: esim.iccid, idempotency_key: 'with-a-refill' };
  const { body } = await t.post('/esim/replace', wanted, { key: shopper.key });
  assert.equal(body.replacement.status, 'requested');
});

test('no refill is offered for an eSIM that was replaced', async () => {
  const shopper = await shopperIn(t, 'sandbox');
  const { key } = shopper;
  await run(t.operator(), `partner set ${shopper.partnerId} --replacements 100.00`);
  const esim = await ownEsim(t, shopper, { sandbox_usage: 'active' });
  const offered = async () => (await t.get(`/esim/refills/${esim.iccid}`, { key })).body;
  await t.post('/sandbox/profile', { iccid: esim.iccid, state: 'deleted' }, { key });
  const before = await offered();
  await t.post('/esim/replace', { iccid: esim.iccid, idempotency_key: 'no-more' }, { key });
  const { capabilities } = (await t.get(`/esim/detail/${esim.iccid}`, { key })).body.esim;
  assert.ok(!capabilities.includes('refill'), JSON.stringify(before));
  assert.equal((await refill(t, shopper, esim)).body.error, 'invalid_refill');
});
