import { toCents } from '../../../platform/amounts/cents.ts';

export const scopes = ['country', 'regional', 'global'] as const;
/** How wide a plan is: what `type` filters by, and what a product shows as `region`. */
export type Scope = (typeof scopes)[number];

export const networkTypes = ['4G', '5G'] as const;
export type NetworkType = (typeof networkTypes)[number];

/** The highest price or cost of a plan: 100,000.00 USD. */
export const HIGHEST_PRICE = toCents(10_000_000n);

export const supplierKinds: readonly string[] = [
  'simulated',
  'stock',
  'airalo',
  'esim_access',
  'esim_go',
  'zendit',
  'partner_v3',
];

/** Plans that one supplier may have on sale: twice what the largest wholesalers list, and what catalogs and exports are built for. */
export const MOST_PLANS = 100_000;
/** Destinations that one import may name. There are some 250 countries, and suppliers sell by region. */
export const MOST_DESTINATIONS = 2_000;
