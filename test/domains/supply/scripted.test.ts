import { SECOND } from '../../../src/platform/clock.ts';
import { scriptedSupplier } from '../../../src/worlds/sandbox/scripted-supplier.ts';
import { type SupplierRig, supplierSuite } from '../../suites/supplier.ts';
import { TestClock } from '../../support/clock.ts';

const scenarios = { deliver: 'success', delay: 'deferred', refuse: 'failed' } as const;

async function open(): Promise<SupplierRig> {
  const clock = new TestClock();
  let scenario: string = scenarios.deliver;
  // It stores nothing: the orders it has under a reference are those that its answers name.
  const named = new Map<string, Set<unknown>>();
  async function noted<T extends object>(reference: string, asked: Promise<T>): Promise<T> {
    const answer = await asked;
    const orders = named.get(reference) ?? new Set();
    if ('supplierOrder' in answer) named.set(reference, orders.add(answer.supplierOrder));
    return answer;
  }
  const scripted = scriptedSupplier(clock);
  return {
    supplier: {
      ...scripted,
      order: (order, limitMs) => noted(order.reference, scripted.order(order, limitMs)),
      find: (order, limitMs) => noted(order.reference, scripted.find(order, limitMs)),
    },
    async behave(fault) {
      scenario = scenarios[fault as keyof typeof scenarios];
    },
    passDelay: () => clock.advance(60 * SECOND),
    orderFields: () => ({ script: { scenario } }),
    timesOrdered: async (reference) => named.get(reference)?.size ?? 0,
    async [Symbol.asyncDispose]() {},
  };
}

// What a refill adds is known from our own orders, and what an eSIM plays from its order's script, not from this supplier: the rules
// about its data, withdrawals and suspensions are proved through the API.
supplierSuite('scripted', ['deliver', 'delay', 'refuse'], open, {
  refills: ['refuse'],
  withdrawals: [],
  suspensions: [],
});
