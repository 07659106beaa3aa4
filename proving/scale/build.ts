import { addToMonths } from '../../src/domains/insight/rollups/ledger-by-month.ts';
import { countChangedDays } from '../../src/domains/insight/rollups/sales-by-day.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { type Db, openDatabase } from '../../src/platform/db/database.ts';
import { raw, sql } from '../../src/platform/db/query/sql.ts';
import { benchDatabase } from '../bench/support/database.ts';
import { buildIndexes, dropIndexes, requireSameSchema } from '../bench/support/indexes-later.ts';
import { fillOrders, fillPartners, type ManyOrders } from '../bench/support/many-orders.ts';
import { usedByPostgres } from '../bench/support/processor-time.ts';

/** The time of each step of the build, and the resulting sizes. */
export interface Built {
  readonly steps: readonly Step[];
  readonly bytes: number;
  /** The build was interrupted and continued: the times count only the last run. */
  readonly isResumed: boolean;
}

export interface Step {
  readonly name: string;
  readonly seconds: number;
  /** Processor time of PostgreSQL. */
  readonly cpuSeconds: number;
}

/**
 * For a database that is not in use yet: memory for sorting, and no durability for data that can be made again. For measuring, the server
 * is restarted with production settings.
 */
const SETTINGS = [
  'shared_buffers=3GB',
  'work_mem=384MB',
  'maintenance_work_mem=1GB',
  'wal_level=minimal',
  'max_wal_senders=0',
  'max_wal_size=6GB',
  'checkpoint_timeout=30min',
  'full_page_writes=off',
  'autovacuum=off',
];

/** The tables with a row for each order or more. */
const TABLES = ['orders', 'movements', 'transfers', 'webhook_deliveries', 'usage_readings', 'refunds'];

/** The job counts in smaller steps: others use the database meanwhile. */
const COUNTED_AT_ONCE = 100_000;

export interface Building extends ManyOrders {
  readonly folder: string;
  say(line: string): void;
}

/** Makes all orders in the database in this folder, which has its partners and one order. */
export async function build(wanted: Building): Promise<Built> {
  const { folder, say } = wanted;
  await using undo = new AsyncDisposableStack();
  const { url } = undo.use(await benchDatabase(folder, SETTINGS));
  const db = openDatabase({ url, name: 'scale', searchPath: 'live,shared', statementTimeoutMs: 0 });
  undo.defer(() => db.close());
  const { isResumed } = await db.one<{ isResumed: boolean }>(sql`
    select to_regclass('public.bulk_orders') is not null as "isResumed"`);
  const steps: Step[] = [];
  const step = async (name: string, work: () => Promise<unknown>): Promise<void> => {
    const [began, used] = [performance.now(), usedByPostgres(folder)];
    await work();
    const took = { seconds: since(began), cpuSeconds: (usedByPostgres(folder) - used) / 1e6 };
    steps.push({ name, ...took });
    say(`${name}: ${took.seconds.toFixed()} s, ${took.cpuSeconds.toFixed()} s of processor time`);
  };
  await step('orders made', async () => {
    await fillPartners(db, wanted.partners);
    await db.run(sql`update wallets set opened_at = now() where opened_at is null`);
    await dropIndexes(db, TABLES);
    await fillOrders(db, wanted, estimate(wanted, say));
  });
  // Before there are indexes a vacuum has only rows to look at.
  await step('rows vacuumed', async () => {
    await Promise.all(TABLES.map((table) => db.run(sql`vacuum (analyze) ${raw(`live.${table}`)}`)));
    // Each chunk updated every wallet and left dead rows, which regular vacuums would have removed.
    await db.run(sql`vacuum (full, analyze) live.wallets`);
  });
  await step('indexes built', () => buildIndexes(db, (left) => left % 5 === 0 && say(`${left} indexes left`)));
  await requireSameSchema(url);
  await step('figures counted', () => Promise.all([all(db, countChangedDays), all(db, addToMonths)]));
  await step('vacuumed', async () => {
    await db.run(sql`vacuum (analyze)`);
    await db.run(sql`checkpoint`);
  });
  const { bytes } = await db.one<{ bytes: number }>(sql`
    select pg_database_size(current_database())::float8 as bytes`);
  return { steps, bytes, isResumed };
}

async function all(db: Db, count: typeof countChangedDays): Promise<void> {
  while ((await count(db, systemClock, COUNTED_AT_ONCE)) > 0);
}

/** Says how many there are, and how long the rest will take. */
function estimate({ orders }: Building, say: (line: string) => void): (made: number) => void {
  const began = performance.now();
  let first: number | undefined;
  let told = 0;
  return (made) => {
    first ??= made;
    if (made < orders && made < told + orders / 20) return;
    told = made;
    const spent = since(began);
    const left = made > first ? (spent / (made - first)) * (orders - made) : 0;
    say(`${made.toLocaleString('en')} orders made in ${spent.toFixed()} s, about ${(left / 60).toFixed(1)} min left`);
  };
}

export const since = (began: number): number => (performance.now() - began) / 1000;
