import type { Micros } from '../../../platform/amounts/cents.ts';
import type { Tx } from '../../../platform/db/database.ts';
import type { RawImport } from '../../catalog/import-format/import-format.ts';
import type { Esim, ProfileReading } from './esim.ts';

export {
  androidInstallUrl,
  appleInstallUrl,
  checkEsim,
  checkProfile,
  countryOf,
  type Esim,
  esimOf,
  hasIccidForm,
  iccidOf,
  isActivationCode,
  isConfirmationCode,
  isIccid,
  isMatchingId,
  isSmdpAddress,
  type ProfileReading,
  type ProfileState,
  profileStates,
} from './esim.ts';

/**
 * A wholesale supplier. `order`, `find`, `usage`, `withdraw`, `suspend`, `resume` and `balance` never throw and always answer within
 * `limitMs`, whatever the other side does, because what happens to a paid order is decided by the answer.
 */
export interface Supplier {
  readonly name: string;
  /**
   * Everything it sells now, as a catalog import; undefined: it has no list. Throws rather than return part of the list. `since` is
   * the version that the last import named: a supplier that can lists only what changed since then.
   */
  plans(signal: AbortSignal, since?: string | null): Promise<RawImport | undefined>;
  /** Orders one eSIM, or one refill of an eSIM, under our reference. */
  order(order: SupplierOrder, limitMs: number): Promise<OrderAnswer>;
  /** Looks up our reference and returns the order's outcome. */
  find(order: SupplierOrder, limitMs: number): Promise<OrderAnswer | Absent>;
  /** The usage, and with it what the supplier reports about the eSIM on the phone. That takes no further call in every reading. */
  usage(esim: EsimReference, limitMs: number): Promise<UsageAnswer>;
  /** Whether an eSIM of this supplier can be refilled: then `order` and `find` accept orders with `refillOf`. */
  readonly sellsRefills: boolean;
  /**
   * Withdraws an eSIM that was never installed, so that it costs us nothing. For an eSIM that is already withdrawn it answers
   * `withdrawn`. Missing: this supplier's API cannot withdraw.
   */
  withdraw?(esim: EsimReference, limitMs: number): Promise<WithdrawAnswer>;
  /**
   * Switches the eSIM's service off and on again at the supplier. An eSIM that is already in that state is answered `done`. Missing:
   * this supplier's API cannot suspend.
   */
  suspend?(esim: EsimReference, limitMs: number): Promise<SwitchAnswer>;
  resume?(esim: EsimReference, limitMs: number): Promise<SwitchAnswer>;
  /**
   * Releases what an order has reserved, before anybody was told of it, in the transaction that fails the order. Only for suppliers
   * whose eSIMs are in our own database: no call is made.
   */
  release?(tx: Tx, reference: string): Promise<void>;
  /**
   * Set: `find` answers `absent` also for an order that went out so recently that it may exist unlisted. Ordering again is safe
   * there, because it returns the same order; giving the order up is not.
   */
  readonly listsLateMs?: number;
  /** What is left of our balance there. Missing: its API does not report it. Never called while a request waits. */
  balance?(limitMs: number): Promise<BalanceAnswer>;
  /** Usage readings per second a job may ask for; undefined: no limit. */
  readonly usagePerSecond?: number;
}

export interface SupplierOrder {
  /** Ours, and the same at every attempt: after a lost reply the order is found by it. */
  readonly reference: string;
  /** The supplier's own code for the plan. */
  readonly plan: string;
  /** The eSIM the plan is added to; null: the order is for a new eSIM. */
  readonly refillOf: RefilledEsim | null;
  readonly amountMb: number;
  readonly day: number;
  /** What we expect to pay. Passed on to suppliers that check prices. */
  readonly cost: Micros;
  readonly paidAt: Date;
  /** When any process may last have ordered it; null: it certainly was not ordered. */
  readonly orderedAt: Date | null;
  /** The supplier's order number, if an earlier answer named it. */
  readonly supplierOrder: string | null;
  /** The order's script. Only a scripted supplier reads it. */
  readonly script: unknown;
}

