import { described } from '../../../../platform/contract/described.ts';
import { fail } from '../../../../platform/contract/failure.ts';
import { type RawValue, rawField, requiredText } from '../../../../platform/contract/fields.ts';
import { Type } from '../../../../platform/contract/schema.ts';
import { endpoint } from '../../endpoint.ts';
import { idempotencyKey, maxPrice, reference, scriptFields } from './fields.ts';
import { aliasSchema, requireEsimPlan } from './product.ts';
import { parseTerms, type Sale, saleErrors, saleSimulated, sell, simulatedPrice } from './sale.ts';
import { replyOf, saleAbout, saleReply } from './sale-reply.ts';

/** Left raw here and checked last, so that a purchase the contract refuses gets the contract's code. */
const quantity = described(
  'One purchase buys one eSIM: leave it out, or send 1. Any other value is refused rather than ignored.',
  rawField(Type.Integer({ minimum: 1, maximum: 1 }), 'quantity_not_supported'),
  { example: 1 },
);

function requireOne(raw: RawValue): void {
  if (raw !== undefined && raw !== '1') throw fail('quantity_not_supported', { batch: 'purchase/batch' });
}

export const buy = endpoint({
  path: '/purchase/buy',
  verb: 'POST',
  tier: 'purchase',
  permission: 'buy',
  summary: 'Buy an eSIM, paid from the wallet or on the credit line',
  about: saleAbout,
  fields: {
    product_id: described(
      'The product to buy.',
      requiredText('product_id_required', { invalid: 'invalid_product', schema: aliasSchema }),
    ),
    idempotency_key: idempotencyKey,
    reference,
    max_price: maxPrice,
    ...scriptFields,
    quantity,
  },
  errors: saleErrors,
  simulated: saleSimulated,
  statuses: [200, 202],
  reply: Type.Object(saleReply),
  storeFailure: (codes) => codes.orderInsert,

  /** Product, key, reference, ceiling, script and quantity are checked in this order, before a simulated error. */
  async check(context, input): Promise<Sale> {
    const sale = { ...(await requireEsimPlan(context, input.product_id)), ...parseTerms(context, input) };
    requireOne(input.quantity);
    return sale;
  },
  simulatedExtra: simulatedPrice,

  handle: async (context, _, { checked }) => replyOf(context, await sell(context, checked), 'esim'),
});
