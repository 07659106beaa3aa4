import { described, said } from '../../../../platform/contract/described.ts';
import { requiredText } from '../../../../platform/contract/fields.ts';
import { Type } from '../../../../platform/contract/schema.ts';
import { endpoint } from '../../endpoint.ts';
import { requireEsim } from '../esim/rows.ts';
import { idempotencyKey, maxPrice, reference, scriptFields } from './fields.ts';
import { rawProductId, requireRefillPlan } from './product.ts';
import { parseTerms, type Sale, saleErrors, saleSimulated, sell, simulatedPrice } from './sale.ts';
import { replyOf, saleAbout, saleReply } from './sale-reply.ts';

interface Refill extends Sale {
  readonly iccid: string;
}

export const refill = endpoint({
  path: '/purchase/refill',
  verb: 'POST',
  tier: 'purchase',
  permission: 'buy',
  isExtension: true,
  summary: 'Add data and days to an eSIM, paid like a purchase',
  about: `${saleAbout}\n\n\`purchase/buy\` and \`purchase/refill\` share their idempotency keys.`,
  fields: {
    iccid: described('The eSIM to refill.', requiredText('iccid_required'), { example: '8900012345678901234' }),
    product_id: rawProductId,
    idempotency_key: idempotencyKey,
    reference,
    max_price: maxPrice,
    sandbox_scenario: scriptFields.sandbox_scenario,
  },
  errors: [...saleErrors, 'esim_not_found', 'invalid_refill'],
  simulated: [...saleSimulated, 'esim_not_found', 'invalid_refill'],
  statuses: [200, 202],
  reply: Type.Object({ ...saleReply, iccid: said.text('The eSIM that was refilled.') }),
  storeFailure: (codes) => codes.orderInsert,

  /** The eSIM, the product, then everything else as `purchase/buy` checks it. */
  async check(context, input): Promise<Refill> {
    const esim = await requireEsim(context, input.iccid);
    const quote = await requireRefillPlan(context, esim, input.product_id, input.idempotency_key);
    return { ...quote, ...parseTerms(context, input), iccid: esim.iccid };
  },
  simulatedExtra: (checked: Refill) => simulatedPrice(checked),

  async handle(context, _, { checked }) {
    const { status, body } = replyOf(context, await sell(context, checked), 'refill');
    return { status, body: { ...body, iccid: checked.iccid } };
  },
});
