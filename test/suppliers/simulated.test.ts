import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openDatabase } from '../../src/db/database.ts';
import { sql } from '../../src/db/sql.ts';
import { startSimulatedService } from '../../src/suppliers/simulated/service.ts';
import { DELAY_MS, setBehaviour } from '../../src/suppliers/simulated/store.ts';
import { openSimulated } from '../../src/suppliers/simulated.ts';
import type { Supplier } from '../../src/suppliers/supplier.ts';
import { type SupplierRig, supplierSuite } from '../suites/supplier.ts';
import { TestClock } from '../support/clock.ts';
import { freshDatabase } from '../support/postgres.ts';

async function open(): Promise<SupplierRig & { as(slug: string): Supplier; restart(): Promise<void> }> {
  const undo = new AsyncDisposableStack();
  const database = await freshDatabase();
  undo.defer(() => database.drop());
  const db = openDatabase({ url: database.url, name: 'test', searchPath: 'simulated' });
  undo.defer(() => db.close());
  const clock = new TestClock();
  const start = (port?: number) =>
    startSimulatedService(db, { now: () => clock.now(), ...(port === undefined ? {} : { port }) });
  let service = await start();
  undo.defer(() => service.close());
  const client = openSimulated(service.url);
  undo.defer(() => client.close());
  return {
    supplier: client.supplier('aurora'),
    as: client.supplier,
    async behave(fault) {
      if (fault === 'away') await service.close();
      else await db.tx((tx) => setBehaviour(tx, 'aurora', 'one-gb', fault));
    },
    passDelay: () => clock.advance(DELAY_MS),
    asked: () => ({}),
    async timesOrdered(reference) {
      const row = await db.maybe<{ calls: number }>(sql`select calls from orders where reference = ${reference}`);
      return row?.calls ?? 0;
    },
    async restart() {
      await service.close();
      service = await start(Number(new URL(service.url).port));
    },
    [Symbol.asyncDispose]: () => undo.disposeAsync(),
  };
}

supplierSuite('simulated', ['deliver', 'delay', 'refuse', 'timeout', 'duplicate', 'break', 'away'], open);

const asked = (reference: string, plan = 'one-gb') => ({
  reference,
  plan,
  amountMb: 1024,
  day: 7,
  cost: 4_000_000n as never,
  paidAt: new Date(),
  orderedAt: new Date(),
  supplierOrder: null,
  refillOf: null,
  script: null,
});

test('simulated: one reference is one order, however often and however concurrently it is sent', async () => {
  await using rig = await open();
  const answers = await Promise.all(Array.from({ length: 40 }, () => rig.supplier.order(asked('wf-test-1'), 5_000)));
  const iccids = new Set(answers.map((answer) => (answer.outcome === 'delivered' ? answer.esim.iccid : '')));
  assert.equal(iccids.size, 1);
  assert.equal(await rig.timesOrdered('wf-test-1'), 40);
});

test('simulated: orders outlive the service', async () => {
  await using rig = await open();
  const before = await rig.supplier.order(asked('wf-test-1'), 5_000);
  await rig.restart();
  assert.deepEqual(await rig.supplier.find(asked('wf-test-1'), 5_000), before);
});

test('simulated: a behaviour belongs to one plan of one supplier', async () => {
  await using rig = await open();
  await rig.behave('refuse');
  assert.equal((await rig.supplier.order(asked('wf-test-1'), 5_000)).outcome, 'refused');
  assert.equal((await rig.supplier.order(asked('wf-test-2', 'two-gb'), 5_000)).outcome, 'delivered');
});

test('simulated: a malformed request gets an answer', async () => {
  await using rig = await open();
  assert.equal((await rig.supplier.order({ ...asked('wf-test-1'), amountMb: 0.5 }, 5_000)).outcome, 'unknown');
  assert.equal(await rig.timesOrdered('wf-test-1'), 0);
});

test('simulated: a supplier’s list is a catalog import; an unknown supplier has none', async () => {
  await using rig = await open();
  const list = await rig.supplier.plans(AbortSignal.timeout(20_000));
  assert.ok(list && list.plans.length > 100);
  assert.deepEqual([(list.supplier as { slug: string }).slug, list.full], ['aurora', true]);
  assert.equal(await rig.as('nobody').plans(AbortSignal.timeout(5_000)), undefined);
});
