import type { PricedPlan } from '../../api/prices.ts';

/** What set a price, in words. */
export const sourceName: Record<PricedPlan['source'], string> = {
  product: 'Rule for this plan',
  provider: 'Rule for its provider',
  country: 'Rule for the country',
  region: 'Rule for the region',
  account_default: 'Your margin share',
  none: 'No discount',
};
