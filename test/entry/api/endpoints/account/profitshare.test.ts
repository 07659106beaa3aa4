import assert from 'node:assert/strict';
import test from 'node:test';
import { DAY } from '../../../../../src/platform/clock.ts';
import { testApp } from '../../../../support/program/app.ts';
import { run } from '../../../../support/program/operator.ts';
import { delivered, keepReading } from '../../../../support/sales/sales.ts';
import { revenueShare } from '../../../../support/sales/shares.ts';

test('account/profitshare', async (suite) => {
  await using t = await testApp();
  const now = t.clock.now();
  const partner = await t.partner();
  const key = await t.key(partner);
  await run(t.operator(), `partner set ${partner} --revenue-share 50`);
  // Two shares that round to zero, then three of 1.00, 2.00 and 3.00.
  for (const unusedMb of [1, 1, 1024, 2048, 3072]) {
    const costMicros = unusedMb === 1 ? 1_000n : 10_000_000n;
    const sale = await delivered(t, partner, { amountMb: 5120, costMicros, listPrice: 5000n });
    await keepReading(t, sale, { usedMb: 5120 - unusedMb, expiresAt: now - 4 * DAY });
  }
  await revenueShare(t).settle(now);
  const read = async (query: string) => {
    const { status, body } = await t.get(`/account/profitshare${query}`, { key });
    assert.equal(status, 200);
    assert.equal(body.profit_share_enabled, 1);
    assert.equal(body.currency, 'USD');
    assert.equal(body.count, body.items.length);
    return body;
  };
  const amounts = async (query: string) => (await read(query)).items.map((item: { amount: string }) => item.amount);
  const all = ['3.00', '2.00', '1.00', '0.00', '0.00'];

  await suite.test('newest first, paged by limit and start; totals are those of the whole list', async () => {
    for (const [query, expected] of [
      ['', all],
      ['?limit=2', all.slice(0, 2)],
      ['?limit=2&start=2', all.slice(2, 4)],
      ['?limit=2&start=4', []],
      ['?limit=501', all],
      ['?limit=0&start=0', all],
    ] as const) {
      const body = await read(query);
      assert.deepEqual(
        body.items.map((item: { amount: string }) => item.amount),
        expected,
      );
      assert.deepEqual([body.total_share, body.total_unused_mb], ['6.00', 6146]);
    }
  });

  await suite.test('status selects: settled, shadow, none (channel none); any other value is ignored', async () => {
    assert.deepEqual(await amounts('?status=settled'), all);
    assert.deepEqual(await amounts('?status=none'), ['0.00', '0.00']);
    assert.deepEqual(await amounts('?status=none&limit=1&start=2'), ['0.00']);
    assert.deepEqual(await amounts('?status=shadow'), []);
    for (const ignored of ['paid', 'NONE', '', 'none&status=none'])
      assert.deepEqual(await amounts(`?status=${ignored}`), all);
    assert.deepEqual((await read('?status=none')).total_unused_mb, 2);
    assert.deepEqual((await read('?status=shadow')).total_share, '0.00');
  });

  await suite.test('a partner sees its own shares only', async () => {
    const other = await t.partner();
    await run(t.operator(), `partner set ${other} --revenue-share 50`);
    const { body } = await t.get('/account/profitshare', { key: await t.key(other) });
    assert.deepEqual([body.profit_share_enabled, body.items, body.total_share], [1, [], '0.00']);
  });

  await suite.test('sandbox keys get profit_share_enabled 0, no items, total_share 0.00', async () => {
    const { status, body } = await t.get('/account/profitshare', { key: await t.key(partner, 'sandbox') });
    assert.equal(status, 200);
    const { livemode, profit_share_enabled, items, count, total_share, total_unused_mb } = body;
    assert.deepEqual([livemode, profit_share_enabled, items, count], [false, 0, [], 0]);
    assert.deepEqual([total_share, total_unused_mb], ['0.00', 0]);
  });
});
