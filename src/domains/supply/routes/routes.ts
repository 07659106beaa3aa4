import { type Cents, toMicros } from '../../../platform/amounts/cents.ts';
import { MINUTE, SECOND } from '../../../platform/clock.ts';
import { Refused } from '../../../platform/contract/refused.ts';
import type { Db, Queryable } from '../../../platform/db/database.ts';
import type { Listener } from '../../../platform/db/notifications.ts';
import type { Services } from '../../../platform/start/services.ts';
import type { Catalog, Plan } from '../../catalog/catalog.ts';
import { listed, type RouteView, RouteViews, requireFitting, requirePlan, type WantedRoute } from './book.ts';
import { type Candidates, candidatesAmong, refillsAmong, suggestedFor } from './fit.ts';
import {
  type BalanceOf,
  covers,
  noLimits,
  type Offer,
  offerOf,
  offersFor,
  type Route,
  withoutRoute,
} from './offers.ts';
import type { RouteOf } from './preview.ts';
import {
  type AutoRoute,
  readAuto,
  readBalances,
  readRoute,
  readRoutes,
  type StoredRoute,
  settingFor,
} from './store.ts';

/** The effect of a change on the routes it concerns. Nothing is changed. */
interface RouteTrial {
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

export const routeTrials = { set, clear, auto };

export type { RouteView } from './book.ts';
export { autoRoutes, routeBook, suggestions } from './book.ts';
export { type Offer, offerOf, preferences } from './offers.ts';
export { type PastSale, previewOf, type RouteOf } from './preview.ts';

export const ROUTES_CHANNEL = 'wayfare_routes';

/** Who may deliver what is sold. The routes are in memory and follow every change in the database. */
export interface Routes {
  /**
   * Who is tried first, if not the plan's own supplier, and why. Undefined: its own is. Costs nothing for a plan without a route.
   */
  start(sale: Sale): Start | undefined;
  /** Every supplier that may deliver it, in the order in which they are tried. Empty: the plan is unknown. */
  offers(sale: Sale): readonly Offer[];
}

interface Sale {
  readonly productId: string;
  readonly price: Cents;
}

interface Start {
  readonly offer: Offer;
  readonly reason: 'cheaper' | 'balance_low';
}

interface RouteParts extends Pick<Services, 'db' | 'clock' | 'log'> {
  readonly listener: Listener;
  readonly catalog: Catalog;
}

/** An older balance is ignored. */
const BALANCE_KEPT_MS = 15 * MINUTE;
const RETRY_MS = 1 * SECOND;

interface Known {
  readonly routes: ReadonlyMap<string, StoredRoute>;
  /** By supplier; `null`: in general. */
  readonly auto: ReadonlyMap<string | null, AutoRoute>;
  readonly balances: ReadonlyMap<string, { readonly balance: bigint; readonly at: Date }>;
}

/** Reads the routes and follows them: it reads again after every notification and whenever the listening connection is restored. */
export async function openRoutes({ db, listener, catalog, clock, log }: RouteParts): Promise<Routes & Disposable> {
  let known: Known | undefined;
  let isClosed = false;
  let timer: NodeJS.Timeout | undefined;
  let reading: Promise<void> | undefined;
  let isStale = false;

  async function read(): Promise<void> {
    do {
      isStale = false;
      known = await readKnown(db, clock.now());
    } while (isStale);
  }

  function follow(): void {
    isStale = true;
    if (isClosed || reading) return;
    reading = read()
      .catch((error: unknown) => {
        if (isClosed) return;
        log.error({ err: error }, 'the routes could not be read again');
        timer = setTimeout(follow, RETRY_MS).unref();
      })
      .finally(() => {
        reading = undefined;
      });
  }

  listener.on(ROUTES_CHANNEL, follow);
  listener.onReconnect(follow);
  await read();

  const balanceOf: BalanceOf = (supplier) => {
    const reported = known?.balances.get(supplier);
    const isFresh = reported && reported.at.getTime() > clock.now() - BALANCE_KEPT_MS;
    return isFresh ? toMicros(reported.balance) : undefined;
  };

  const suggested = rememberedSuggestions(catalog);

  /** Undefined: no other supplier may deliver the plan. Alternates are searched for only when needed. */
  function routeOf(plan: Plan): (Omit<Route, 'alternates'> & { alternates(): readonly Plan[] }) | undefined {
    const own = known?.routes.get(plan.alias);
    if (own) return { ...own, alternates: () => own.alternates.flatMap((alias) => catalog.byAlias(alias) ?? []) };
    const auto = known?.auto.get(plan.supplier.slug) ?? known?.auto.get(null);
    if (!auto?.isOn || plan.refills) return undefined;
    return { ...noLimits, prefer: auto.prefer, alternates: () => suggested(plan) };
  }

  function offers({ productId, price }: Sale): readonly Offer[] {
    const plan = catalog.byAlias(productId);
    if (!plan) return [];
    const route = routeOf(plan);
    const complete: Route = route ? { ...route, alternates: route.alternates() } : withoutRoute;
    return offersFor(plan, complete, price, balanceOf);
  }

  return {
    offers,
    start(sale) {
      const plan = catalog.byAlias(sale.productId);
      const route = plan && routeOf(plan);
      if (!plan || !route) return undefined;
      const own = offerOf(plan);
      const isCovered = covers(balanceOf, own);
      if (route.prefer === 'own' && isCovered) return undefined;
      const [offer = own] = offers(sale);
      if (offer.supplier === own.supplier && offer.supplierPlan === own.supplierPlan) return undefined;
      return { offer, reason: isCovered ? 'cheaper' : 'balance_low' };
    },
    [Symbol.dispose]() {
      isClosed = true;
      clearTimeout(timer);
    },
  };
}

async function readKnown(db: Db, now: number): Promise<Known> {
  const [routes, auto, balances] = await Promise.all([
    readRoutes(db),
    readAuto(db),
    readBalances(db, new Date(now - BALANCE_KEPT_MS)),
  ]);
  return {
    routes: new Map(routes.map((route) => [route.productId, route])),
    auto: new Map(auto.map((one) => [one.supplier, one])),
    balances: new Map(balances.map((one) => [one.supplier, one])),
  };
}

/** What is suggested for a plan, until the catalog changes. */
function rememberedSuggestions(catalog: Catalog): (plan: Plan) => readonly Plan[] {
  let version = 0;
  let candidates: Candidates | undefined;
  let found = new Map<string, readonly Plan[]>();
  return (plan) => {
    if (!candidates || version !== catalog.version) {
      version = catalog.version;
      candidates = candidatesAmong(
        catalog.listed,
        ({ supplier, supplierPlan }) => catalog.refillsOf(supplier.slug, supplierPlan).length > 0,
      );
      found = new Map();
    }
    const known = found.get(plan.alias) ?? candidates.of(plan);
    found.set(plan.alias, known);
    return known;
  };
}
