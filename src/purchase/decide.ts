import type { Plan } from '../catalog/catalog.ts';
import type { Clock } from '../clock.ts';
import { type Funds, fundsOf, type Shortfall } from '../money/funds.ts';
import { apply, spendable, type Transfer, type Wallet } from '../money/ledger.ts';
import type { Cents } from '../money/money.ts';
import type { OrderEvent, OrderEventName } from '../webhooks/webhooks.ts';

/** One purchase asked for, everything about it already checked but the money. */
export interface Wanted {
  readonly partnerId: number;
  readonly plan: Plan;
  /** What the partner is charged. */
  readonly price: Cents;
  readonly key: string | undefined;
  readonly at: Date;
  /** The order fails with this reason and is never charged: a scenario a world plays. */
  readonly refuse?: string | undefined;
  /** What a scripted supplier is to play; kept with the order. */
  readonly script?: unknown;
  /** Events the order is sure to send once paid, where a limit counts them. */
  readonly eventsAhead?: readonly OrderEventName[] | undefined;
  /** The buyer's time as it goes on. */
  readonly clock?: Clock;
}

export interface Balance {
  readonly billingMode: Wallet['billingMode'];
  readonly spendable: Cents;
  readonly outstanding: Cents;
  readonly creditLimit: Cents;
}

/** What a purchase comes to once its wallet is held: nothing here is written yet. */
export interface Decision {
  readonly wanted: Wanted;
  readonly funds: Funds;
  /** Empty when nothing is charged. */
  readonly transfers: readonly Transfer[];
  readonly reason: string;
  readonly shortfall: Shortfall | undefined;
  readonly wallet: Balance;
  readonly orderId: bigint;
}

/** Pays from the running balances, so that the next purchase of the same wallet sees what this one left. */
export function decide(wanted: Wanted, wallet: Wallet, orderId: bigint): Decision {
  const funds = fundsOf(wallet);
  const charge = wanted.refuse === undefined ? funds.charge(wallet, wanted.price) : [];
  const shortfall = 'code' in charge ? charge : undefined;
  const transfers = 'code' in charge ? [] : charge;
  const reason = wanted.refuse ?? shortfall?.code ?? '';
  for (const transfer of transfers) apply(wallet, transfer);
  return { wanted, funds, transfers, reason, shortfall, wallet: balanceOf(wallet), orderId };
}

export const balanceOf = (wallet: Wallet): Balance => ({
  billingMode: wallet.billingMode,
  spendable: spendable(wallet),
  outstanding: wallet.outstanding,
  creditLimit: wallet.creditLimit,
});

/** It will not be delivered, and nothing is charged. */
export const isRefused = ({ reason }: Decision): boolean => reason !== '';

/** What the order will send after this transaction. */
export const aheadOf = ({ wanted, reason }: Decision): readonly OrderEventName[] =>
  (reason === '' && wanted.eventsAhead) || [];

/** The events of the transaction that records it. */
export function eventsOf({ wanted, orderId, reason }: Decision): OrderEvent[] {
  const of = { partnerId: wanted.partnerId, orderId, iccid: '', qrCode: '', occurredAt: wanted.at.getTime() };
  const created: OrderEvent = { ...of, event: 'order.created', delivery: '', deliveryReason: '' };
  const next: OrderEvent =
    reason === ''
      ? { ...of, event: 'order.paid', delivery: '', deliveryReason: '' }
      : { ...of, event: 'order.failed', delivery: 'failed', deliveryReason: reason };
  return [created, next];
}
