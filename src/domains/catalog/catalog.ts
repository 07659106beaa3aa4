import { DAY, MINUTE } from '../../platform/clock.ts';
import { ago, COUNT_LIMIT } from '../../platform/db/alerts.ts';
import type { Db, Queryable } from '../../platform/db/database.ts';
import type { Listener } from '../../platform/db/notifications.ts';
import { type Sql, sql } from '../../platform/db/query/sql.ts';
import type { Services } from '../../platform/start/services.ts';
import type { Scope } from './import-format/import-format.ts';
import type { Destination, Plan } from './plans/plan.ts';
import { catalogStatesJob, readPast } from './plans/plan-history.ts';
import { containsWords, matchesName, planChoices, searchPlans } from './plans/plan-search.ts';
import { findPlan, setPlan } from './plans/plan-store.ts';
import { type CatalogState, latestState, type Reading, readCatalog, readPlan } from './plans/read.ts';

export { catalogImports, type ImportParts, type PastImport } from './import/import-history.ts';
export { demoImports, seedDemoCatalog } from './import/import-list.ts';
export { type Destination, dataText, type OperatorMeta, type Plan } from './plans/plan.ts';
export { searchByName } from './plans/plan-search.ts';
export type { CatalogState } from './plans/read.ts';
export { type Filters, pricePerGb, selection } from './plans/selection.ts';
export { isListed, isSellable } from './plans/snapshot.ts';
export { listSuppliers, type OperatorSupplier, supplierRows } from './plans/supplier-store.ts';

/** Whether a plan, or the name of a destination, has all these words. */
export const hasWords = { plan: containsWords, destination: matchesName };

/** Its states: the latest as the database has it, and the job that removes old ones. */
export const catalogStates = { latest: latestState, job: catalogStatesJob };

export const operatorPlans = { find: findPlan, choices: planChoices, search: searchPlans, set: setPlan };

/** The whole catalog in memory. It follows every change in the database. */
export type Catalog = Awaited<ReturnType<typeof openCatalog>>;

/** The catalog of one moment. It does not follow changes. */
export type Moment = ReturnType<Catalog['moment']>;

/** Every plan, on sale or not, for a command: without flags, and without following changes. */
export const readPlans = async (db: Db): Promise<readonly Plan[]> => (await readCatalog(db, () => '')).plans;
export const readOnePlan = (db: Queryable, alias: string): Promise<Plan | undefined> =>
  readPlan(db, alias, () => '', { destinations: [] });

export const CATALOG_CHANNEL = 'wayfare_catalog';

/** One import may notify several times; wait for the last of a burst. */
const SETTLE_MS = 50;
const RETRY_MS = 500;

interface CatalogParts extends Pick<Services, 'db' | 'log'> {
  readonly listener: Listener;
  /** Where flags are served: `{base}/flags/tr.svg`. */
  readonly imageBase: string;
}

