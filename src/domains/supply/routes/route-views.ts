import { formatMicros } from '../../../platform/amounts/cents.ts';
import type { Plan } from '../../catalog/catalog.ts';
import { type HasRefills, refillsAmong, shortcomings } from './fit.ts';
import type { StoredRoute } from './store.ts';

export type RouteView = ReturnType<RouteViews['route']>;

export class RouteViews {
  readonly #plans: ReadonlyMap<string, Plan>;
  readonly #hasRefills: HasRefills;

  constructor(plans: readonly Plan[]) {
    this.#plans = new Map(plans.map((plan) => [plan.alias, plan]));
    this.#hasRefills = refillsAmong(plans);
  }

  has(productId: string): boolean {
    return this.#plans.has(productId);
  }

  /** Of a plan that is known. `set` by an operator, or taken from the suggestions. */
  route(route: StoredRoute, source: 'set' | 'auto') {
    const plan = this.#plans.get(route.productId) as Plan;
    return {
      product_id: plan.alias,
      title: plan.title,
      supplier: plan.supplier.slug,
      cost: costText(plan),
      source,
      prefer: route.prefer,
      max_cost: route.maxCost === null ? null : formatMicros(route.maxCost),
      min_margin: route.minMargin === null ? null : percentText(route.minMargin),
      /** In the order in which they are tried; those off sale are skipped. `lacks`: in what one is worse than the plan. */
      alternates: route.alternates.flatMap((alias) => {
        const alternate = this.#plans.get(alias);
        if (!alternate) return [];
        const { supplier, supplierPlan, title, onSale } = alternate;
        const lacks = shortcomings(plan, alternate, this.#hasRefills);
        const names = { product_id: alias, supplier: supplier.slug, supplier_plan: supplierPlan, title };
        return [{ ...names, cost: costText(alternate), on_sale: onSale, lacks }];
      }),
    };
  }
}

const costText = ({ cost }: Plan): string | null => (cost === null ? null : formatMicros(cost));
const percentText = (hundredths: bigint): string =>
  `${hundredths / 100n}.${String(hundredths % 100n).padStart(2, '0')}`;
