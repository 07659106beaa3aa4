import { type Cents, ZERO } from '../../../platform/amounts/cents.ts';
import type { Queryable } from '../../../platform/db/database.ts';
import { type Sql, sql } from '../../../platform/db/query/sql.ts';
import { bound } from '../../../platform/db/replicas.ts';
import { type DebtMovementType, movementsOf, type WalletMovementType } from '../ledger/ledger.ts';
import { archivedTo, type Book, halving, halvingBook, type Line } from './line-search.ts';

export type BookLine = Line<WalletMovementType | DebtMovementType> & { readonly line: bigint };

/** Lines of one book that follow each other: from `first` up to, but not including, `end`. */
export interface Period {
  readonly first: bigint;
  readonly end: bigint;
  /** The balance before its first line and after its last. Both are the ledger's own figures, and the lines lead from one to the other. */
  readonly opening: Cents;
  readonly closing: Cents;
  /** Set: it begins before this moment, and the lines before it are archived. The period is what follows them. */
  readonly archivedUntil: Date | null;
}

export interface PeriodSum {
  readonly type: WalletMovementType | DebtMovementType;
  readonly isIncrease: boolean;
  readonly count: number;
  readonly amount: Cents;
}

/**
 * A period is found by the numbers of its lines, not by their times: lines are numbered without a gap in the order in which
 * they changed the balance, so whatever the clocks of several processes said, each line is in exactly one month and the months
 * follow from each other. Times grow with the numbers, give or take what two processes' clocks differ, so the first line of a
 * month is looked up by halving; that takes 40 steps in an index, and no index by time.
 */
export const ledgerPeriods = (db: Queryable) => ({
  async period(partnerId: number, book: Book, from: Date, to: Date): Promise<Period> {
    const { opening, closing, ...lines } = await db.one<
      Pick<Period, 'first' | 'end' | 'archivedUntil'> & Record<'opening' | 'closing', Cents | null>
    >(
      sql`
      with recursive ${halvingBook(partnerId, book, sql`array[${from}, ${to}]::timestamptz[]`, sql`at >= moment`)},
      bounds as (
        select min(low) filter (where n = 1) as first, min(low) filter (where n = 2) as end from search where low = high
      )
      select bounds.first, greatest(bounds.end, bounds.first) as end, ${balanceAt(partnerId, book, sql`bounds.first - 1`)} as opening,
        ${balanceAt(partnerId, book, sql`greatest(bounds.end, bounds.first) - 1`)} as closing,
        (select until from archived_books where partner_id = ${partnerId} and book = ${book} and until > ${from}) as "archivedUntil"
      from bounds`,
    );
    return { ...lines, opening: opening ?? ZERO, closing: closing ?? ZERO };
  },

  sums: (partnerId: number, book: Book, { first, end }: Lines): Promise<readonly PeriodSum[]> =>
    db.query(sql`
      select type, amount > 0 as "isIncrease", count(*)::int as count, sum(amount)::bigint as amount from movements
      where partner_id = ${partnerId} and book = ${book} and line >= ${first} and line < ${end}
      group by type, amount > 0 order by type, amount > 0`),

  /** Its lines, oldest first; `limit` at most. */
  linesOf: (partnerId: number, book: Book, { first, end }: Lines, limit: number): Promise<readonly BookLine[]> =>
    db.query(sql`
      select id, line, type, amount, balance_after as "balanceAfter", order_id as "orderId", note, at
      from movements where partner_id = ${partnerId} and book = ${book} and line >= ${first} and line < ${end}
      order by line limit ${limit}`),

  /** When the first line of either book that is not archived was written; null: there is none. */
  async since(partnerId: number): Promise<Date | null> {
    const { since } = await db.one<{ since: Date | null }>(sql`
      select min(first.at) as since from (values ('wallet'), ('debt')) kept (book) cross join lateral (
        select at from movements where partner_id = ${partnerId} and movements.book = kept.book
          and line > ${archivedTo(partnerId, sql`kept.book`)} order by line limit 1
      ) first`);
    return since;
  },
});

const balanceAt = (partnerId: number, book: Book, line: Sql): Sql => sql`coalesce(
  (select balance_after from movements where partner_id = ${partnerId} and book = ${book} and line = ${line}),
  (select balance from archived_books where partner_id = ${partnerId} and book = ${book} and line = ${line}))`;

export type Periods = ReturnType<typeof ledgerPeriods>;
type Lines = Pick<Period, 'first' | 'end'>;

/** For a world that keeps no books. */
export const noPeriods: Periods = {
  period: async () => ({ first: 1n, end: 1n, opening: ZERO, closing: ZERO, archivedUntil: null }),
  sums: async () => [],
  linesOf: async () => [],
  since: async () => null,
};

/*
 * A month of every partner's books, for a file.
 *
 * Lines have no index by time. Within a book they are numbered in the order of time, so the first line of a month is found by a binary
 * search (`halving` in line-search.ts). Doing that for one partner after the other takes two statements and more for each, although most
 * have only a few lines. So one statement searches the books of up to a thousand partners, and the lines found are read a thousand at a
 * time, whichever books they are in. With a thousand partners and a million orders this takes less than half as long as one by one
 * (docs/benchmarks.md, "Plain versions").
 */

