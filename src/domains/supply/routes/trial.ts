import { Refused } from '../../../platform/contract/refused.ts';
import type { Queryable } from '../../../platform/db/database.ts';
import type { Plan } from '../../catalog/catalog.ts';
import { listed, requireFitting, requirePlan, type WantedRoute } from './book.ts';
import { noLimits } from './limits.ts';
import { type Route, withoutRoute } from './offers.ts';
import type { RouteOf } from './preview.ts';
import { RouteViews, type RouteView } from './route-views.ts';
import { type AutoRoute, readAuto, readRoute, readRoutes, settingFor } from './store.ts';
import { candidatesAmong, refillsAmong, suggestedFor } from './suggest.ts';

/** The effect of a change on the routes it concerns. Nothing is changed. */
export interface RouteTrial {
  /** The route as it would be shown; null: no other supplier delivers the plan. */
  readonly route: RouteView | null;
  readonly routeOf: RouteOf;
}

const taken = (alternates: readonly Plan[], { prefer }: AutoRoute): Route => ({ ...noLimits, prefer, alternates });

/** Throws what setting the route would be refused with. */
function set(plans: readonly Plan[], wanted: WantedRoute): RouteTrial {
  requireFitting(plans, wanted);
  const plan = requirePlan(plans, wanted.productId);
  const alternates = wanted.alternates.map((alias) => requirePlan(plans, alias));
  return {
    route: new RouteViews(plans).route(wanted, 'set'),
    routeOf: () => ({ plan, route: { ...wanted, alternates } }),
  };
}

/** Automatic routes may take its place. */
async function clear(db: Queryable, plans: readonly Plan[], productId: string): Promise<RouteTrial> {
  const plan = requirePlan(plans, productId);
  if (!(await readRoute(db, productId))) throw new Refused('route_not_found');
  const setting = settingFor(await readAuto(db), plan.supplier.slug);
  if (!setting?.isOn) return { route: null, routeOf: () => ({ plan, route: withoutRoute }) };
  const route = taken(suggestedFor(plan, listed(plans), refillsAmong(plans)), setting);
  const aliases = route.alternates.map(({ alias }) => alias);
  const shown = new RouteViews(plans).route({ productId, ...route, alternates: aliases }, 'auto');
  return { route: shown, routeOf: () => ({ plan, route }) };
}

/** About the plans without a route of their own: of one supplier, or of all that the general setting is for. */
async function auto(db: Queryable, plans: readonly Plan[], wanted: AutoRoute): Promise<RouteOf> {
  const known = await readAuto(db);
  const endsAll = wanted.supplier === null && !wanted.isOn;
  const after = endsAll ? [] : [...known.filter(({ supplier }) => supplier !== wanted.supplier), wanted];
  const withOwn = new Set((await readRoutes(db)).map(({ productId }) => productId));
  const isMeant = ({ alias, refills, supplier }: Plan) =>
    refills === null && !withOwn.has(alias) && (endsAll || settingFor(after, supplier.slug) === wanted);
  const meant = new Map(plans.filter(isMeant).map((plan) => [plan.alias, plan]));
  const candidates = candidatesAmong(listed(plans), refillsAmong(plans));
  const routes = new Map<string, Route>();
  return (productId) => {
    const plan = meant.get(productId);
    if (!plan) return undefined;
    const route = routes.get(productId) ?? (wanted.isOn ? taken(candidates.of(plan), wanted) : withoutRoute);
    routes.set(productId, route);
    return { plan, route };
  };
}

/** Previews of changes. */
export const routeTrials = { set, clear, auto };
