import { SECOND } from '../../../src/platform/clock.ts';
import { scriptedSupplier } from '../../../src/worlds/sandbox/scripted-supplier.ts';
import { type SupplierRig, supplierSuite } from '../../suites/supplier.ts';
import { TestClock } from '../../support/clock.ts';

const scenarios = { deliver: 'success', delay: 'deferred', refuse: 'failed' } as const;

async function open(): Promise<SupplierRig> {
  const clock = new TestClock();
  let scenario: string = scenarios.deliver;
  return {
    supplier: scriptedSupplier(clock),
    async behave(fault) {
      scenario = scenarios[fault as keyof typeof scenarios];
    },
    passDelay: () => clock.advance(60 * SECOND),
    orderFields: () => ({ script: { scenario } }),
    timesOrdered: async () => 1,
    async [Symbol.asyncDispose]() {},
  };
}

// What a refill adds is known from our own orders, and what an eSIM plays from its order's script, not from this supplier: the rules
// about its data and about withdrawals are proved through the API.
supplierSuite('scripted', ['deliver', 'delay', 'refuse'], open, { refills: ['refuse'], withdrawals: [] });
