import assert from 'node:assert/strict';
import test from 'node:test';
import { DAY, timestamp } from '../../../../src/platform/clock.ts';
import { sql } from '../../../../src/platform/db/query/sql.ts';
import { type TestApp, testApp } from '../../../support/program/app.ts';
import { run } from '../../../support/program/operator.ts';
import { paidOrder, testPlan } from '../../../support/sales/paid-order.ts';

/** Buys one eSIM of 4.00 cost and 1024 MB from the simulated supplier and lets it be delivered. */
async function buy(t: TestApp, partnerId: number): Promise<string> {
  const order = await paidOrder(t, { partnerId, plan: await testPlan(t) });
  await t.base.worlds.live.provisioning.provision(order);
  const { iccid } = await t.base.worlds.live.db.one<{ iccid: string }>(sql`
    select iccid from orders where id = ${order.id} and status = 1`);
  return iccid;
}

test('revenue share, from the sale to the wallet', async (suite) => {
  await using t = await testApp();
  const partner = await t.partner();
  const key = await t.key(partner);
  await run(t.operator(), `partner set ${partner} --revenue-share 50`);
  const settle = (now?: number) =>
    run(t.operator(), now === undefined ? ['settle'] : ['settle', '--now', timestamp(now)]);
  const usage = (iccid: string, usedMb: number, expiresAt: number) =>
    run(t.operator(), ['usage', 'set', iccid, '--used', `${usedMb}`, '--expires-at', timestamp(expiresAt)]);
  const items = async () => (await t.get('/account/profitshare', { key })).body.items;

  await suite.test('settle takes the last reading from the supplier itself; it need not be read before', async () => {
    const iccid = await buy(t, partner);
    const expiresAt = t.clock.now() + 7 * DAY;
    await usage(iccid, 256, expiresAt);
    assert.deepEqual(await settle(), { looked: 1, shares: 0, settled: 0 });
    assert.equal((await settle(expiresAt + 3 * DAY - 1000)).settled, 0);
    assert.deepEqual(await settle(expiresAt + 3 * DAY + 1000), { looked: 1, shares: 1, settled: 1 });
    const [item] = await items();
    assert.deepEqual([item.iccid, item.used_mb, item.unused_cost, item.amount], [iccid, 256, '3.000000', '1.50']);
  });

  await suite.test('a skipped sale is settled as soon as the supplier says something new', async () => {
    const iccid = await buy(t, partner);
    const expiresAt = t.clock.now() - 4 * DAY;
    await usage(iccid, 1024, expiresAt);
    assert.deepEqual(await settle(), { looked: 1, shares: 0, settled: 0 });
    assert.equal((await settle()).looked, 0);
    await usage(iccid, 512, expiresAt);
    assert.deepEqual(await settle(), { looked: 1, shares: 1, settled: 1 });
    assert.equal((await items())[0].amount, '1.00');
    await usage(iccid, 0, expiresAt);
    assert.deepEqual(await settle(), { looked: 0, shares: 0, settled: 0 }, 'a sale yields at most one share');
  });

  await suite.test('the job does by itself what settle does', async () => {
    const before = (await items()).length;
    await usage(await buy(t, partner), 100, t.clock.now() - 4 * DAY);
    await t.work();
    const { body } = await t.get('/account/profitshare?status=settled', { key });
    assert.equal(body.count, before + 1);
  });

  await suite.test('settle is on record', async () => {
    const { after } = await t.base.db.one<{ after: object }>(sql`
      select after from audit_log where what = 'settle' order by id limit 1`);
    assert.deepEqual(after, { looked: 1, shares: 0, settled: 0 });
  });
});
