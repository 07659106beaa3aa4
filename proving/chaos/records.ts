import type { Order, Partner, Product, WorldName } from './model.ts';

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

/** A purchase without a key whose answer was lost: there is an order of it, or there is not. */
export interface Stray {
  readonly world: WorldName;
  readonly partner: Partner;
  readonly product: Product;
  readonly scenario: Order['scenario'];
}
