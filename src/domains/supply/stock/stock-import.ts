import { setImmediate as sent } from 'node:timers/promises';
import { type Author, change } from '../../../platform/audit/audit-log.ts';
import { Refused } from '../../../platform/contract/refused.ts';
import { rolledBack, type Tx } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/query/sql.ts';
import { enterSchema } from '../../../platform/db/search-path.ts';
import type { Services } from '../../../platform/start/services.ts';
import { checkItems, type NewItem, type StockTerms } from './stock-check.ts';
import { FIELDS, readStockFile, type StockProblem, StockRefused } from './stock-file.ts';

export interface StockFile extends StockTerms {
  readonly supplier: string;
  readonly plan: string;
  readonly text: string;
}

export interface ImportParts extends Pick<Services, 'vault' | 'clock'> {
  readonly author: Author;
  /** Orders that wait for this plan are due at once; returns how many. */
  expedite(tx: Tx, supplier: string, plan: string, most: number): Promise<number>;
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

/** Imports a file with its entry in the audit log, all or nothing. Throws `StockRefused` with every problem. */
export function recordedImport(parts: ImportParts, file: StockFile) {
  return change(parts.author, 'stock import', async (tx) => {
    const counts = await importStock(tx, parts, file);
    return { target: `supplier ${file.supplier}`, after: counts, result: counts };
  });
}

/** Reports what importing the file would do: imports it and rolls back. Throws `StockRefused`. */
export const triedImport = (parts: ImportParts, file: StockFile) =>
  rolledBack(parts.author.db, (tx) => importStock(tx, parts, file));

/** Rows per statement. */
const BATCH = 1_000;
/** An arbitrary number: the advisory lock of imports. With it, nothing comes into stock between the look for duplicates and the write. */
const STOCK_LOCK = 7_203_914;

async function importStock(tx: Tx, parts: ImportParts, file: StockFile) {
  const { vault, clock, onProgress } = parts;
  const { supplier, plan } = file;
  const now = new Date(clock.now());
  const raw = readStockFile(file.text);
  const { items, problems } = checkItems(raw, file, now.getTime());
  await enterSchema(tx, 'live');
  await requirePlan(tx, supplier, plan);
  await tx.run(sql`select pg_advisory_xact_lock(${STOCK_LOCK})`);
  const found: StockProblem[] = [...problems, ...(await duplicates(tx, items))];
  if (found.length > 0) throw new StockRefused(found.toSorted(inOrder));
  await tx.run(sql`
    insert into stock_plans (supplier, plan) values (${supplier}, ${plan}) on conflict do nothing`);
  // The next batch is sealed while the database writes the one before.
  let written: Promise<unknown> = Promise.resolve();
  for (let at = 0; at < items.length; at += BATCH) {
    const batch = items.slice(at, at + BATCH);
    const insert = sql`
      insert into stock_items (supplier, plan, iccid, esim, cost_micros, expires_at, label, imported_at, changed_at)
      select ${supplier}::text, ${plan}::text, iccid, esim, cost, expires_at, label, ${now}::timestamptz, ${now}::timestamptz
      from unnest(
        ${batch.map(({ iccid }) => iccid)}::text[], ${batch.map(({ esim }) => vault.seal(JSON.stringify(esim)))}::bytea[],
        ${batch.map(({ cost }) => cost)}::bigint[], ${batch.map(({ expiresAt }) => expiresAt)}::timestamptz[],
        ${batch.map(({ label }) => label)}::text[]
      ) with ordinality as item (iccid, esim, cost, expires_at, label, line) order by line`;
    await written;
    onProgress?.(at, items.length);
    written = tx.run(insert);
    // Its error is thrown by the `await` above, or the one below the loop.
    written.catch(() => {});
    await sent();
  }
  await written;
  onProgress?.(items.length, items.length);
  const expiries = items.flatMap(({ expiresAt }) => expiresAt?.getTime() ?? []);
  const { available } = await tx.one<{ available: number }>(sql`
    select count(*)::int as available from stock_items
    where supplier = ${supplier} and plan = ${plan} and state = 'available' and (expires_at is null or expires_at > ${now})`);
  return {
    supplier,
    plan,
    items: items.length,
    /** Of those, how many never expire. */
    without_expiry: items.length - expiries.length,
    first_expiry: expiries.length === 0 ? null : new Date(expiries.reduce((a, b) => Math.min(a, b))),
    /** What can be sold now, those included. */
    available,
    /** Orders that waited for stock and are tried at once. */
    orders_tried: await parts.expedite(tx, supplier, plan, items.length),
  };
}

/** Stock is for plans that are there: their list says what is sold, and at which price. */
export async function requirePlan(tx: Tx, supplier: string, plan: string): Promise<void> {
  const found = await tx.maybe<{ kind: string; hasPlan: boolean }>(sql`
    select kind, exists (select from plans where supplier_id = suppliers.id and supplier_plan = ${plan}) as "hasPlan"
    from suppliers where slug = ${supplier}`);
  if (!found) throw new Refused('supplier_not_found');
  if (found.kind !== 'stock')
    throw new Refused('not_stock', `supplier ${supplier} is of kind ${found.kind}, and only kind stock has items`);
  if (!found.hasPlan) throw new Refused('product_not_found', `supplier ${supplier} has no plan with the code ${plan}`);
}

/** By line, then as the fields are listed. */
const inOrder = (a: StockProblem, b: StockProblem): number =>
  a.line - b.line || columnNumber(a.column) - columnNumber(b.column);
const columnNumber = (column: string): number => (FIELDS as readonly string[]).indexOf(column);

/** Items that are in stock, in whatever state, or that were sold without it. */
async function duplicates(tx: Tx, items: readonly NewItem[]): Promise<StockProblem[]> {
  const found: StockProblem[] = [];
  for (let at = 0; at < items.length; at += BATCH) {
    const batch = new Map(items.slice(at, at + BATCH).map((item) => [item.iccid, item]));
    const rows = await tx.query<{ iccid: string; state: string }>(sql`
      select iccid, state from stock_items where iccid = any(${[...batch.keys()]}::text[])
      union all
      select given.iccid, 'order' from unnest(${[...batch.keys()]}::text[]) as given (iccid)
      where exists (select from orders where orders.iccid = given.iccid)
        and not exists (select from stock_items where stock_items.iccid = given.iccid)`);
    for (const { iccid, state } of rows) {
      const reason = state === 'order' ? 'was sold before' : `is in stock already (${state})`;
      found.push({ line: batch.get(iccid)?.line ?? 1, column: 'iccid', reason });
    }
  }
  return found;
}
