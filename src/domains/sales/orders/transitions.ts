/** Order states as the contract draws them. Deferred is a paid order whose delivery was postponed: same status, other delivery. */
export const states = {
  created: { status: 3, delivery: '' },
  paid: { status: 4, delivery: '' },
  deferred: { status: 4, delivery: 'deferred' },
  delivered: { status: 1, delivery: 'delivered' },
  failed: { status: 2, delivery: 'failed' },
} as const;

export type State = keyof typeof states;
type OrderEventName = `order.${State}`;

/** Which state may follow which, and the event the move sends. Null: a silent move. */
export const moves: Readonly<Record<State, Readonly<Partial<Record<State, OrderEventName | null>>>>> = {
  created: { paid: 'order.paid', failed: 'order.failed' },
  paid: { delivered: 'order.delivered', deferred: 'order.deferred', failed: 'order.failed' },
  // Still waiting after another try. The partner has already been notified.
  deferred: { delivered: 'order.delivered', deferred: null, failed: 'order.failed' },
  delivered: {},
  failed: {},
};

/** The event of a move; null for a silent one. A move that is not in the table is a bug. */
export function eventOf(from: State, to: State): OrderEventName | null {
  const event = moves[from][to];
  if (event === undefined) throw new Error(`an order cannot go from ${from} to ${to}`);
  return event;
}

export function stateOf(order: { readonly status: number; readonly delivery: string }): State {
  for (const [name, state] of Object.entries(states)) {
    if (state.status === order.status && state.delivery === order.delivery) return name as State;
  }
  throw new Error(`no order state has status ${order.status} and delivery "${order.delivery}"`);
}
