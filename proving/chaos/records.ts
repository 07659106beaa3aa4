import type { Order, Partner, Product, WorldName } from './model.ts';
import type { Answer } from './site.ts';

/* What the model keeps beside orders. */

export interface Topup {
  readonly key: string;
  readonly world: WorldName;
  readonly partner: Partner;
  readonly amount: number;
  paid: 'no' | 'perhaps' | 'yes';
  credited: boolean;
}

/** A movement the operator makes, recognised by its note. */
export interface Movement {
  readonly note: string;
  readonly partner: Partner;
  outcome: 'made' | 'refused' | 'unknown';
  /** Changes the model once the movement is seen. */
  apply(): void;
}

export type ItemState = 'available' | 'sold' | 'returned' | 'discarded';

/** An eSIM in stock. */
export interface Item {
  readonly iccid: string;
  state: ItemState;
  reference: string | null;
  /** What an operator did with it in this round, or may have. */
  touched: 'discard' | 'release' | undefined;
}

/** A file of items: all of them are in stock, or none is. */
export interface StockImport {
  readonly iccids: readonly string[];
  outcome: 'made' | 'refused' | 'unknown';
}

export interface Batch {
  readonly id: number;
  readonly world: WorldName;
  readonly partner: Partner;
  readonly products: readonly Product[];
  readonly charged: number;
  readonly orders: readonly Order[];
}

export type ReplacementStatus = 'requested' | 'pending' | 'replaced' | 'rejected';

/** A request to replace an eSIM, as it was at the end of the last round. */
export interface Replacement {
  readonly id: number;
  readonly old: Order;
  readonly key: string;
  status: ReplacementStatus;
  /** The free order of the new eSIM. */
  order: Order | undefined;
  /** What its order costs the operator. */
  costMicros: number;
  /** What became of the old eSIM; null: its supplier has not answered yet, or was not asked. */
  became: 'withdrawn' | 'suspended' | 'left' | null;
}

export type WhyNot = 'used' | 'replaced' | 'refunded';

/** A request to replace an eSIM that was sent in this round, once or several times, with what decides about it. */
export interface Asked {
  readonly old: Order;
  readonly key: string;
  /** What its key brought before. */
  readonly known: Replacement | undefined;
  /** The latest request of this eSIM. */
  readonly latest: Replacement | undefined;
  readonly latestStatus: ReplacementStatus | undefined;
  /** Why it must be refused, and why it may be. */
  readonly mustRefuse: WhyNot | undefined;
  readonly mayRefuse: ReadonlySet<WhyNot>;
  readonly answers: Answer[];
  /** A free order that failed may be of it or of another, so nothing can be said of the budget. */
  isUnclear?: true;
}

/** An operator’s decision about a replacement in this round. */
export interface Decided {
  readonly old: Order;
  readonly decision: 'approve' | 'reject';
  outcome: 'made' | 'refused' | 'unknown';
}

export type StopReason = 'price' | 'money' | 'limit' | 'product' | 'done';

/** What a partner decides about the refills of an eSIM. */
export interface RuleTerms {
  readonly product: Product;
  readonly atPercent: number;
  readonly times: number;
  readonly maxPrice: number;
  /** It was set with the key that may buy little in a month. */
  readonly isFrugal: boolean;
}

/** The rule by which an eSIM refills itself, as it was at the end of the last round. */
export interface Rule extends RuleTerms {
  readonly version: number;
  /** The orders that were bought for its eSIM before it was set, and what it had done then. */
  readonly bought: number;
  readonly doneBefore: number;
  done: number;
  stopped: StopReason | null;
  isEnded: boolean;
  /** A refill is being bought, or has to be. */
  isUnsettled: boolean;
  /** Why it might have stopped in the last round: what is decided at its end is read in the next. */
  mayHaveStopped: ReadonlySet<StopReason>;
}

/** A rule that was set or ended in this round, or perhaps earlier, when the answer was lost. */
export interface Ruling {
  readonly of: Order;
  /** Undefined: the rule is ended. */
  readonly terms: RuleTerms | undefined;
  outcome: 'made' | 'refused' | 'unknown';
}

/** A purchase without a key whose answer was lost: there is an order of it, or there is not. */
export interface Stray {
  readonly world: WorldName;
  readonly partner: Partner;
  readonly product: Product;
  readonly scenario: Order['scenario'];
}
