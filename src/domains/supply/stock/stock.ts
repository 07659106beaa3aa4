import type { Queryable, Tx } from '../../../platform/db/database.ts';
import { enterSchema } from '../../../platform/db/search-path.ts';
import type { Supplier } from '../port/port.ts';
import {
  type ImportParts,
  recordedImport,
  requirePlan,
  type StockCounts,
  type StockFile,
  triedImport,
} from './import.ts';
import {
  discardItem,
  findItem,
  holdItem,
  listItems,
  type PlanStock,
  plansInStock,
  releaseItem,
  type StockFilter,
  type StockItem,
  setLow,
} from './items.ts';
import { type StockParts, stockSupplier } from './supplier.ts';

export type { StockFile } from './import.ts';
export { readExpiry } from './import-check.ts';
export { StockRefused } from './import-file.ts';
export { HIGHEST_LEVEL, type PlanStock, type StockItem, stockAlerts, stockStates } from './items.ts';

/** eSIMs that were bought in advance. Live only. */
export interface Stock {
  /** The adapter of kind `stock`. */
  supplier(slug: string): Supplier;
  /** Both throw `StockRefused`. `tried` changes nothing. */
  readonly imports: {
    recorded(parts: Omit<ImportParts, 'vault' | 'clock'>, file: StockFile): Promise<StockCounts>;
    tried(parts: Omit<ImportParts, 'vault' | 'clock'>, file: StockFile): Promise<StockCounts>;
  };
  find(iccid: string): Promise<StockItem | undefined>;
  list(filter: StockFilter): Promise<StockItem[]>;
  plans(which: Pick<StockFilter, 'supplier' | 'plan'>): Promise<PlanStock[]>;
  /** The item, held until the end of the transaction. This and what follows: on the owner's connection. */
  hold(tx: Tx, iccid: string): Promise<StockItem | undefined>;
  discard(tx: Tx, iccid: string): Promise<void>;
  release(tx: Tx, iccid: string): Promise<void>;
  /** The plan's stock; throws `Refused` if there can be none. */
  planOf(tx: Tx, supplier: string, plan: string): Promise<PlanStock>;
  setLow(tx: Tx, supplier: string, plan: string, low: number | null): Promise<void>;
}

export function createStock(parts: StockParts): Stock {
  const { db, clock, vault } = parts;
  const now = () => new Date(clock.now());
  const planOf = async (on: Queryable, supplier: string, plan: string): Promise<PlanStock> => {
    const [found] = await plansInStock(on, { supplier, plan }, now());
    const nothing = { available: 0, sold: 0, returned: 0, discarded: 0, expired: 0 };
    return found ?? { supplier, plan, ...nothing, low: null, is_low: false };
  };
  return {
    supplier: (slug) => stockSupplier(parts, slug),
    imports: {
      recorded: (more, file) => recordedImport({ ...more, vault, clock }, file),
      tried: (more, file) => triedImport({ ...more, vault, clock }, file),
    },
    find: (iccid) => findItem(db, iccid, now()),
    list: (filter) => listItems(db, filter, now()),
    plans: (which) => plansInStock(db, which, now()),
    hold: (tx, iccid) => holdItem(tx, iccid, now()),
    discard: (tx, iccid) => discardItem(tx, iccid, now()),
    release: (tx, iccid) => releaseItem(tx, iccid, now()),
    async planOf(tx, supplier, plan) {
      await enterSchema(tx, 'live');
      await requirePlan(tx, supplier, plan);
      return planOf(tx, supplier, plan);
    },
    setLow,
  };
}
