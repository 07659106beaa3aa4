import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { PlanEntry, RawImport } from '../../../src/domains/catalog/import-format/import-format.ts';
import { openEsimAccess } from '../../../src/domains/supply/adapters/esim-access/esim-access.ts';
import { SECOND } from '../../../src/platform/clock.ts';
import { createLog } from '../../../src/platform/log.ts';
import { TestClock } from '../../support/clock.ts';
import { eventually, PATIENCE_MS } from '../../support/eventually.ts';
import { fakeEsimAccess } from '../../support/suppliers/fake-esim-access.ts';
import { ESIM_ACCESS_REFILL, esimAccessPackage } from '../../support/suppliers/fake-esim-access-packages.ts';
import { orderForSupplier } from '../../support/suppliers/order-for-supplier.ts';

async function open({ perSecond = 1_000, dayPlanDays = [] as readonly number[] } = {}) {
  const clock = new TestClock();
  const fake = await fakeEsimAccess(clock);
  const logged: string[] = [];
  const log = createLog('debug', (line) => logged.push(line));
  const esimAccess = openEsimAccess(fake.settings, { clock, log, perSecond, dayPlanDays });
  const supplier = esimAccess.supplier('esim-access');
  return {
    clock,
    fake,
    logged,
    supplier,
    list: (signal = AbortSignal.timeout(PATIENCE_MS)) => supplier.plans(signal) as Promise<RawImport>,
    async [Symbol.asyncDispose]() {
      await esimAccess.close();
      await fake[Symbol.asyncDispose]();
    },
  };
}

const plan = (list: RawImport, code: string): PlanEntry => {
  const found = list.plans.map(({ entry }) => entry as PlanEntry).find((entry) => entry.code === code);
  assert.ok(found, `${code} is in the list`);
  return found;
};

