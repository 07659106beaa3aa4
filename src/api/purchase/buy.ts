import { Type } from 'typebox';
import { timestamp } from '../../clock.ts';
import { fail } from '../../contract/errors.ts';
import { requiredText } from '../../contract/fields.ts';
import { type Cents, centsToNumber, formatCents } from '../../money/money.ts';
import { states, supplierReferenceOf } from '../../orders/orders.ts';
import type { Quote } from '../../pricing/pricing.ts';
import type { BuyOutcome, Purchase, Wanted } from '../../purchase/purchase.ts';
import { type Context, endpoint } from '../endpoint.ts';
import { apiSale } from '../views.ts';
import { idempotencyKey, parseIdempotencyKey } from './idempotency-key.ts';
import { parseReference, reference } from './reference.ts';
import { refusalOf } from './refusals.ts';
import { parseScript, scriptFields } from './script.ts';

interface Checked extends Quote {
  readonly key: string | undefined;
  readonly reference: string;
  readonly script: Pick<Wanted, 'refuse' | 'script' | 'eventsAhead'>;
}

/** How often a purchase that waited too long for its wallet gets a new price and another try. */
const MAX_REQUOTES = 2;

export const buy = endpoint({
  path: '/purchase/buy',
  verb: 'POST',
  tier: 'purchase',
  summary: 'Buy an eSIM, paid from the wallet or on the credit line',
  fields: {
    product_id: requiredText('product_id_required', {
      invalid: 'invalid_product',
      schema: Type.String({ pattern: '^esc_[0-9a-f]{16}$' }),
    }),
    idempotency_key: idempotencyKey,
    reference,
    ...scriptFields,
  },
  errors: [
    'product_not_found',
    'invalid_price',
    'invalid_partner_price',
    'insufficient_balance',
    'credit_limit_exceeded',
    'partner_account_suspended',
    'credit_charge_failed',
    'charge_in_progress',
    'charge_incomplete',
    'idempotency_key_conflict',
    'sale_insert_failed',
    'sandbox_order_insert_failed',
    'sandbox_balance_write_failed',
  ],
  simulated: [
    'product_not_found',
    'invalid_price',
    'insufficient_balance',
    'credit_limit_exceeded',
    'partner_account_suspended',
    'charge_in_progress',
    'charge_incomplete',
    'idempotency_key_conflict',
    'sale_insert_failed',
  ],
  statuses: [200, 202],
  reply: Type.Object({
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
  }),
  storeFailure: (codes) => codes.orderInsert,

  /** Product, key, reference and script are checked in this order, before a simulated error, which quotes the real partner price. */
  async check({ world, pricing, partnerId }, input): Promise<Checked> {
    const quote = await pricing.quote(partnerId, input.product_id);
    if (!quote || quote.plan.refills) throw fail('invalid_product');
    const key = parseIdempotencyKey(input.idempotency_key);
    const reference = parseReference(input.reference);
    // Live has no scripts and ignores these fields, whatever they say.
    const script = world.script ? world.script(parseScript(input)) : {};
    return { ...quote, key, reference, script };
  },
  simulatedExtra: (checked: Checked) => ({ required: centsToNumber(checked.price.partnerPrice) }),

  async handle(context, _, { checked }) {
    let wanted = checked;
    for (let requotes = 0; ; requotes++) {
      const bought = await attempt(context, wanted);
      const { price, plan } = wanted;
      if (bought.outcome !== 'outdated' || requotes === MAX_REQUOTES)
        return replyTo(context, bought, price.partnerPrice);
      wanted = { ...wanted, ...(await context.pricing.quote(context.partnerId, plan.alias)) };
    }
  },
});

async function attempt({ world, partnerId, now, clock }: Context, checked: Checked): Promise<BuyOutcome> {
  const { plan, key, reference, price, script, isOutdated } = checked;
  const refusal = unsellable(checked);
  if (refusal) {
    // A recorded outcome is replayed even if the product has gone off sale since.
    const recorded =
      key === undefined
        ? undefined
        : await world.checkout.recorded(partnerId, key, { productId: plan.alias, refillOf: null });
    if (!recorded) throw refusal;
    return recorded;
  }
  const at = new Date(now);
  return world.checkout.buy({
    partnerId,
    plan,
    price: price.partnerPrice,
    isOutdated,
    key,
    reference,
    at,
    clock,
    ...script,
  });
}

function unsellable({ plan, price }: Checked) {
  if (!plan.onSale) return fail('product_not_found');
  if (plan.listPrice <= 0n) return fail('invalid_price');
  if (price.partnerPrice <= 0n) return fail('invalid_partner_price');
  return undefined;
}

/** The three things a buyer is told. A paid order without an answer from the supplier yet is reported as deferred. */
const told = {
  delivered: { status: 200, delivery: 'delivered', provision: 'completed' },
  deferred: { status: 202, delivery: 'deferred', provision: 'queued' },
  failed: { status: 200, delivery: 'failed', provision: 'none' },
} as const;

function replyTo(context: Context, bought: BuyOutcome, price: Cents) {
  if (bought.outcome === 'bought') return replyOf(context, bought.purchase);
  throw refusalOf(bought, { price, codes: context.world.codes });
}

function replyOf({ world }: Context, purchase: Purchase) {
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
        product_type: 'esim',
        date: timestamp(purchase.createdAt),
        status: String(states[purchase.state].status),
        ...apiSale(supplierReferenceOf(world, purchase.orderId), purchase.supplierOrder),
        reference: purchase.reference,
      },
      ...(purchase.queueFull ? { warnings: ['sandbox_queue_full'] } : {}),
    },
  };
}
