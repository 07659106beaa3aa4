import assert from 'node:assert/strict';
import test from 'node:test';
import { DAY, HOUR } from '../../../../src/platform/clock.ts';
import { sql } from '../../../../src/platform/db/query/sql.ts';
import { type TestApp, testApp } from '../../../support/program/app.ts';
import { run } from '../../../support/program/operator.ts';
import { charge, delivered, keepReading, posted, type SaleOptions, type Sold } from '../../../support/sales/sales.ts';
import { drift, revenueShare } from '../../../support/sales/shares.ts';

const NOW = Date.UTC(2026, 5, 1);
const EXPIRED = NOW - 10 * DAY;

interface Partner {
  readonly id: number;
  readonly key: string;
}

async function partnerAt(t: TestApp, pct: string, billing: 'prepaid' | 'postpaid' = 'prepaid'): Promise<Partner> {
  const id = await t.partner({ billing });
  await run(t.operator(), `partner set ${id} --revenue-share ${pct}`);
  return { id, key: await t.key(id) };
}

/** A sale of 8.00 cost with 5120 MB of which 1280 were used when it expired: 6.00 of unused cost. */
async function expired(t: TestApp, partner: Partner, options: SaleOptions = {}, usedMb = 1280): Promise<Sold> {
  const sale = await delivered(t, partner.id, { deliveredAt: NOW - 40 * DAY, ...options });
  await keepReading(t, sale, { usedMb, expiresAt: EXPIRED });
  return sale;
}

const itemsOf = async (t: TestApp, { key }: Partner) => (await t.get('/account/profitshare', { key })).body.items;