suite('esim access: the list of plans', () => {
  test('a package is a plan with its place, price, cost, network and operator', async () => {
    await using t = await open();
    const list = await t.list();
    assert.deepEqual(list.supplier, { slug: 'esim-access', title: 'eSIM Access', kind: 'esim_access' });
    assert.deepEqual(plan(list, 'one-gb'), {
      code: 'one-gb',
      destination: 'JP',
      title: 'Japan 1GB 7Days',
      amount: 1024,
      day: 7,
      network_type: '5G',
      price: '3.60',
      cost: '1.800000',
      coverage: ['JP'],
      short_info: 'Japan 1GB 7Days',
      install_window_days: 180,
      operator: { title: 'Softbank', networks: ['Softbank'], rechargeability: true },
    });
  });

  test('their region becomes ours where we have it, and otherwise keeps their name', async () => {
    await using t = await open();
    const list = await t.list();
    assert.deepEqual([plan(list, 'AF1').destination, plan(list, 'AF1').coverage], ['africa', ['EG', 'MA', 'ZA']]);
    assert.equal(plan(list, 'GL1').destination, 'global');
    assert.equal(plan(list, 'SMT1').destination, 'sgmyth-3');
    const places = list.destinations.map(({ entry }) => entry as { code: string; scope: string; title: string });
    assert.deepEqual(
      places.find(({ code }) => code === 'sgmyth-3'),
      { code: 'sgmyth-3', scope: 'regional', title: 'Singapore, Malaysia & Thailand', slug: 'sgmyth-3' },
    );
  });

  test('a country whose code begins like a region is that country', async () => {
    await using t = await open();
    t.fake.state.packages = [
      esimAccessPackage('one', { location: 'SA', locationCode: 'SA' }),
      esimAccessPackage('two', { location: 'SA,BH', locationCode: 'SA' }),
    ];
    const list = await t.list();
    assert.deepEqual([plan(list, 'one').destination, plan(list, 'two').destination], ['SA', 'SA']);
  });

  test('packages that cannot be sold are left out, with the reason', async () => {
    await using t = await open();
    t.fake.state.packages.push(
      esimAccessPackage('WEEKS', { durationUnit: 'WEEK' }),
      esimAccessPackage('OURS@7d'),
      esimAccessPackage('DAYS', { dataType: 2 }),
      esimAccessPackage('NONE', { dataType: 2, duration: 1, volume: 0 }),
    );
    const list = await t.list();
    const codes = list.plans.map(({ entry }) => (entry as PlanEntry).code);
    assert.deepEqual(codes, ['one-gb', 'AF1', 'SMT1', 'GL1', ESIM_ACCESS_REFILL, 'TOPUP_AF1']);
    assert.deepEqual(list.leftOut, [
      { code: 'EURO', reason: 'priced in EUR, not USD' },
      { code: 'WEEKS', reason: 'valid for an unknown unit of time: WEEK' },
      { code: 'OURS@7d', reason: 'its code looks like one of ours for a plan by the day' },
      {
        code: 'DAYS',
        reason: 'sold by the day, but listed for a period: what its price is for is not documented',
      },
      { code: 'NONE', reason: "sold by the day, without a figure of the day's data" },
    ]);
  });

  test('a package sold by the day is a plan for each number of days, with the data, price and cost of all days', async () => {
    await using t = await open({ dayPlanDays: [1, 7] });
    const special = { dataType: 2, duration: 1, price: 12_345, retailPrice: 24_650, fupPolicy: '384 kbps' };
    t.fake.state.packages.push(esimAccessPackage('HALF', { ...special, volume: 536_870_912 }));
    const list = await t.list();
    assert.deepEqual(plan(list, 'DAILY@7d'), {
      ...plan(list, 'one-gb'),
      code: 'DAILY@7d',
      title: 'Japan 1 GB a day, 7 days',
      amount: 7_168,
      day: 7,
      price: '25.20',
      cost: '12.600000',
      fup_kind: 'unknown',
      fup_daily_mb: 1_024,
      fup_speed_kbps: 0,
      fair_use_text: '1 GB a day.',
      operator: { title: 'Softbank', networks: ['Softbank'], rechargeability: false },
    });
    assert.deepEqual([plan(list, 'DAILY@1d').title, plan(list, 'DAILY@1d').amount], ['Japan 1 GB a day, 1 day', 1_024]);
    const half = plan(list, 'HALF@7d');
    assert.deepEqual(
      [half.title, half.amount, half.price, half.cost],
      ['Japan 512 MB a day, 7 days', 3_584, '17.26', '8.641500'],
    );
    assert.deepEqual([half.fup_kind, half.fup_daily_mb, half.fup_speed_kbps], ['daily_throttle', 512, 384]);
    assert.equal(half.fair_use_text, '512 MB a day at full speed, then 384 kbps.');
    t.fake.state.locations = [];
    assert.equal(plan(await t.list(), 'DAILY@7d').title, 'Japan 1 GB a day, 7 days', 'also without their name of it');
    const codes = list.plans.map(({ entry }) => (entry as PlanEntry).code);
    assert.ok(!codes.includes('DAILY'), 'without a number of days it cannot be ordered');
  });

  test('prices are rounded to cents once, costs are exact, fair use is read, months are days', async () => {
    await using t = await open();
    const special = {
      price: 12_345,
      retailPrice: 24_650,
      fupPolicy: '384 kbps after 1 GB per day',
      duration: 1,
      durationUnit: 'MONTH',
    };
    t.fake.state.packages = [esimAccessPackage('one', special)];
    const { price, cost, day, fup_kind, fup_daily_mb, fup_speed_kbps } = plan(await t.list(), 'one');
    assert.deepEqual([price, cost, day], ['2.47', '1.234500', 30]);
    assert.deepEqual([fup_kind, fup_daily_mb, fup_speed_kbps], ['daily_throttle', 1024, 384]);
  });

  for (const mishap of ['rate_limit', 'server_error', 'garbage', 'break'] as const)
    test(`${mishap}: fails rather than return half a list`, async () => {
      await using t = await open();
      t.fake.meet(mishap, /package/);
      await assert.rejects(t.list());
    });

  test('an empty list is rejected, because it would take everything off sale', async () => {
    await using t = await open();
    t.fake.state.packages = [];
    await assert.rejects(t.list(), { message: 'the list is empty' });
  });

  test('stops when it is aborted', async () => {
    await using t = await open();
    t.fake.meet('hang', /package/);
    await assert.rejects(t.list(AbortSignal.timeout(200)), { message: 'given up' });
  });
});

