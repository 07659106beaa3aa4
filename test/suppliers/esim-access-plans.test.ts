import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { PlanEntry, RawImport } from '../../src/catalog/catalog.ts';
import { createLog } from '../../src/log.ts';
import { openEsimAccess } from '../../src/suppliers/esim-access.ts';
import { TestClock } from '../support/clock.ts';
import { esimAccessPackage, fakeEsimAccess } from '../support/fake-esim-access.ts';

async function open() {
  const clock = new TestClock();
  const fake = await fakeEsimAccess(clock);
  const logged: string[] = [];
  const log = createLog('debug', (line) => logged.push(line));
  const esimAccess = openEsimAccess(fake.settings, { clock, log });
  return {
    fake,
    logged,
    list: (signal = AbortSignal.timeout(10_000)) =>
      esimAccess.supplier('esim-access').plans(signal) as Promise<RawImport>,
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
      operator: { title: 'Softbank', rechargeability: true },
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

  test('packages sold by the day or not in dollars are left out, with a log line', async () => {
    await using t = await open();
    const codes = (await t.list()).plans.map(({ entry }) => (entry as PlanEntry).code);
    assert.deepEqual(codes, ['one-gb', 'AF1', 'SMT1', 'GL1']);
    assert.ok(t.logged.some((line) => line.includes('"packages":2') && line.includes('left out')));
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
