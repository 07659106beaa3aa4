import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { lockWallets, post } from '../../../../src/domains/money/ledger/transfers.ts';
import { toCents } from '../../../../src/platform/amounts/cents.ts';
import { DAY, SECOND } from '../../../../src/platform/clock.ts';
import { sql } from '../../../../src/platform/db/query/sql.ts';
import { run } from '../../../support/program/operator.ts';
import { entry, eventually, type StockedApp, stockedApp } from '../../../support/sales/catalog.ts';

/** Money that arrived in the live wallet; only `topup` counts toward the tier. */
async function money(t: StockedApp, usd: number, type: 'topup' | 'promo' = 'topup'): Promise<void> {
  await t.base.worlds.live.db.tx(async (tx) => {
    const credit = type === 'topup' ? 'cash' : 'promo';
    const debit = type === 'topup' ? 'bank_clearing' : 'promo_expense';
    await post(tx, await lockWallets(tx, [t.partner1]), [
      {
        partnerId: t.partner1,
        book: 'wallet',
        type,
        transfers: [{ debit, credit, amount: toCents(BigInt(usd) * 100n) }],
        at: new Date(t.clock.now()),
      },
    ]);
  });
}

const row = async (t: StockedApp, code: string, key = t.key1) =>
  (await t.get(`/catalog/product/${await t.alias(code)}`, { key })).body.product;
const share = async (t: StockedApp) => {
  const { pricing } = (await t.get('/account/pricing', { key: t.key1 })).body;
  return `${pricing.margin_share_pct} ${pricing.margin_share_source}`;
};
const becomes = (t: StockedApp, expected: string) => eventually(async () => assert.equal(await share(t), expected));

suite('share tiers', () => {
  test('the share rises with top-ups inside the window, and drops back when they age out without any notice', async () => {
    await using t = await stockedApp([entry({ code: 'one', price: 10, cost: 4 })]);
    t.clock.freeze();
    await becomes(t, '0 default');
    await money(t, 1_000);
    await becomes(t, '10 tier');
    t.clock.advance(60 * DAY);
    await money(t, 4_000);
    await becomes(t, '15 tier');
    assert.equal((await row(t, 'one')).partner_price, 9.1);
    t.clock.advance(30 * DAY - SECOND);
    assert.equal(await share(t), '15 tier', 'the last second of the first top-up');
    t.clock.advance(SECOND);
    assert.equal(await share(t), '10 tier', '4,000 still count');
    t.clock.advance(60 * DAY);
    assert.equal(await share(t), '0 default');
    const { partner_price, source } = await row(t, 'one');
    assert.deepEqual([partner_price, source], [10, 'none']);
  });

  test('promo money does not count', async () => {
    await using t = await stockedApp([]);
    await money(t, 5_000, 'promo');
    await becomes(t, '0 default');
  });

  test('a custom share disables tiers; without it the tier is back', async () => {
    await using t = await stockedApp([]);
    await money(t, 20_000);
    await becomes(t, '20 tier');
    await run(t.operator(), `partner set ${t.partner1} --margin-share 12.5`);
    await becomes(t, '12.5 account');
    assert.equal('tier' in (await t.get('/account/pricing', { key: t.key1 })).body.pricing, false);
    await run(t.operator(), `partner set ${t.partner1} --margin-share none`);
    await becomes(t, '20 tier');
  });

  test('a custom share of zero is account_default; without any share the source is none', async () => {
    await using t = await stockedApp([entry({ code: 'one' })]);
    assert.equal((await row(t, 'one')).source, 'none');
    await run(t.operator(), `partner set ${t.partner1} --margin-share 0`);
    await eventually(async () => assert.equal((await row(t, 'one')).source, 'account_default'));
  });

  test('tiers and window are operator settings; the cap binds a tier and a custom share', async () => {
    await using t = await stockedApp([]);
    await money(t, 100);
    await run(t.operator(), 'pricing tiers --tiers 50=30,200=40 --window-days 7');
    await becomes(t, '30 tier');
    await run(t.operator(), 'pricing cap 25');
    await becomes(t, '25 tier');
    await run(t.operator(), `partner set ${t.partner1} --margin-share 80`);
    await becomes(t, '25 account');
    await run(t.operator(), `partner set ${t.partner1} --margin-share none`);
    await run(t.operator(), 'pricing tiers --tiers none');
    await becomes(t, '0 default');
    assert.equal('tier' in (await t.get('/account/pricing', { key: t.key1 })).body.pricing, false);
  });
});

