import { type Destination, type Plan, pricePerGb } from '../../../../domains/catalog/catalog.ts';
import type { PartnerPrice } from '../../../../domains/catalog/prices/prices.ts';
import { planApn } from '../../../../domains/sales/esims/esims.ts';
import { centsToNumber, formatCents } from '../../../../platform/amounts/cents.ts';
import { named, nullable, said, vocabulary } from '../../../../platform/contract/described.ts';
import { PRODUCT_ID } from '../../../../platform/contract/ids.ts';
import { Type } from '../../../../platform/contract/schema.ts';
import type { Slices } from '../../../../platform/limits/turns.ts';
import type { Described } from '../../endpoint.ts';

/** What a traveller wants to know before buying, beyond data, days and price. */
const factFields = {
  networks: Type.Array(Type.String(), {
    description: 'The mobile networks the eSIM uses; empty if the supplier does not say.',
    examples: [['NTT Docomo']],
  }),
  activation_policy: said.text(
    'When the days begin to count: `first-usage`, `installation`, or what else the supplier says.',
    'first-usage',
  ),
  refillable: said.boolean('Whether data can be added to the eSIM later. `esim/refills` lists what fits.'),
  kyc_required: said.boolean('Whether the traveller has to be identified before it works.'),
  apn: named('ProductApn', 'How the phone gets its access point name.', {
    type: said.text('`automatic`, or `manual` if the traveller has to type it in.'),
    value: nullable(said.text('The name to type in; null if it is automatic.', 'internet')),
  }),
  voice_minutes: said.integer('Minutes of calls; 0 if none are included.'),
  sms: said.integer('Text messages; 0 if none are included.'),
  install_window_days: nullable(
    said.integer(
      'Within how many days of the purchase the eSIM has to be installed; null if the supplier does not say.',
      180,
    ),
  ),
};

export type PlanFacts = { readonly [Name in keyof typeof factFields]: Described<(typeof factFields)[Name]> };

export const planFacts = ({ network: { networks, meta }, voice, text, installWindowDays }: Plan): PlanFacts => ({
  networks: networks ?? [],
  activation_policy: meta.activation_policy,
  refillable: meta.rechargeability,
  kyc_required: meta.is_kyc_verify,
  apn: planApn(meta),
  voice_minutes: voice ?? 0,
  sms: text ?? 0,
  install_window_days: installWindowDays,
});

export const countrySchema = named('Country', 'A destination: a country, a region or the globe.', {
  country_code: said.text('ISO code of a country, or the code of a region.'),
  title: said.text('Its name in English.'),
  slug: said.text('Its name as it is used in addresses.'),
  image: said.text('Address of its flag or picture.'),
  region: said.text(
    'The slug of the region it belongs to. Can be passed to `catalog/products` as `country`. May be empty.',
  ),
});

/** `region` is a region slug; empty for a plain country when the row heads the list of its own products. */
export const countryRow = ({ code, title, slug, image }: Destination, region: string) => ({
  country_code: code,
  title,
  slug,
  image,
  region,
});

export const priceSourceSchema = vocabulary('Which price rule won: the most specific one that applies.', {
  product: 'A fixed price for this product.',
  provider: 'A share for all plans of its supplier.',
  country: 'A share for its country.',
  region: 'A share for its region.',
  account_default: "Your account's own share.",
  none: 'No rule: your price is the list price.',
});

