import type { Cents, Micros } from '../../../platform/amounts/cents.ts';
import type { RefilledEsim } from '../../supply/port/port.ts';
import type { Attempt } from '../orders/orders.ts';

/** What provisioning needs to know of a paid order. Supplier, plan, data, days and cost are those of the supplier being tried. */
export interface PaidOrder {
  readonly id: bigint;
  readonly partnerId: number;
  /** The partner's own; events carry it. */
  readonly reference: string;
  /** The eSIM it refills; null: it brings a new one. */
  readonly refillOf: RefilledEsim | null;
  readonly state: 'paid' | 'deferred';
  readonly productId: string;
  readonly price: Cents;
  /** Of its reference at the supplier: the first is 1. */
  readonly number: number;
  /** The suppliers that were tried, including this one. Empty: only this one. */
  readonly attempted: readonly Attempt[];
  readonly supplier: string;
  readonly supplierPlan: string;
  readonly supplierOrder: string | null;
  readonly amountMb: number;
  readonly day: number;
  readonly cost: Micros;
  readonly paidAt: Date;
  /** The last time it may have reached the supplier; null: it certainly has not. */
  readonly orderedAt: Date | null;
  /** How often the job has tried it. */
  readonly attempts: number;
  readonly script: unknown;
  /** Why it waits for a person: what its supplier sent cannot be right. Null: it does not. */
  readonly held?: string | null;
  /** It is to be cancelled: no supplier is asked to deliver it any more. */
  readonly isCancelRequested?: boolean;
  /** Certainly no supplier had it after the last try. */
  readonly wasFree?: boolean;
  /** The partner had no webhook subscription when the order was charged. */
  readonly hasNoSubscriber?: boolean;
}
