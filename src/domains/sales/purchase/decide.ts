import type { Cents } from '../../../platform/amounts/cents.ts';
import type { Buyer } from '../../../platform/audit/audit-log.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Queryable } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/query/sql.ts';
import type { Budget } from '../../../platform/limits/budget.ts';
import type { ExpectedNotice } from '../../messages/airalo/airalo.ts';
import type { OrderEvent, OrderEventName } from '../../messages/events/events.ts';
import {
  apply,
  type Funds,
  fundsOf,
  type Shortfall,
  spendable,
  type Transfer,
  type Wallet,
} from '../../money/ledger/ledger.ts';
import type { BindingLimit } from '../../partners/limits/limits.ts';
import type { RefilledEsim } from '../../supply/port/port.ts';
import type { Crossing } from '../autorefill-rows/autorefill-rows.ts';
import type { Ordered } from '../orders/orders.ts';
import type { Routing } from './route-on.ts';

export interface WalletFigures {
  readonly billingMode: Wallet['billingMode'];
  readonly spendable: Cents;
  readonly outstanding: Cents;
  readonly creditLimit: Cents;
}

export const figuresOf = (wallet: Wallet): WalletFigures => ({
  billingMode: wallet.billingMode,
  spendable: spendable(wallet),
  outstanding: wallet.outstanding,
  creditLimit: wallet.creditLimit,
});

export function readWallet(db: Queryable, partnerId: number): Promise<WalletFigures> {
  return db.one<WalletFigures>(sql`
    select billing_mode as "billingMode", cash + promo as spendable, outstanding, credit_limit as "creditLimit"
    from wallets where partner_id = ${partnerId}`);
}

/** One requested purchase. Everything about it has been checked except the money. */
export interface Wanted extends Ordered {
  readonly refillOf?: RefillTarget | undefined;
  /** Whether the price was read too long ago to be charged. Checked once the wallet is locked, since waiting for it takes time. */
  isOutdated?(): boolean;
  /** The most it may cost; of a batch, all of its members together. */
  readonly ceiling?: Cents | undefined;
  readonly limits?: readonly BindingLimit[] | undefined;
  /** Set: the order is recorded as failed for this reason and never charged. */
  readonly refuse?: string | undefined;
  /** Events the order will certainly send once paid. A waiting limit counts them in advance. */
  readonly eventsAhead?: readonly OrderEventName[] | undefined;
  /**
   * Set: the rule of an eSIM buys it. It is charged only if that rule still wants it, and one that cannot be paid leaves no failed order.
   */
  readonly rule?: Pick<Crossing, 'version' | 'n'> | undefined;
  /** It is a member of a batch, which is charged as a whole. */
  readonly isBatched?: true;
  readonly routing?: Routing | undefined;
  /** The buyer's time as it goes on. */
  readonly clock?: Clock;
  /** Set: a member buys it in the panel, and the audit log says so. */
  readonly buyer?: Buyer | undefined;
  /** Set: the webhook in Airalo's form that reports it to the client of its key, written with the order. */
  readonly notice?: Pick<ExpectedNotice, 'requestId' | 'url' | 'dueAt'> | undefined;
  /** How long its request may take. Once that is over, nothing is charged. */
  readonly budget?: Budget | undefined;
  /** Called right before it is written. From then on nobody knows whether it is charged until the database has answered. */
  onWriting?(written: Pick<Decision, 'orderId' | 'wallet'>): void;
}

/** The eSIM a refill is for, by the order that delivered it. */
export interface RefillTarget extends RefilledEsim {
  readonly orderId: bigint;
}

/** The decision about a purchase once its wallet is locked. Nothing is written yet. */
export interface Decision {
  readonly wanted: Wanted;
  readonly funds: Funds;
  /** Empty when nothing is charged. */
  readonly transfers: readonly Transfer[];
  /** Why the order fails; empty when it is paid. */
  readonly reason: string;
  readonly shortfall: Shortfall | undefined;
  readonly wallet: WalletFigures;
  readonly orderId: bigint;
  /** The batch it is a member of, by its first order. */
  readonly batchId?: bigint | undefined;
}

/** Charges the running balances in memory, so that the next purchase of the same wallet sees what this one left. */
export function decide(wanted: Wanted, wallet: Wallet, orderId: bigint, batchId?: bigint): Decision {
  const funds = fundsOf(wallet);
  const charge = wanted.refuse === undefined ? funds.charge(wallet, wanted.price) : [];
  const shortfall = 'code' in charge ? charge : undefined;
  const transfers = 'code' in charge ? [] : charge;
  const reason = wanted.refuse ?? shortfall?.code ?? '';
  for (const transfer of transfers) apply(wallet, transfer);
  return { wanted, funds, transfers, reason, shortfall, wallet: figuresOf(wallet), orderId, batchId };
}

/** It will not be delivered, and nothing is charged. */
export const isRefused = ({ reason }: Decision): boolean => reason !== '';

/** The events the order will still send after this transaction. */
export const eventsAheadOf = (decision: Decision): readonly OrderEventName[] =>
  (!isRefused(decision) && decision.wanted.eventsAhead) || [];

export function eventsOf({ wanted, orderId, reason }: Decision): OrderEvent[] {
  const { partnerId, reference } = wanted;
  const { cause } = wanted;
  const of = { partnerId, orderId, reference, cause, iccid: '', qrCode: '', occurredAt: wanted.at.getTime() };
  const created: OrderEvent = { ...of, event: 'order.created', delivery: '', deliveryReason: '' };
  const next: OrderEvent =
    reason === ''
      ? { ...of, event: 'order.paid', delivery: '', deliveryReason: '' }
      : { ...of, event: 'order.failed', delivery: 'failed', deliveryReason: reason };
  return [created, next];
}
