import type { Plan } from '../catalog/catalog.ts';
import type { PartnerPrice } from './rules.ts';

export type { PartnerPrice, PriceSource } from './rules.ts';

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
