import { type Catalog, supplierRows } from '../../../domains/catalog/catalog.ts';
import { partnerNames } from '../../../domains/partners/accounts/accounts.ts';
import type { AllOrdersPage } from '../../../domains/sales/order-lists/order-lists.ts';
import { Refused } from '../../../platform/contract/refused.ts';
import type { Base } from '../../../worlds/base.ts';
import type { Services } from '../../api/endpoint.ts';
import { requireMode } from '../../site/json/action.ts';
import { type OperatorAction, operatorAction } from '../action.ts';
import { requireOrderFilter } from './order-filters.ts';
import { orderRow, partnerView } from './order-row.ts';
import { readOrderView } from './order-view.ts';

const PER_PAGE = 30;

/** Orders over all partners, and everything on record about one. Activation data needs a separate command (`order reveal`). */
export const orderActions = (base: Base, { catalog }: Services): OperatorAction[] => [
  operatorAction({
    verb: 'GET',
    path: '/operator/api/{mode}/orders',
    may: 'see',
    async handle(call) {
      const mode = requireMode(call);
      const filter = await requireOrderFilter(call, base.db, catalog);
      const [page, suppliers] = await Promise.all([
        base.worlds[mode].orders.all.page({ ...filter, limit: PER_PAGE }, mode === 'live'),
        supplierRows.slugs(base.db),
      ]);
      const names = await partnerNames(base.db, partnersIn(page, filter.partnerId));
      return { body: pageView(page, names, catalog, { suppliers, partnerId: filter.partnerId }) };
    },
  }),
  operatorAction({
    verb: 'GET',
    path: '/operator/api/{mode}/orders/{id}',
    may: 'see',
    async handle(call) {
      const view = await readOrderView(base, catalog, requireMode(call), call);
      if (!view) throw new Refused('order_not_found');
      return { body: view };
    },
  }),
];

const partnersIn = ({ orders }: AllOrdersPage, chosen: number | undefined): number[] => [
  ...orders.map(({ partnerId }) => partnerId),
  ...(chosen === undefined ? [] : [chosen]),
];

const pageView = (
  { orders, hasMore, lookedTo }: AllOrdersPage,
  names: ReadonlyMap<number, string>,
  catalog: Catalog,
  { suppliers, partnerId }: { readonly suppliers: readonly string[]; readonly partnerId: number | undefined },
) => ({
  orders: orders.map((order) => orderRow(order, names, catalog)),
  has_more: hasMore,
  /** Set: the search stopped after this order, before it had covered all of them. */
  looked_to: lookedTo?.toString() ?? null,
  /** What the filters offer, and the partner that was chosen. */
  suppliers,
  partner: partnerId === undefined ? null : partnerView(partnerId, names),
});

export type ConsoleOrdersView = ReturnType<typeof pageView>;