/** Lines of one partner's book that follow each other: from `first` up to, but not including, `end`. */
export interface BookRange {
  readonly partnerId: number;
  readonly name: string;
  readonly book: Book;
  readonly first: bigint;
  readonly end: bigint;
}

type RangeLine = BookLine & Pick<BookRange, 'partnerId' | 'name' | 'book'>;

/** Where the time from one moment to another lies in both books of the next partners by id, closed accounts included. */
export const rangesAfter = (
  db: Queryable,
  partnerId: number,
  { from, to }: { readonly from: Date; readonly to: Date },
  partners: number,
): Promise<BookRange[]> =>
  db.query(sql`
    with recursive owner as materialized (
      select partner_id, wallet_lines, debt_lines from wallets where partner_id > ${partnerId} order by partner_id limit ${partners}
    ), ${halving(
      sql`select partner_id, book, moment, n, lines + 1::bigint
        from owner cross join lateral (values ('wallet', wallet_lines), ('debt', debt_lines)) as kept (book, lines)
        cross join unnest(array[${from}, ${to}]::timestamptz[]) with ordinality as asked (moment, n)`,
      sql`at >= moment`,
    )}, bounds as (
      select partner_id, book, min(low) filter (where n = 1) as first, min(low) filter (where n = 2) as end
      from search where low = high group by partner_id, book
    )
    select partner_id as "partnerId", partners.name, book, first, greatest(first, bounds.end) as end
    from bounds join partners on partners.id = partner_id order by partner_id, book desc`);

/** The lines of these ranges, one after the other. They say how many they are: `inPieces` keeps them few. */
export const linesOfRanges = (db: Queryable, ranges: readonly BookRange[]): Promise<RangeLine[]> =>
  db.query(sql`
    select range.partner_id as "partnerId", partners.name, range.book, movement.id, line, type, amount, balance_after as "balanceAfter",
      order_id as "orderId", note, at
    from unnest(
      ${ranges.map(({ partnerId }) => partnerId)}::int[], ${ranges.map(({ book }) => book)}::text[],
      ${ranges.map(({ first }) => first)}::bigint[], ${ranges.map(({ end }) => end)}::bigint[]
    ) with ordinality as range (partner_id, book, first, "end", n)
    join partners on partners.id = range.partner_id
    cross join lateral (
      select * from movements where partner_id = range.partner_id and book = range.book
        and line >= range.first and line < range."end" offset 0
    ) as movement
    order by n, line`);

/** The same ranges in their order, divided so that each piece has at most so many lines. Empty ones are left out. */
export function* inPieces(ranges: readonly BookRange[], lines: number): Generator<BookRange[]> {
  let piece: BookRange[] = [];
  let room = lines;
  for (const range of ranges)
    for (let { first } = range; first < range.end; ) {
      const taken = Math.min(room, Number(range.end - first));
      const end = first + BigInt(taken);
      piece.push({ ...range, first, end });
      first = end;
      room -= taken;
      if (room > 0) continue;
      yield piece;
      [piece, room] = [[], lines];
    }
  if (piece.length > 0) yield piece;
}

/** Every line an order left in either book, oldest first. */
export function linesOfOrder(
  db: Queryable,
  orderId: bigint,
): Promise<(Line<WalletMovementType | DebtMovementType> & { readonly book: 'wallet' | 'debt' })[]> {
  const columns = sql`id, book, type, amount, balance_after as "balanceAfter", order_id as "orderId", note, at`;
  return db.query(sql`${movementsOf(columns, sql`order_id = ${orderId}`)} order by id`);
}

export interface OrderTransfer {
  readonly movementId: bigint;
  readonly debit: string;
  readonly credit: string;
  readonly amount: Cents;
}

/** The double entries behind those lines: which account each debits and credits. */
export function transfersOfOrder(db: Queryable, orderId: bigint): Promise<OrderTransfer[]> {
  return db.query(sql`
    select movement_id as "movementId", debit, credit, amount from transfers
    where movement_id = any (array (${movementsOf(sql`id`, sql`order_id = ${orderId}`)})) order by id`);
}

export type LedgerReads = ReturnType<typeof ledgerReads>;

/** Partners and lines that one statement reads. */
const PAGE = 1_000;
/** Partners that the first statement reads, so that a file begins soon; each next one reads ten times as many. */
const FIRST_PARTNERS = 10;

export const ledgerReads = (db: Queryable) => ({
  /** Every partner's lines of a time, partner by partner, each book in the order of its lines. */
  async *linesBetween(time: { readonly from: Date; readonly to: Date }): AsyncGenerator<RangeLine> {
    let partnerId: number | undefined = 0;
    for (let partners = FIRST_PARTNERS; partnerId !== undefined; partners = Math.min(PAGE, 10 * partners)) {
      const ranges = await rangesAfter(db, partnerId, time, partners);
      for (const piece of inPieces(ranges, PAGE)) yield* await linesOfRanges(db, piece);
      partnerId = ranges.at(-1)?.partnerId;
    }
  },
  /** Lines of every partner before this moment are archived; null: none are. */
  async archivedUntil(): Promise<Date | null> {
    const { until } = await db.one<{ until: Date | null }>(sql`select max(until) as until from archives`);
    return until;
  },
  ...bound(db, { linesOfOrder, transfersOfOrder }),
});
