import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { PlanEntry, RawImport } from '../../../src/domains/catalog/import-format/import-format.ts';
import { openAiralo } from '../../../src/domains/supply/adapters/airalo/airalo.ts';
import { createLog } from '../../../src/platform/log.ts';
import { TestClock } from '../../support/clock.ts';
import { PATIENCE_MS } from '../../support/eventually.ts';
import { fakeAiralo } from '../../support/suppliers/fake-airalo.ts';
import { AIRALO_REFILL, airaloOperator, airaloPackage } from '../../support/suppliers/fake-airalo-packages.ts';

async function open() {
  const clock = new TestClock();
  const fake = await fakeAiralo(clock);
  const airalo = openAiralo({ ...fake.settings, url: fake.url }, { clock, log: createLog('silent') });
  return {
    fake,
    list: (signal = AbortSignal.timeout(PATIENCE_MS)) => airalo.supplier('airalo').plans(signal) as Promise<RawImport>,
    async [Symbol.asyncDispose]() {
      await airalo.close();
      await fake[Symbol.asyncDispose]();
    },
  };
}

const plan = (list: RawImport, code: string): PlanEntry => {
  const found = list.plans.map(({ entry }) => entry as PlanEntry).find((entry) => entry.code === code);
  assert.ok(found, `${code} is in the list`);
  return found;
};

/** A list of one package in the United States, with what the test is about. */
const one = (sold: Record<string, unknown>, operator: Record<string, unknown> = {}) => [
  {
    slug: 'united-states',
    country_code: 'US',
    title: 'United States',
    operators: [airaloOperator([airaloPackage('one', sold)], operator)],
  },
];

