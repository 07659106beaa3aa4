import { states, supplierReferenceOf } from '../../../../domains/sales/orders/orders.ts';
import type { Purchase } from '../../../../domains/sales/purchase/purchase.ts';
import { centsToNumber, formatCents } from '../../../../platform/amounts/cents.ts';
import { timestamp } from '../../../../platform/clock.ts';
import { named, said, usdText, utcTime, vocabulary } from '../../../../platform/contract/described.ts';
import { Type } from '../../../../platform/contract/schema.ts';
import type { Context } from '../../endpoint.ts';
import { apiSale, billingMode, orderStatus } from '../../views.ts';

export const saleAbout = `**200 \`delivered\`**: the eSIM exists; read it from \`order/detail\`. **202 \`deferred\`**: paid and on its way. Do not buy again: wait for \`order.delivered\`, or ask \`order/detail\`. **200 \`failed\`**: it will not be delivered, and nothing is charged.

Always send an \`idempotency_key\`. If an answer is lost, send the same request again: the recorded outcome is returned, and nothing is charged twice. The same key for another product is 409 \`idempotency_key_conflict\`. After a failure, a new key is a new purchase. 402 \`insufficient_balance\` uses up its key.

The answer never has activation data.`;

const PurchasedOrder = named('PurchasedOrder', 'The order as it was recorded.', {
  id: said.text('The number of the order.'),
  product_id: said.text('The product that was bought.'),
  product_title: said.text('Name of the plan.'),
  product_price: usdText('The list price.'),
  sale_price: usdText('What you were charged.'),
  coupon_code: said.text('Always empty: there are no coupons.', ''),
  product_type: said.text('`esim`, or `refill` for data added to an eSIM that exists.'),
  date: utcTime('When it was bought.'),
  status: orderStatus(),
  api_sale_id: said.text("The supplier's number of the order; empty until the supplier has answered."),
  api_sale_code: said.text('Our reference at the supplier; empty until the supplier has answered.'),
  reference: said.text('Your own reference; empty if you gave none.'),
});

export const warnings = Type.Optional(
  Type.Array(Type.String(), {
    description: '`sandbox_queue_full`: too many sandbox deliveries are waiting, so the order sends no events.',
    examples: [['sandbox_queue_full']],
  }),
);

export const saleReply = {
  id: said.text('The number of the order, as text.'),
  order_id: said.integer('The number of the order.'),
  billing_mode: billingMode,
  balance: said.number('What the wallet can spend now, in USD. It does not change on invoice terms.'),
  delivery: vocabulary('What became of the purchase.', {
    delivered: 'The eSIM exists.',
    deferred: 'Paid and on its way. Do not buy again.',
    failed: 'It will not be delivered, and nothing is charged.',
  }),
  delivery_reason: said.text(
    'Why it is deferred (`awaiting_profile`, `provider_unavailable`) or failed (`insufficient_balance`, `credit_limit_exceeded`, `credit_charge_failed`, `provider_rejected`, `sandbox_scenario`); empty if delivered.',
    'awaiting_profile',
  ),
  provision: vocabulary('How far the supplier is.', {
    completed: 'Delivered.',
    queued: 'Deferred: we keep asking.',
    none: 'Failed: there is nothing to wait for.',
  }),
  order: PurchasedOrder,
  warnings,
};

/** The three outcomes a buyer can get. A paid order without an answer from the supplier yet is reported as deferred. */
const described = {
  delivered: { status: 200, delivery: 'delivered', provision: 'completed' },
  deferred: { status: 202, delivery: 'deferred', provision: 'queued' },
  failed: { status: 200, delivery: 'failed', provision: 'none' },
} as const;

export function replyOf({ world }: Context, purchase: Purchase, productType: 'esim' | 'refill') {
  const state = purchase.state === 'delivered' || purchase.state === 'failed' ? purchase.state : 'deferred';
  const { status, delivery, provision } = described[state];
  const id = purchase.orderId.toString();
  return {
    status,
    body: {
      id,
      order_id: Number(purchase.orderId),
      billing_mode: purchase.billingMode,
      balance: centsToNumber(purchase.balance),
      delivery,
      delivery_reason: state === 'deferred' ? purchase.reason || 'awaiting_profile' : purchase.reason,
      provision,
      order: {
        id,
        product_id: purchase.productId,
        product_title: purchase.productTitle,
        product_price: formatCents(purchase.productPrice),
        sale_price: formatCents(purchase.salePrice),
        coupon_code: '',
        product_type: productType,
        date: timestamp(purchase.createdAt),
        status: String(states[purchase.state].status),
        ...apiSale(supplierReferenceOf(world, purchase.orderId), purchase.supplierOrder),
        reference: purchase.reference,
      },
      ...(purchase.queueFull ? { warnings: ['sandbox_queue_full'] } : {}),
    },
  };
}
