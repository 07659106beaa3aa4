/*
 * What the lines of a book come to, however many there are.
 *
 * A month of a large partner has a hundred thousand lines and more, and its statement says what each kind of them comes to. Lines are
 * numbered without a gap and never change, so a job notes after every thousandth line what all lines up to it come to. Any stretch is
 * then the difference of two such notes, and the lines before the first and after the last of them: two thousand at most, besides those
 * that the job has not come to. Nothing depends on when it comes. Two processes that make the same note write the same, and one of them
 * does nothing.
 */

import type { Cents } from '../../../platform/amounts/cents.ts';
import { HOUR } from '../../../platform/clock.ts';
import type { Db, Queryable } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/query/sql.ts';
import type { Job } from '../../../platform/jobs/runner.ts';
import type { DebtMovementType, WalletMovementType } from '../ledger/ledger.ts';
import type { Book, Stretch } from './line-search.ts';

/** Lines between two notes. Notes are kept: other distances would need a new table. */
export const DISTANCE = 1_000;
/** Books that are looked after in one pass, and notes that are made of each. */
const BOOKS = 100;
const NOTES = 100;

/** What the lines of one kind add up to. */
export interface PeriodSum {
  readonly type: WalletMovementType | DebtMovementType;
  readonly isIncrease: boolean;
  readonly count: number;
  readonly amount: Cents;
}

/** For a world that keeps books. */
export const bookSumsJob = ({ db }: { readonly db: Db }): Job => ({
  name: 'book sums',
  everyMs: HOUR,
  run: () => noteSums(db),
});

/** Makes what notes are missing, in books that have a thousand lines more than were noted. Returns how many. */
export async function noteSums(db: Db): Promise<number> {
  const behind = await db.query<{ partnerId: number; book: Book; noted: bigint; lines: bigint }>(sql`
    select partner_id as "partnerId", book, noted, lines
    from wallets cross join lateral (values ('wallet', wallet_lines), ('debt', debt_lines)) as kept (book, lines)
    cross join lateral (
      select coalesce(max(line), 0) as noted from book_sums
      where partner_id = wallets.partner_id and book = kept.book
    ) as sums
    where lines >= ${DISTANCE} and lines - noted >= ${DISTANCE} limit ${BOOKS}`);
  let made = 0;
  for (const { partnerId, book, noted, lines } of behind)
    for (let line = noted, n = 0; n < NOTES && lines - line >= DISTANCE; n++, made++) {
      const next = line + BigInt(DISTANCE);
      await db.run(sql`
        insert into book_sums (partner_id, book, line, type, is_increase, count, amount)
        select ${partnerId}::int, ${book}::text, ${next}::bigint, type, is_increase, sum(count), sum(amount)
        from (
          select type, is_increase, count, amount from book_sums
          where partner_id = ${partnerId} and book = ${book} and line = ${line}
          union all
          select type, amount > 0, 1, amount from movements
          where partner_id = ${partnerId} and book = ${book} and line > ${line} and line <= ${next}
        ) as up_to group by type, is_increase
        on conflict do nothing`);
      line = next;
    }
  return made;
}

/** What the lines of each kind come to, in one statement. */
export const sumsOf = (
  db: Queryable,
  partnerId: number,
  book: Book,
  { first, last }: Stretch,
): Promise<readonly PeriodSum[]> => {
  /** The first line that may be noted and is not before the stretch: `noted` is the last within it. */
  const from = ((first - 1n + BigInt(DISTANCE) - 1n) / BigInt(DISTANCE)) * BigInt(DISTANCE);
  return db.query(sql`
    with ends as materialized (
      select max(line) as noted from book_sums
      where partner_id = ${partnerId} and book = ${book} and line > ${from} and line <= ${last}
    )
    select type, is_increase as "isIncrease", sum(count)::int as count, sum(amount)::bigint as amount
    from (
      select type, is_increase, count, amount from ends join book_sums on line = noted
      where partner_id = ${partnerId} and book = ${book}
      union all
      select type, is_increase, -count, -amount from book_sums
      where partner_id = ${partnerId} and book = ${book} and line = ${from} and (select noted from ends) is not null
      union all
      select type, amount > 0, 1, amount from movements
      where partner_id = ${partnerId} and book = ${book} and line >= ${first}
        and line <= (select case when noted is null then ${last}::bigint else ${from}::bigint end from ends)
      union all
      select type, amount > 0, 1, amount from movements
      where partner_id = ${partnerId} and book = ${book} and line > (select noted from ends) and line <= ${last}
    ) as parts
    group by type, is_increase having sum(count) > 0 order by type, is_increase`);
};
