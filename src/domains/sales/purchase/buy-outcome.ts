import type { Cents } from '../../../platform/amounts/cents.ts';
import type { Shortfall } from '../../money/ledger/ledger.ts';
import type { State } from '../orders/orders.ts';
import type { WalletFigures } from './decide.ts';
import type { LimitUse } from './limits.ts';

/** A purchase as its buyer sees it: the order as it stands, and the current balance. */
export interface Purchase {
  readonly orderId: bigint;
  readonly reference: string;
  readonly billingMode: WalletFigures['billingMode'];
  readonly balance: Cents;
  readonly state: State;
  readonly reason: string;
  readonly productId: string;
  readonly productTitle: string;
  readonly productPrice: Cents;
  readonly salePrice: Cents;
  readonly supplierOrder: string | null;
  readonly createdAt: Date;
  /** Its events did not fit under the world's waiting limit, so none was queued. */
  readonly queueFull: boolean;
}

export type BatchOutcome =
  /** There is a batch: a new one, or the one recorded under the same key earlier. */
  | { readonly outcome: 'placed'; readonly batchId: bigint; readonly queueFull: boolean }
  | Exclude<BuyOutcome, { outcome: 'bought' }>;

/** The outcome of a request to buy. `entry/api/endpoints/purchase/sale-reply.ts` gives every outcome but the first its error code. */
export type BuyOutcome =
  /** There is an order: a new one, or the one recorded under the same key earlier. */
  | { readonly outcome: 'bought'; readonly purchase: Purchase }
  /** The eSIM to be refilled was withdrawn, or is being withdrawn. Nothing is on record. */
  | { readonly outcome: 'withdrawn' }
  /** The eSIM to be refilled was deleted. Nothing is on record. */
  | { readonly outcome: 'esim_gone' }
  /** The rule that buys it was changed or ended. Nothing is on record. */
  | { readonly outcome: 'rule_changed' }
  /** The time of the request was up before it was charged. Nothing is on record. */
  | { readonly outcome: 'late' }
  | { readonly outcome: 'suspended'; readonly billingMode: WalletFigures['billingMode'] }
  /** It costs more than the buyer's ceiling; of a batch, all of it. Nothing is on record. */
  | { readonly outcome: 'price_changed'; readonly price: Cents; readonly ceiling: Cents }
  /** A limit has no room for it. Nothing is on record. */
  | { readonly outcome: 'limit_exceeded'; readonly limit: LimitUse }
  /** Nothing was charged. A failed order is on record under the key; of a batch there is none. */
  | { readonly outcome: 'no_room'; readonly orderId?: bigint; readonly shortfall: Shortfall }
  /** The ledger refused the charge on a credit line. A failed order is on record, except for a batch. */
  | { readonly outcome: 'credit_refused'; readonly orderId?: bigint; readonly wallet: WalletFigures }
  /** The ledger refused the charge on a wallet. Nothing is on record. */
  | { readonly outcome: 'not_written' }
  /** The key was used for another product, another eSIM or another batch before. */
  | { readonly outcome: 'key_conflict' }
  /**
   * Another charge held the wallet for as long as a request may wait; or, with an order, this one is still being written when the
   * time of its request is up.
   */
  | { readonly outcome: 'charge_in_progress'; readonly orderId?: bigint; readonly wallet: WalletFigures }
  /** The wallet came free, but only after the price was too old to be charged. */
  | { readonly outcome: 'outdated'; readonly wallet: WalletFigures }
  /** An earlier charge under this key stopped half-way; an operator has to repair it. */
  | { readonly outcome: 'charge_incomplete'; readonly orderId: bigint; readonly wallet: WalletFigures };