export type OrderAnswer =
  /** `charged`: what the supplier says it charged, if its reply says so. */
  | { readonly outcome: 'delivered'; readonly supplierOrder: string; readonly esim: Esim; readonly charged?: Micros }
  /** The plan was added to the eSIM. */
  | { readonly outcome: 'refilled'; readonly supplierOrder: string; readonly charged?: Micros }
  /** Accepted. The profile comes later, at `readyAt` if the supplier names a time. */
  | { readonly outcome: 'pending'; readonly supplierOrder: string | null; readonly readyAt?: Date }
  /** Will never be delivered. */
  | { readonly outcome: 'refused'; readonly reason: string }
  /**
   * Certainly not ordered (from `find`: no answer), so it may be retried. `silent`: nothing came back at all (a time-out, no
   * connection); the breaker counts these.
   */
  | { readonly outcome: 'unavailable'; readonly reason: string; readonly silent?: true }
  /** A time-out or a broken answer: it may have been ordered, so `find` must come before another `order`. */
  | { readonly outcome: 'unknown'; readonly reason: string; readonly silent?: true }
  /**
   * The supplier says that it has the order, but what it sent cannot be right. Adapters need not return it: every answer is checked
   * on its way out (domains/supply/adapters/checked-supplier.ts). The eSIM may have been bought, so it is not ordered again, and only a person
   * fails and refunds the order.
   */
  | { readonly outcome: 'held'; readonly supplierOrder: string | null; readonly reason: string };

/**
 * The supplier certainly has no such order, so ordering is safe. An adapter whose supplier lists orders late answers `unavailable`
 * until enough time has passed to be certain.
 */
export interface Absent {
  readonly outcome: 'absent';
}

/** How we name the eSIM to refill to its supplier. */
export type RefilledEsim = Pick<EsimReference, 'iccid' | 'supplierOrder'>;

export type WithdrawAnswer =
  | { readonly outcome: 'withdrawn' }
  /** It was installed or used, or the supplier does not withdraw it. */
  | { readonly outcome: 'refused'; readonly reason: string }
  /** No reply, or an unclear one: ask again. */
  | { readonly outcome: 'unavailable'; readonly reason: string };

export type SwitchAnswer =
  | { readonly outcome: 'done' }
  /** The supplier does not switch this eSIM, in its present state or at all. */
  | { readonly outcome: 'refused'; readonly reason: string }
  /** No reply, or an unclear one: ask again. */
  | { readonly outcome: 'unavailable'; readonly reason: string };

export interface EsimReference {
  readonly iccid: string;
  readonly supplierOrder: string | null;
  /** Refills included. */
  readonly day: number;
  /** Data that refills have added; missing: it was never refilled. */
  readonly refilledMb?: number | null;
  /** Data that was sold, refills included; missing: not known. */
  readonly amountMb?: number;
  /** The last reading that was kept of this ICCID, which may be of an earlier eSIM. */
  readonly last?: (UsageReading & { readonly fetchedAt: Date }) | undefined;
  readonly deliveredAt: Date;
  readonly script: unknown;
}

export const usageStates = ['not_active', 'active', 'depleted', 'expired'] as const;
export type UsageState = (typeof usageStates)[number];

export interface UsageReading {
  readonly state: UsageState;
  /** Null: the supplier does not say, so the plan's amount applies. */
  readonly totalMb: number | null;
  readonly usedMb: number;
  readonly activatedAt: Date | null;
  readonly expiresAt: Date | null;
}

export type UsageAnswer =
  /** `profile`: parts that the supplier does not tell are missing, and what is known of them stays. */
  | { readonly outcome: 'reading'; readonly reading: UsageReading; readonly profile?: Partial<ProfileReading> }
  /** The supplier has no usage data for it. */
  | { readonly outcome: 'none' }
  | { readonly outcome: 'unavailable'; readonly reason: string };

export type BalanceAnswer =
  /** Negative where the supplier lets an account go below zero. */
  | { readonly outcome: 'balance'; readonly balance: Micros }
  | { readonly outcome: 'unavailable'; readonly reason: string };
