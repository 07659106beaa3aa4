import type { Plan } from '../catalog/catalog.ts';
import { Refused } from '../contract/refused.ts';
import type { Queryable, Tx } from '../db/database.ts';
import { formatMicros } from '../money/money.ts';
import { shortcomings } from './fit.ts';
import { noLimits } from './limits.ts';
import type { Preference } from './offers.ts';
import {
  type AutoRoute,
  readAuto,
  readRoute,
  readRoutes,
  removeRoute,
  type StoredRoute,
  writeAuto,
  writeRoute,
} from './store.ts';
import { candidatesAmong, refillsAmong } from './suggest.ts';

/** More alternates are never asked for one order. */
const MOST_ALTERNATES = 20;

/** A route that an operator wants. */
export interface WantedRoute extends StoredRoute {
  /** Also alternates that are not at least as good. */
  readonly isForced: boolean;
}

/** A route as operators see it. */
export interface ShownRoute {
  readonly product_id: string;
  readonly title: string;
  readonly supplier: string;
  readonly cost: string | null;
  /** `set` by an operator, or taken from the suggestions. */
  readonly source: 'set' | 'auto';
  readonly prefer: Preference;
  readonly max_cost: string | null;
  readonly min_margin: string | null;
  /** In the order in which they are asked. */
  readonly alternates: readonly ShownAlternate[];
}

interface ShownAlternate {
  readonly product_id: string;
  readonly supplier: string;
  readonly supplier_plan: string;
  readonly title: string;
  readonly cost: string | null;
  /** Off sale it is passed over. */
  readonly on_sale: boolean;
  /** In what it is less than the plan. */
  readonly lacks: readonly string[];
}

const requirePlan = (plans: readonly Plan[], productId: string): Plan => {
  const plan = plans.find(({ alias }) => alias === productId);
  if (!plan) throw new Refused('product_not_found', `product ${productId} does not exist`);
  return plan;
};

/** Throws if the route cannot be set. `plans`: all there are. */
function requireFitting(plans: readonly Plan[], { productId, alternates, isForced }: WantedRoute): void {
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

function shown(plans: ReadonlyMap<string, Plan>, route: StoredRoute, source: ShownRoute['source']): ShownRoute {
  const plan = plans.get(route.productId) as Plan;
  const hasRefills = refillsAmong([...plans.values()]);
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
      const alternate = plans.get(alias);
      if (!alternate) return [];
      const { supplier, supplierPlan, title, onSale } = alternate;
      const lacks = shortcomings(plan, alternate, hasRefills);
      const names = { product_id: alias, supplier: supplier.slug, supplier_plan: supplierPlan, title };
      return [{ ...names, cost: costText(alternate), on_sale: onSale, lacks }];
    }),
  };
}

const costText = ({ cost }: Plan): string | null => (cost === null ? null : formatMicros(cost));
const percentText = (hundredths: bigint): string =>
  `${hundredths / 100n}.${String(hundredths % 100n).padStart(2, '0')}`;

const byAlias = (plans: readonly Plan[]) => new Map(plans.map((plan) => [plan.alias, plan]));
const listed = (plans: readonly Plan[]) =>
  plans.filter(({ onSale, refills, listPrice }) => onSale && refills === null && listPrice > 0n);

/** The route of a plan: its own, or what the suggestions make of it. Undefined: nobody else delivers it. */
async function find(db: Queryable, plans: readonly Plan[], productId: string): Promise<ShownRoute | undefined> {
  const plan = requirePlan(plans, productId);
  const own = await readRoute(db, productId);
  if (own) return shown(byAlias(plans), own, 'set');
  const auto = await readAuto(db);
  const setting =
    auto.find(({ supplier }) => supplier === plan.supplier.slug) ?? auto.find(({ supplier }) => supplier === null);
  if (!setting?.isOn || plan.refills) return undefined;
  const alternates = candidatesAmong(listed(plans), refillsAmong(plans))
    .of(plan)
    .map(({ alias }) => alias);
  return shown(byAlias(plans), { productId, alternates, prefer: setting.prefer, ...noLimits }, 'auto');
}

/** The routes that operators set. `plans` is the whole catalog, as a command or the console has it. */
export const routeBook = {
  find,
  async list(db: Queryable, plans: readonly Plan[]): Promise<ShownRoute[]> {
    const known = byAlias(plans);
    return (await readRoutes(db))
      .filter(({ productId }) => known.has(productId))
      .map((route) => shown(known, route, 'set'));
  },
  /** What setting it would make of it, or why it cannot be set; nothing is changed. */
  preview(plans: readonly Plan[], wanted: WantedRoute): ShownRoute {
    requireFitting(plans, wanted);
    return shown(byAlias(plans), wanted, 'set');
  },
  async set(tx: Tx, plans: readonly Plan[], wanted: WantedRoute): Promise<void> {
    requireFitting(plans, wanted);
    await writeRoute(tx, wanted);
  },
  /** Returns whether there was one. */
  clear: (tx: Tx, productId: string): Promise<boolean> => removeRoute(tx, productId),
};

/** Whether plans without a route of their own take suggestions. */
export const autoRoutes = {
  list: (db: Queryable): Promise<AutoRoute[]> => readAuto(db),
  set: (tx: Tx, setting: AutoRoute): Promise<void> => writeAuto(tx, setting),
};

/** A plan that could be delivered in place of another. */
export interface Suggestion {
  readonly plan: Plan;
  readonly alternate: Plan;
}

/** For plans that are sold: one of them, or those of a destination or a supplier. Cheapest first for each. */
export function suggestions(
  plans: readonly Plan[],
  sought: {
    readonly productId: string | undefined;
    readonly destination: string | undefined;
    readonly supplier: string | undefined;
  },
): Suggestion[] {
  const { productId, destination, supplier } = sought;
  const onSale = listed(plans);
  const candidates = candidatesAmong(onSale, refillsAmong(plans));
  const sold =
    productId === undefined ? onSale : [requirePlan(plans, productId)].filter(({ refills }) => refills === null);
  return sold
    .filter((plan) => destination === undefined || plan.destination.code.toLowerCase() === destination.toLowerCase())
    .filter((plan) => supplier === undefined || plan.supplier.slug === supplier)
    .flatMap((plan) => candidates.of(plan).map((alternate) => ({ plan, alternate })));
}
