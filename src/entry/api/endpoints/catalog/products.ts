import { type Filters, selection } from '../../../../domains/catalog/catalog.ts';
import { centsToNumber } from '../../../../platform/amounts/cents.ts';
import { described, type Meanings, said, vocabulary } from '../../../../platform/contract/described.ts';
import { fail } from '../../../../platform/contract/failure.ts';
import {
  custom,
  decimal,
  flag,
  integer,
  notPlain,
  oneOf,
  oneOfInAnyCase,
} from '../../../../platform/contract/fields.ts';
import { Type } from '../../../../platform/contract/schema.ts';
import { endpoint, type Input } from '../../endpoint.ts';
import { countryRow, countrySchema, productRow, productSchema } from './rows.ts';

const dataMb = { min: 0, max: 10_485_760 };
const days = { min: 1, max: 3_650 };
const usd = { min: 0, max: 100_000 };

const country = custom<string>({
  schema: Type.String({
    pattern: '^[A-Za-z0-9-]{2,40}$',
    description: 'ISO code of a country, or the code or slug of a region, in any case.',
  }),
  required: true,
  errors: ['country_required', 'invalid_country'],
  parse(raw) {
    if (raw === undefined) throw fail('country_required');
    if (raw === notPlain || !/^[A-Za-z0-9-]{2,40}$/.test(raw)) throw fail('invalid_country');
    return raw.toLowerCase();
  },
});

const sortMeanings = {
  price: 'List price.',
  price_per_gb: 'List price of one GB. Plans without one come last in both directions.',
  data: 'Data; unlimited plans count as 0.',
  day: 'Days.',
  title: 'Title, as in English, ignoring case.',
} satisfies Meanings<(typeof selection.sortKeys)[number]>;

const directionMeanings = { asc: 'Smallest first.', desc: 'Largest first.' } satisfies Meanings<
  (typeof selection.directions)[number]
>;

/** Echoed in `filters` when sent, and applied after the choice of variants (`type` before it). */
const filterFields = {
  type: described(
    "Which plans to look at; without it the destination's own. It is applied before everything else.",
    oneOf(selection.scopes, 'invalid_type'),
    {
      meanings: {
        country: "The country's own plans.",
        regional: 'Regional plans that cover it.',
        global: 'Global plans that cover it.',
      },
    },
  ),
  usage_metered: described(
    '1: only plans whose supplier charges by use. 0: only the others.',
    flag('invalid_usage_metered'),
  ),
  unlimited: described('1: only unlimited plans. 0: only plans with a limit.', flag('invalid_unlimited')),
  network_type: described(
    'Only plans of this network, in any case.',
    oneOfInAnyCase(selection.networkTypes, 'invalid_network_type'),
    { meanings: { '4G': '4G (LTE).', '5G': '5G.' } },
  ),
  min_data_mb: described(
    'At least this much data, in MB. Unlimited plans count as 0.',
    integer(dataMb, 'invalid_min_data_mb'),
    { example: 1024 },
  ),
  max_data_mb: described(
    'At most this much data, in MB. Unlimited plans count as 0.',
    integer(dataMb, 'invalid_max_data_mb'),
    { example: 10240 },
  ),
  day: described('Exactly this many days.', integer(days, 'invalid_day'), { example: 7 }),
  min_day: described('At least this many days.', integer(days, 'invalid_min_day'), { example: 5 }),
  max_day: described('At most this many days.', integer(days, 'invalid_max_day'), { example: 30 }),
  min_price: described('Your price is at least this, in USD.', decimal(usd, 'invalid_min_price'), { example: 2.5 }),
  max_price: described('Your price is at most this, in USD.', decimal(usd, 'invalid_max_price'), { example: 20 }),
} as const;

