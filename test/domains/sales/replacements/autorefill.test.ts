import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from '../../../../src/platform/db/query/sql.ts';
import { eventually } from '../../../support/eventually.ts';
import { run } from '../../../support/program/operator.ts';
import { type OwnedEsim, ownEsim, refillShop, type Shopper, shopperIn } from '../../../support/sales/refills.ts';
import { bodies, subscribePaused } from '../../../support/servers/queued-events.ts';

const t = await refillShop();
after(() => t[Symbol.asyncDispose]());
const { live, sandbox } = t.base.worlds;

async function buyer(mode: 'live' | 'sandbox'): Promise<Shopper> {
  const shopper = await shopperIn(t, mode);
  await run(t.operator(), `partner set ${shopper.partnerId} --replacements 100.00`);
  return shopper;
}

let ruleFields: Record<string, string>;
before(async () => {
  ruleFields = { product_id: await t.alias('some'), at_percent: '80', times: '3', max_price: '4.50' };
});
const setRule = async ({ key }: Shopper, { iccid }: Pick<OwnedEsim, 'iccid'>) =>
  (await t.post('/esim/autorefill', { iccid, ...ruleFields }, { key })).body.autorefill;
const replace = async ({ key }: Shopper, { iccid }: OwnedEsim) =>
  (await t.post('/esim/replace', { iccid, idempotency_key: `for ${iccid}` }, { key })).body.replacement;
const ruleOf = async ({ key }: Shopper, { iccid }: Pick<OwnedEsim, 'iccid'>) =>
  (await t.get(`/esim/detail/${iccid}`, { key })).body.autorefill;
const checked = ({ iccid }: Pick<OwnedEsim, 'iccid'>) =>
  eventually('whether the refill fits is known', async () => {
    await t.work();
    const row = await live.db.one<{ isDue: boolean }>(sql`
      select due_at is not null as "isDue" from autorefills where iccid = ${iccid}`);
    return !row.isDue;
  });

test('a new eSIM takes the rule of the old one over, with what it has done, and buys by it under keys of its own', async () => {
  const shopper = await buyer('live');
  const old = await ownEsim(t, shopper);
  const rule = await setRule(shopper, old);
  const { iccid } = await replace(shopper, old);
  await checked({ iccid });
  assert.deepEqual(await ruleOf(shopper, { iccid }), rule);
  assert.equal(await ruleOf(shopper, old), null);
  await run(t.operator(), `usage set ${iccid} --used 1000 --total 1024`);
  await eventually('it buys', async () => (await ruleOf(shopper, { iccid })).done === 1);
  const keys = await live.db.query<{ key: string }>(sql`
    select idempotency_key as key from orders where partner_id = ${shopper.partnerId} and refill_of is not null`);
  assert.deepEqual(keys, [{ key: `autorefill:${iccid}:1` }]);
});

test('a rule whose refill does not fit the new eSIM stops at once, and says so', async () => {
  const shopper = await buyer('live');
  await subscribePaused(t, shopper.partnerId, 'live', 'esim.autorefill_stopped');
  const old = await ownEsim(t, shopper);
  await setRule(shopper, old);
  await t.base.db.run(sql`update plans set refills = '["tr-big"]' where supplier_plan = 'some'`);
  try {
    const { iccid } = await replace(shopper, old);
    await checked({ iccid });
    assert.equal((await ruleOf(shopper, { iccid })).stopped, 'product');
    const told = await bodies(t, shopper.partnerId, 'live');
    assert.deepEqual(
      told.map(({ iccid, stopped }) => [iccid, stopped]),
      [[iccid, 'product']],
    );
  } finally {
    await t.base.db.run(sql`update plans set refills = '["tr-1"]' where supplier_plan = 'some'`);
  }
});

test('while the new eSIM is on its way nothing is bought for the old one; then the new one has the rule', async () => {
  const shopper = await buyer('sandbox');
  const { key } = shopper;
  const deferred = { product_id: await t.alias('tr-1'), sandbox_scenario: 'deferred', sandbox_usage: 'depleted' };
  const { order_id: orderId } = (await t.post('/purchase/buy', deferred, { key })).body;
  await t.post('/sandbox/clock', { advance: '61' }, { key });
  const old = { orderId, iccid: (await t.get(`/order/detail/${orderId}`, { key })).body.esim.iccid };
  await t.post('/sandbox/profile', { iccid: old.iccid, state: 'deleted' }, { key });
  assert.equal((await replace(shopper, old)).status, 'pending');
  await sandbox.db.run(sql`
    insert into autorefills (partner_id, iccid, order_id, product_id, at_percent, times, max_price, crossed_mb, due_at, set_at)
    values (${shopper.partnerId}, ${old.iccid}, ${orderId}, ${ruleFields.product_id}, 80, 3, 450, 1024, now(), now())`);
  await t.work();
  assert.deepEqual([(await ruleOf(shopper, old)).done, (await ruleOf(shopper, old)).stopped], [0, null]);
  await t.post('/sandbox/clock', { advance: '61' }, { key });
  const { iccid } = await replace(shopper, old);
  assert.equal((await ruleOf(shopper, { iccid })).times, 3);
  assert.equal(await ruleOf(shopper, old), null);
});
