import {
  type Cents,
  centsToMicros,
  divideHalfUp,
  formatCents,
  microsToCentsHalfUp,
  toCents,
  toMicros,
} from '../../../platform/amounts/cents.ts';
import type { Plan } from '../catalog.ts';

/** What a partner bought of a plan in a period. */
export interface SoldOfPlan {
  readonly partnerId: number;
  /** Its public id. */
  readonly plan: string;
  readonly orders: number;
  readonly charged: Cents;
  /** Given back of that, until now. */
  readonly returned: Cents;
}

/**
 * What the sales of a period would have brought at other prices: the orders whose price a change touches, as they were charged, and the
 * same orders at the new price. What was given back counts in proportion, on both sides. Margins are at today's cost.
 */
export class SalesEffect {
  readonly #sold: ReadonlyMap<string, readonly SoldOfPlan[]>;
  #orders = 0;
  #before = 0n;
  #after = 0n;
  /** Of plans whose cost is known. */
  readonly #costed = { orders: 0, before: 0n, after: 0n, cost: 0n };

  constructor(sold: readonly SoldOfPlan[]) {
    this.#sold = Map.groupBy(sold, ({ plan }) => plan);
  }

  /** For partners that pay the same: their orders of a plan, at its other price. */
  add(partners: ReadonlySet<number>, plan: Plan, to: Cents): void {
    for (const { partnerId, orders, charged, returned } of this.#sold.get(plan.alias) ?? []) {
      if (!partners.has(partnerId) || charged === 0n) continue;
      const kept = charged - returned;
      const after = divideHalfUp(BigInt(orders) * to * kept, charged);
      this.#orders += orders;
      this.#before += kept;
      this.#after += after;
      if (plan.cost === null) continue;
      this.#costed.orders += orders;
      this.#costed.before += kept;
      this.#costed.after += after;
      this.#costed.cost += divideHalfUp(BigInt(orders) * plan.cost * kept, charged);
    }
  }

  summary() {
    const { orders, before, after, cost } = this.#costed;
    const margin = (revenue: bigint) =>
      orders === 0 ? null : formatCents(microsToCentsHalfUp(toMicros(centsToMicros(toCents(revenue)) - cost)));
    return {
      orders: this.#orders,
      revenue_before: formatCents(toCents(this.#before)),
      revenue_after: formatCents(toCents(this.#after)),
      /** Of the orders of plans whose cost is known; null: of none. */
      margin_before: margin(before),
      margin_after: margin(after),
      /** Orders of plans without a known cost, which the margin leaves out. */
      without_cost: this.#orders - orders,
    };
  }
}
