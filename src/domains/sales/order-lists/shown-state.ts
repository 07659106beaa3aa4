import { type State, stateOf } from '../orders/orders.ts';

/** What a page calls an order: a fully refunded order is shown as refunded, although it was delivered and keeps that status. */
export type ShownState = State | 'refunded';

export function shownStateOf(order: {
  readonly status: number;
  readonly delivery: string;
  readonly salePrice: bigint;
  readonly refunded: bigint;
}): ShownState {
  const state = stateOf(order);
  return state === 'delivered' && order.salePrice > 0n && order.refunded >= order.salePrice ? 'refunded' : state;
}
