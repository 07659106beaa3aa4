import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import type {
  EsimReference,
  OrderAnswer,
  ProfileState,
  RefilledEsim,
  Supplier,
  SupplierOrder,
  UsageReading,
} from '../../src/domains/supply/port/port.ts';
import { toMicros } from '../../src/platform/amounts/cents.ts';
import { SECOND } from '../../src/platform/clock.ts';

/** What a supplier can be told to do with the next orders, refills, withdrawals and suspensions. */
export type Fault = 'deliver' | 'delay' | 'refuse' | 'timeout' | 'duplicate' | 'break' | 'away';

/** What a supplier does beside selling eSIMs, each with the faults it can have there. Missing: it does not. */
export interface Abilities {
  readonly refills?: readonly Fault[];
  readonly withdrawals?: readonly Fault[];
  readonly suspensions?: readonly Fault[];
  /** What a reading says about the eSIM on the phone: of a new one, and of one in use. A missing part: nothing. */
  readonly profiles?: { readonly fresh?: ProfileState; readonly used?: ProfileState };
  /** How many calls a reading takes once the supplier's eSIM has been read in its state. */
  readonly callsPerReading?: { readonly fresh: number; readonly used: number };
  /** It recognises our reference by itself: the same one sent twice is one order. */
  readonly idempotent?: true;
  /** It knows nothing of what becomes of an eSIM. */
  readonly withoutUsage?: true;
  /** It has no look-up: `find` sends an order that may have arrived once more. */
  readonly resends?: true;
}

export interface SupplierRig extends AsyncDisposable {
  readonly supplier: Supplier;
  /** Concerns refills, withdrawals and suspensions, too, as far as the supplier has them. */
  behave(fault: Fault): Promise<void>;
  /** Turns the clock past the delay of a delayed order. */
  passDelay(): void | Promise<void>;
  /** The order's special part: the plan, or a script. */
  orderFields(): Partial<SupplierOrder>;
  /** The same for a refill, where it differs. */
  refillFields?(): Partial<SupplierOrder>;
  /** How often the supplier received this order or refill. */
  timesOrdered(reference: string): Promise<number>;
  /** Somebody installs the eSIM and uses some of its data. Needed by suppliers with refills or withdrawals. */
  use?(iccid: string): Promise<void>;
  /** Whether the supplier has switched the eSIM off. Needed by suppliers that can. */
  isSuspended?(iccid: string): boolean | Promise<boolean>;
  /** How many calls the supplier has received. */
  calls?(): number;
}

export const LIMIT_MS = 60 * SECOND;
/** For an order that is not ready: some adapters poll until the limit. Shorter than the delay. */
export const PENDING_MS = 5 * SECOND;
export const SHORT_MS = 500;

let last = 0;

export function newOrder(rig: SupplierRig): SupplierOrder {
  last += 1;
  return {
    reference: `wf-test-${last}`,
    plan: 'one-gb',
    amountMb: 1024,
    day: 7,
    cost: toMicros(4_000_000n),
    paidAt: new Date(),
    orderedAt: new Date(),
    supplierOrder: null,
    refillOf: null,
    script: null,
    ...rig.orderFields(),
  };
}

/** 2 GB and 10 days more, unless the rig says otherwise. */
export function newRefill(rig: SupplierRig, refillOf: RefilledEsim): SupplierOrder {
  const plan = { plan: 'two-gb-refill', amountMb: 2048, day: 10 };
  return { ...newOrder(rig), ...plan, ...rig.refillFields?.(), refillOf };
}

export function delivered(answer: { outcome: string }): Extract<OrderAnswer, { outcome: 'delivered' }> {
  assert.equal(answer.outcome, 'delivered', inspect(answer));
  return answer as Extract<OrderAnswer, { outcome: 'delivered' }>;
}

export function refilled(answer: { outcome: string }): Extract<OrderAnswer, { outcome: 'refilled' }> {
  assert.equal(answer.outcome, 'refilled', inspect(answer));
  return answer as Extract<OrderAnswer, { outcome: 'refilled' }>;
}

/** A delivered eSIM, as refills, withdrawals and usage name it. */
export async function newEsim(rig: SupplierRig): Promise<EsimReference> {
  const { day, script, ...order } = newOrder(rig);
  const answer = await rig.supplier.order({ ...order, day, script }, LIMIT_MS);
  const { esim, supplierOrder } = delivered(answer);
  return { iccid: esim.iccid, supplierOrder, day, deliveredAt: new Date(), script };
}

export async function usageOf(rig: SupplierRig, esim: EsimReference): Promise<UsageReading> {
  const answer = await rig.supplier.usage(esim, LIMIT_MS);
  assert.ok(answer.outcome === 'reading', inspect(answer));
  return answer.reading;
}
