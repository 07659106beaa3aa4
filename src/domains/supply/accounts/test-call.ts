import { type Micros, toMicros } from '../../../platform/amounts/cents.ts';
import { type Clock, SECOND } from '../../../platform/clock.ts';
import type { Supplier, SupplierOrder } from '../port/port.ts';

/** How long a test call may take. */
const LIMIT_MS = 10 * SECOND;

export interface TestCall {
  /** `balance`: read what is left there. `look-up`: ask for an order that does not exist, where the API has no balance. */
  readonly call: 'balance' | 'look-up';
  readonly ok: boolean;
  readonly ms: number;
  readonly balance: Micros | null;
  /** Why it failed. */
  readonly reason: string | null;
}

/** One call that changes nothing and costs nothing: it shows whether the supplier can be reached with our credentials. */
export async function testCall(supplier: Supplier, clock: Clock): Promise<TestCall> {
  const startedAt = clock.now();
  const took = () => clock.now() - startedAt;
  if (supplier.balance) {
    const answer = await supplier.balance(LIMIT_MS);
    return answer.outcome === 'balance'
      ? { call: 'balance', ok: true, ms: took(), balance: answer.balance, reason: null }
      : { call: 'balance', ok: false, ms: took(), balance: null, reason: answer.reason };
  }
  const answer = await supplier.find(noSuchOrder(startedAt), LIMIT_MS);
  const reason = 'reason' in answer ? answer.reason : null;
  const ok = answer.outcome !== 'unavailable' && answer.outcome !== 'unknown';
  return { call: 'look-up', ok, ms: took(), balance: null, reason: ok ? null : reason };
}

/** Our references begin with `wf-`, so no order can have this one. */
const noSuchOrder = (now: number): SupplierOrder => ({
  reference: 'connection-test',
  plan: '',
  refillOf: null,
  amountMb: 0,
  day: 0,
  cost: toMicros(0n),
  paidAt: new Date(now),
  orderedAt: null,
  supplierOrder: null,
  script: null,
});
