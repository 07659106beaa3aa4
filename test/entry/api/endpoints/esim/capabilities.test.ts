import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { run } from '../../../../support/program/operator.ts';
import { batchOf, entry, stockedApp } from '../../../../support/sales/catalog.ts';
import { ownEsim, shopperIn } from '../../../../support/sales/refills.ts';

const t = await stockedApp([batchOf([entry({ code: 'tr-1', title: 'Türkiye 1 GB', cost: '1.000000' })])]);
after(() => t[Symbol.asyncDispose]());

const shopper = await shopperIn(t, 'sandbox');
const { key } = shopper;
await run(t.operator(), `partner set ${shopper.partnerId} --replacements 100.00`);

/** As the list and the detail agree on it. */
async function capabilitiesOf(iccid: string): Promise<string[]> {
  const { capabilities } = (await t.get(`/esim/detail/${iccid}`, { key })).body.esim;
  const { esims } = (await t.get('/esim/list?limit=100', { key })).body;
  assert.deepEqual(esims.find((one: { iccid: string }) => one.iccid === iccid).capabilities, capabilities);
  return capabilities;
}
const post = async (path: string, fields: Record<string, string>) => {
  const { status, body } = await t.post(path, fields, { key });
  assert.equal(status, 200, JSON.stringify(body));
  return body;
};

test('an eSIM that was never used can be replaced, and one that is in use cannot', async () => {
  const { iccid } = await ownEsim(t, shopper);
  assert.deepEqual(await capabilitiesOf(iccid), ['suspend', 'replace', 'refund']);
  const used = await ownEsim(t, shopper, { sandbox_usage: 'active' });
  assert.deepEqual(await capabilitiesOf(used.iccid), ['suspend', 'refund']);
});

test('an eSIM in use that was deleted from its phone can be replaced, unless it has expired', async () => {
  for (const [sandbox_usage, expected] of [
    ['active', ['suspend', 'replace', 'refund']],
    ['expired', ['refund']],
  ] as const) {
    const { iccid } = await ownEsim(t, shopper, { sandbox_usage });
    await post('/sandbox/profile', { iccid, state: 'deleted' });
    assert.deepEqual(await capabilitiesOf(iccid), expected);
  }
});

test('an eSIM that was replaced or refunded cannot be replaced', async () => {
  const old = await ownEsim(t, shopper);
  const { replacement } = await post('/esim/replace', { iccid: old.iccid, idempotency_key: 'capability' });
  assert.equal(replacement.status, 'replaced');
  assert.ok(!(await capabilitiesOf(old.iccid)).includes('replace'));
  const refunded = await ownEsim(t, shopper);
  await post('/order/refund', { order_id: String(refunded.orderId) });
  assert.deepEqual(await capabilitiesOf(refunded.iccid), []);
});
