import type {
  RefillRule,
  RefillTerms,
  stopReasons,
} from '../../../../domains/sales/autorefill-rows/autorefill-rows.ts';
import { formatCents } from '../../../../platform/amounts/cents.ts';
import { described, named, nullable, said, usdText, vocabulary } from '../../../../platform/contract/described.ts';
import type { PlainErrorCode } from '../../../../platform/contract/errors.ts';
import { fail, failBecause } from '../../../../platform/contract/failure.ts';
import { flag, integer, type RawValue, rawField } from '../../../../platform/contract/fields.ts';
import { autorefillBody } from '../../../../platform/contract/resources.ts';
import { Type } from '../../../../platform/contract/schema.ts';
import { endpoint } from '../../endpoint.ts';
import { maxPrice, parseMaxPrice } from '../purchase/fields.ts';
import { rawProductId, requireRefillPlan } from '../purchase/product.ts';
import { unsellable } from '../purchase/sale.ts';
import { iccidField, requireEsim } from './rows.ts';

export const stoppedSchema = vocabulary<(typeof stopReasons)[number]>('Why it buys no more.', {
  price: 'The refill costs more than `max_price`.',
  money: 'There was not enough money or credit, or the account is suspended.',
  limit: 'A limit on spending had no room for it.',
  product: 'The refill cannot be added: it is off sale, the eSIM takes none, or its order failed.',
  done: 'All its refills were bought.',
});

export const autorefillRule = named('Autorefill', 'The rule by which an eSIM refills itself.', {
  product_id: said.text('The refill it buys.'),
  at_percent: said.integer('It buys once so many percent of all data are used.', 80),
  times: said.integer('How many refills it buys at most.', 5),
  done: said.integer('How many of them were delivered.', 1),
  max_price: usdText('The most one of them may cost.'),
  stopped: nullable(stoppedSchema),
});

/** Null: it has none. */
export const autorefillSchema = nullable(autorefillRule);

export const autorefillView = (rule: RefillRule | undefined) =>
  rule ? autorefillBody({ ...rule, maxPrice: formatCents(rule.maxPrice) }) : null;

/** A whole number, left raw here and parsed in `check`, because other fields are reported first. */
function numberBetween(min: number, max: number, invalid: PlainErrorCode) {
  const { schema, parse } = integer({ min, max }, invalid);
  return {
    field: rawField(schema, invalid),
    require(raw: RawValue): number {
      const value = parse(raw);
      if (value === undefined) throw fail(invalid);
      return value;
    },
  };
}

const atPercent = numberBetween(50, 100, 'invalid_at_percent');
const times = numberBetween(1, 20, 'invalid_times');

function requireMaxPrice(raw: RawValue): RefillTerms['maxPrice'] {
  const ceiling = parseMaxPrice(raw, 'rule');
  if (ceiling === undefined) throw failBecause('invalid_max_price', 'rule');
  return ceiling;
}

interface RawTerms {
  readonly at_percent?: RawValue;
  readonly times?: RawValue;
  readonly max_price?: RawValue;
}

/** When it buys, how often, and at which price; checked in this order. */
export const termsIn = (raw: RawTerms): Omit<RefillTerms, 'productId'> => ({
  atPercent: atPercent.require(raw.at_percent),
  times: times.require(raw.times),
  maxPrice: requireMaxPrice(raw.max_price),
});

const NEEDED = 'Required, unless `off` is 1.';

export const autorefill = endpoint({
  path: '/esim/autorefill',
  verb: 'POST',
  tier: 'money',
  permission: 'buy',
  isExtension: true,
  summary: 'Have an eSIM refill itself when its data runs low, or end that',
  about: `Once \`at_percent\` of all its data are used, refills included, \`product_id\` is bought for it: at most \`times\` refills, none of which may cost more than \`max_price\`. If so much is used already, the first is bought at once. A new rule takes the place of the one the eSIM has, and counts from 0; the same rule again changes nothing while it is at work.

Each refill is an order like any other, charged at your price of that moment, with the idempotency key \`autorefill:{iccid}:{n}\`. Your limits bind it, and those of the key that set the rule, also after the key was revoked. A rule that cannot buy stops: \`stopped\` says why, and so does the event \`esim.autorefill_stopped\`. Set it again to go on. If the eSIM is replaced, the new one goes on with the rule.`,
  fields: {
    iccid: iccidField,
    product_id: described(`The refill to buy, from \`esim/refills\`. ${NEEDED}`, { ...rawProductId, required: false }),
    at_percent: described(`Buy once so many percent of the data are used. ${NEEDED}`, atPercent.field, { example: 80 }),
    times: described(`How many refills to buy at most. ${NEEDED}`, times.field, { example: 5 }),
    max_price: described(`The most one refill may cost, in USD with at most two decimals. ${NEEDED}`, maxPrice, {
      example: '4.50',
    }),
    off: described('1: end the rule. The other fields are not read.', flag('invalid_off', false)),
  },
  errors: ['esim_not_found', 'invalid_refill', 'product_not_found', 'invalid_price', 'invalid_partner_price'],
  simulated: [
    'iccid_required',
    'esim_not_found',
    'invalid_refill',
    'product_not_found',
    'invalid_at_percent',
    'invalid_times',
    'invalid_max_price',
  ],
  reply: Type.Object({ autorefill: autorefillSchema }),

  /** The eSIM, the product, then everything else, before a simulated error. */
  async check(context, input) {
    const esim = await requireEsim(context, input.iccid);
    if (input.off) return { esim };
    const quote = await requireRefillPlan(context, esim, input.product_id);
    return { esim, rule: { quote, terms: { productId: quote.plan.alias, ...termsIn(input) } } };
  },

  async handle(context, _, { checked: { esim, rule } }) {
    const { autorefills } = context.world;
    if (!rule) {
      await autorefills.end(esim, new Date(context.now));
      return { body: { autorefill: null } };
    }
    const refusal = unsellable(rule.quote);
    if (refusal) throw refusal;
    return { body: { autorefill: autorefillView(await autorefills.set(esim, rule.terms, context)) } };
  },
});
