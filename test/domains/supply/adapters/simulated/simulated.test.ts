import assert from 'node:assert/strict';
import { test } from 'node:test';
import { supplierSuite } from '../../../../suites/supplier.ts';
import { PATIENCE_MS } from '../../../../support/eventually.ts';
import { simulatedRig as open } from '../../../../support/suppliers/simulated-rig.ts';

const faults = ['deliver', 'delay', 'refuse', 'timeout', 'duplicate', 'break', 'away'] as const;

supplierSuite('simulated', faults, open, {
  refills: faults,
  withdrawals: faults,
  suspensions: faults,
  profiles: { fresh: 'released', used: 'enabled' },
  idempotent: true,
});

test('simulated: an eSIM that was given back cannot be suspended', async () => {
  await using rig = await open();
  const sold = await rig.supplier.order(asked('wf-test-1'), 5_000);
  assert.ok(sold.outcome === 'delivered');
  const { supplierOrder } = sold;
  const esim = { iccid: sold.esim.iccid, supplierOrder, day: 7, deliveredAt: new Date(), script: null };
  assert.deepEqual(await rig.supplier.withdraw?.(esim, 5_000), { outcome: 'withdrawn' });
  assert.equal((await rig.supplier.suspend?.(esim, 5_000))?.outcome, 'refused');
});

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
  const list = await rig.supplier.plans(AbortSignal.timeout(PATIENCE_MS));
  assert.ok(list && list.plans.length > 100);
  assert.deepEqual([(list.supplier as { slug: string }).slug, list.full], ['aurora', true]);
  assert.equal(await rig.as('nobody').plans(AbortSignal.timeout(PATIENCE_MS)), undefined);
});
