import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listSyncJob } from '../../../../src/domains/supply/supply.ts';
import { HOUR, MINUTE, SECOND } from '../../../../src/platform/clock.ts';
import { sql } from '../../../../src/platform/db/query/sql.ts';
import type { Job } from '../../../../src/platform/jobs/runner.ts';
import { readConfig } from '../../../../src/platform/settings/config.ts';
import { readAttention } from '../../../../src/worlds/alerts.ts';
import { TestClock } from '../../../support/clock.ts';
import { eventually } from '../../../support/eventually.ts';
import { testApp } from '../../../support/program/app.ts';
import { run } from '../../../support/program/operator.ts';
import { testPlan } from '../../../support/sales/paid-order.ts';
import { fakeAiralo } from '../../../support/suppliers/fake-airalo.ts';

const EVERY_MS = 24 * HOUR;
const LIST = /packages$/;

/** The program without its jobs and an account at Airalo; `worker` makes the job of one more worker process. */
async function open() {
  const clock = new TestClock();
  const fake = await fakeAiralo(clock);
  const t = await testApp({ role: 'api', clock, config: { airalo: { ...fake.settings, url: fake.url } } });
  const { db, worlds, supplierKinds, vault, log } = t.base;
  const { suppliers } = worlds.live;
  return {
    ...t,
    fake,
    worker: (): Job =>
      listSyncJob({ db, suppliers, kinds: supplierKinds, sign: vault.sign, clock, log, everyMs: EVERY_MS }),
    imports: () => run(t.operator(), 'catalog imports --supplier airalo'),
    async [Symbol.asyncDispose]() {
      await t[Symbol.asyncDispose]();
      await fake[Symbol.asyncDispose]();
    },
  };
}

const going = new AbortController().signal;

test('a configured supplier is imported once however many workers run, and again when its list is too old', async () => {
  await using t = await open();
  const [one, other] = [t.worker(), t.worker()];
  await Promise.all([one.run(going), other.run(going)]);
  assert.equal(t.fake.timesCalled(LIST), 1);
  t.clock.advance(EVERY_MS - MINUTE);
  await Promise.all([one.run(going), other.run(going)]);
  assert.equal(t.fake.timesCalled(LIST), 1, 'not old enough');
  t.clock.advance(2 * MINUTE);
  // A worker that has just started knows nothing of the import before it but what is in the database.
  await Promise.all([one.run(going), t.worker().run(going)]);
  assert.equal(t.fake.timesCalled(LIST), 2);

  const [second, first] = await t.imports();
  assert.deepEqual([first.who, first.added > 0, first.error], ['schedule', true, null]);
  assert.deepEqual([second.plans, second.added, second.error], [first.plans, 0, null]);
  const changes = await run(t.operator(), 'changes --who schedule');
  assert.deepEqual(
    changes.map(({ what, target }: Record<string, unknown>) => [what, target]),
    Array(2).fill(['catalog import', 'supplier airalo']),
  );
});

test('an import by hand counts: the schedule waits from there', async () => {
  await using t = await open();
  await run(t.operator(), 'catalog import airalo');
  await t.worker().run(going);
  assert.equal(t.fake.timesCalled(LIST), 1);
  assert.deepEqual(
    (await t.imports()).map(({ who }: { who: string }) => who),
    ['test'],
  );
});

test('a failed import changes nothing, is retried with growing pauses, and is an error from the third in a row on', async () => {
  await using t = await open();
  const job = t.worker();
  await job.run(going);
  t.clock.advance(EVERY_MS + MINUTE);
  t.fake.meet('server_error', LIST, 3);
  for (const waitMs of [MINUTE, 5 * MINUTE, 15 * MINUTE]) {
    const before = t.fake.timesCalled(LIST);
    await job.run(going);
    t.clock.advance(waitMs - SECOND);
    await job.run(going);
    assert.equal(t.fake.timesCalled(LIST), before + 1, `it rests for ${waitMs / MINUTE} minutes`);
    t.clock.advance(2 * SECOND);
  }
  await job.run(going);
  const reported = t.logged.filter((line) => line.includes('could not be imported'));
  assert.deepEqual(
    reported.map((line) => JSON.parse(line).level),
    ['warn', 'warn', 'error'],
  );
  const errors = (await t.imports()).map(({ error }: { error: string | null }) => error);
  const why = 'airalo did not return its plans: no list: HTTP 500';
  assert.deepEqual(errors, [null, why, why, why, null]);
  const row = await t.base.db.one(sql`select failures from catalog_syncs`);
  assert.deepEqual(row, { failures: 0 });
  assert.deepEqual(await t.base.db.one(sql`select count(*)::int as off from plans where not on_sale`), { off: 0 });
});

