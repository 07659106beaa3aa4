import type { Quote } from '../../../../domains/catalog/prices/prices.ts';
import type { BuyOutcome, Purchase, RefillTarget, Wanted } from '../../../../domains/sales/purchase/purchase.ts';
import { type Cents, centsToNumber, toCents } from '../../../../platform/amounts/cents.ts';
import type { ErrorCode } from '../../../../platform/contract/errors.ts';
import { type Failure, fail } from '../../../../platform/contract/failure.ts';
import type { RawValue } from '../../../../platform/contract/fields.ts';
import type { Context } from '../../endpoint.ts';
import { parseIdempotencyKey, parseMaxPrice, parseReference, parseScript } from './fields.ts';
import { refusalOf } from './sale-reply.ts';

/** What `purchase/buy` and `purchase/refill` have in common once they know what is bought. */
export interface Sale extends Quote {
  readonly key: string | undefined;
  readonly reference: string;
  /** The most it may cost; of a batch, all of it. */
  readonly ceiling?: Cents | undefined;
  readonly script: Pick<Wanted, 'refuse' | 'script' | 'eventsAhead'>;
  /** The eSIM the plan is added to; undefined: it brings a new one. */
  readonly refillOf?: RefillTarget | undefined;
}

export const saleErrors = [
  'product_not_found',
  'invalid_price',
  'invalid_partner_price',
  'partner_account_suspended',
  'price_changed',
  'limit_exceeded',
  'insufficient_balance',
  'credit_limit_exceeded',
  'credit_charge_failed',
  'charge_in_progress',
  'charge_incomplete',
  'idempotency_key_conflict',
  'sale_insert_failed',
  'sandbox_order_insert_failed',
  'sandbox_balance_write_failed',
] as const satisfies readonly ErrorCode[];

export const saleSimulated = [
  'product_not_found',
  'invalid_price',
  'insufficient_balance',
  'credit_limit_exceeded',
  'partner_account_suspended',
  'charge_in_progress',
  'charge_incomplete',
  'idempotency_key_conflict',
  'sale_insert_failed',
  'price_changed',
  'limit_exceeded',
] as const satisfies readonly ErrorCode[];

/** A simulated shortage quotes the real partner price. */
export const simulatedPrice = ({ price, ceiling }: Sale) => simulatedAmounts(price.partnerPrice, ceiling);

/** A price that has changed is above the ceiling, as a real one would be: by a cent where the plan's own price is not. */
export const simulatedAmounts = (price: Cents, ceiling: Cents = toCents(price - 1n)) => ({
  required: centsToNumber(price),
  partner_price: centsToNumber(price > ceiling ? price : toCents(ceiling + 1n)),
  max_price: centsToNumber(ceiling),
});

interface RawTerms {
  readonly idempotency_key: RawValue;
  readonly reference: RawValue;
  readonly max_price: RawValue;
  readonly sandbox_scenario: RawValue;
  readonly sandbox_usage?: RawValue;
}

/** Key, reference, ceiling and script, checked in this order. */
export function parseTerms({ world }: Context, raw: RawTerms): Pick<Sale, 'key' | 'reference' | 'ceiling' | 'script'> {
  const key = parseIdempotencyKey(raw.idempotency_key);
  const reference = parseReference(raw.reference);
  const ceiling = parseMaxPrice(raw.max_price);
  // Live has no scripts and ignores these fields, whatever they say.
  const script = world.script ? world.script(parseScript({ sandbox_usage: undefined, ...raw })) : {};
  return { key, reference, ceiling, script };
}

/** Why the plan cannot be sold at this price; undefined: it can. */
export function unsellable({ plan, price }: Pick<Quote, 'plan' | 'price'>): Failure | undefined {
  if (!plan.onSale) return fail('product_not_found');
  if (plan.listPrice <= 0n) return fail('invalid_price');
  if (price.partnerPrice <= 0n) return fail('invalid_partner_price');
  return undefined;
}

/** How often a purchase that waited too long for its wallet gets a new price and another try. */
export const MAX_REQUOTES = 2;

/** Buys it, or answers with what was recorded under its key. */
export async function sell(context: Context, sale: Sale): Promise<Purchase> {
  let wanted = sale;
  for (let requotes = 0; ; requotes++) {
    const bought = await attempt(context, wanted);
    if (bought.outcome === 'bought') return bought.purchase;
    const { price, plan } = wanted;
    if (bought.outcome !== 'outdated' || requotes === MAX_REQUOTES)
      throw refusalOf(bought, { price: price.partnerPrice, codes: context.world.codes });
    wanted = { ...wanted, ...(await context.pricing.quote(context.partnerId, plan.alias)) };
  }
}

async function attempt(context: Context, sale: Sale): Promise<BuyOutcome> {
  const { world, partnerId } = context;
  const { plan, key, refillOf } = sale;
  const refusal = unsellable(sale);
  if (refusal) {
    // A recorded outcome is replayed even if the product has gone off sale since.
    const target = { productId: plan.alias, refillOf: refillOf?.orderId ?? null };
    const recorded = key === undefined ? undefined : await world.checkout.recorded(partnerId, key, target);
    if (!recorded) throw refusal;
    return recorded;
  }
  return world.checkout.buy(wantedOf(context, sale));
}

/** What the checkout is given. */
export function wantedOf(context: Context, sale: Sale): Wanted {
  const { world, partnerId, keyId, requestId, now, clock, limits, buyer, notice, budget } = context;
  const { plan, key, reference, refillOf, price, ceiling, script, isOutdated } = sale;
  // A refill comes from its eSIM's own supplier, and a script needs no supplier.
  const routing = refillOf || world.script ? undefined : context.routes;
  const order = {
    partnerId,
    keyId,
    requestId,
    plan,
    price: price.partnerPrice,
    ceiling,
    limits,
    isOutdated,
    key,
    reference,
    refillOf,
    routing,
    start: routing?.start({ productId: plan.alias, price: price.partnerPrice }),
    at: new Date(now),
    clock,
    buyer,
    notice,
    budget,
  };
  return { ...order, ...script };
}
