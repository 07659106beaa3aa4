import type { Catalog } from '../../../domains/catalog/catalog.ts';
import { formatRetail, type RetailPrices, retailSums } from '../../../domains/catalog/retail/retail.ts';
import { type OrderSummary, type ShownState, shownStateOf } from '../../../domains/sales/order-lists/order-lists.ts';
import { formatCents, toCents, ZERO } from '../../../platform/amounts/cents.ts';
import { titleDisplay } from '../../api/views.ts';
import { iso } from '../../site/json/action.ts';

/** A failed order that had been charged got everything back when it failed; otherwise `refunded` says how much was returned. */
export function moneyOf({ salePrice, refunded, status, paidAt }: OrderSummary) {
  const charged = paidAt === null ? ZERO : salePrice;
  const returned = status === 2 ? charged : refunded;
  return { charged, returned, paid: toCents(charged - returned) };
}

/**
 * What an order brings at the retail prices of today; null: it was not charged, all of it went back, or its plan has no retail
 * price.
 */
export function retailOf(order: OrderSummary, retail: RetailPrices) {
  const { charged, returned, paid } = moneyOf(order);
  const sold = { plan: order.productId, destination: order.countryCode };
  if (paid === ZERO || !retail.of({ ...sold, cost: charged })) return null;
  const { revenue, margin } = retailSums(retail, [{ ...sold, orders: 1, charged, returned }]);
  return { currency: retail.terms.currency, revenue: formatRetail(revenue), margin: formatCents(margin) };
}

/** A line of the panel's list of orders. */
export function orderLine(order: OrderSummary, catalog: Catalog, retail: RetailPrices) {
  const destination = catalog.destination(order.countryCode);
  const country = destination?.title ?? order.countryCode;
  const { charged, returned, paid } = moneyOf(order);
  return {
    id: order.id.toString(),
    state: shownStateOf(order),
    /** Why it failed or is waiting, as in the API; '' otherwise. */
    reason: order.deliveryReason,
    product_id: order.productId,
    title: titleDisplay(country, order.productTitle),
    country_name: country,
    country_image: destination?.image ?? '',
    type: order.refillOf === null ? ('esim' as const) : ('refill' as const),
    reference: order.reference,
    iccid: order.iccid,
    key_id: order.keyId,
    /** What it costs, whether or not it was charged. */
    price: formatCents(order.salePrice),
    charged: formatCents(charged),
    returned: formatCents(returned),
    paid: formatCents(paid),
    retail: retailOf(order, retail),
    created_at: iso(order.createdAt),
  };
}

export type OrderLine = ReturnType<typeof orderLine>;
export type { ShownState };
