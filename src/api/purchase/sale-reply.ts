import { Type } from 'typebox';
import { timestamp } from '../../clock.ts';
import { centsToNumber, formatCents } from '../../money/money.ts';
import { states, supplierReferenceOf } from '../../orders/orders.ts';
import type { Purchase } from '../../purchase/purchase.ts';
import type { Context } from '../endpoint.ts';
import { apiSale } from '../views.ts';

export const saleReply = {
  id: Type.String(),
  order_id: Type.Integer(),
  billing_mode: Type.Enum(['prepaid', 'postpaid']),
  balance: Type.Number(),
  delivery: Type.Enum(['delivered', 'deferred', 'failed']),
  delivery_reason: Type.String(),
  provision: Type.Enum(['completed', 'queued', 'none']),
  order: Type.Object({
    id: Type.String(),
    product_id: Type.String(),
    product_title: Type.String(),
    product_price: Type.String(),
    sale_price: Type.String(),
    coupon_code: Type.String(),
    product_type: Type.String(),
    date: Type.String(),
    status: Type.String(),
    api_sale_id: Type.String(),
    api_sale_code: Type.String(),
    reference: Type.String(),
  }),
  warnings: Type.Optional(Type.Array(Type.String())),
};

/** The three things a buyer is told. A paid order without an answer from the supplier yet is reported as deferred. */
const told = {
  delivered: { status: 200, delivery: 'delivered', provision: 'completed' },
  deferred: { status: 202, delivery: 'deferred', provision: 'queued' },
  failed: { status: 200, delivery: 'failed', provision: 'none' },
} as const;

export function replyOf({ world }: Context, purchase: Purchase, productType: 'esim' | 'refill') {
  const state = purchase.state === 'delivered' || purchase.state === 'failed' ? purchase.state : 'deferred';
  const { status, delivery, provision } = told[state];
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
