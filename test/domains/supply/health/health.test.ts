import assert from 'node:assert/strict';
import { test } from 'node:test';
import { balancesJob } from '../../../../src/domains/supply/supply.ts';
import { MINUTE } from '../../../../src/platform/clock.ts';
import { databaseFigures } from '../../../../src/platform/measure/database-figures.ts';
import { TestClock } from '../../../support/clock.ts';
import { testApp } from '../../../support/program/app.ts';
import { run } from '../../../support/program/operator.ts';
import { testPlan } from '../../../support/sales/paid-order.ts';
import { fakeAiralo } from '../../../support/suppliers/fake-airalo.ts';
import { fakeEsimAccess } from '../../../support/suppliers/fake-esim-access.ts';

async function open(role: 'api' | 'worker') {
  const clock = new TestClock();
  const [airalo, esimAccess] = await Promise.all([fakeAiralo(clock), fakeEsimAccess(clock)]);
  const config = { airalo: { ...airalo.settings, url: airalo.url }, esimAccess: esimAccess.settings };
  const t = await testApp({ role, clock, config });
  const { worlds, supplierKinds } = t.base;
  return {
    ...t,
    airalo,
    esimAccess,
    worker: () => balancesJob({ ...t.base, suppliers: worlds.live.suppliers, kinds: supplierKinds }),
    async balances(): Promise<Record<string, string | null>> {
      const listed = await run(t.operator(), 'supplier list');
      return Object.fromEntries(listed.map((one: Record<string, string | null>) => [one.supplier, one.balance]));
    },
    async [Symbol.asyncDispose]() {
      await t[Symbol.asyncDispose]();
      await Promise.all([airalo[Symbol.asyncDispose](), esimAccess[Symbol.asyncDispose]()]);
    },
  };
}

const going = new AbortController().signal;
const ASKED = /balance/;

test('balances are read every five minutes at most, however many workers run, and printed as gauges', async () => {
  await using t = await open('api');
  await testPlan(t);
  for (const slug of ['airalo', 'esim-access']) await run(t.operator(), `catalog import ${slug}`);
  await Promise.all([t.worker().run(going), t.worker().run(going)]);
  assert.deepEqual(await t.balances(), { airalo: '1234.560000', 'esim-access': '10.000000', aurora: null });
  assert.deepEqual([t.airalo.timesCalled(ASKED), t.esimAccess.timesCalled(ASKED)], [1, 1]);

  t.airalo.state.balance = '-3.5';
  t.clock.advance(4 * MINUTE);
  await t.worker().run(going);
  assert.equal((await t.balances()).airalo, '1234.560000');
  t.clock.advance(MINUTE);
  await t.worker().run(going);
  assert.equal((await t.balances()).airalo, '-3.500000');

  t.clock.freeze(t.clock.now());
  const figures = await databaseFigures(t.base.db, t.clock, 30)();
  const value = (gauge: string, of: string) => figures.find((one) => one.gauge === gauge && one.of === of)?.value;
  assert.deepEqual(
    ['airalo', 'esim-access', 'aurora'].map((slug) => value('supplier_balance_usd', slug)),
    [-3.5, 10, undefined],
  );
  assert.ok((value('supplier_balance_age_seconds', 'airalo') ?? Number.NaN) < 60);
  assert.match(await t.base.metrics.print(), /^wayfare_supplier_balance_usd\{supplier="airalo"\} -3\.5$/m);
});

test('a balance that cannot be read keeps its last figure and is reported; an account without one has none', async () => {
  await using t = await open('api');
  for (const slug of ['airalo', 'esim-access']) await run(t.operator(), `catalog import ${slug}`);
  t.airalo.state.balance = undefined;
  await t.worker().run(going);
  assert.deepEqual(await t.balances(), { airalo: null, 'esim-access': '10.000000' });
  t.esimAccess.meet('server_error', ASKED);
  t.clock.advance(5 * MINUTE);
  await t.worker().run(going);
  assert.equal((await t.balances())['esim-access'], '10.000000');
  const reasons = t.logged.filter((line) => line.includes('balance could not be read')).map((line) => JSON.parse(line));
  assert.deepEqual(reasons.map(({ level, supplier, reason }) => [level, supplier, reason]).sort(), [
    ['warn', 'airalo', 'the account has no balance in USD'],
    ['warn', 'airalo', 'the account has no balance in USD'],
    ['warn', 'esim-access', 'code HTTP 500'],
  ]);
});

test('a worker reads balances by itself', async () => {
  await using t = await open('worker');
  await run(t.operator(), 'catalog import airalo');
  await t.work();
  assert.equal((await t.balances()).airalo, '1234.560000');
});
