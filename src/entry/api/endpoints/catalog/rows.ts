import { type Destination, type Plan, pricePerGb } from '../../../../domains/catalog/catalog.ts';
import type { PartnerPrice } from '../../../../domains/catalog/prices/prices.ts';
import { planApn } from '../../../../domains/sales/esims/esims.ts';
import { centsToNumber, formatCents } from '../../../../platform/amounts/cents.ts';
import { named, nullable, vocabulary } from '../../../../platform/contract/described.ts';
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
  activation_policy: Type.String({
    description: 'When the days begin to count: `first-usage`, `installation`, or what else the supplier says.',
    examples: ['first-usage'],
  }),
  refillable: Type.Boolean({
    description: 'Whether data can be added to the eSIM later. `esim/refills` lists what fits.',
  }),
  kyc_required: Type.Boolean({ description: 'Whether the traveller has to be identified before it works.' }),
  apn: named('ProductApn', 'How the phone gets its access point name.', {
    type: Type.String({ description: '`automatic`, or `manual` if the traveller has to type it in.' }),
    value: nullable(
      Type.String({ description: 'The name to type in; null if it is automatic.', examples: ['internet'] }),
    ),
  }),
  voice_minutes: Type.Integer({ description: 'Minutes of calls; 0 if none are included.' }),
  sms: Type.Integer({ description: 'Text messages; 0 if none are included.' }),
  install_window_days: nullable(
    Type.Integer({
      description:
        'Within how many days of the purchase the eSIM has to be installed; null if the supplier does not say.',
      examples: [180],
    }),
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
  country_code: Type.String({ description: 'ISO code of a country, or the code of a region.' }),
  title: Type.String({ description: 'Its name in English.' }),
  slug: Type.String({ description: 'Its name as it is used in addresses.' }),
  image: Type.String({ description: 'Address of its flag or picture.' }),
  region: Type.String({
    description:
      'The slug of the region it belongs to. Can be passed to `catalog/products` as `country`. May be empty.',
  }),
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
  title: Type.String({ description: 'Name of the plan.' }),
  country_code: Type.String({ description: 'Its destination: ISO code of a country, or the code of a region.' }),
  country_title: Type.String({ description: 'Name of the destination.' }),
  country_image: Type.String({ description: 'Address of the flag or picture of the destination.' }),
  region: vocabulary('How far the plan reaches.', {
    country: 'One country.',
    regional: 'The countries of a region.',
    global: 'Countries on several continents.',
  }),
  continent: Type.String({ description: 'Continent of the destination; may be empty.' }),
  data: Type.String({ description: 'The data of the plan as text for people.' }),
  amount: Type.Integer({ description: 'The data in MB (1024 MB are 1 GB); 0 for unlimited plans.' }),
  day: Type.Integer({ description: 'How many days the plan is valid.' }),
  is_unlimited: Type.Union([Type.Literal(true), Type.Literal('')], {
    description: '`true` if the data is unlimited, otherwise an empty string.',
    examples: [''],
  }),
  price: Type.Number({ description: 'List price in USD.' }),
  sale_price: Type.Number({ description: 'List price in USD, the same as `price`. You pay `partner_price`.' }),
  price_per_gb: Type.Union([Type.Number(), Type.Null()], {
    description: 'List price of one GB in USD; null where it does not apply, as for unlimited plans.',
  }),
  operator_title: Type.String({ description: 'The network operator; may be empty.' }),
  network_type: vocabulary('The fastest network the plan can use.', { '4G': '4G (LTE).', '5G': '5G.' }),
  coverage_codes: Type.Array(Type.String(), { description: 'ISO codes of the countries covered.' }),
  coverage_names_en: Type.Array(Type.String(), { description: 'English names of the countries covered.' }),
  fup_kind: Type.String({ description: 'Kind of the fair-use rule; `unknown` if the supplier does not say.' }),
  fup_daily_mb: Type.Integer({ description: 'Data per day at full speed, in MB; 0 if there is no such limit.' }),
  fup_speed_kbps: Type.Integer({ description: 'Speed after that, in kbit/s; 0 if there is no such limit.' }),
  fair_use_text: Type.String({ description: 'The fair-use rule in words; may be empty.', examples: [''] }),
  is_usage_metered: Type.Enum([0, 1], { description: '1 if the supplier charges by use: a hint only.' }),
  partner_price: Type.Number({ description: 'What you pay, in USD.' }),
  partner_discount: Type.String({ description: 'List price minus your price, in USD, two decimals.' }),
  partner_margin_share_pct: Type.String({
    description: 'The part of the margin that became your discount, in percent.',
  }),
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
