import { Type } from 'typebox';
import { described } from '../../contract/described.ts';
import { requiredText } from '../../contract/fields.ts';
import { endpoint } from '../endpoint.ts';
import { idempotencyKey } from './idempotency-key.ts';
import { aliasSchema, requireEsimPlan } from './product.ts';
import { reference } from './reference.ts';
import { parseTerms, type Sale, saleErrors, saleSimulated, sell, simulatedPrice } from './sale.ts';
import { replyOf, saleAbout, saleReply } from './sale-reply.ts';
import { scriptFields } from './script.ts';

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
    ...scriptFields,
  },
  errors: saleErrors,
  simulated: saleSimulated,
  statuses: [200, 202],
  reply: Type.Object(saleReply),
  storeFailure: (codes) => codes.orderInsert,

  /** Product, key, reference and script are checked in this order, before a simulated error. */
  async check(context, input): Promise<Sale> {
    return { ...(await requireEsimPlan(context, input.product_id)), ...parseTerms(context, input) };
  },
  simulatedExtra: simulatedPrice,

  handle: async (context, _, { checked }) => replyOf(context, await sell(context, checked), 'esim'),
});