test('a list that is suddenly missing more than a fifth of the plans is held until it is complete again or an operator confirms it', async () => {
  await using t = await open();
  const job = t.worker();
  await job.run(going);
  const off = async () =>
    (await t.base.db.one<{ off: number }>(sql`select count(*)::int as off from plans where not on_sale`)).off;
  const alerts = async () =>
    (await readAttention(t.base.db, t.clock.now(), { hasSeller: true })).flatMap((part) =>
      'alerts' in part ? part.alerts.filter(({ kind }) => kind === 'held_import') : [],
    );
  t.clock.advance(EVERY_MS + MINUTE);
  const { places } = t.fake.state;
  t.fake.state.places = places.slice(0, 1);
  await job.run(going);
  assert.equal(await off(), 0);
  const [alert] = await alerts();
  assert.equal(alert?.of, 'airalo');
  assert.match(alert?.about ?? '', /^nothing was imported: \d+ of the \d+ plans that airalo sells would go off sale$/);

  t.fake.state.places = places;
  t.clock.advance(MINUTE);
  await job.run(going);
  assert.deepEqual([await off(), await alerts()], [0, []], 'whole again: imported a minute later');

  t.clock.advance(EVERY_MS + MINUTE);
  t.fake.state.places = places.slice(0, 1);
  await job.run(going);
  assert.equal((await alerts()).length, 1);
  await run(t.operator(), 'catalog import airalo --yes');
  assert.ok((await off()) > 0);
  assert.deepEqual(await alerts(), []);
});

test('a worker that is stopped during an import leaves it to the next one, at once', async () => {
  await using t = await open();
  t.fake.meet('hang', LIST);
  const stop = new AbortController();
  const stopped = t.worker().run(stop.signal);
  await eventually('the list is asked for', async () => t.fake.timesCalled(LIST) === 1);
  stop.abort();
  await stopped;
  assert.deepEqual(await t.imports(), []);
  await t.worker().run(going);
  assert.equal((await t.imports()).length, 1);
});

test('a worker that dies during an import is followed by another when its lease ends', async () => {
  await using t = await open();
  await t.base.db.run(sql`
    insert into catalog_syncs (supplier, not_before) values ('airalo', ${new Date(t.clock.now() + 10 * MINUTE)})`);
  await t.worker().run(going);
  assert.equal(t.fake.timesCalled(LIST), 0);
  t.clock.advance(10 * MINUTE + SECOND);
  await t.worker().run(going);
  assert.equal((await t.imports()).length, 1);
});

test('the list of a simulated supplier is imported; a supplier without a list, known from a file, is passed over', async () => {
  await using t = await testApp({ role: 'api' });
  await testPlan(t);
  await t.base.db.run(sql`update plans set on_sale = false`);
  await t.base.db.run(sql`
    insert into suppliers (slug, title, kind, imported_at) values ('from-a-file', 'From a file', 'simulated', now())`);
  const { db, worlds, supplierKinds, vault, clock, log } = t.base;
  t.clock.advance(2 * EVERY_MS);
  const parts = { db, suppliers: worlds.live.suppliers, kinds: supplierKinds, sign: vault.sign, clock, log };
  await listSyncJob({ ...parts, everyMs: EVERY_MS }).run(going);
  const [aurora, ...more] = await run(t.operator(), 'catalog imports');
  assert.deepEqual([aurora.supplier, aurora.added > 0, more], ['aurora', true, []]);
  assert.deepEqual(
    t.logged.filter((line) => line.includes('could not be imported')),
    [],
  );
});

test('CATALOG_SYNC_HOURS: the worker imports by itself; without it, never', async () => {
  assert.equal(readConfig({}).catalogSyncMs, 0);
  assert.equal(readConfig({ CATALOG_SYNC_HOURS: '6' }).catalogSyncMs, 6 * HOUR);
  assert.throws(() => readConfig({ CATALOG_SYNC_HOURS: 'daily' }), /CATALOG_SYNC_HOURS/);
  const clock = new TestClock();
  await using fake = await fakeAiralo(clock);
  const airalo = { ...fake.settings, url: fake.url };
  await using t = await testApp({ role: 'worker', clock, config: { airalo, catalogSyncMs: HOUR } });
  await eventually('the list is imported', async () => (await run(t.operator(), 'catalog imports')).length === 1);
});
