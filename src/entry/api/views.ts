import type { Catalog } from '../../domains/catalog/catalog.ts';
import type { PartnerRefund } from '../../domains/messages/events/events.ts';
import type { Order } from '../../domains/sales/order-lists/order-lists.ts';
import type { Cancel } from '../../domains/sales/orders/orders.ts';
import { formatCents } from '../../platform/amounts/cents.ts';
import { timestamp } from '../../platform/clock.ts';
import { named, nullable, said, usdText, utcTime, vocabulary } from '../../platform/contract/described.ts';
import { refundBody } from '../../platform/contract/resources.ts';
import { type Static, type TObject, Type } from '../../platform/contract/schema.ts';

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

/** The same of an order, with its destination as the catalog has it now. */
export const orderTitle = (
  { countryCode, productTitle }: Pick<Order, 'countryCode' | 'productTitle'>,
  catalog: Catalog,
) => titleDisplay(catalog.destination(countryCode)?.title ?? countryCode, productTitle);

export const billingMode = vocabulary('How the account pays.', {
  prepaid: 'From the wallet, at once.',
  postpaid: 'On invoice terms: the price is added to the debt.',
});

export const productType = vocabulary('What was bought.', {
  esim: 'A plan with a new eSIM.',
  refill: 'Data and days for an eSIM that exists.',
});

export const orderStatus = (description = 'How far the order is.') =>
  Type.String({
    description,
    enum: ['1', '2', '3', '4'],
    'x-enum-descriptions': {
      1: 'Delivered: the eSIM exists.',
      2: 'Failed: it will not be delivered, and nothing is charged.',
      3: 'Created: not paid yet.',
      4: 'Paid: the eSIM is on its way.',
    },
  });

export const refund = named('Refund', 'What became of the wish to get the price of an order back.', {
  status: vocabulary('How far the refund is.', {
    requested: 'The operator has to decide.',
    refunded: 'The money went back, in whole or in part.',
    rejected: 'The operator refused; `note` may say why.',
  }),
  amount: usdText('What was given back, in all.'),
  reason: said.text('The reason you gave; may be empty.'),
  note: said.text("The operator's note; may be empty.", 'Half of the data was used.'),
  requested_at: utcTime('When it was asked for.'),
  decided_at: nullable(utcTime('When it was decided; null: not yet.')),
});

export const refundView = (of: PartnerRefund): Static<typeof refund> =>
  refundBody({ ...of, amount: formatCents(of.amount) });

/** A replacement as every answer shows it. */
export const replacement = named('Replacement', 'What became of the wish for a new eSIM in place of another.', {
  status: vocabulary('How far the replacement is.', {
    replaced: 'The new eSIM is delivered.',
    pending: 'The new eSIM is ordered and on its way. Do not ask again.',
    requested: 'The operator has to decide.',
    rejected: 'The operator refused, or you cancelled the new order. The old eSIM stays as it was.',
  }),
  order_id: nullable(said.integer('The order of the new eSIM, which costs nothing; null: there is none yet.')),
  iccid: nullable(said.text('The number of the new eSIM; null until it is delivered.')),
  old_iccid: said.text('The number of the eSIM that is replaced.'),
});

export const cancel = named('Cancel', 'What became of the wish not to have an order delivered.', {
  status: vocabulary('How far the cancel is.', {
    requested: 'A supplier may have the order. It is not known yet whether it can be stopped.',
    cancelled: 'The order failed, or its eSIM was handed back. The price went back.',
    too_late: 'It was delivered, or had failed before. Nothing changed.',
  }),
  requested_at: utcTime('When it was asked for.'),
  decided_at: nullable(utcTime('When it was decided; null: not yet.')),
});

export const cancelView = ({ status, requestedAt, decidedAt }: Cancel): Static<typeof cancel> => ({
  status,
  requested_at: timestamp(requestedAt),
  decided_at: timestamp(decidedAt),
});

/** The fields order/get and order/detail share. */
export const orderFields = {
  id: said.text('The number of the order.'),
  product_id: said.text('The product that was bought.'),
  product_title: said.text('Name of the plan.'),
  title_display: said.text('Name of the plan with its destination.'),
  product_price: usdText('The list price at the time of purchase.'),
  sale_price: usdText('What you were charged.'),
  coupon_code: said.text('Always empty: there are no coupons.', ''),
  date: utcTime('When it was bought.'),
  status: orderStatus(),
  api_sale_id: said.text("The supplier's number of the order; empty until the supplier has answered."),
  api_sale_code: said.text('Our reference at the supplier; empty until the supplier has answered.'),
  reference: said.text('Your own reference of the order; empty if you gave none.'),
  networks: Type.Array(Type.String(), {
    description: 'The mobile networks the eSIM uses; empty if the supplier does not say.',
    examples: [['Vodafone']],
  }),
  activation_policy: nullable(said.text('When the days begin to count; null if unknown.', 'first-usage')),
  data: said.text('The data of the plan as text for people.'),
  day: said.text('How many days the plan is valid.'),
  fair_use_text: said.text('The fair-use rule in words; may be empty.', ''),
  country_code: said.text('Its destination: ISO code of a country, or the code of a region.'),
  country_image: said.text('Address of the flag or picture of the destination.'),
  country_name: said.text('Name of the destination.'),
};

export function orderView(order: Order, catalog: Catalog): Static<TObject<typeof orderFields>> {
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
    networks: [...(plan?.network.networks ?? [])],
    activation_policy: plan?.network.meta.activation_policy ?? null,
    data: order.data,
    day: String(order.day),
    fair_use_text: plan?.fairUse.text ?? '',
    country_code: order.countryCode,
    country_image: destination?.image ?? '',
    country_name,
  };
}
