import assert from 'node:assert/strict';
import { test } from 'node:test';
import { run } from '../../../../support/program/operator.ts';
import { entry, eventually, type StockedApp, stockedApp } from '../../../../support/sales/catalog.ts';

const read = async (t: StockedApp) => (await t.get('/account/pricing', { key: t.key1 })).body.pricing;

test('account/pricing: a new partner, with the way to the first tier', async () => {
  await using t = await stockedApp([entry(), entry()]);
  assert.deepEqual(await read(t), {
    margin_share_pct: 0,
    margin_share_source: 'default',
    tier: { window_days: 90, topup_usd: 0, current_pct: 0, next_min_usd: 1000, next_pct: 10 },
    total_share_cap_pct: 60,
    active_rule_count: 0,
    average_discount_pct: 0,
    is_average: true,
    sample_size: 2,
    sample_scope: 'catalog',
    currency: 'USD',
  });
});

test('next_min_usd and next_pct are null on the highest tier', async () => {
  await using t = await stockedApp([]);
  await run(t.operator(), 'pricing tiers --tiers 0=5 --window-days 30');
  await eventually(async () =>
    assert.deepEqual((await read(t)).tier, {
      window_days: 30,
      topup_usd: 0,
      current_pct: 5,
      next_min_usd: null,
      next_pct: null,
    }),
  );
});

test('average_discount_pct: null when nothing can be measured, else what the catalog shows on average', async () => {
  await using empty = await stockedApp([entry({ cost: null })]);
  const { average_discount_pct, is_average, sample_size } = await read(empty);
  assert.deepEqual([average_discount_pct, is_average, sample_size], [null, false, 0]);

  // A tenth of the margin: 5 % of one price, 2 % of the other, and one whose cost is unknown.
  await using t = await stockedApp([
    entry({ price: 10, cost: 5 }),
    entry({ price: 10, cost: 8 }),
    entry({ price: 10, cost: null }),
  ]);
  await run(t.operator(), `partner set ${t.partner1} --margin-share 10`);
  await eventually(async () => {
    const measured = await read(t);
    assert.deepEqual([measured.average_discount_pct, measured.sample_size], [3.5, 2]);
  });
});

test('the average follows the catalog', async () => {
  await using t = await stockedApp([entry({ code: 'one', price: 10, cost: 5 })]);
  await run(t.operator(), `partner set ${t.partner1} --margin-share 10`);
  await eventually(async () => assert.equal((await read(t)).average_discount_pct, 5));
  await run(t.operator(), `catalog product set ${await t.alias('one')} --cost 0`);
  await eventually(async () => assert.equal((await read(t)).average_discount_pct, 10));
});
