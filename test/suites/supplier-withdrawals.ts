import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import type { EsimReference, WithdrawAnswer } from '../../src/domains/supply/port/port.ts';
import {
  type Abilities,
  type Fault,
  LIMIT_MS,
  newEsim,
  newRefill,
  SHORT_MS,
  type SupplierRig,
  usageOf,
} from './supplier-rig.ts';

type Rule = (title: string, prove: (rig: SupplierRig) => Promise<void>) => void;

function withdraw(rig: SupplierRig, esim: EsimReference, limitMs = LIMIT_MS): Promise<WithdrawAnswer> {
  assert.ok(rig.supplier.withdraw);
  return rig.supplier.withdraw(esim, limitMs);
}

/** What a refund relies on with every supplier that takes eSIMs back. */
export function withdrawalRules(rule: Rule, { withdrawals: faults = [], refills, withoutUsage }: Abilities): void {
  /** The eSIM is bought before the fault, which concerns the withdrawal alone. */
  function withdrawalRule(
    title: string,
    fault: Fault,
    prove: (rig: SupplierRig, esim: EsimReference) => Promise<void>,
  ) {
    if (!faults.includes(fault)) return;
    rule(title, async (rig) => {
      await rig.behave('deliver');
      const esim = await newEsim(rig);
      await rig.behave(fault);
      await prove(rig, esim);
    });
  }

  withdrawalRule('an eSIM that was never installed is withdrawn, however often asked', 'deliver', async (rig, esim) => {
    const other = await newEsim(rig);
    for (let times = 0; times < 2; times++) assert.deepEqual(await withdraw(rig, esim), { outcome: 'withdrawn' });
    if (!withoutUsage) assert.equal((await usageOf(rig, other)).state, 'not_active');
  });

  if (!withoutUsage)
    withdrawalRule('an eSIM in use is not withdrawn and goes on working', 'deliver', async (rig, esim) => {
      await rig.use?.(esim.iccid);
      const before = await usageOf(rig, esim);
      assert.equal(before.state, 'active');
      for (let times = 0; times < 2; times++) assert.equal((await withdraw(rig, esim)).outcome, 'refused');
      assert.deepEqual(await usageOf(rig, esim), before);
    });

  withdrawalRule('an eSIM that was never sold is not withdrawn', 'deliver', async (rig, esim) => {
    const answer = await withdraw(rig, { ...esim, iccid: '8944538999999999994', supplierOrder: null });
    assert.equal(answer.outcome, 'refused', inspect(answer));
  });

  for (const fault of ['timeout', 'break'] as const)
    withdrawalRule(`a withdrawal whose answer was lost (${fault}) is asked for again`, fault, async (rig, esim) => {
      const answer = await withdraw(rig, esim, fault === 'timeout' ? SHORT_MS : LIMIT_MS);
      assert.equal(answer.outcome, 'unavailable', inspect(answer));
      await rig.behave('deliver');
      assert.deepEqual(await withdraw(rig, esim), { outcome: 'withdrawn' });
    });

  withdrawalRule('a supplier that cannot be reached withdraws nothing', 'away', async (rig, esim) => {
    assert.equal((await withdraw(rig, esim)).outcome, 'unavailable');
  });

  if (refills)
    withdrawalRule('a withdrawn eSIM cannot be refilled', 'deliver', async (rig, esim) => {
      assert.deepEqual(await withdraw(rig, esim), { outcome: 'withdrawn' });
      assert.equal((await rig.supplier.order(newRefill(rig, esim), LIMIT_MS)).outcome, 'refused');
    });
}
