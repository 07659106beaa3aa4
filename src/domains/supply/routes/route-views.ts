import { formatMicros } from '../../../platform/amounts/cents.ts';
import type { Plan } from '../../catalog/catalog.ts';
import { type HasRefills, refillsAmong, shortcomings } from './fit.ts';
import type { Preference } from './offers.ts';
import type { StoredRoute } from './store.ts';

export interface RouteView {
  readonly product_id: string;
  readonly title: string;
  readonly supplier: string;
  readonly cost: string | null;
  /** `set` by an operator, or taken from the suggestions. */
  readonly source: 'set' | 'auto';
  readonly prefer: Preference;
  readonly max_cost: string | null;
  readonly min_margin: string | null;
  /** In the order in which they are tried. */
  readonly alternates: readonly AlternateView[];
}

interface AlternateView {
  readonly product_id: string;
  readonly supplier: string;
  readonly supplier_plan: string;
  readonly title: string;
  readonly cost: string | null;
  /** Skipped while off sale. */
  readonly on_sale: boolean;
  /** In what it is worse than the plan. */
  readonly lacks: readonly string[];
}

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

  /** Of a plan that is known. */
  route(route: StoredRoute, source: RouteView['source']): RouteView {
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
