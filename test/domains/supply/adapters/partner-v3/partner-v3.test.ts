import { after, before } from 'node:test';
import { openPartnerV3 } from '../../../../../src/domains/supply/adapters/partner-v3/partner-v3.ts';
import { toMicros } from '../../../../../src/platform/amounts/cents.ts';
import { MINUTE } from '../../../../../src/platform/clock.ts';
import { createLog } from '../../../../../src/platform/log.ts';
import { type Fault, type SupplierRig, supplierSuite } from '../../../../suites/supplier.ts';
import { record } from '../../../../support/program/app.ts';
import { run } from '../../../../support/program/operator.ts';
import type { Mishap } from '../../../../support/suppliers/fake-http.ts';
import { openRoad, openUpper, UPPER, type Upper } from '../../../../support/suppliers/upstream.ts';

const ALWAYS = 1_000_000;
const mishaps: Partial<Record<Fault, Mishap>> = { timeout: 'hang', break: 'break', duplicate: 'duplicate' };
const faults: readonly Fault[] = ['deliver', 'delay', 'refuse', 'timeout', 'duplicate', 'break', 'away'];

let upper: Upper;
before(async () => {
  upper = await openUpper();
});
after(() => upper[Symbol.asyncDispose]());

async function open(bare: boolean): Promise<SupplierRig> {
  const road = await openRoad(() => upper, { bare });
  const account = { slug: 'partner-v3', url: road.url, key: upper.liveKey };
  const log = createLog('debug', (line) => record('logs', line));
  const { supplier, close } = openPartnerV3(account, { clock: upper.clock, log });
  const [plan, refill] = [await upper.alias(UPPER.esim), await upper.alias(UPPER.refill)];
  // Reads what the other side offers, so that no test's time limit meets that.
  await supplier.withdraw?.({ iccid: '', supplierOrder: null, day: 0, deliveredAt: new Date(), script: null }, MINUTE);
  return {
    supplier,
    async behave(fault) {
      road.behaveAgain();
      await road.quiet();
      await upper.behave(fault === 'delay' || fault === 'refuse' ? fault : 'deliver');
      const mishap = mishaps[fault];
      if (mishap) road.meet(mishap, /(buy|refill|refund|suspend|resume)$/, fault === 'break' ? 1 : ALWAYS);
      if (fault === 'away') {
        await road[Symbol.asyncDispose]();
        // A call that meets the end of a kept connection may have arrived. This one meets it, so that later ones do not.
        await supplier.balance?.(MINUTE);
      }
    },
    passDelay: () => upper.passDelay(),
    // Sent long enough ago that what is not listed has not arrived.
    orderFields: () => ({ plan, cost: toMicros(7_000_000n), orderedAt: new Date(upper.clock.now() - 5 * MINUTE) }),
    refillFields: () => ({ plan: refill }),
    timesOrdered: async (reference) =>
      (await upper.orders()).filter(({ key, status }) => key.startsWith(`${reference}-`) && status !== 2).length,
    calls: () => road.requests.length,
    async isSuspended(iccid) {
      const { body } = await upper.get(`/esim/detail/${iccid}`, { key: upper.liveKey });
      return body.esim.state === 'suspended';
    },
    use: async (iccid) => void (await run(upper.operator(), `usage set ${iccid} --used 300`)),
    async [Symbol.asyncDispose]() {
      await close();
      await road[Symbol.asyncDispose]();
    },
  };
}

supplierSuite('a service of the contract alone', faults, () => open(true), {
  refills: [],
  withdrawals: [],
  suspensions: [],
  callsPerReading: { fresh: 1, used: 1 },
  resends: true,
});
supplierSuite('a server of ours', faults, () => open(false), {
  refills: faults,
  withdrawals: ['deliver', 'timeout', 'break', 'away'],
  suspensions: ['deliver', 'timeout', 'break', 'away'],
  profiles: { fresh: 'released', used: 'enabled' },
  callsPerReading: { fresh: 1, used: 1 },
  idempotent: true,
});