export const productSchema = named('Product', 'A plan that can be bought, with your price.', {
  id: Type.String({
    pattern: PRODUCT_ID.source,
    description: 'The id to buy it with. It stays the same as long as the plan exists.',
  }),
  title: said.text('Name of the plan.'),
  country_code: said.text('Its destination: ISO code of a country, or the code of a region.'),
  country_title: said.text('Name of the destination.'),
  country_image: said.text('Address of the flag or picture of the destination.'),
  region: vocabulary('How far the plan reaches.', {
    country: 'One country.',
    regional: 'The countries of a region.',
    global: 'Countries on several continents.',
  }),
  continent: said.text('Continent of the destination; may be empty.'),
  data: said.text('The data of the plan as text for people.'),
  amount: said.integer('The data in MB (1024 MB are 1 GB); 0 for unlimited plans.'),
  day: said.integer('How many days the plan is valid.'),
  is_unlimited: Type.Union([Type.Literal(true), Type.Literal('')], {
    description: '`true` if the data is unlimited, otherwise an empty string.',
    examples: [''],
  }),
  price: said.number('List price in USD.'),
  sale_price: said.number('List price in USD, the same as `price`. You pay `partner_price`.'),
  price_per_gb: Type.Union([Type.Number(), Type.Null()], {
    description: 'List price of one GB in USD; null where it does not apply, as for unlimited plans.',
  }),
  operator_title: said.text('The network operator; may be empty.'),
  network_type: vocabulary('The fastest network the plan can use.', { '4G': '4G (LTE).', '5G': '5G.' }),
  coverage_codes: Type.Array(Type.String(), { description: 'ISO codes of the countries covered.' }),
  coverage_names_en: Type.Array(Type.String(), { description: 'English names of the countries covered.' }),
  fup_kind: said.text('Kind of the fair-use rule; `unknown` if the supplier does not say.'),
  fup_daily_mb: said.integer('Data per day at full speed, in MB; 0 if there is no such limit.'),
  fup_speed_kbps: said.integer('Speed after that, in kbit/s; 0 if there is no such limit.'),
  fair_use_text: said.text('The fair-use rule in words; may be empty.', ''),
  is_usage_metered: Type.Enum([0, 1], { description: '1 if the supplier charges by use: a hint only.' }),
  partner_price: said.number('What you pay, in USD.'),
  partner_discount: said.text('List price minus your price, in USD, two decimals.'),
  partner_margin_share_pct: said.text('The part of the margin that became your discount, in percent.'),
  source: priceSourceSchema,
  ...factFields,
});

export function productRow(plan: Plan, price: PartnerPrice): Described<typeof productSchema> {
  const { destination, coverage, fairUse, network } = plan;
  const listPrice = centsToNumber(plan.listPrice);
  const perGb = pricePerGb(plan);
  return {
    id: plan.alias,
    title: plan.title,
    country_code: destination.code,
    country_title: destination.title,
    country_image: destination.image,
    region: destination.scope,
    continent: destination.continent,
    data: plan.data,
    amount: plan.amountMb,
    day: plan.day,
    is_unlimited: plan.isUnlimited || '',
    price: listPrice,
    sale_price: listPrice,
    price_per_gb: perGb === null ? null : centsToNumber(perGb),
    operator_title: network.title,
    network_type: plan.networkType,
    coverage_codes: coverage.codes,
    coverage_names_en: coverage.names,
    fup_kind: fairUse.kind,
    fup_daily_mb: fairUse.dailyMb,
    fup_speed_kbps: fairUse.speedKbps,
    fair_use_text: fairUse.text,
    is_usage_metered: plan.isUsageMetered ? 1 : 0,
    partner_price: centsToNumber(price.partnerPrice),
    partner_discount: formatCents(price.discount),
    partner_margin_share_pct: price.marginSharePct,
    source: price.source,
    ...planFacts(plan),
  };
}

/** Longer texts would land in the old generation, which is collected rarely, and memory would grow until then. */
const LONGEST_TEXT = 32 * 1024;

/** Product rows as the inside of a JSON list, in texts of some 40 rows. */
export async function* rowTexts(
  plans: readonly Plan[],
  priceOf: (plan: Plan) => PartnerPrice,
  slices: Slices,
): AsyncGenerator<string> {
  let text = '';
  await slices.turn();
  for (const [i, plan] of plans.entries()) {
    text += (i === 0 ? '' : ',') + JSON.stringify(productRow(plan, priceOf(plan)));
    const isOver = slices.isOver();
    if (!isOver && text.length < LONGEST_TEXT) continue;
    yield text;
    text = '';
    if (isOver) await slices.turn();
  }
  yield text;
}