suite('rules', () => {
  test('each rule is seen by the partner it is for, in the order of the contract, and gone when removed', async () => {
    await using t = await stockedApp([entry({ code: 'one', price: 10, cost: 4 })]);
    const operator = t.operator();
    const sees = (price: number, source: string) =>
      eventually(async () => {
        const product = await row(t, 'one');
        assert.deepEqual([product.partner_price, product.source], [price, source]);
      });
    const rules = [
      await run(operator, 'pricing rule add --scope region --target Europe --share 10'),
      await run(operator, `pricing rule add --scope country --target tr --share 20 --partner ${t.partner1}`),
      await run(operator, 'pricing rule add --scope provider --target aurora --share 30'),
      await run(operator, `pricing rule add --scope product --target ${await t.alias('one')} --price 7.77`),
    ];
    await sees(7.77, 'product');
    assert.equal((await t.get('/account/pricing', { key: t.key1 })).body.pricing.active_rule_count, 4);
    const stranger = await t.key(await t.partner());
    assert.equal((await t.get('/account/pricing', { key: stranger })).body.pricing.active_rule_count, 3);
    const steps = [
      [8.2, 'provider'],
      [8.8, 'country'],
      [9.4, 'region'],
      [10, 'none'],
    ] as const;
    for (const [price, source] of steps) {
      await run(operator, `pricing rule remove ${rules.pop().rule_id}`);
      await sees(price, source);
    }
  });

  test('discount and share of a row: list minus partner price, and its part of the margin', async () => {
    await using t = await stockedApp([
      entry({ code: 'one', price: 9.99, cost: 4 }),
      entry({ code: 'two', cost: null }),
    ]);
    await run(t.operator(), 'pricing rule add --scope provider --target aurora --share 33');
    await eventually(async () => {
      const one = await row(t, 'one');
      assert.deepEqual(
        [one.price, one.partner_price, one.partner_discount, one.partner_margin_share_pct, one.source],
        [9.99, 8.01, '1.98', '33.06', 'provider'],
      );
    });
    const two = await row(t, 'two');
    assert.deepEqual([two.partner_price, two.partner_discount, two.partner_margin_share_pct], [10, '0.00', '0.00']);
  });

  test('min_price and max_price compare what the caller pays; sort=price stays by list price', async () => {
    await using t = await stockedApp([
      entry({ title: 'fixed', code: 'a', day: 1, price: 10, cost: 1 }),
      entry({ title: 'list', day: 2, price: 9, cost: 1 }),
    ]);
    await run(t.operator(), `pricing rule add --scope product --target ${await t.alias('a')} --price 5`);
    const titles = async (query: string) =>
      (await t.get(`/catalog/products?country=TR&${query}`, { key: t.key1 })).body.products.map(
        (product: { title: string }) => product.title,
      );
    await eventually(async () => assert.deepEqual(await titles('max_price=8'), ['fixed']));
    assert.deepEqual(await titles('min_price=8'), ['list']);
    assert.deepEqual(await titles('min_price=5&max_price=5'), ['fixed']);
    assert.deepEqual(await titles('sort=price'), ['list', 'fixed']);
  });

  test('a sandbox key gets the prices of the live one', async () => {
    await using t = await stockedApp([entry({ code: 'one', price: 10, cost: 4 })]);
    await run(t.operator(), `partner set ${t.partner1} --margin-share 50`);
    const sandbox = await t.key(t.partner1, 'sandbox');
    await eventually(async () => assert.equal((await row(t, 'one', sandbox)).partner_price, 7));
    assert.deepEqual(await row(t, 'one'), await row(t, 'one', sandbox));
    const live = await t.get('/account/pricing', { key: t.key1 });
    assert.deepEqual((await t.get('/account/pricing', { key: sandbox })).body, { ...live.body, livemode: false });
  });

  test('a rule added while the notification connection is down is not missed', async () => {
    await using t = await stockedApp([entry({ code: 'one', price: 10, cost: 4 })]);
    const { db } = t.base;
    assert.equal((await row(t, 'one')).source, 'none');
    // Without the trigger there is no notification: only reading again can reveal the rule.
    await db.run(sql`alter table pricing_rules disable trigger user`);
    await db.run(sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = 'wayfare listen' and datname = current_database()`);
    await run(t.operator(), 'pricing rule add --scope provider --target aurora --share 50');
    await eventually(async () => assert.equal((await row(t, 'one')).source, 'provider'));
  });
});
