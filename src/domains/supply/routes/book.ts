import { formatMicros } from '../../../platform/amounts/cents.ts';
import { Refused } from '../../../platform/contract/refused.ts';
import type { Queryable, Tx } from '../../../platform/db/database.ts';
import type { Plan } from '../../catalog/catalog.ts';
import { type Candidates, candidatesAmong, type HasRefills, refillsAmong, shortcomings, suggestedFor } from './fit.ts';
import { noLimits } from './offers.ts';
import {
  type AutoRoute,
  readAuto,
  readRoute,
  readRoutes,
  removeRoute,
  type StoredRoute,
  settingFor,
  writeAuto,
  writeRoute,
} from './store.ts';

/** More alternates are never tried for one order. */
const MOST_ALTERNATES = 20;

export interface WantedRoute extends StoredRoute {
  /** Also alternates that are not at least as good. */
  readonly isForced: boolean;
}

export const requirePlan = (plans: readonly Plan[], productId: string): Plan => {
  const plan = plans.find(({ alias }) => alias === productId);
  if (!plan) throw new Refused('product_not_found', `product ${productId} does not exist`);
  return plan;
};

/** Throws if the route cannot be set. `plans`: all there are. */
export function requireFitting(plans: readonly Plan[], { productId, alternates, isForced }: WantedRoute): void {
  const plan = requirePlan(plans, productId);
  if (plan.refills)
    throw new Refused('invalid_route', 'a refill is added to an eSIM of its own supplier: it has no route');
  if (alternates.length === 0 || alternates.length > MOST_ALTERNATES)
    throw new Refused('invalid_route', `a route names 1 to ${MOST_ALTERNATES} alternates`);
  if (new Set(alternates).size < alternates.length) throw new Refused('invalid_route', 'an alternate is named twice');
  const hasRefills = refillsAmong(plans);
  for (const alias of alternates) {
    const alternate = requirePlan(plans, alias);
    if (alias === productId || alternate.refills)
      throw new Refused('invalid_route', `${alias} is ${alternate.refills ? 'a refill' : 'the plan itself'}`);
    if (!alternate.onSale) throw new Refused('alternate_off_sale', `${alias} is off sale`);
    const lacks = shortcomings(plan, alternate, hasRefills);
    if (lacks.length > 0 && !isForced)
      throw new Refused('alternate_worse', `${alias} is not at least as good: ${lacks.join(', ')}`);
  }
}

export const listed = (plans: readonly Plan[]) =>
  plans.filter(({ onSale, refills, listPrice }) => onSale && refills === null && listPrice > 0n);

/** The route of a plan: its own, or the automatic one. Undefined: no other supplier delivers it. */
async function find(db: Queryable, plans: readonly Plan[], productId: string): Promise<RouteView | undefined> {
  const plan = requirePlan(plans, productId);
  const own = await readRoute(db, productId);
  if (own) return new RouteViews(plans).route(own, 'set');
  const setting = settingFor(await readAuto(db), plan.supplier.slug);
  if (!setting?.isOn || plan.refills) return undefined;
  const alternates = suggestedFor(plan, listed(plans), refillsAmong(plans)).map(({ alias }) => alias);
  return new RouteViews(plans).route({ productId, alternates, prefer: setting.prefer, ...noLimits }, 'auto');
}

/** The routes that operators set. `plans` is the whole catalog, as a command or the console has it. */
export const routeBook = {
  find,
  async list(db: Queryable, plans: readonly Plan[]): Promise<RouteView[]> {
    const shown = new RouteViews(plans);
    return (await readRoutes(db))
      .filter(({ productId }) => shown.has(productId))
      .map((route) => shown.route(route, 'set'));
  },
  async set(tx: Tx, plans: readonly Plan[], wanted: WantedRoute): Promise<void> {
    requireFitting(plans, wanted);
    await writeRoute(tx, wanted);
  },
  clear: (tx: Tx, productId: string): Promise<boolean> => removeRoute(tx, productId),
};

/** Whether plans without a route of their own use suggestions. */
export const autoRoutes = {
  list: (db: Queryable): Promise<AutoRoute[]> => readAuto(db),
  set: (tx: Tx, setting: AutoRoute): Promise<void> => writeAuto(tx, setting),
};

/** For plans that are sold: one of them, or those of a destination or a supplier. Cheapest first for each. */
export function suggestions(
  plans: readonly Plan[],
  filter: {
    readonly productId: string | undefined;
    readonly destination: string | undefined;
    readonly supplier: string | undefined;
  },
) {
  const { productId, destination, supplier } = filter;
  const onSale = listed(plans);
  const hasRefills = refillsAmong(plans);
  // An index of the whole catalog pays off only for many plans.
  const candidates: Candidates =
    productId === undefined
      ? candidatesAmong(onSale, hasRefills)
      : { of: (plan) => suggestedFor(plan, onSale, hasRefills) };
  const sold =
    productId === undefined ? onSale : [requirePlan(plans, productId)].filter(({ refills }) => refills === null);
  return sold
    .filter((plan) => destination === undefined || plan.destination.code.toLowerCase() === destination.toLowerCase())
    .filter((plan) => supplier === undefined || plan.supplier.slug === supplier)
    .flatMap((plan) => candidates.of(plan).map((alternate) => ({ plan, alternate })));
}

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
