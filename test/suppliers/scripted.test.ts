import { SECOND } from '../../src/clock.ts';
import { scriptedSupplier } from '../../src/worlds/sandbox/scripted-supplier.ts';
import { supplierSuite } from '../suites/supplier.ts';
import { TestClock } from '../support/clock.ts';

const scenarios = { deliver: 'success', delay: 'deferred', refuse: 'failed' } as const;

supplierSuite('scripted', ['deliver', 'delay', 'refuse'], async () => {
  const clock = new TestClock();
  let scenario: string = scenarios.deliver;
  return {
    supplier: scriptedSupplier(clock),
    async behave(fault) {
      scenario = scenarios[fault as keyof typeof scenarios];
    },
    passDelay: () => clock.advance(60 * SECOND),
    asked: () => ({ script: { scenario } }),
    timesOrdered: async () => 1,
    async [Symbol.asyncDispose]() {},
  };
});
