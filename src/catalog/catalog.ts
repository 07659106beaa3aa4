import type { Db } from '../db/database.ts';
import type { Listener } from '../db/listen.ts';
import type { Log } from '../log.ts';
import type { Destination, Plan, Scope } from './plan.ts';
import { type Reading, readCatalog } from './read.ts';

export { ALIAS, aliasOf, type Sign } from './alias.ts';
export { demoImports, seedDemoCatalog } from './demo/demo.ts';
export { feedImport } from './feed.ts';
export { importCatalog } from './import.ts';
export { ImportRefused, type RawImport, readImportFile } from './import-file.ts';
export { type PlanEntry, type SupplierEntry, supplierKinds } from './import-format.ts';
export type { Destination, FairUse, NetworkType, Operator, OperatorMeta, Plan, Scope, Supplier } from './plan.ts';
export { networkTypes, scopes } from './plan.ts';
export { findPlan, listSuppliers, setPlan } from './plan-store.ts';
export {
  type Direction,
  directions,
  type Filters,
  matches,
  pricePerGb,
  type SortKey,
  sorted,
  sortKeys,
} from './selection.ts';
export { slugOf } from './slug.ts';
export { isSmall, winners } from './variants.ts';

/** The whole catalog, ready in memory; it follows every change in the database. */
export interface Catalog {
  /** Counts up with every change: what was derived from an older catalog is stale. */
  readonly version: number;
  /** Every country that is sold, by code. */
  readonly countries: readonly Destination[];
  /** Every plan a partner can find: on sale, with a price. */
  readonly listed: readonly Plan[];
  /** On sale or not: look at `onSale`. */
  byAlias(alias: string): Plan | undefined;
  /** A country or region by its code or slug, in any case. */
  destination(codeOrSlug: string): Destination | undefined;
  /** Listed plans: the destination's own, or those of `type` that cover it. */
  plansOf(destination: Destination, type: Scope | undefined): readonly Plan[];
  close(): void;
}

export const CATALOG_CHANNEL = 'wayfare_catalog';

/** One import may notify more than once; wait for the last of a burst. */
const SETTLE_MS = 50;
const RETRY_MS = 500;

export interface CatalogParts {
  readonly db: Db;
  readonly listener: Listener;
  readonly log: Log;
  /** Where flags are served: `{base}/flags/tr.svg`. */
  readonly imageBase: string;
}

/** Reads the catalog and follows it: after every notification, and after the listening connection was lost. */
export async function openCatalog({ db, listener, log, imageBase }: CatalogParts): Promise<Catalog> {
  const imageOf = (code: string) => `${imageBase}/flags/${code.toLowerCase()}.svg`;
  let timer: NodeJS.Timeout | undefined;
  let reading = true;
  let stale = false;
  let closed = false;
  let version = 1;
  // Listening starts before the first reading, so that no change falls between the two.
  listener.on(CATALOG_CHANNEL, () => readAgain(SETTLE_MS));
  listener.onReconnect(() => readAgain(0));
  let now: Reading = await readCatalog(db, imageOf);
  reading = false;
  if (stale) readAgain(0);

  function readAgain(afterMs: number): void {
    stale = true;
    if (closed || reading || timer) return;
    timer = setTimeout(follow, afterMs).unref();
  }

  async function follow(): Promise<void> {
    timer = undefined;
    reading = true;
    stale = false;
    let retryMs = SETTLE_MS;
    try {
      const before = now;
      now = await readCatalog(db, imageOf, before);
      if (now !== before) version += 1;
    } catch (error) {
      log.error({ err: error }, 'the catalog could not be read again');
      stale = true;
      retryMs = RETRY_MS;
    }
    reading = false;
    if (stale) readAgain(retryMs);
  }

  return {
    get version() {
      return version;
    },
    get countries() {
      return now.snapshot.countries;
    },
    get listed() {
      return now.snapshot.listed;
    },
    byAlias: (alias) => now.snapshot.byAlias(alias),
    destination: (codeOrSlug) => now.snapshot.destination(codeOrSlug),
    plansOf: (destination, type) => now.snapshot.plansOf(destination, type),
    close() {
      closed = true;
      clearTimeout(timer);
    },
  };
}
