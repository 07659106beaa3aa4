import type { Model, Order, Partner } from './model.ts';
import type { Account } from './possible.ts';
import { requireThat } from './violation.ts';

/** Where a purchase takes its money from. */
function accountOf({ partner, world, billing }: Pick<Order, 'partner' | 'world' | 'billing'>): {
  account: Account;
  sign: 1 | -1;
} {
  if (world === 'sandbox') return { account: partner.sandbox, sign: -1 };
  return billing === 'prepaid' ? { account: partner.wallet, sign: -1 } : { account: partner.debt, sign: 1 };
}

export function charge(order: Order): void {
  const { account, sign } = accountOf(order);
  account.add(sign * order.price);
}

/** Refunds to where the money came from; undefined: all that is left. */
export function refund(order: Order, cents = order.price - order.refunded): void {
  const { account, sign } = accountOf(order);
  account.add(-sign * cents);
  order.refunded += cents;
  if (order.state !== 'failed') order.refunds++;
}

/** Finishes an open order; its price is refunded if it failed. */
export function end(order: Order, state: 'delivered' | 'failed', reason: string): void {
  requireThat(order.state === 'open', `order ${order.id} was ${order.state} and became ${state}`);
  order.state = state;
  order.reason = reason;
  if (state === 'failed' && order.wasPaid && order.refunded < order.price) refund(order);
}

/** Was there a moment in this round at which the purchase could be paid? Checked when the round is known. */
export function requireAffordable(order: Order): void {
  const { partner, price, world, billing, id } = order;
  if (world === 'sandbox' || billing === 'prepaid') {
    const { account } = accountOf(order);
    requireThat(account.most >= price, `${world} order ${id} cost more than there was`, { price, most: account.most });
  } else {
    const limit = Math.max(...partner.creditLimit.all);
    const owed = partner.debt.least + price;
    requireThat(owed <= limit, `order ${id} went past the credit limit`, { owed, limit });
  }
}

/** Was there a moment in this round at which it could not? */
export function requireShort(partner: Partner, world: Order['world'], price: number): void {
  const { least } = world === 'sandbox' ? partner.sandbox : partner.wallet;
  requireThat(least < price, `a ${world} purchase was refused though there was enough`, { least, price });
}

export function requireNoCredit(partner: Partner, price: number): void {
  const limit = Math.min(...partner.creditLimit.all);
  const owed = partner.debt.most + price;
  requireThat(owed > limit, 'a purchase was refused though the credit limit has room', { owed, limit });
}

/** What the proof of the ledger answers. Amounts in dollars. */
export type Proof = Readonly<Record<Order['world'], { readonly replacement_cost: string }>>;

/** Free orders cost the operator what their suppliers take for them, and nobody else anything. */
export function requireCost(model: Model, proof: Proof): void {
  for (const world of ['live', 'sandbox'] as const) {
    const replaced = [...model.replacements.values()].filter(
      ({ old, status }) => old.world === world && status === 'replaced',
    );
    const must = replaced.reduce((sum, { costMicros }) => sum + costMicros, 0);
    const is = Math.round(Number(proof[world].replacement_cost) * 1_000_000);
    requireThat(is === must, `replacements in ${world} are booked at another cost`, { is, must });
  }
}
