import { after, before } from 'node:test';
import { openAiralo } from '../../../../../src/domains/supply/adapters/airalo/airalo.ts';
import { HOUR, MINUTE, SECOND } from '../../../../../src/platform/clock.ts';
import { createLog } from '../../../../../src/platform/log.ts';
import { type Fault, type SupplierRig, supplierSuite } from '../../../../suites/supplier.ts';
import { airaloKey, type Credentials } from '../../../../support/program/airalo-client.ts';
import { record } from '../../../../support/program/app.ts';
import { run } from '../../../../support/program/operator.ts';
import type { Mishap } from '../../../../support/suppliers/fake-http.ts';
import { openRoad, openUpper, UPPER, type Upper } from '../../../../support/suppliers/upstream.ts';

// Our own adapter for Airalo, against a server of ours that speaks Airalo's protocol.

const ALWAYS = 1_000_000;
const mishaps: Partial<Record<Fault, Mishap>> = { timeout: 'hang', break: 'break', duplicate: 'duplicate' };

let upper: Upper;
let credentials: Credentials;
before(async () => {
  // An order that is not delivered is answered before the suite gives up on it.
  upper = await openUpper({ airaloDoor: true, requestMs: 5 * SECOND });
  credentials = await airaloKey(upper, upper.partnerId, 'live');
  await run(upper.operator(), `key set ${credentials.keyId} --ceilings read=1000000,purchase=1000000,catalog=1000000`);
});
after(() => upper[Symbol.asyncDispose]());

async function open(): Promise<SupplierRig> {
  const road = await openRoad(() => upper);
  // Each adapter has a token of its own, and there are three a minute.
  upper.clock.advance(MINUTE);
  const url = new URL(`${road.url.href}/airalo`);
  const log = createLog('debug', (line) => record('logs', line));
  const airalo = openAiralo({ ...credentials, url }, { clock: upper.clock, log });
  const supplier = airalo.supplier('airalo');
  const [plan, refill] = [await upper.alias(UPPER.esim), await upper.alias(UPPER.refill)];
  const longAgo = new Date(upper.clock.now() - HOUR);
  return {
    supplier,
    async behave(fault) {
      road.behaveAgain();
      await road.quiet();
      await upper.behave(fault === 'delay' || fault === 'refuse' ? fault : 'deliver');
      const mishap = mishaps[fault];
      if (mishap) road.meet(mishap, /POST .*orders(\/topups)?$/, fault === 'break' ? 1 : ALWAYS);
      if (fault === 'away') {
        await road[Symbol.asyncDispose]();
        // A call that meets the end of a kept connection may have arrived. This one meets it, so that later ones do not.
        await supplier.balance?.(MINUTE);
      }
    },
    passDelay: () => upper.passDelay(),
    orderFields: () => ({ plan, paidAt: longAgo, orderedAt: longAgo }),
    refillFields: () => ({ plan: refill }),
    timesOrdered: async (reference) =>
      (await upper.orders()).filter((one) => one.reference.startsWith(`${reference}-`) && one.status !== 2).length,
    calls: () => road.requests.length,
    use: async (iccid) => void (await run(upper.operator(), `usage set ${iccid} --used 300`)),
    async [Symbol.asyncDispose]() {
      await airalo.close();
      await road[Symbol.asyncDispose]();
    },
  };
}

supplierSuite(
  'airalo at a server of ours',
  ['deliver', 'delay', 'refuse', 'timeout', 'duplicate', 'break', 'away'],
  open,
  {
    refills: ['deliver', 'refuse', 'timeout', 'duplicate', 'break', 'away'],
    callsPerReading: { fresh: 1, used: 2 },
  },
);
