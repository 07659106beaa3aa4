import type { SpendingPower } from '../../../../domains/money/books/books.ts';
import { exceeded } from '../../../../domains/sales/purchase/purchase.ts';
import { type Cents, centsToNumber } from '../../../../platform/amounts/cents.ts';
import { said } from '../../../../platform/contract/described.ts';
import { fail } from '../../../../platform/contract/failure.ts';
import { custom, notPlain, type RawValue } from '../../../../platform/contract/fields.ts';
import { Type } from '../../../../platform/contract/schema.ts';
import { endpoint } from '../../endpoint.ts';
import { billingMode } from '../../views.ts';
import { priceSourceSchema } from '../catalog/rows.ts';
import { requireEsim } from '../esim/rows.ts';
import { rawProductId, requireEsimPlan, requireRefillPlan } from './product.ts';
import { unsellable } from './sale.ts';

const optionalIccid = custom({
  schema: said.text('Ask for the price of a refill of this eSIM.', '8900012345678901234'),
  required: false,
  errors: ['iccid_required'],
  parse(raw: RawValue): string | undefined {
    if (raw === notPlain) throw fail('iccid_required');
    return raw;
  },
});

export const quote = endpoint({
  path: '/purchase/quote',
  verb: 'GET',
  tier: 'read',
  isExtension: true,
  summary: 'What a purchase or a refill would cost now, and whether it would go through',
  fields: { iccid: optionalIccid, product_id: rawProductId },
  errors: ['esim_not_found', 'invalid_refill'],
  simulated: ['esim_not_found', 'invalid_refill'],
  about:
    'Nothing is written or reserved. With `iccid`, the product must be a refill of that eSIM. A quote that cannot be bought is a 200 as well: `blocked_by` says why.',
  reply: Type.Object({
    product_id: said.text('The product.'),
    product_title: said.text('Name of the plan.'),
    list_price: said.number('List price in USD.'),
    partner_price: said.number('What you would pay, in USD.'),
    discount: said.number('List price minus your price, in USD.'),
    source: priceSourceSchema,
    billing_mode: billingMode,
    available: said.number('What can be spent now: the balance, or the credit limit minus the debt.'),
    can_buy: said.boolean('Whether a purchase would go through now.'),
    blocked_by: said.text(
      'The error a purchase would be refused with now; empty when it would go through.',
      'insufficient_balance',
    ),
  }),
  async handle(context, { iccid, product_id }) {
    const quoted =
      iccid === undefined
        ? await requireEsimPlan(context, product_id)
        : await requireRefillPlan(context, await requireEsim(context, iccid), product_id);
    const { plan, price } = quoted;
    const { world, partnerId, keyId, limits, now } = context;
    const [power, uses] = await Promise.all([
      world.books.spendingPower(partnerId),
      world.checkout.limitUses({ partnerId, keyId, limits, at: new Date(now) }),
    ]);
    const isOverLimit = exceeded(uses, [price.partnerPrice]) !== undefined;
    const blocked_by = unsellable(quoted)?.code ?? blockedBy(power, isOverLimit, price.partnerPrice);
    return {
      body: {
        product_id: plan.alias,
        product_title: plan.title,
        list_price: centsToNumber(plan.listPrice),
        partner_price: centsToNumber(price.partnerPrice),
        discount: centsToNumber(price.discount),
        source: price.source,
        billing_mode: power.billingMode,
        available: centsToNumber(power.available),
        can_buy: blocked_by === '',
        blocked_by,
      },
    };
  },
});

/** In the order in which a purchase is refused. */
function blockedBy({ isSuspended, shortfallOf }: SpendingPower, isOverLimit: boolean, price: Cents): string {
  if (isSuspended) return 'partner_account_suspended';
  return isOverLimit ? 'limit_exceeded' : (shortfallOf(price)?.code ?? '');
}
