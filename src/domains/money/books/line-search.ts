import type { Cents } from '../../../platform/amounts/cents.ts';
import type { Queryable } from '../../../platform/db/database.ts';
import { nothing, pinned, raw, type Sql, sql } from '../../../platform/db/query/sql.ts';
import { movementsOf } from '../ledger/ledger.ts';

export type Book = 'wallet' | 'debt';

export interface Line<Type> {
  readonly id: bigint;
  readonly type: Type;
  /** Signed as it changed the book's balance. */
  readonly amount: Cents;
  readonly balanceAfter: Cents;
  readonly orderId: bigint | null;
  readonly note: string;
  readonly at: Date;
}

/** Which lines of a book. Omitted fields do not filter. */
export interface LineFilter {
  readonly type?: string | undefined;
  /** Written at this time or later. */
  readonly from?: Date | undefined;
  /** Written before this time. */
  readonly to?: Date | undefined;
  /** Lines with a smaller number; page numbers are ignored then. */
  readonly beforeId?: bigint | undefined;
  readonly orderId?: bigint | undefined;
  readonly reference?: string | undefined;
}

/** Lines from the first to the last, both included. */
interface LineRange {
  readonly first: bigint;
  readonly last: bigint;
}

/** More lines than any book has. A power of two, so that a longer book is searched by the same steps as it was before. */
const MOST_LINES = 2n ** 40n;
const WHOLE_BOOK: LineRange = { first: 1n, last: MOST_LINES };

/** Every line is numbered when its wallet is locked, and timed before: by a clock that may be this far from the others. */
const CLOCKS_DIFFER = "interval '1 hour'";

/** Orders of one reference that are looked up one by one. If there are more, the lines of the book are looked through instead. */
const ORDERS_LOOKED_UP = 20_000;

/**
 * The last line of a book that is in an archive; 0: none is. Some lines up to there are kept, for orders that can still be refunded, so a
 * list of the book begins after it.
 */
export const archivedTo = (partnerId: Sql | number, book: Sql): Sql => sql`
  coalesce((select archived.line from archived_books archived where archived.partner_id = ${partnerId} and archived.book = ${book}), 0)`;

/**
 * A recursive query `search`, whose rows with low = high name the first line of a book at which `isAfter` holds, for every row of
 * `wanted`: (partner_id, book, moment, n, and a line that is beyond the book's last). Lines that are not archived are numbered without a gap, so it is found by
 * halving, in as many steps of an index as that line has bits. `offset 0` keeps the planner from looking each line up twice, once for
 * each of its ends.
 */
export const halving = (wanted: Sql, isAfter: Sql): Sql => sql`
  search (partner_id, book, n, moment, low, high) as (
    select partner_id, book, n, moment, ${archivedTo(sql`wanted.partner_id`, sql`wanted.book`)} + 1, beyond
    from (${wanted}) as wanted (partner_id, book, moment, n, beyond)
    union all
    select partner_id, book, n, moment, case when is_after then low else middle + 1 end, case when is_after then middle else high end
    from search
    cross join lateral (select (low + high) / 2 as middle) half
    cross join lateral (
      select coalesce((select ${isAfter} from movements
        where partner_id = search.partner_id and book = search.book and line = middle), true) as is_after offset 0
    ) found
    where low < high
  )`;

/** The same in one book, however long it is, for an array of moments. */
export const halvingBook = (partnerId: number, book: Book, moments: Sql, isAfter: Sql): Sql =>
  halving(
    sql`select ${partnerId}::int, ${book}::text, moment, n, ${MOST_LINES}::bigint
      from unnest(${moments}) with ordinality as wanted (moment, n)`,
    isAfter,
  );

/** Where in a book the lines lie that match. `areTimesAscending`: times grow with the lines, give or take what clocks differ. */
export async function rangeOf(
  db: Queryable,
  partnerId: number,
  book: Book,
  { from, to, beforeId }: LineFilter,
  areTimesAscending: boolean,
): Promise<LineRange> {
  let { first, last } = WHOLE_BOOK;
  if (beforeId !== undefined) {
    const wanted = sql`array[${beforeId}]::bigint[]`;
    const { low } = await db.one<{ low: bigint }>(sql`
      with recursive ${halvingBook(partnerId, book, wanted, sql`id >= moment`)} select low from search where low = high`);
    last = low - 1n;
  }
  if (areTimesAscending && (from ?? to)) {
    const wanted = sql`array[${from ?? null}::timestamptz - ${raw(CLOCKS_DIFFER)}, ${to ?? null}::timestamptz + ${raw(CLOCKS_DIFFER)}]`;
    const rows = await db.query<{ n: bigint; low: bigint }>(sql`
      with recursive ${halvingBook(partnerId, book, wanted, sql`at >= moment`)} select n, low from search where low = high`);
    for (const { n, low } of rows) {
      if (from && n === 1n) first = low;
      if (to && n === 2n && low <= last) last = low - 1n;
    }
  }
  return { first, last };
}

export const isAnyLine = (filter: LineFilter): boolean => Object.values(filter).every((value) => value === undefined);

/**
 * The numbers of the lines that match, newest first, as a statement to which a limit is added; `after` is the line before them.
 * Statements are planned once for all values, so each access path is a statement of its own.
 */
export async function lineNumbers(
  db: Queryable,
  partnerId: number,
  book: Book,
  filter: LineFilter,
  range: LineRange,
): Promise<(after: bigint | undefined) => Sql> {
  const { type, from, to, orderId, reference } = filter;
  const fits = (after: bigint | undefined) => sql`partner_id = ${partnerId} and book = ${raw(`'${book}'`)}
    and line <= ${after === undefined ? range.last : after - 1n}
    ${range.first > 1n ? sql`and line >= ${range.first}` : nothing} ${type === undefined ? nothing : sql`and type = ${type}`}
    ${from ? sql`and at >= ${from}` : nothing} ${to ? sql`and at < ${to}` : nothing}`;
  const columns = sql`line, partner_id, book, type, at`;
  // Not a join: the planner would read every order of the reference before the first line.
  const isReferred =
    reference === undefined
      ? nothing
      : sql`and (select orders.reference from orders where orders.id = movements.order_id) = ${reference}`;
  if (orderId !== undefined)
    return (after) => sql`
      select line from (${movementsOf(columns, sql`order_id = ${orderId} ${isReferred}`)}) as of_order
      where ${fits(after)} order by line desc`;
  if (reference !== undefined && (await isRare(db, partnerId, reference)))
    return (after) => sql`
      select line from (
        select id from orders where ${pinned('partner_id', partnerId)} and reference = ${reference} and reference <> '' offset 0
      ) as referred
      cross join lateral (${movementsOf(columns, sql`order_id = referred.id`)}) as of_order
      where ${fits(after)} order by line desc`;
  return (after) => sql`
    select line from movements where ${fits(after)} and line > ${archivedTo(partnerId, sql`${raw(`'${book}'`)}`)} ${isReferred}
    order by line desc`;
}

async function isRare(db: Queryable, partnerId: number, reference: string): Promise<boolean> {
  const { count } = await db.one<{ count: number }>(sql`
    select count(*)::int as count from (
      select from orders where ${pinned('partner_id', partnerId)} and reference = ${reference} and reference <> ''
      limit ${ORDERS_LOOKED_UP}
    ) as referred`);
  return count < ORDERS_LOOKED_UP;
}
