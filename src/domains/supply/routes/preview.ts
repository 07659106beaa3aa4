import { type Cents, formatCents, formatMicros, type Micros, toMicros } from '../../../platform/amounts/cents.ts';
import type { Plan } from '../../catalog/catalog.ts';
import { type Offer, offersFor, type Route } from './offers.ts';

/** A paid order for an eSIM with its outcome. */
export interface PastSale {
  readonly id: bigint;
  readonly productId: string;
  readonly price: Cents;
  /** Who delivered it, or had it last. */
  readonly supplier: string;
  readonly supplierPlan: string;
  /** As charged where the supplier says so; zero: unknown. */
  readonly cost: Micros;
  readonly end: 'delivered' | 'failed' | 'open';
  /** It was not delivered by the purchase itself, but later. */
  readonly hasWaited: boolean;
  readonly attempted: readonly {
    readonly supplier: string;
    readonly supplierPlan: string;
    readonly outcome: string;
    readonly reason: string;
  }[];
  readonly at: Date;
}

/** How a plan that was sold would be delivered; undefined: its route stays as it is, so its sales are left out. */
export type RouteOf = (productId: string) => { readonly plan: Plan; readonly route: Route } | undefined;

const MOST_EXAMPLES = 20;

const isSame = (
  a: { readonly supplier: string; readonly supplierPlan: string },
  b: { readonly supplier: string; readonly supplierPlan: string },
): boolean => a.supplier === b.supplier && a.supplierPlan === b.supplierPlan;

/** It certainly did not take the order then; one that was passed over for a cheaper one was never tried. */
const didNotDeliver = ({ attempted }: PastSale, offer: Offer): boolean =>
  attempted.some(
    (one) =>
      isSame(one, offer) &&
      (one.outcome === 'refused' ||
        one.outcome === 'unavailable' ||
        (one.outcome === 'passed_over' && one.reason !== 'cheaper')),
  );

/** Who would deliver a sale: another plan, the same as then, no one, or unknown because it is still open. */
function outcomeOf(sale: PastSale, offers: readonly Offer[]): Offer | 'same' | 'nobody' | 'open' {
  for (const offer of offers) {
    if (!isSame(offer, sale)) {
      if (didNotDeliver(sale, offer)) continue;
      return offer;
    }
    if (sale.end === 'delivered') return 'same';
    if (sale.end === 'open') return 'open';
  }
  return sale.end === 'delivered' ? 'nobody' : sale.end === 'open' ? 'open' : 'same';
}

/**
 * Compares the outcome of past sales with what a route would have done, at today's costs and the price that was paid. We cannot
 * know whether a supplier that was not tried would have delivered, and past balances and breakers are not recorded, so a supplier
 * counts as delivering unless it failed the same order.
 */
export function previewOf(
  { sales, isComplete }: { readonly sales: readonly PastSale[]; readonly isComplete: boolean },
  routeOf: RouteOf,
  days: number,
) {
  const routed = sales.flatMap((sale) => {
    const found = routeOf(sale.productId);
    if (!found) return [];
    const { plan, route } = found;
    const outcome = outcomeOf(
      sale,
      offersFor(plan, route, sale.price, () => undefined),
    );
    const to =
      typeof outcome === 'string' ? undefined : [plan, ...route.alternates].find((one) => isOffered(one, outcome));
    return [{ sale, outcome, to }];
  });
  const having = (wanted: string) => routed.filter(({ outcome }) => outcome === wanted);
  const moved = routed.flatMap(({ sale, to }) => (to ? [{ sale, to }] : []));
  const compared = moved.filter(({ sale, to }) => sale.end === 'delivered' && sale.cost > 0n && to.cost !== null);
  const total = (costs: readonly (bigint | null)[]) =>
    formatMicros(toMicros(costs.reduce<bigint>((sum, cost) => sum + (cost ?? 0n), 0n)));
  const receivers = Map.groupBy(moved, ({ to }) => to);
  return {
    days,
    orders: routed.length,
    /** False: there are more, and only the newest were read. */
    is_complete: isComplete,
    /** Those that would have gone to another supplier, or to another of its plans. */
    elsewhere: moved.length,
    /** Of these: delivered then, at known costs; and what they cost then and would cost today. */
    compared: compared.length,
    cost_then: total(compared.map(({ sale }) => sale.cost)),
    cost_now: total(compared.map(({ to }) => to.cost)),
    failed_then: moved.filter(({ sale }) => sale.end === 'failed').length,
    /** Delivered then by a supplier the route does not allow, while those it allows did not deliver. */
    nobody: having('nobody').length,
    /** Open, with a supplier that may have it: no other is tried before that is certain. */
    open: having('open').length,
    /** Delivered by the same supplier, but only later: another one might have been quicker. */
    waited: having('same').filter(({ sale }) => sale.end === 'delivered' && sale.hasWaited).length,
    /** Who would have got them, most first. */
    to: [...receivers]
      .map(([{ supplier, alias, title, cost }, all]) => ({
        supplier: supplier.slug,
        product_id: alias,
        title,
        orders: all.length,
        cost: costText(cost),
      }))
      .toSorted((a, b) => b.orders - a.orders),
    examples: moved.slice(0, MOST_EXAMPLES).map(({ sale, to }) => ({
      order_id: sale.id,
      at: sale.at,
      price: formatCents(sale.price),
      was: sale.end,
      from_supplier: sale.supplier,
      from_cost: costText(sale.cost === 0n ? null : sale.cost),
      to_supplier: to.supplier.slug,
      to_product_id: to.alias,
      to_cost: costText(to.cost),
    })),
  };
}

const costText = (cost: Micros | null): string | null => (cost === null ? null : formatMicros(cost));

const isOffered = ({ supplier, supplierPlan }: Plan, offer: Offer): boolean =>
  isSame({ supplier: supplier.slug, supplierPlan }, offer);
