import { listSuppliers, type Plan } from '../../../domains/catalog/catalog.ts';
import { orderAttempts } from '../../../domains/sales/orders/orders.ts';
import { autoRoutes, routeBook, suggestions } from '../../../domains/supply/routes/routes.ts';
import { formatCents, formatMicros } from '../../../platform/amounts/cents.ts';
import { DAY } from '../../../platform/clock.ts';
import { Refused } from '../../../platform/contract/refused.ts';
import type { Services } from '../../api/endpoint.ts';
import { filtersFrom } from '../../site/json/filters.ts';
import { type OperatorCall, operatorRead } from '../action.ts';

const PAGE = 50;
const LOST_DAYS = 30;

/** Who else may deliver what is sold. The routes are those of the database; plans are as this process knows them. */
export const routeActions = ({ catalog }: Pick<Services, 'catalog'>) => [
  operatorRead('/operator/api/routes', (call) => routes(call, catalog.moment().plans)),
  operatorRead('/operator/api/routes/{id}', (call) => planRoute(call, catalog.moment().plans)),
];

async function routes(call: OperatorCall, plans: readonly Plan[]) {
  const { db, clock } = call.context;
  const filters = filtersFrom(call, 'invalid_input');
  const before = filters.text('before');
  const words = filters.words('q', 200).toLowerCase().split(/\s+/).filter(Boolean);
  // Those of the newest plans first.
  const all = (await routeBook.list(db, plans)).reverse();
  const matching = all.filter(({ product_id, title, supplier, alternates }) => {
    const names = [product_id, title, supplier, ...alternates.flatMap((one) => [one.product_id, one.supplier])];
    const text = names.join(' ').toLowerCase();
    return words.every((word) => text.includes(word));
  });
  const start = 1 + matching.findIndex(({ product_id }) => product_id === before);
  const lost = await orderAttempts.lostSince(db, new Date(clock.now() - LOST_DAYS * DAY));
  return {
    routes: matching.slice(start, start + PAGE),
    has_more: matching.length > start + PAGE,
    matched: matching.length,
    auto: await autoRoutes.list(db),
    suppliers: (await listSuppliers(db)).map(({ supplier, title, on_sale }) => ({
      supplier,
      title,
      on_sale,
      /** Orders of its plans that others delivered. */
      lost: lost.find((one) => one.supplier === supplier)?.orders ?? 0,
    })),
    lost_days: LOST_DAYS,
  };
}

async function planRoute({ context: { db }, params: { id = '' } }: OperatorCall, plans: readonly Plan[]) {
  const plan = plans.find(({ alias }) => alias === id);
  if (!plan) throw new Refused('not_found', 'this plan does not exist');
  const found = suggestions(plans, { productId: id, destination: undefined, supplier: undefined });
  return {
    route: (await routeBook.find(db, plans, id)) ?? null,
    is_refill: plan.refills !== null,
    price: formatCents(plan.listPrice),
    suggestions: found.map(({ alternate }) => ({
      product_id: alternate.alias,
      supplier: alternate.supplier.slug,
      supplier_plan: alternate.supplierPlan,
      title: alternate.title,
      data: alternate.data,
      days: alternate.day,
      cost: alternate.cost === null ? null : formatMicros(alternate.cost),
    })),
  };
}
