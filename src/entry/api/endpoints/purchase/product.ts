import type { Quote } from '../../../../domains/catalog/prices/prices.ts';
import type { Esim } from '../../../../domains/sales/esims/esims.ts';
import type { RefillTarget } from '../../../../domains/sales/purchase/purchase.ts';
import { fail, failBecause } from '../../../../platform/contract/failure.ts';
import { notPlain, type RawValue, rawField } from '../../../../platform/contract/fields.ts';
import { PRODUCT_ID } from '../../../../platform/contract/ids.ts';
import { Type } from '../../../../platform/contract/schema.ts';
import type { Context } from '../../endpoint.ts';
import { parseIdempotencyKey } from './fields.ts';

export const aliasSchema = Type.String({
  pattern: PRODUCT_ID.source,
  description: 'The product to buy.',
  examples: ['esc_0123456789abcdef'],
});

/** Left raw here, because a problem with the eSIM is reported first. */
export const rawProductId = { ...rawField(aliasSchema, 'product_id_required', 'invalid_product'), required: true };

async function requireQuote({ pricing, partnerId }: Context, raw: RawValue): Promise<Quote> {
  if (raw === undefined) throw fail('product_id_required');
  if (raw === notPlain) throw fail('invalid_product');
  const quote = await pricing.quote(partnerId, raw);
  if (quote) return quote;
  if (PRODUCT_ID.test(raw)) throw failBecause('invalid_product', 'unknown');
  throw /^\d+$/.test(raw) ? failBecause('invalid_product', 'internal_id') : fail('invalid_product');
}

/** A plan that brings an eSIM, on sale or not. */
export async function requireEsimPlan(context: Context, raw: RawValue): Promise<Quote> {
  const quote = await requireQuote(context, raw);
  if (quote.plan.refills) throw failBecause('invalid_product', 'refill');
  return quote;
}

/** A plan that can be added to this eSIM, on sale or not. `key`: the purchase it is for, if it may have been made already. */
export async function requireRefillPlan(
  context: Context,
  esim: Esim,
  raw: RawValue,
  key?: RawValue,
): Promise<Quote & { readonly refillOf: RefillTarget }> {
  const quote = await requireQuote(context, raw);
  const { orderId, iccid, supplierOrder } = esim;
  // A recorded outcome is replayed even if the plan no longer fits, or the eSIM takes no more refills.
  if (!(await context.world.esims.mayRefill(quote.plan, esim)) && !(await isRecorded(context, quote, orderId, key)))
    throw notAddable(quote, esim);
  return { ...quote, refillOf: { orderId, iccid, supplierOrder } };
}

function notAddable({ plan }: Quote, { state }: Esim) {
  if (state === 'cancelled') return failBecause('invalid_refill', 'cancelled');
  return plan.refills ? fail('invalid_refill') : failBecause('invalid_refill', 'brings_esim');
}

async function isRecorded({ world, partnerId }: Context, { plan }: Quote, refillOf: bigint, raw: RawValue) {
  const key = keyOrNone(raw);
  if (key === undefined) return false;
  const recorded = await world.checkout.recorded(partnerId, key, { productId: plan.alias, refillOf });
  return recorded !== undefined && recorded.outcome !== 'key_conflict';
}

/** A malformed key is reported later, and nothing can be recorded under it. */
function keyOrNone(raw: RawValue): string | undefined {
  try {
    return parseIdempotencyKey(raw);
  } catch {
    return undefined;
  }
}
