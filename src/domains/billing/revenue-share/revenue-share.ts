import type { Db } from '../../../platform/db/database.ts';
import type { UsageDesk } from '../../sales/usage/usage.ts';
import { createRevenueShare, paced, type RevenueShare } from './rounds.ts';

export type { PreviewedPartner } from './rounds.ts';
export { revenueShareJob } from './rounds.ts';
export {
  type SettledShare,
  type ShareBook,
  type ShareRow,
  shareBook,
  shareFilters,
  shareReads,
} from './shares.ts';
export { takeBackShares } from './take-back.ts';
export { readTerms, writeGraceDays } from './terms.ts';

interface ShareWorld {
  readonly db: Db;
  readonly usage: Pick<UsageDesk, 'readings'>;
  readonly suppliers: { of(slug: string): Promise<{ readonly usagePerSecond?: number }> };
}

/** Settles shares from readings taken at the world's own suppliers. */
export function openRevenueShare(world: ShareWorld): RevenueShare {
  return createRevenueShare({
    db: world.db,
    takeReadings: paced(
      (orderIds) => world.usage.readings(orderIds),
      async (supplier) => (await world.suppliers.of(supplier)).usagePerSecond,
    ),
    chance: Math.random,
  });
}