const fields = {
  country,
  ...filterFields,
  include_small: described('1: also plans of less than 1 GB.', flag('invalid_include_small', false)),
  all_variants: described(
    '1: every variant. 0: of the plans with the same data and days, only the best.',
    flag('invalid_all_variants', false),
  ),
  sort: described(
    'What to sort by. Ties are sorted by title.',
    oneOf<(typeof selection.sortKeys)[number], 'price'>(selection.sortKeys, 'invalid_sort', 'price'),
    { meanings: sortMeanings },
  ),
  order: described(
    'The direction.',
    oneOf<(typeof selection.directions)[number], 'asc'>(selection.directions, 'invalid_order', 'asc'),
    { meanings: directionMeanings },
  ),
  limit: described('How many rows at most.', integer({ min: 1, max: 500 }, 'invalid_limit', 500)),
  offset: described('How many rows to skip.', integer({ min: 0, max: 999_999 }, 'invalid_offset', 0)),
} as const;

export const products = endpoint({
  path: '/catalog/products',
  verb: 'GET',
  tier: 'catalog',
  summary: 'Plans of one destination: the best of each kind, or every variant',
  fields,
  errors: ['country_not_found'],
  simulated: ['country_not_found'],
  hasTag: true,
  about:
    'The list has the plans of the destination in the order of the public country page. Of the plans with the same data and days it has the best one; filters are applied after that choice, or to every variant with `all_variants=1`. A filter with an invalid value is refused, never ignored. A destination that is sold but has no plans now is answered with an empty list.',
  reply: Type.Object({
    country_code: said.text('The destination that was found.'),
    country: countrySchema,
    include_small: said.boolean('Whether plans of less than 1 GB are included.'),
    all_variants: said.boolean('Whether every variant is listed.'),
    total: said.integer('How many plans there are before the filters.'),
    matched: said.integer('How many match the filters.'),
    count: said.integer('How many rows this answer has.'),
    truncated: said.boolean('Whether more rows matched after these.'),
    limit: said.integer('The limit that was applied.'),
    offset: said.integer('The offset that was applied.'),
    sort: vocabulary('What the rows are sorted by.', sortMeanings),
    order: vocabulary('The direction.', directionMeanings),
    // The list first: generated clients that try one after the other would read it as an object.
    filters: Type.Union([Type.Array(Type.Never(), { maxItems: 0 }), Type.Record(Type.String(), Type.Unknown())], {
      description: 'The filters that were applied, by name; an empty list if there were none.',
      examples: [{ max_day: 7 }],
    }),
    products: Type.Array(productSchema, { description: 'The plans.' }),
  }),
  async handle({ catalog, pricing, ready, world, partnerId }, input, { acceptEncoding, envelope }) {
    const prices = await pricing.of(partnerId);
    const destination = catalog.destination(input.country);
    if (!destination) throw fail('country_not_found');
    const key = `products ${world.schema} ${catalog.version} ${prices.fingerprint} ${Object.values(input).join(' ')}`;
    return ready.reply(key, acceptEncoding, () => {
      const { limit, offset } = input;
      const found = catalog
        .plansOf(destination, input.type)
        .filter((plan) => input.include_small || !selection.isSmall(plan));
      const chosen = input.all_variants ? found : selection.winners(found);
      const filters: Filters = input;
      const partnerPrice = (plan: (typeof chosen)[number]) => centsToNumber(prices.priceOf(plan).partnerPrice);
      const matched = chosen.filter((plan) => selection.matches(plan, filters, partnerPrice));
      const rows = selection.sorted(matched, input.sort, input.order).slice(offset, offset + limit);
      return envelope({
        country_code: destination.code,
        country: countryRow(destination, destination.scope === 'country' ? '' : destination.region),
        include_small: input.include_small,
        all_variants: input.all_variants,
        total: chosen.length,
        matched: matched.length,
        count: rows.length,
        truncated: matched.length > offset + rows.length,
        limit,
        offset,
        sort: input.sort,
        order: input.order,
        filters: echo(input),
        products: rows.map((plan) => productRow(plan, prices.priceOf(plan))),
      });
    });
  },
});

/** The filters that were sent, as parsed; an empty list when there were none. */
function echo(input: Input<typeof fields>): Record<string, unknown> | [] {
  const sent = Object.keys(filterFields)
    .map((name) => [name, input[name as keyof typeof filterFields]] as const)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => [name, typeof value === 'boolean' ? Number(value) : value]);
  return sent.length > 0 ? Object.fromEntries(sent) : [];
}
