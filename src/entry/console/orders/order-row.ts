import type { Catalog } from '../../../domains/catalog/catalog.ts';
import { type ListedOrder, shownStateOf } from '../../../domains/sales/order-lists/order-lists.ts';
import { formatCents } from '../../../platform/amounts/cents.ts';
import { titleDisplay } from '../../api/views.ts';
import { iso } from '../../site/json/action.ts';

export const partnerView = (id: number, names: ReadonlyMap<number, string>) => ({ id, name: names.get(id) ?? '' });

export const titleOf = ({ countryCode, productTitle }: ListedOrder, catalog: Catalog): string =>
  titleDisplay(catalog.destination(countryCode)?.title ?? countryCode, productTitle);

/** A line of the console's lists of orders. */
export const orderRow = (order: ListedOrder, names: ReadonlyMap<number, string>, catalog: Catalog) => ({
  id: String(order.id),
  partner: partnerView(order.partnerId, names),
  state: shownStateOf(order),
  /** Why it failed or is waiting; '' otherwise. */
  reason: order.deliveryReason,
  title: titleOf(order, catalog),
  country_image: catalog.destination(order.countryCode)?.image ?? '',
  type: order.refillOf === null ? ('esim' as const) : ('refill' as const),
  reference: order.reference,
  iccid: order.iccid,
  supplier: order.supplier,
  /** Another supplier than the one whose plan was sold was tried. */
  is_routed: order.isRouted,
  supplier_order: order.supplierOrder,
  price: formatCents(order.salePrice),
  refunded: formatCents(order.refunded),
  created_at: iso(order.createdAt),
  overdue_at: iso(order.overdueAt),
  /** What is wrong with what its supplier sent, so that it waits for a person; null: it does not. */
  held: order.heldReason,
});

export type ConsoleOrderRow = ReturnType<typeof orderRow>;
