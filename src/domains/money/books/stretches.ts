/*
 * A month of every partner's books, for a file.
 *
 * Lines have no index by time. Within a book they are numbered in the order of time, so the first line of a month is found by a binary
 * search (`halving` in line-search.ts). Doing that for one partner after the other takes two statements and more for each, although most
 * have only a few lines. So one statement searches the books of up to a thousand partners, and the lines found are read a thousand at a
 * time, whichever books they are in. With a thousand partners and a million orders this takes less than half as long as one by one
 * (docs/benchmarks.md, "Plain versions").
 */

import type { Queryable } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/query/sql.ts';
import { halving } from './line-search.ts';
import { linesOfOrder, type OrderTransfer, transfersOfOrder } from './lines.ts';
import type { Book, BookLine } from './periods.ts';

/** Lines of one partner's book that follow each other: from `first` up to, but not including, `end`. */
export interface BookStretch {
  readonly partnerId: number;
  readonly name: string;
  readonly book: Book;
  readonly first: bigint;
  readonly end: bigint;
}

export type StretchLine = BookLine & Pick<BookStretch, 'partnerId' | 'name' | 'book'>;

/** Where the time from one moment to another lies in both books of the next partners by id, closed accounts included. */
export const stretchesAfter = (
  db: Queryable,
  partnerId: number,
  { from, to }: { readonly from: Date; readonly to: Date },
  partners: number,
): Promise<BookStretch[]> =>
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

/** The lines of these stretches, one after the other. They say how many they are: `inPieces` keeps them few. */
export const linesOfStretches = (db: Queryable, stretches: readonly BookStretch[]): Promise<StretchLine[]> =>
  db.query(sql`
    select stretch.partner_id as "partnerId", partners.name, stretch.book, movement.id, line, type, amount, balance_after as "balanceAfter",
      order_id as "orderId", note, at
    from unnest(
      ${stretches.map(({ partnerId }) => partnerId)}::int[], ${stretches.map(({ book }) => book)}::text[],
      ${stretches.map(({ first }) => first)}::bigint[], ${stretches.map(({ end }) => end)}::bigint[]
    ) with ordinality as stretch (partner_id, book, first, "end", n)
    join partners on partners.id = stretch.partner_id
    cross join lateral (
      select * from movements where partner_id = stretch.partner_id and book = stretch.book
        and line >= stretch.first and line < stretch."end" offset 0
    ) as movement
    order by n, line`);

/** The same stretches in their order, divided so that each piece has at most so many lines. Empty ones are left out. */
export function* inPieces(stretches: readonly BookStretch[], lines: number): Generator<BookStretch[]> {
  let piece: BookStretch[] = [];
  let room = lines;
  for (const stretch of stretches)
    for (let { first } = stretch; first < stretch.end; ) {
      const taken = Math.min(room, Number(stretch.end - first));
      const end = first + BigInt(taken);
      piece.push({ ...stretch, first, end });
      first = end;
      room -= taken;
      if (room > 0) continue;
      yield piece;
      [piece, room] = [[], lines];
    }
  if (piece.length > 0) yield piece;
}

/** What operators read of a world's ledger. */
export interface LedgerLook {
  /** Every partner's lines of a time, partner by partner, each book in the order of its lines. */
  linesBetween(range: { readonly from: Date; readonly to: Date }): AsyncGenerator<StretchLine>;
  linesOfOrder(orderId: bigint): ReturnType<typeof linesOfOrder>;
  transfersOfOrder(orderId: bigint): Promise<OrderTransfer[]>;
}

/** Partners and lines that one statement reads. */
const PAGE = 1_000;
/** Partners that the first statement reads, so that a file begins soon; each next one reads ten times as many. */
const FIRST_PARTNERS = 10;

export const lookAtLedger = (db: Queryable): LedgerLook => ({
  async *linesBetween(range) {
    let partnerId: number | undefined = 0;
    for (let partners = FIRST_PARTNERS; partnerId !== undefined; partners = Math.min(PAGE, 10 * partners)) {
      const stretches = await stretchesAfter(db, partnerId, range, partners);
      for (const piece of inPieces(stretches, PAGE)) yield* await linesOfStretches(db, piece);
      partnerId = stretches.at(-1)?.partnerId;
    }
  },
  linesOfOrder: (orderId) => linesOfOrder(db, orderId),
  transfersOfOrder: (orderId) => transfersOfOrder(db, orderId),
});
