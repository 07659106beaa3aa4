import type { Tier } from '../../../../../src/contract/tiers.ts';

/** The groups of calls that have a ceiling of their own. */
export const tierName: Record<Tier, string> = {
  catalog: 'Catalog',
  read: 'Reading',
  purchase: 'Purchases',
  money: 'Money and settings',
  outbound: 'Test deliveries',
};