/** Reads the catalog and follows it: it reads again after every notification and whenever the listening connection is restored. */
export async function openCatalog({ db, listener, log, imageBase }: CatalogParts) {
  const imageOf = (code: string) => `${imageBase}/flags/${code.toLowerCase()}.svg`;
  let timer: NodeJS.Timeout | undefined;
  let isReading = true;
  /** Something may have changed that the last reading has not seen. */
  let isStale = false;
  let isClosed = false;
  let version = 1;
  // Listening starts before the first reading, so that no change falls between the two.
  listener.on(CATALOG_CHANNEL, () => readAgain(SETTLE_MS));
  listener.onReconnect(() => readAgain(0));
  let latest: Reading = await readCatalog(db, imageOf);
  isReading = false;
  if (isStale) readAgain(0);

  function readAgain(afterMs: number): void {
    isStale = true;
    if (isClosed || isReading || timer) return;
    timer = setTimeout(follow, afterMs).unref();
  }

  async function follow(): Promise<void> {
    timer = undefined;
    isReading = true;
    isStale = false;
    let retryMs = SETTLE_MS;
    try {
      const before = latest;
      latest = await readCatalog(db, imageOf, before);
      if (latest !== before) version += 1;
    } catch (error) {
      log.error({ err: error }, 'the catalog could not be read again');
      isStale = true;
      retryMs = RETRY_MS;
    }
    isReading = false;
    if (isStale) readAgain(retryMs);
  }

  return {
    /** Goes up with every change: anything derived from an older version is stale. */
    get version() {
      return version;
    },
    /** Every country that is sold, by code. */
    get countries() {
      return latest.snapshot.countries;
    },
    /** Every plan a partner can find: an eSIM, not a refill; on sale, with a price. */
    get listed() {
      return latest.snapshot.listed;
    },
    /** On sale or not: check `onSale`. A change may take a moment to show here; to sell the plan, use `current`. */
    byAlias: (alias: string): Plan | undefined => latest.snapshot.byAlias(alias),
    /**
     * The plan as the database has it, for a decision about money. It comes from memory while memory is known to be up to date.
     * While the notification connection is down, and until the catalog has been read again after it came back or after a change was
     * announced, the plan is read from the database.
     */
    current(alias: string): Plan | undefined | Promise<Plan | undefined> {
      const isCurrent = listener.healthy && !isStale && !isReading;
      return isCurrent ? latest.snapshot.byAlias(alias) : readPlan(db, alias, imageOf, latest.frame);
    },
    /** A country or region by its code or slug, in any case. */
    destination: (codeOrSlug: string): Destination | undefined => latest.snapshot.destination(codeOrSlug),
    /** Listed plans: the destination's own, or those of `type` that cover it. */
    plansOf: (destination: Destination, type: Scope | undefined): readonly Plan[] =>
      latest.snapshot.plansOf(destination, type),
    /** Refills on sale that can be added to an eSIM of this supplier and its code of the plan, cheapest list price first. */
    refillsOf: (supplierSlug: string, supplierPlan: string): readonly Plan[] =>
      latest.snapshot.refillsOf(supplierSlug, supplierPlan),
    /** Every refill on sale of a destination, cheapest list price first. */
    refillsFor: (destinationCode: string): readonly Plan[] => latest.snapshot.refillsFor(destinationCode),
    /** The catalog as it is at this moment, for work that takes longer. */
    moment() {
      const reading = latest;
      return {
        state: reading.state,
        listed: reading.snapshot.listed,
        /** Every plan, on sale or not. */
        plans: reading.plans,
        /** Where flags are served: part of every row that shows one. */
        imageBase,
        byAlias: (alias: string) => reading.snapshot.byAlias(alias),
        /** What was different at an earlier state. */
        past: (since: CatalogState) => readPast(db, reading, since, imageOf),
      };
    },
    close(): void {
      isClosed = true;
      clearTimeout(timer);
    },
  };
}

const BALANCE_UNREAD_MS = 30 * MINUTE;
const OLD_LIST_MS = 3 * DAY;

/** Lists that are old, could not be imported, or wait for a confirmation. Simulated suppliers and our own stock have none that ages. */
export const listAlerts = (now: number): Sql => sql`
  select 'old_list' as kind, 1::float8 as count, imported_at as since, slug as of, '' as about from suppliers
  where kind not in ('simulated', 'stock') and imported_at < ${ago(now, OLD_LIST_MS)}
  union all
  select case when latest.is_held then 'held_import' else 'failed_import' end, failed.count, failed.since, latest.supplier, latest.error
  from (
    select supplier from catalog_syncs union select slug from suppliers
  ) as known
  cross join lateral (
    select id, supplier, error, is_held from catalog_imports where supplier = known.supplier order by id desc limit 1
  ) as latest
  cross join lateral (
    select count(*)::float8 as count, min(finished_at) as since from (
      select finished_at from catalog_imports where supplier = latest.supplier and id > coalesce((
        select id from catalog_imports where supplier = latest.supplier and error is null order by id desc limit 1), 0)
      limit ${COUNT_LIMIT}
    ) as run
  ) as failed
  where latest.error is not null`;

export const balanceAlerts = (now: number): Sql => sql`
  select 'unread_balance' as kind, 1::float8 as count, balance_at as since, slug as of, '' as about from suppliers
  where balance_at < balance_asked_at and balance_at < ${ago(now, BALANCE_UNREAD_MS)}
  union all
  select 'low_balance', 1, null, slug, round(balance_micros / 1000000.0, 2)::text from suppliers
  where balance_micros < balance_alert_micros`;
