import { states, supplierReferenceOf } from '../../../../domains/sales/orders/orders.ts';
import { type BuyOutcome, limitValues, type Purchase } from '../../../../domains/sales/purchase/purchase.ts';
import { type Cents, centsToNumber, formatCents, toCents } from '../../../../platform/amounts/cents.ts';
import { timestamp } from '../../../../platform/clock.ts';
import type { WorldCodes } from '../../../../platform/contract/codes.ts';
import { named, said, usdText, utcTime, vocabulary } from '../../../../platform/contract/described.ts';
import { type Failure, fail, failBecause } from '../../../../platform/contract/failure.ts';
import { limitBody } from '../../../../platform/contract/resources.ts';
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

/** The contract's answer to a purchase that ended without an order to show. */
export function refusalOf(
  refused: Exclude<BuyOutcome, { outcome: 'bought' }>,
  { price, codes }: { price: Cents; codes: WorldCodes },
): Failure {
  const required = centsToNumber(price);
  switch (refused.outcome) {
    case 'withdrawn':
      return failBecause('invalid_refill', 'cancelled');
    case 'esim_gone':
      return fail('esim_not_found');
    case 'late':
    // Only what a rule buys, for which no request waits.
    case 'rule_changed':
      return fail('service_unavailable');
    case 'suspended':
      return fail('partner_account_suspended', { billing_mode: refused.billingMode, status: 2 });
    case 'price_changed':
      return fail('price_changed', {
        partner_price: centsToNumber(refused.price),
        max_price: centsToNumber(refused.ceiling),
      });
    case 'limit_exceeded':
      return fail('limit_exceeded', { limit: limitBody(limitValues(refused.limit)) });
    case 'no_room': {
      const order_id = Number(refused.orderId ?? 0n);
      const { shortfall } = refused;
      return shortfall.code === 'insufficient_balance'
        ? fail('insufficient_balance', { balance: centsToNumber(shortfall.balance), required, order_id })
        : fail('credit_limit_exceeded', { ...creditOf(shortfall), required, order_id });
    }
    case 'credit_refused':
      return fail('credit_charge_failed', {
        billing_mode: 'postpaid',
        ...creditOf(refused.wallet),
        required,
        order_id: Number(refused.orderId ?? 0n),
        reason: 'ledger_write_failed',
      });
    case 'not_written':
      return fail(codes.balanceWrite ?? codes.orderInsert);
    case 'key_conflict':
      return fail('idempotency_key_conflict');
    case 'outdated':
      return fail('charge_in_progress', { order_id: null, ...openChargeOf(refused.wallet) });
    case 'charge_in_progress': {
      const order_id = refused.orderId === undefined ? null : Number(refused.orderId);
      return fail('charge_in_progress', { order_id, ...openChargeOf(refused.wallet) });
    }
    case 'charge_incomplete':
      return fail('charge_incomplete', { order_id: Number(refused.orderId), ...openChargeOf(refused.wallet) });
  }
}

const creditOf = ({ outstanding, creditLimit }: { outstanding: Cents; creditLimit: Cents }) => ({
  outstanding: centsToNumber(outstanding),
  credit_limit: centsToNumber(creditLimit),
  available: centsToNumber(toCents(creditLimit - outstanding)),
});

const openChargeOf = (wallet: { billingMode: 'prepaid' | 'postpaid'; outstanding: Cents }) => ({
  billing_mode: wallet.billingMode,
  outstanding: centsToNumber(wallet.outstanding),
});
