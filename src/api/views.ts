import { type Static, Type } from 'typebox';
import type { Catalog } from '../catalog/catalog.ts';
import { timestamp } from '../clock.ts';
import { formatCents } from '../money/money.ts';
import type { Order } from '../orders/orders.ts';

/** For blocks where the contract writes unset values as null. */
export const nullable = <T extends Type.TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

/** Our order at its supplier: its number there, and the reference we gave it. Empty until the supplier has answered. */
export function apiSale(
  reference: string,
  supplierOrder: string | null,
): { api_sale_id: string; api_sale_code: string } {
  return supplierOrder === null
    ? { api_sale_id: '', api_sale_code: '' }
    : { api_sale_id: supplierOrder, api_sale_code: reference };
}

/** An order's title on its own: prefixed with the destination, unless it already names it. */
export function titleDisplay(countryName: string, productTitle: string): string {
  return productTitle.toLowerCase().includes(countryName.toLowerCase())
    ? productTitle
    : `${countryName} - ${productTitle}`;
}

/** A refund as every answer shows it. */
export const refund = Type.Object({
  status: Type.Enum(['requested', 'refunded', 'rejected']),
  amount: Type.String({ description: 'What was given back, in all' }),
  reason: Type.String(),
  note: Type.String(),
  requested_at: Type.String(),
  decided_at: nullable(Type.String()),
});

/** The fields order/get and order/detail share. */
export const orderFields = {
  id: Type.String(),
  product_id: Type.String(),
  product_title: Type.String(),
  title_display: Type.String(),
  product_price: Type.String(),
  sale_price: Type.String(),
  coupon_code: Type.String(),
  date: Type.String(),
  status: Type.String(),
  api_sale_id: Type.String(),
  api_sale_code: Type.String(),
  reference: Type.String(),
  networks: Type.Array(Type.String()),
  activation_policy: nullable(Type.String()),
  data: Type.String(),
  day: Type.String(),
  fair_use_text: Type.String(),
  country_code: Type.String(),
  country_image: Type.String(),
  country_name: Type.String(),
};

export function orderView(order: Order, catalog: Catalog): Static<Type.TObject<typeof orderFields>> {
  const plan = catalog.byAlias(order.productId);
  const destination = catalog.destination(order.countryCode);
  const country_name = destination?.title ?? order.countryCode;
  return {
    id: order.id.toString(),
    product_id: order.productId,
    product_title: order.productTitle,
    title_display: titleDisplay(country_name, order.productTitle),
    product_price: formatCents(order.productPrice),
    sale_price: formatCents(order.salePrice),
    coupon_code: '',
    date: timestamp(order.createdAt),
    status: String(order.status),
    ...apiSale(order.supplierReference, order.supplierOrder),
    reference: order.reference,
    networks: [...(plan?.operator.networks ?? [])],
    activation_policy: plan?.operator.meta.activation_policy ?? null,
    data: order.data,
    day: String(order.day),
    fair_use_text: plan?.fairUse.text ?? '',
    country_code: order.countryCode,
    country_image: destination?.image ?? '',
    country_name,
  };
}
