import { type Catalog, supplierRows } from '../../../domains/catalog/catalog.ts';
import { partnerNames } from '../../../domains/partners/accounts/accounts.ts';
import type { Services } from '../../api/endpoint.ts';
import { requireMode } from '../../site/json/action.ts';
import { type OperatorAction, type OperatorCall, operatorRead } from '../action.ts';
import { requireOrderFilter } from './order-filters.ts';
import { orderRow, partnerView } from './order-row.ts';
import { readOrderView } from './order-view.ts';

const PER_PAGE = 30;

/** Orders over all partners, and everything on record about one. Activation data needs a separate command (`order reveal`). */
export const orderActions = ({ catalog }: Services): OperatorAction[] => [
  operatorRead('/operator/api/{mode}/orders', (call) => ordersIn(call, catalog)),
  operatorRead('/operator/api/{mode}/orders/{id}', (call) => readOrderView(call, catalog)),
];

async function ordersIn(call: OperatorCall, catalog: Catalog) {
  const { db, worlds } = call.context;
  const mode = requireMode(call);
  const filter = await requireOrderFilter(call, db, catalog);
  const [{ orders, hasMore, lookedTo }, suppliers] = await Promise.all([
    worlds[mode].orders.all.page({ ...filter, limit: PER_PAGE }, mode === 'live'),
    supplierRows.slugs(db),
  ]);
  const { partnerId: chosen } = filter;
  const names = await partnerNames(db, [
    ...orders.map(({ partnerId }) => partnerId),
    ...(chosen === undefined ? [] : [chosen]),
  ]);
  return {
    orders: orders.map((order) => orderRow(order, names, catalog)),
    has_more: hasMore,
    /** Set: the search stopped after this order, before it had covered all of them. */
    looked_to: lookedTo?.toString() ?? null,
    /** What the filters offer, and the partner that was chosen. */
    suppliers,
    partner: chosen === undefined ? null : partnerView(chosen, names),
  };
}

export type ConsoleOrdersView = Awaited<ReturnType<typeof ordersIn>>;
