import { type Cents, ZERO } from '../../../platform/amounts/cents.ts';
import type { Queryable } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/query/sql.ts';
import type { DebtMovementType, WalletMovementType } from '../ledger/ledger.ts';
import { type Book, halvingBook } from './line-search.ts';
import type { Line } from './lines.ts';

export type { Book };
export type BookLine = Line<WalletMovementType | DebtMovementType> & { readonly line: bigint };

/** Lines of one book that follow each other: from `first` up to, but not including, `end`. */
export interface Period {
  readonly first: bigint;
  readonly end: bigint;
  /** The balance before its first line and after its last. Both are the ledger's own figures, and the lines lead from one to the other. */
  readonly opening: Cents;
  readonly closing: Cents;
}

/** The lines of one kind, added up. */
export interface PeriodSum {
  readonly type: WalletMovementType | DebtMovementType;
  readonly isIncrease: boolean;
  readonly count: number;
  readonly amount: Cents;
}

/** What a partner reads of a period of its books. */
export interface Periods {
  period(partnerId: number, book: Book, from: Date, to: Date): Promise<Period>;
  sums(partnerId: number, book: Book, period: Pick<Period, 'first' | 'end'>): Promise<readonly PeriodSum[]>;
  /** Its lines, oldest first; `limit` at most. */
  linesOf(
    partnerId: number,
    book: Book,
    period: Pick<Period, 'first' | 'end'>,
    limit: number,
  ): Promise<readonly BookLine[]>;
  /** When the first line of either book was written; null: there is none. */
  since(partnerId: number): Promise<Date | null>;
}

/**
 * A period is found by the numbers of its lines, not by their times: lines are numbered without a gap in the order in which
 * they changed the balance, so whatever the clocks of several processes said, each line is in exactly one month and the months
 * follow from each other. Times grow with the numbers, give or take what two processes' clocks differ, so the first line of a
 * month is looked up by halving; that takes 40 steps in an index, and no index by time.
 */
export const ledgerPeriods = (db: Queryable): Periods => ({
  async period(partnerId, book, from, to) {
    const { opening, closing, ...lines } = await db.one<Pick<Period, 'first' | 'end'> & Record<string, Cents | null>>(
      sql`
      with recursive ${halvingBook(partnerId, book, sql`array[${from}, ${to}]::timestamptz[]`, sql`at >= moment`)},
      bounds as (
        select min(low) filter (where n = 1) as first, min(low) filter (where n = 2) as end from search where low = high
      )
      select bounds.first, greatest(bounds.end, bounds.first) as end,
        (select balance_after from movements
          where partner_id = ${partnerId} and book = ${book} and line = bounds.first - 1) as opening,
        (select balance_after from movements
          where partner_id = ${partnerId} and book = ${book} and line = greatest(bounds.end, bounds.first) - 1) as closing
      from bounds`,
    );
    return { ...lines, opening: opening ?? ZERO, closing: closing ?? ZERO } as Period;
  },

  sums: (partnerId, book, { first, end }) =>
    db.query(sql`
      select type, amount > 0 as "isIncrease", count(*)::int as count, sum(amount)::bigint as amount from movements
      where partner_id = ${partnerId} and book = ${book} and line >= ${first} and line < ${end}
      group by type, amount > 0 order by type, amount > 0`),

  linesOf: (partnerId, book, { first, end }, limit) =>
    db.query(sql`
      select id, line, type, amount, balance_after as "balanceAfter", order_id as "orderId", note, at
      from movements where partner_id = ${partnerId} and book = ${book} and line >= ${first} and line < ${end}
      order by line limit ${limit}`),

  async since(partnerId) {
    const { since } = await db.one<{ since: Date | null }>(sql`
      select min(at) as since from movements
      where partner_id = ${partnerId} and book in ('wallet', 'debt') and line = 1`);
    return since;
  },
});

/** For a world that keeps no books. */
export const noPeriods: Periods = {
  period: async () => ({ first: 1n, end: 1n, opening: ZERO, closing: ZERO }),
  sums: async () => [],
  linesOf: async () => [],
  since: async () => null,
};
