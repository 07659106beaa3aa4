import { Type } from 'typebox';
import type { Destination, Plan } from '../../catalog/catalog.ts';
import { pricePerGb } from '../../catalog/catalog.ts';
import { centsToNumber, formatCents } from '../../money/money.ts';
import type { PartnerPrice } from '../../pricing/pricing.ts';
import type { Described } from '../endpoint.ts';

export const countrySchema = Type.Object({
  country_code: Type.String(),
  title: Type.String(),
  slug: Type.String(),
  image: Type.String(),
  region: Type.String(),
});

/** `region` is a region slug; empty for a plain country when the row heads the list of its own products. */
export const countryRow = ({ code, title, slug, image }: Destination, region: string) => ({
  country_code: code,
  title,
  slug,
  image,
  region,
});

export const priceSourceSchema = Type.Enum(['product', 'provider', 'country', 'region', 'account_default', 'none']);

export const productSchema = Type.Object({
  id: Type.String({ pattern: '^esc_[0-9a-f]{16}$' }),
  title: Type.String(),
  country_code: Type.String(),
  country_title: Type.String(),
  country_image: Type.String(),
  region: Type.Enum(['country', 'regional', 'global']),
  continent: Type.String(),
  data: Type.String(),
  amount: Type.Integer({ description: 'MB; 0 for unlimited plans' }),
  day: Type.Integer(),
  is_unlimited: Type.Union([Type.Literal(true), Type.Literal('')]),
  price: Type.Number(),
  sale_price: Type.Number(),
  price_per_gb: Type.Union([Type.Number(), Type.Null()]),
  operator_title: Type.String(),
  network_type: Type.Enum(['4G', '5G']),
  coverage_codes: Type.Array(Type.String()),
  coverage_names_en: Type.Array(Type.String()),
  fup_kind: Type.String(),
  fup_daily_mb: Type.Integer(),
  fup_speed_kbps: Type.Integer(),
  fair_use_text: Type.String(),
  is_usage_metered: Type.Enum([0, 1]),
  partner_price: Type.Number(),
  partner_discount: Type.String(),
  partner_margin_share_pct: Type.String(),
  source: priceSourceSchema,
});

export function productRow(plan: Plan, price: PartnerPrice): Described<typeof productSchema> {
  const { destination, fairUse, coverage } = plan;
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
    operator_title: plan.operator.title,
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
  };
}