test('settlement of revenue share', async (suite) => {
  await using t = await testApp();
  t.clock.freeze(NOW);
  const operator = t.operator();
  const { settle } = revenueShare(t);

  await suite.test('prepaid: the whole share to the wallet, as a credit of type profit_share', async () => {
    const partner = await partnerAt(t, '50');
    const sale = await expired(t, partner);
    assert.deepEqual(await settle(NOW), { looked: 1, accrued: 1, settled: 1 });
    const { body } = await t.get('/account/profitshare', { key: partner.key });
    const { id, ...item } = body.items[0];
    assert.ok(Number.isInteger(id));
    assert.deepEqual(item, {
      sale_id: Number(sale.orderId),
      order_id: Number(sale.orderId),
      iccid: sale.iccid,
      product_title: 'France 5 GB',
      plan_mb: 5120,
      used_mb: 1280,
      unused_mb: 3840,
      unit_cost: '0.001563',
      unused_cost: '6.000000',
      share_pct: '50.00',
      amount: '3.00',
      channel: 'wallet',
      settle_debt: '0.00',
      settle_wallet: '3.00',
      status: 'settled',
      capped: 0,
      date: '2026-06-01 00:00:00',
      settled_at: '2026-06-01 00:00:00',
    });
    const history = await t.get('/account/history', { key: partner.key });
    const [line] = history.body.ledger;
    assert.deepEqual([line.type, line.amount, line.order_id], ['profit_share', 3, Number(sale.orderId)]);
    assert.equal(history.body.balance, 3);
  });

  await suite.test('postpaid: debt first, share by share; debt, split, then wallet', async () => {
    const partner = await partnerAt(t, '50', 'postpaid');
    const sales = [await expired(t, partner), await expired(t, partner), await expired(t, partner)];
    await posted(t, partner.id, [charge(400n, sales[0]?.orderId ?? 0n)]);
    await settle(NOW);
    const shares = (await itemsOf(t, partner)).map(
      ({ channel, settle_debt, settle_wallet }: Record<string, string>) => [channel, settle_debt, settle_wallet],
    );
    assert.deepEqual(shares, [
      ['wallet', '0.00', '3.00'],
      ['split', '1.00', '2.00'],
      ['debt', '3.00', '0.00'],
    ]);
    const { body } = await t.get('/account/statement?type=profit_share', { key: partner.key });
    assert.deepEqual(
      body.ledger.map(({ amount, balance_after }: Record<string, string>) => [amount, balance_after]),
      [
        ['-1.00', '0.00'],
        ['-3.00', '1.00'],
      ],
    );
    assert.deepEqual(
      [body.outstanding, (await t.get('/account/balance', { key: partner.key })).body.balance],
      ['0.00', 5],
    );
  });

  await suite.test('a share that rounds to zero is settled with channel none and moves nothing', async () => {
    const partner = await partnerAt(t, '0.01');
    await expired(t, partner);
    await settle(NOW);
    const [item] = await itemsOf(t, partner);
    assert.deepEqual([item.status, item.channel, item.amount, item.capped], ['settled', 'none', '0.00', 0]);
    assert.deepEqual((await t.get('/account/history', { key: partner.key })).body.ledger, []);
  });

  await suite.test('the cap clips the share, not the discount: capped 1, share_pct stays the agreed rate', async () => {
    const partner = await partnerAt(t, '50');
    // Margin 12.00, 60 % of it 7.20, of which the discount took 5.00.
    await expired(t, partner, { salePrice: 1500n });
    await settle(NOW);
    const [item] = await itemsOf(t, partner);
    assert.deepEqual([item.amount, item.capped, item.share_pct], ['2.20', 1, '50.00']);
  });

  await suite.test('only after expires_at and the whole grace window, which is an operator setting', async () => {
    const partner = await partnerAt(t, '50');
    await expired(t, partner);
    assert.equal((await settle(EXPIRED + 3 * DAY - 1000)).settled, 0);
    await run(operator, 'revenue-share set --grace-days 5');
    assert.equal((await settle(EXPIRED + 3 * DAY)).settled, 0);
    assert.equal((await settle(EXPIRED + 5 * DAY)).settled, 1);
    assert.deepEqual(await run(operator, 'revenue-share set --grace-days 3'), { grace_days: 3 });
  });

  await suite.test('plan_mb is the total the provider reported, else the catalog amount', async () => {
    const partner = await partnerAt(t, '50');
    const sale = await expired(t, partner);
    await keepReading(t, sale, { usedMb: 1280, totalMb: 2560, expiresAt: EXPIRED });
    await settle(NOW);
    const [item] = await itemsOf(t, partner);
    assert.deepEqual([item.plan_mb, item.unused_mb, item.unit_cost, item.amount], [2560, 1280, '0.003125', '2.00']);
  });

  await suite.test('the rate is frozen at calculation; a later rate rewrites nothing', async () => {
    const partner = await partnerAt(t, '50');
    await expired(t, partner);
    await settle(NOW);
    await run(operator, `partner set ${partner.id} --revenue-share 10`);
    await expired(t, partner);
    await settle(NOW);
    const items = await itemsOf(t, partner);
    assert.deepEqual(
      items.map((item: Record<string, string>) => [item.share_pct, item.amount]),
      [
        ['10.00', '0.60'],
        ['50.00', '3.00'],
      ],
    );
  });

  const skipped: [string, SaleOptions, number?][] = [
    ['an unlimited plan', { isUnlimited: true, amountMb: 0 }],
    ['an unknown plan size', { amountMb: 0 }],
    ['no wholesale cost', { costMicros: 0n }],
    ['everything used', {}, 5120],
    ['more used than bought', {}, 6000],
  ];
  for (const [why, options, usedMb] of skipped) {
    await suite.test(`${why}: skipped without a row`, async () => {
      const partner = await partnerAt(t, '50');
      await expired(t, partner, options, usedMb);
      assert.deepEqual([(await settle(NOW)).settled, await itemsOf(t, partner)], [0, []]);
    });
  }

  await suite.test(
    'a sale without a reading is skipped, stays a candidate, and is settled once there is one',
    async () => {
      const partner = await partnerAt(t, '50');
      const sale = await delivered(t, partner.id, { deliveredAt: NOW - 40 * DAY });
      assert.equal((await settle(NOW)).settled, 0);
      assert.deepEqual(await settle(NOW + HOUR), { looked: 0, accrued: 0, settled: 0 }, 'not asked again at once');
      await keepReading(t, sale, { usedMb: 1280, expiresAt: EXPIRED });
      assert.equal((await settle(NOW + 20 * DAY)).settled, 1);
    },
  );

  await suite.test('a whole refund leaves no sale to share in; a part does', async () => {
    const partner = await partnerAt(t, '50', 'postpaid');
    for (const amount of ['20', '19.99']) {
      const sale = await expired(t, partner);
      await posted(t, partner.id, [charge(2000n, sale.orderId)]);
      await run(operator, `order refund ${sale.orderId} --amount ${amount}`);
    }
    assert.equal((await settle(NOW)).settled, 1);
  });

  await suite.test('an ICCID that was sold again gives no share to its first sale', async () => {
    const partner = await partnerAt(t, '50');
    const [first, second] = [await expired(t, partner), await expired(t, partner)];
    await t.base.db.run(sql`update live.orders set iccid = ${second.iccid} where id = ${first.orderId}`);
    await settle(NOW);
    const items = await itemsOf(t, partner);
    assert.deepEqual(
      items.map((item: { order_id: number }) => item.order_id),
      [Number(second.orderId)],
    );
  });

  await suite.test(
    'the last reading is taken from the supplier; when it is silent, the one that is kept counts',
    async () => {
      const partner = await partnerAt(t, '50');
      const [fresh, kept] = [await expired(t, partner), await expired(t, partner)];
      const answers = { totalMb: null, usedMb: 2560, expiresAt: new Date(EXPIRED), fetchedAt: new Date(NOW) };
      await revenueShare(
        t,
        async () =>
          new Map([
            [fresh.orderId, answers],
            [kept.orderId, undefined],
          ]),
      ).pass(NOW);
      const items = await itemsOf(t, partner);
      assert.deepEqual(
        items.map((item: Record<string, number>) => [item.order_id, item.used_mb]),
        [
          [Number(kept.orderId), 1280],
          [Number(fresh.orderId), 2560],
        ],
      );
    },
  );

  await suite.test(
    'revenue share switched off: 200 with profit_share_enabled 0 and nothing else; on again, all is back',
    async () => {
      const partner = await partnerAt(t, '50');
      await expired(t, partner);
      await settle(NOW);
      await expired(t, partner);
      await run(operator, `partner set ${partner.id} --revenue-share off`);
      assert.equal((await settle(NOW)).looked, 0);
      const { status, body } = await t.get('/account/profitshare', { key: partner.key });
      assert.equal(status, 200);
      const { profit_share_enabled, items, count, total_share, total_unused_mb, currency } = body;
      assert.deepEqual(
        { profit_share_enabled, items, count, total_share, total_unused_mb, currency },
        { profit_share_enabled: 0, items: [], count: 0, total_share: '0.00', total_unused_mb: 0, currency: 'USD' },
      );
      await run(operator, `partner set ${partner.id} --revenue-share 50`);
      assert.equal((await settle(NOW)).settled, 1);
      assert.equal((await itemsOf(t, partner)).length, 2);
    },
  );

  assert.deepEqual(await drift(t.base.worlds.live.db), []);
});