suite('airalo: the list of plans', () => {
  test('a package is a plan with its place, price, cost, network and operator', async () => {
    await using t = await open();
    const list = await t.list();
    assert.deepEqual(list.supplier, { slug: 'airalo', title: 'Airalo', kind: 'airalo' });
    assert.equal(list.full, true);
    assert.deepEqual(plan(list, 'one-gb'), {
      code: 'one-gb',
      destination: 'US',
      title: 'United States 1 GB - 7 days',
      amount: 1024,
      day: 7,
      is_unlimited: false,
      network_type: '5G',
      coverage: ['US'],
      price: '4.00',
      cost: '1.800000',
      voice: null,
      text: null,
      short_info: null,
      operator: {
        networks: ['T-Mobile'],
        title: 'Change',
        image: 'https://airalo.invalid/change.png',
        activation_policy: 'first-usage',
        plan_type: 'data',
        esim_type: 'Prepaid',
        apn_type: 'automatic',
        is_roaming: true,
        is_kyc_verify: false,
        rechargeability: true,
        apn_value: null,
        info: ['LTE Data-only eSIM.'],
        other_info: null,
        warning: null,
      },
    });
  });

  test('an operator says within how many days to install; what cannot be a number of days counts as not said', async () => {
    await using t = await open();
    for (const [said, read] of [
      [30, 30],
      ['90', 90],
      [null, undefined],
      [0, undefined],
      ['soon', undefined],
      [1e9, undefined],
    ]) {
      t.fake.state.places = one({}, { install_window_days: said });
      assert.equal(plan(await t.list(), 'one').install_window_days, read);
    }
  });

  test('a region goes by its slug, the world is global; fair use is read; codes that are not countries are dropped', async () => {
    await using t = await open();
    const list = await t.list();
    const europe = plan(list, 'eurolink-30days-unlimited');
    assert.deepEqual([europe.destination, europe.amount, europe.is_unlimited], ['europe', 0, true]);
    assert.deepEqual([europe.coverage, europe.network_type], [['FR', 'DE'], '4G']);
    assert.deepEqual([europe.price, europe.cost], ['49.50', '20.123456']);
    assert.deepEqual(
      [europe.fup_kind, europe.fup_daily_mb, europe.fup_speed_kbps, europe.fair_use_text],
      ['daily_throttle', 3072, 1000, '1 Mbps after 3 GB per day'],
    );
    const world = plan(list, 'discover-7days-1gb');
    assert.deepEqual(
      [world.destination, world.coverage],
      ['global', ['US', 'XK']],
      'covered: by its list of countries',
    );
  });

  test('destinations go by our own names and regions, so that suppliers sell to the same places', async () => {
    await using t = await open();
    const { destinations } = await t.list();
    const places = destinations.map(({ entry }) => entry as { code: string; scope: string; region?: string });
    assert.deepEqual(
      places.map(({ code, scope, region }) => [code, scope, region]),
      [
        ['europe', 'regional', undefined],
        ['north-america', 'regional', undefined],
        ['global', 'global', undefined],
        ['US', 'country', 'north-america'],
        ['FR', 'country', 'europe'],
        ['DE', 'country', 'europe'],
        ['XK', 'country', 'europe'],
      ],
    );
  });

  test('a package listed twice is one', async () => {
    await using t = await open();
    const once = await t.list();
    t.fake.state.places = [...t.fake.state.places, ...t.fake.state.places];
    assert.deepEqual(await t.list(), once);
  });

  test('a refill is a plan like others that names the packages of its operator', async () => {
    await using t = await open();
    const list = await t.list();
    const { code, title, refills, ...refill } = plan(list, AIRALO_REFILL);
    const { code: _, title: __, ...esim } = plan(list, 'one-gb');
    assert.deepEqual(refill, esim, 'priced and placed like others');
    const { packages } = t.fake.state.places[0]?.operators[0] ?? { packages: [] };
    assert.deepEqual(
      refills,
      packages.filter(({ type }) => type === 'sim').map(({ id }) => id),
    );
    const named = list.plans.map(({ entry }) => entry as PlanEntry).filter((entry) => entry.refills);
    assert.deepEqual(
      named.map((entry) => entry.code),
      [code],
    );
  });

  test('a refill sold by two operators names the packages of both', async () => {
    await using t = await open();
    const operators = ['one', 'two'].map((id) =>
      airaloOperator([airaloPackage(id), airaloPackage('refill', { type: 'topup' })]),
    );
    t.fake.state.places = [{ slug: 'united-states', country_code: 'US', title: 'United States', operators }];
    assert.deepEqual(plan(await t.list(), 'refill').refills, ['one', 'two']);
  });

  test('refills of an operator whose eSIMs cannot be refilled, or that sells none, are left out', async () => {
    await using t = await open();
    const refill = airaloPackage('refill', { type: 'topup' });
    const operators = [
      airaloOperator([airaloPackage('one'), refill], { rechargeability: false }),
      airaloOperator([refill]),
    ];
    t.fake.state.places = [{ slug: 'united-states', country_code: 'US', title: 'United States', operators }];
    const codes = (await t.list()).plans.map(({ entry }) => (entry as PlanEntry).code);
    assert.deepEqual(codes, ['one']);
  });

  test('on discount pricing the cost is the price less the discount', async () => {
    await using t = await open();
    t.fake.state.pricing = { model: 'discount_pricing', discount_percentage: 12.5 };
    t.fake.state.places = one({ price: 4.5, net_price: null, prices: {} });
    const { price, cost } = plan(await t.list(), 'one');
    assert.deepEqual([price, cost], ['4.50', '3.937500']);
  });

  test('a package without a price is imported but cannot be sold; numbers may come as text', async () => {
    await using t = await open();
    t.fake.state.places = one({ price: null, net_price: null, prices: null, amount: '2048', day: '15' });
    const { price, cost, amount, day } = plan(await t.list(), 'one');
    assert.deepEqual([price, cost, amount, day], ['0', null, 2048, 15]);
  });

  test('a package with so much data a day is a plan of all its days, at the listed price', async () => {
    await using t = await open();
    for (const amount of [1_024, 7_168]) {
      t.fake.state.places = one({ data: '1 GB/day', title: '1 GB/day - 7 days', amount });
      const { title, amount: total, day, price, cost, ...more } = plan(await t.list(), 'one');
      assert.deepEqual([title, total, day], ['United States 1 GB a day, 7 days', 7_168, 7]);
      assert.deepEqual([price, cost], ['4.00', '1.800000']);
      assert.deepEqual([more.fup_kind, more.fup_daily_mb, more.fair_use_text], ['unknown', 1_024, '1 GB a day.']);
    }
  });

  test('a package by the day whose amount is neither that of a day nor that of all is left out, with the reason', async () => {
    await using t = await open();
    t.fake.state.places[0]?.operators[0]?.packages.push(airaloPackage('odd', { data: '1 GB per day', amount: 2_048 }));
    const list = await t.list();
    const reason = "sold by the day, but its amount is neither the day's data nor that of all days";
    assert.deepEqual(list.leftOut, [{ code: 'odd', reason }]);
    assert.ok(!list.plans.some(({ entry }) => (entry as PlanEntry).code === 'odd'));
  });

  test('unreadable fair use keeps its text, with the kind unknown', async () => {
    await using t = await open();
    t.fake.state.places = one({ is_fair_usage_policy: true, fair_usage_policy: 'Fair use applies.' });
    const { fup_kind, fair_use_text, fup_daily_mb } = plan(await t.list(), 'one');
    assert.deepEqual([fup_kind, fair_use_text, fup_daily_mb], ['unknown', 'Fair use applies.', 0]);
  });

  test('comes as one answer; if it is paged all the same, every page is read, as a list or as an object', async () => {
    await using t = await open();
    const whole = await t.list();
    assert.equal(t.fake.timesCalled(/packages/), 1);
    assert.deepEqual([...(t.fake.requests.at(-1)?.query ?? [])], [['include', 'topup']]);
    t.fake.state.pageSize = 1;
    for (const pagesAsObjects of [false, true]) {
      t.fake.state.pagesAsObjects = pagesAsObjects;
      assert.deepEqual(await t.list(), whole);
    }
    assert.equal(t.fake.timesCalled(/packages/), 1 + 3 + 3);
  });

  for (const mishap of ['rate_limit', 'server_error', 'garbage', 'break'] as const)
    test(`${mishap} in the middle: fails rather than return half a list`, async () => {
      await using t = await open();
      t.fake.state.pageSize = 2;
      await t.list();
      let pages = 0;
      t.fake.meet(mishap, { test: () => ++pages === 2 } as unknown as RegExp);
      await assert.rejects(t.list());
    });

  test('an empty list is rejected, because it would take everything off sale', async () => {
    await using t = await open();
    t.fake.state.places = [];
    await assert.rejects(t.list(), { message: 'the list is empty' });
  });

  test('stops when it is aborted', async () => {
    await using t = await open();
    t.fake.meet('hang', /packages/);
    await assert.rejects(t.list(AbortSignal.timeout(100)), { message: 'given up' });
  });
});
