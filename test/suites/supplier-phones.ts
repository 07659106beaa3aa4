import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import type { EsimReference, ProfileState, SwitchAnswer } from '../../src/domains/supply/port/port.ts';
import { SECOND } from '../../src/platform/clock.ts';
import { runTime } from '../support/eventually.ts';
import { type Abilities, type Fault, LIMIT_MS, newEsim, SHORT_MS, type SupplierRig, usageOf } from './supplier-rig.ts';

type Rule = (title: string, prove: (rig: SupplierRig) => Promise<void>) => void;
type Switch = 'suspend' | 'resume';

function set(rig: SupplierRig, which: Switch, esim: EsimReference, limitMs = LIMIT_MS): Promise<SwitchAnswer> {
  const call = rig.supplier[which];
  assert.ok(call);
  return call(esim, limitMs);
}

const DONE = { outcome: 'done' } as const;

/** What a reading says about the eSIM on the phone, and what suspending relies on with every supplier that can. */
export function phoneRules(rule: Rule, able: Abilities): void {
  const { profiles, callsPerReading, suspensions: faults = [], withoutUsage } = able;

  async function reportedState(rig: SupplierRig, esim: EsimReference): Promise<ProfileState | undefined> {
    const answer = await rig.supplier.usage(esim, LIMIT_MS);
    assert.ok(answer.outcome === 'reading', inspect(answer));
    return answer.profile?.state;
  }

  if (!withoutUsage)
    rule('a reading says of the eSIM on the phone what the supplier knows, and nothing else', async (rig) => {
      await rig.behave('deliver');
      const esim = await newEsim(rig);
      assert.equal(await reportedState(rig, esim), profiles?.fresh);
      if (!rig.use) return;
      await rig.use(esim.iccid);
      assert.equal(await reportedState(rig, esim), profiles?.used);
    });

  if (callsPerReading)
    rule('what it says about the phone comes with the reading: no call is added to each', async (rig) => {
      await rig.behave('deliver');
      const esim = await newEsim(rig);
      const counted = async (known: EsimReference) => {
        const before = rig.calls?.() ?? 0;
        for (let times = 0; times < 3; times++) await usageOf(rig, known);
        return ((rig.calls?.() ?? 0) - before) / 3;
      };
      const known = async () => ({ ...esim, last: { ...(await usageOf(rig, esim)), fetchedAt: new Date() } });
      const fresh = await counted(await known());
      await rig.use?.(esim.iccid);
      assert.deepEqual({ fresh, used: await counted(await known()) }, callsPerReading);
    });

  /** The eSIM is bought and in use before the fault, which concerns the switch alone. */
  function switchRule(title: string, fault: Fault, prove: (rig: SupplierRig, esim: EsimReference) => Promise<void>) {
    if (!faults.includes(fault)) return;
    rule(title, async (rig) => {
      await rig.behave('deliver');
      const esim = await newEsim(rig);
      await rig.use?.(esim.iccid);
      await rig.behave(fault);
      await prove(rig, esim);
    });
  }

  switchRule('an eSIM is suspended and resumed, however often asked, and no other', 'deliver', async (rig, esim) => {
    const other = await newEsim(rig);
    await rig.use?.(other.iccid);
    const before = await usageOf(rig, esim);
    for (const [which, isOff] of [
      ['resume', false],
      ['suspend', true],
      ['resume', false],
      ['suspend', true],
    ] as const) {
      for (let times = 0; times < 2; times++) assert.deepEqual(await set(rig, which, esim), DONE, which);
      assert.deepEqual([await rig.isSuspended?.(esim.iccid), await rig.isSuspended?.(other.iccid)], [isOff, false]);
    }
    assert.deepEqual(await usageOf(rig, esim), before, 'data and days run on while it is suspended');
  });

  switchRule('an eSIM that was never sold is not switched', 'deliver', async (rig, esim) => {
    for (const which of ['suspend', 'resume'] as const) {
      const answer = await set(rig, which, { ...esim, iccid: '8944538999999999994', supplierOrder: null });
      assert.equal(answer.outcome, 'refused', inspect(answer));
    }
  });

  for (const fault of ['timeout', 'break'] as const)
    for (const which of ['suspend', 'resume'] as const)
      switchRule(
        `a ${which} whose answer was lost (${fault}) ends in time and is asked for again`,
        fault,
        async (rig, esim) => {
          if (which === 'resume') {
            await rig.behave('deliver');
            assert.deepEqual(await set(rig, 'suspend', esim), DONE);
            await rig.behave(fault);
          }
          const limitMs = fault === 'timeout' ? SHORT_MS : LIMIT_MS;
          using run = runTime();
          const answer = await set(rig, which, esim, limitMs);
          assert.ok(run.ms < limitMs + SECOND, `took ${run.ms} ms`);
          assert.equal(answer.outcome, 'unavailable', inspect(answer));
          await rig.behave('deliver');
          assert.deepEqual(await set(rig, which, esim), DONE);
          assert.equal(await rig.isSuspended?.(esim.iccid), which === 'suspend');
        },
      );

  switchRule('a supplier that cannot be reached switches nothing', 'away', async (rig, esim) => {
    for (const which of ['suspend', 'resume'] as const)
      assert.equal((await set(rig, which, esim)).outcome, 'unavailable');
  });
}
