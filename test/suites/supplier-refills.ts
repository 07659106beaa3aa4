import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import type { EsimReference } from '../../src/domains/supply/port/port.ts';
import {
  type Abilities,
  type Fault,
  LIMIT_MS,
  newEsim,
  newRefill,
  PENDING_MS,
  refilled,
  SHORT_MS,
  type SupplierRig,
  usageOf,
} from './supplier-rig.ts';

type Rule = (title: string, prove: (rig: SupplierRig) => Promise<void>) => void;

/** What provisioning relies on with every supplier that sells refills. */
export function refillRules(rule: Rule, { refills: faults = [], idempotent }: Abilities): void {
  /** The eSIM is bought before the fault, which concerns the refill alone. */
  function refillRule(title: string, fault: Fault, prove: (rig: SupplierRig, esim: EsimReference) => Promise<void>) {
    if (!faults.includes(fault)) return;
    rule(title, async (rig) => {
      await rig.behave('deliver');
      const esim = await newEsim(rig);
      await rig.behave(fault);
      await prove(rig, esim);
    });
  }

  refillRule('a refill has a number and can be found under our reference', 'deliver', async (rig, esim) => {
    const refill = newRefill(rig, esim);
    const { supplierOrder } = refilled(await rig.supplier.order(refill, LIMIT_MS));
    assert.ok(supplierOrder.length > 0);
    assert.notEqual(supplierOrder, esim.supplierOrder);
    for (const known of [refill, { ...refill, supplierOrder }])
      assert.equal(refilled(await rig.supplier.find(known, LIMIT_MS)).supplierOrder, supplierOrder);
    assert.equal(await rig.timesOrdered(refill.reference), 1);
  });

  refillRule('a refill adds its data to an eSIM that waits to be used', 'deliver', async (rig, esim) => {
    const before = await usageOf(rig, esim);
    const refill = newRefill(rig, esim);
    refilled(await rig.supplier.order(refill, LIMIT_MS));
    assert.deepEqual(await usageOf(rig, esim), { ...before, totalMb: Number(before.totalMb) + refill.amountMb });
  });

  refillRule(
    'a refill adds its data, and its days where it tells them, to one in use',
    'deliver',
    async (rig, esim) => {
      await rig.use?.(esim.iccid);
      const before = await usageOf(rig, esim);
      assert.equal(before.state, 'active');
      const refill = newRefill(rig, esim);
      refilled(await rig.supplier.order(refill, LIMIT_MS));
      const after = await usageOf(rig, esim);
      assert.deepEqual([after.state, after.usedMb], [before.state, before.usedMb]);
      assert.equal(after.totalMb, Number(before.totalMb) + refill.amountMb);
      if (before.expiresAt) assert.ok(Number(after.expiresAt) > Number(before.expiresAt), inspect({ before, after }));
    },
  );

  refillRule('two refills of one eSIM add up, and leave other eSIMs alone', 'deliver', async (rig, esim) => {
    const other = await newEsim(rig);
    const before = await usageOf(rig, esim);
    const refills = [newRefill(rig, esim), newRefill(rig, esim)];
    const answers = await Promise.all(refills.map((refill) => rig.supplier.order(refill, LIMIT_MS)));
    assert.equal(new Set(answers.map((answer) => refilled(answer).supplierOrder)).size, 2);
    const added = refills.reduce((sum, { amountMb }) => sum + amountMb, 0);
    assert.equal((await usageOf(rig, esim)).totalMb, Number(before.totalMb) + added);
    assert.deepEqual(await usageOf(rig, other), before);
  });

  if (idempotent)
    refillRule('a refill sent twice under one reference is one refill', 'deliver', async (rig, esim) => {
      const before = await usageOf(rig, esim);
      const refill = newRefill(rig, esim);
      const first = refilled(await rig.supplier.order(refill, LIMIT_MS));
      const again = refilled(await rig.supplier.order(refill, LIMIT_MS));
      assert.equal(again.supplierOrder, first.supplierOrder);
      assert.equal((await usageOf(rig, esim)).totalMb, Number(before.totalMb) + refill.amountMb);
    });

  refillRule('a rejected refill stays rejected and adds nothing', 'refuse', async (rig, esim) => {
    const before = await usageOf(rig, esim);
    const refill = newRefill(rig, esim);
    assert.equal((await rig.supplier.order(refill, LIMIT_MS)).outcome, 'refused');
    const found = await rig.supplier.find(refill, LIMIT_MS);
    assert.ok(['refused', 'absent'].includes(found.outcome), inspect(found));
    assert.deepEqual(await usageOf(rig, esim), before);
  });

  refillRule('a delayed refill is pending, adds its data when it is ready, and once', 'delay', async (rig, esim) => {
    const before = await usageOf(rig, esim);
    const refill = newRefill(rig, esim);
    const placed = await rig.supplier.order(refill, PENDING_MS);
    assert.ok(placed.outcome === 'pending', inspect(placed));
    const known = { ...refill, supplierOrder: placed.supplierOrder };
    assert.equal((await rig.supplier.find(known, PENDING_MS)).outcome, 'pending');
    assert.deepEqual(await usageOf(rig, esim), before);
    await rig.passDelay();
    for (let looked = 0; looked < 2; looked++) {
      refilled(await rig.supplier.find(known, LIMIT_MS));
      assert.equal((await usageOf(rig, esim)).totalMb, Number(before.totalMb) + refill.amountMb);
    }
    assert.equal(await rig.timesOrdered(refill.reference), 1);
  });

  refillRule(
    'a refill whose call stayed silent is found when the supplier answers again',
    'timeout',
    async (rig, esim) => {
      const refill = newRefill(rig, esim);
      const { reason: _, ...answer } = (await rig.supplier.order(refill, SHORT_MS)) as { reason: string };
      assert.deepEqual(answer, { outcome: 'unknown', silent: true });
      await rig.behave('deliver');
      refilled(await rig.supplier.find(refill, LIMIT_MS));
      assert.equal(await rig.timesOrdered(refill.reference), 1);
      assert.equal((await usageOf(rig, esim)).totalMb, 1024 + refill.amountMb);
    },
  );

  refillRule('a refill whose answer was truncated is unknown, and found', 'break', async (rig, esim) => {
    const refill = newRefill(rig, esim);
    assert.equal((await rig.supplier.order(refill, LIMIT_MS)).outcome, 'unknown');
    await rig.behave('deliver');
    refilled(await rig.supplier.find(refill, LIMIT_MS));
    assert.equal(await rig.timesOrdered(refill.reference), 1);
    assert.equal((await usageOf(rig, esim)).totalMb, 1024 + refill.amountMb);
  });

  refillRule('an answer sent twice is never taken for the answer to another refill', 'duplicate', async (rig, esim) => {
    const numbers = new Set<string>();
    const refills = Array.from({ length: 6 }, () => newRefill(rig, esim));
    for (const refill of refills) {
      const answer = await rig.supplier.order(refill, LIMIT_MS);
      const { supplierOrder } = refilled(await rig.supplier.find(refill, LIMIT_MS));
      if (answer.outcome === 'refilled') assert.equal(answer.supplierOrder, supplierOrder);
      else assert.equal(answer.outcome, 'unknown', inspect(answer));
      numbers.add(supplierOrder);
    }
    assert.equal(numbers.size, refills.length);
  });

  refillRule('a refill that was never placed is certainly absent', 'deliver', async (rig, esim) => {
    assert.deepEqual(await rig.supplier.find(newRefill(rig, esim), LIMIT_MS), { outcome: 'absent' });
  });

  refillRule('a supplier that cannot be reached has certainly not got the refill', 'away', async (rig, esim) => {
    const refill = newRefill(rig, esim);
    for (const asked of [rig.supplier.order(refill, LIMIT_MS), rig.supplier.find(refill, LIMIT_MS)]) {
      const { reason: _, ...answer } = (await asked) as { reason: string };
      assert.deepEqual(answer, { outcome: 'unavailable', silent: true });
    }
  });
}
