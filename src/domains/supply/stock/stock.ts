import type { Tx } from '../../../platform/db/database.ts';
import { enterSchema } from '../../../platform/db/search-path.ts';
import {
  discardItem,
  findItem,
  holdItem,
  listItems,
  type PlanStock,
  plansInStock,
  releaseItem,
  type StockFilter,
  setLow,
} from './items.ts';
import { type ImportParts, recordedImport, requirePlan, type StockFile, triedImport } from './stock-import.ts';
import { forgetCodes, type StockParts, stockSupplier } from './supplier.ts';

export { HIGHEST_LEVEL, type StockItem, stockAlerts, stockStates } from './items.ts';
export { readExpiry } from './stock-check.ts';
export { StockRefused } from './stock-file.ts';
export type { StockFile } from './stock-import.ts';

/** eSIMs that were bought in advance. Live only. */
export function createStock(parts: StockParts) {
  const { db, clock, vault } = parts;
  const now = () => new Date(clock.now());
  type Importing = Omit<ImportParts, 'vault' | 'clock'>;
  return {
    /** The adapter of kind `stock`. */
    supplier: (slug: string) => stockSupplier(parts, slug),
    /** Both throw `StockRefused`. `tried` changes nothing. */
    imports: {
      recorded: (more: Importing, file: StockFile) => recordedImport({ ...more, vault, clock }, file),
      tried: (more: Importing, file: StockFile) => triedImport({ ...more, vault, clock }, file),
    },
    find: (iccid: string) => findItem(db, iccid, now()),
    list: (filter: StockFilter) => listItems(db, filter, now()),
    plans: (which: Pick<StockFilter, 'supplier' | 'plan'>) => plansInStock(db, which, now()),
    /** The item, held until the end of the transaction. This and what follows: on the owner's connection. */
    hold: (tx: Tx, iccid: string) => holdItem(tx, iccid, now()),
    discard: (tx: Tx, iccid: string) => discardItem(tx, iccid, now()),
    release: (tx: Tx, iccid: string) => releaseItem(tx, iccid, now()),
    /** The plan's stock; throws `Refused` if there can be none. */
    async planOf(tx: Tx, supplier: string, plan: string): Promise<PlanStock> {
      await enterSchema(tx, 'live');
      await requirePlan(tx, supplier, plan);
      const [found] = await plansInStock(tx, { supplier, plan }, now());
      const nothing = { available: 0, sold: 0, returned: 0, discarded: 0, expired: 0 };
      return found ?? { supplier, plan, ...nothing, low: null, is_low: false };
    },
    forgetCodes: (tx: Tx, sales: readonly string[]) => forgetCodes(tx, sales),
    setLow,
  };
}
