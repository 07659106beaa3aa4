import { Type } from 'typebox';
import {
  directions,
  type Filters,
  isSmall,
  matches,
  networkTypes,
  scopes,
  sorted,
  sortKeys,
  winners,
} from '../../catalog/catalog.ts';
import { fail } from '../../contract/errors.ts';
import { custom, decimal, flag, integer, notPlain, oneOf } from '../../contract/fields.ts';
import { centsToNumber } from '../../money/money.ts';
import { endpoint, type Input } from '../endpoint.ts';
import { countryRow, countrySchema, productRow, productSchema } from './rows.ts';

const dataMb = { min: 0, max: 10_485_760 };
const days = { min: 1, max: 3_650 };
const usd = { min: 0, max: 100_000 };

const country = custom<string>({
  schema: Type.String({ pattern: '^[A-Za-z0-9-]{2,40}$', description: 'Country code, or code or slug of a region' }),
  required: true,
  errors: ['country_required', 'invalid_country'],
  parse(raw) {
    if (raw === undefined) throw fail('country_required');
    if (raw === notPlain || !/^[A-Za-z0-9-]{2,40}$/.test(raw)) throw fail('invalid_country');
    return raw.toLowerCase();
  },
});

/** Echoed in `filters` when sent, and applied after the choice of variants (`type` before it). */
const filterFields = {
  type: oneOf(scopes, { invalid: 'invalid_type', default: undefined }),
  usage_metered: flag({ invalid: 'invalid_usage_metered', default: undefined }),
  unlimited: flag({ invalid: 'invalid_unlimited', default: undefined }),
  network_type: oneOf(networkTypes, { invalid: 'invalid_network_type', default: undefined, caseInsensitive: true }),
  min_data_mb: integer(dataMb, { invalid: 'invalid_min_data_mb', default: undefined }),
  max_data_mb: integer(dataMb, { invalid: 'invalid_max_data_mb', default: undefined }),
  day: integer(days, { invalid: 'invalid_day', default: undefined }),
  min_day: integer(days, { invalid: 'invalid_min_day', default: undefined }),
  max_day: integer(days, { invalid: 'invalid_max_day', default: undefined }),
  min_price: decimal(usd, { invalid: 'invalid_min_price' }),
  max_price: decimal(usd, { invalid: 'invalid_max_price' }),
} as const;

const fields = {
  country,
  ...filterFields,
  include_small: flag({ invalid: 'invalid_include_small', default: false }),
  all_variants: flag({ invalid: 'invalid_all_variants', default: false }),
  sort: oneOf(sortKeys, { invalid: 'invalid_sort', default: 'price' }),
  order: oneOf(directions, { invalid: 'invalid_order', default: 'asc' }),
  limit: integer({ min: 1, max: 500 }, { invalid: 'invalid_limit', default: 500 }),
  offset: integer({ min: 0, max: 999_999 }, { invalid: 'invalid_offset', default: 0 }),
} as const;

export const products = endpoint({
  path: '/catalog/products',
  verb: 'GET',
  tier: 'catalog',
  summary: 'Plans of one destination: the best of each kind, or every variant',
  fields,
  errors: ['country_not_found'],
  simulated: ['country_not_found'],
  reply: Type.Object({
    country_code: Type.String(),
    country: countrySchema,
    include_small: Type.Boolean(),
    all_variants: Type.Boolean(),
    total: Type.Integer(),
    matched: Type.Integer(),
    count: Type.Integer(),
    truncated: Type.Boolean(),
    limit: Type.Integer(),
    offset: Type.Integer(),
    sort: Type.Enum([...sortKeys]),
    order: Type.Enum([...directions]),
    filters: Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Array(Type.Never(), { maxItems: 0 })]),
    products: Type.Array(productSchema),
  }),
  async handle({ catalog, pricing, ready, world, partnerId }, input, { acceptEncoding, envelope }) {
    const prices = await pricing.of(partnerId);
    const destination = catalog.destination(input.country);
    if (!destination) throw fail('country_not_found');
    const key = `products ${world.schema} ${catalog.version} ${prices.fingerprint} ${Object.values(input).join(' ')}`;
    return ready.reply(key, acceptEncoding, () => {
      const { limit, offset } = input;
      const found = catalog.plansOf(destination, input.type).filter((plan) => input.include_small || !isSmall(plan));
      const chosen = input.all_variants ? found : winners(found);
      const filters: Filters = input;
      const partnerPrice = (plan: (typeof chosen)[number]) => centsToNumber(prices.priceOf(plan).partnerPrice);
      const matched = chosen.filter((plan) => matches(plan, filters, partnerPrice));
      const rows = sorted(matched, input.sort, input.order).slice(offset, offset + limit);
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