suite('esim access: the lists of refills', () => {
  const codesOf = (list: RawImport) => list.plans.map(({ entry }) => (entry as PlanEntry).code);
  /** Lists of refills that were asked for, by the package they were asked for. */
  const asked = ({ fake }: Awaited<ReturnType<typeof open>>) =>
    fake.requests
      .map(({ body }) => JSON.parse(body))
      .flatMap(({ type, packageCode }) => (type === 'TOPUP' ? packageCode : []));
  /** Spoils lists of refills from the `first` on. They come after the list of packages, from the same address. */
  const spoil = ({ fake }: Awaited<ReturnType<typeof open>>, first = 1, times = 1_000) => {
    let lists = 0;
    fake.meet('server_error', { test: (path: string) => /package/.test(path) && ++lists > first } as RegExp, times);
  };

  test('a refill is a plan like others that names the packages it can be added to', async () => {
    await using t = await open();
    const list = await t.list();
    assert.deepEqual(plan(list, ESIM_ACCESS_REFILL), {
      ...plan(list, 'one-gb'),
      code: ESIM_ACCESS_REFILL,
      title: 'Japan 2GB 10Days',
      amount: 2048,
      day: 10,
      price: '6.00',
      cost: '3.000000',
      refills: ['one-gb'],
    });
    assert.deepEqual(plan(list, 'TOPUP_AF1').refills, ['AF1']);
    assert.equal(list.keepRefills, false);
  });

  test('are asked for once for all packages of an area and its networks, and only where refills are possible', async () => {
    await using t = await open();
    const otherNetwork = { locationNetworkList: [{ operatorList: [{ operatorName: 'Docomo', networkType: '5G' }] }] };
    t.fake.state.packages = [
      esimAccessPackage('one'),
      esimAccessPackage('two', { volume: 5_368_709_120, duration: 30, price: 50_000, name: 'Japan 5GB' }),
      esimAccessPackage('three', otherNetwork),
      esimAccessPackage('fixed', { supportTopUpType: 1 }),
      esimAccessPackage('daily', { dataType: 2 }),
    ];
    assert.deepEqual(plan(await t.list(), ESIM_ACCESS_REFILL).refills, ['one', 'two', 'three']);
    assert.deepEqual(asked(t), ['one', 'three']);
  });

  test('what is listed without being a refill, sold by the day, or not known is left out', async () => {
    await using t = await open();
    t.fake.state.refills = [
      esimAccessPackage('AF1'),
      esimAccessPackage('TOPUP_daily', { dataType: 2 }),
      esimAccessPackage('TOPUP_good'),
    ];
    const list = await t.list();
    assert.deepEqual(codesOf(list).slice(4), ['TOPUP_good']);
    assert.equal(plan(list, 'AF1').refills, undefined);
  });

  test('a package that eSIM Access no longer knows has none, and the list is complete', async () => {
    await using t = await open();
    t.fake.state.refillListCode = '310241';
    const list = await t.list();
    assert.deepEqual([codesOf(list), list.keepRefills], [['one-gb', 'AF1', 'SMT1', 'GL1'], false]);
  });

  test('one that fails does not lose the packages or the other refills: the missing ones stay as they are, with a log line', async () => {
    await using t = await open();
    spoil(t, 1, 1);
    const list = await t.list();
    assert.deepEqual(codesOf(list), ['one-gb', 'AF1', 'SMT1', 'GL1', 'TOPUP_AF1']);
    assert.equal(list.keepRefills, true);
    assert.ok(t.logged.some((line) => /"level":"warn".*"lists":1.*refills could not be read/.test(line)));
  });

  test('after three failures in a row the rest is not asked for', async () => {
    await using t = await open();
    t.fake.state.packages = Array.from({ length: 9 }, (_, i) => esimAccessPackage(`p${i}`, { ipExport: `X${i}` }));
    spoil(t, 2);
    const list = await t.list();
    assert.equal(asked(t).length, 1 + 3);
    assert.deepEqual(plan(list, ESIM_ACCESS_REFILL).refills, ['p0']);
    assert.ok(t.logged.some((line) => line.includes('"lists":8')));
  });

  test('leave turns to orders', async () => {
    await using t = await open({ perSecond: 5 });
    t.fake.state.packages = Array.from({ length: 50 }, (_, i) => esimAccessPackage(`p${i}`, { ipExport: `X${i}` }));
    const stop = new AbortController();
    const listing = t.list(stop.signal);
    await eventually('lists of refills are being read', async () => asked(t).length > 0);
    const order = orderForSupplier(t.clock, { plan: 'p0' });
    assert.equal((await t.supplier.order(order, 2 * SECOND)).outcome, 'delivered');
    stop.abort();
    await assert.rejects(listing, { message: 'given up' });
    assert.ok(asked(t).length < 10);
  });

  test('stops when it is aborted', async () => {
    await using t = await open();
    let lists = 0;
    t.fake.meet('hang', { test: (path: string) => /package/.test(path) && ++lists > 1 } as RegExp);
    await assert.rejects(t.list(AbortSignal.timeout(300)), { message: 'given up' });
  });
});
