import type { Plan } from '../catalog/catalog.ts';
import type { Cents } from '../money/money.ts';

/** Which rule set the price of a row. */
export type PriceSource = 'product' | 'provider' | 'country' | 'region' | 'account_default' | 'none';

export interface PartnerPrice {
  /** What the wallet is charged. Zero or below: the sale is refused. */
  readonly partnerPrice: Cents;
  /** List price minus partner price. */
  readonly discount: Cents;
  /** Share of the margin that became discount, two places. */
  readonly marginSharePct: string;
  readonly source: PriceSource;
}

/** The prices of one partner, as they stand now. The catalog shows and the purchase charges what this says. */
export interface PartnerPrices {
  /** Two partners (or two moments) with the same fingerprint have the same price for every plan. */
  readonly fingerprint: string;
  priceOf(plan: Plan): PartnerPrice;
}

export interface Pricing {
  /** const { partnerPrice } = (await pricing.of(partnerId)).priceOf(plan) */
  of(partnerId: number): Promise<PartnerPrices>;
}
