import type { Cents } from '../../../platform/amounts/cents.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { type Sql, sql } from '../../../platform/db/query/sql.ts';
import { archivedTo } from '../../money/books/books.ts';
import { movementsOf } from '../../money/ledger/ledger.ts';

/*
 * What a closed month sold, from the ledger alone.
 *
 * A line of the ledger belongs to one closing of its partner's: to that of the month it is dated in, or, if it was written after that
 * month had been closed, to the closing made next. (A purchase is dated when it arrives and written when its turn comes; a clock that was
 * wrong, or an account's clock that was reset, makes the two differ by more.) Lines are numbered without a gap under the wallet's lock, so a
 * closing that keeps the number of the last line names exactly the lines there were, and is the same whenever it is read again.
 *
 * A refund in the closing of its order's charge is a line of the invoice. Any other makes a credit note, once both closings are made: so
 * the months of a partner may be closed in any order.
 */

export interface Closing {
  readonly month: Month;
  readonly walletFrom: bigint;
  readonly walletTo: bigint;
  readonly debtFrom: bigint;
  readonly debtTo: bigint;
  /** Undefined: it is being made. */
  readonly id?: bigint;
}

/** Sales or refunds of one plan at one price. */
export interface Sold {
  /**
   * `failed`: the order failed and got all of it back in the same closing. `waiting`: a refund of an order whose own month is not
   * closed; both are left out.
   */
  readonly kind: 'sale' | 'refund' | 'credit' | 'failed' | 'waiting';
  /** Of a credit: the month of the invoice it is for. */
  readonly creditedMonth: Month | null;
  readonly title: string;
  readonly unitPrice: Cents;
  readonly quantity: number;
  /** The part of their sum that was on credit terms. */
  readonly onTerms: Cents;
}

/** What clocks of several processes may differ, and what a purchase may wait. */
const SLACK = sql`interval '1 hour'`;

/** Higher than any id: what is being made comes after what there is. */
const NEXT_ID = 2n ** 62n;

const monthOfLine = (at: Sql): Sql => sql`date_trunc('month', ${at} at time zone 'UTC')::date`;

const lastLine = (closing: Sql, book: Sql): Sql =>
  sql`case ${book} when 'wallet' then ${closing}.wallet_to else ${closing}.debt_to end`;
const lineBefore = (closing: Sql, book: Sql): Sql =>
  sql`case ${book} when 'wallet' then ${closing}.wallet_from else ${closing}.debt_from end`;

/** The id of the closing that a line belongs to; null: none yet. `closings` has those of its partner. */
export const closingOf = (line: Sql, closings: Sql): Sql => sql`(
  select case when ${line}.line <= ${lastLine(sql`own`, sql`${line}.book`)} then own.id else (
    select late.id from ${closings} late where late.partner_id = ${line}.partner_id
      and ${line}.line > ${lineBefore(sql`late`, sql`${line}.book`)} and ${line}.line <= ${lastLine(sql`late`, sql`${line}.book`)}
  ) end
  from ${closings} own where own.partner_id = ${line}.partner_id and own.month = ${monthOfLine(sql`${line}.at`)})`;

/** The first line of a book that may be of this time, found by halving: lines are in the order of time, give or take `SLACK`. */
const firstLine = (name: Sql, partnerId: number, book: string, last: bigint, from: Date): Sql => sql`
  ${name} (low, high) as (
    select ${archivedTo(partnerId, sql`${book}`)} + 1, ${last}::bigint + 1
    union all
    select case when is_after then low else middle + 1 end, case when is_after then middle else high end
    from ${name}
    cross join lateral (select (low + high) / 2 as middle) half
    cross join lateral (
      select coalesce((select at >= ${from}::timestamptz - ${SLACK} from movements
        where partner_id = ${partnerId} and book = ${book} and line = middle), true) as is_after offset 0
    ) found
    where low < high
  )`;

const candidates = (partnerId: number, book: 'wallet' | 'debt', closing: Closing, first: Sql): Sql => {
  const [after, to] = book === 'wallet' ? [closing.walletFrom, closing.walletTo] : [closing.debtFrom, closing.debtTo];
  const [from, end] = [beginningOf(closing.month), beginningOf(monthAfter(closing.month))];
  return sql`
    select partner_id, book, line, order_id, at from movements
    where partner_id = ${partnerId} and book = ${book} and line >= ${first} and line <= ${to}
      and type in ('purchase', 'charge', 'refund') and order_id is not null
      and (at >= ${from} and at < ${end} or line > ${after})`;
};

/**
 * What belongs on the documents of a closing. `areInTime`: no clock ever goes back, so earlier lines need not be read. One statement:
 * the lines of the closing, the orders they are about, all that was charged and refunded for these, and the closings of that.
 */
export function salesOf(
  tx: Tx,
  partnerId: number,
  closing: Closing,
  { areInTime }: { areInTime: boolean },
): Promise<Sold[]> {
  const id = closing.id ?? NEXT_ID;
  const from = areInTime ? beginningOf(closing.month) : new Date(0);
  const first = (name: Sql, after: bigint) =>
    sql`least(${after}::bigint + 1, (select low from ${name} where low = high))`;
  const closings = sql`closing`;
  return tx.query<Sold>(sql`
    with recursive ${firstLine(sql`first_wallet`, partnerId, 'wallet', closing.walletTo, from)},
    ${firstLine(sql`first_debt`, partnerId, 'debt', closing.debtTo, from)},
    closing as materialized (
      select id, partner_id, month, wallet_from, wallet_to, debt_from, debt_to from invoice_closings
      where partner_id = ${partnerId} and id < ${id}
      union all
      select ${id}::bigint, ${partnerId}::int, ${dateOf(closing.month)}::date, ${closing.walletFrom}::bigint,
        ${closing.walletTo}::bigint, ${closing.debtFrom}::bigint, ${closing.debtTo}::bigint
    ), line as (
      ${candidates(partnerId, 'wallet', closing, first(sql`first_wallet`, closing.walletFrom))}
      union all
      ${candidates(partnerId, 'debt', closing, first(sql`first_debt`, closing.debtFrom))}
    ), touched as materialized (
      select distinct order_id from line where ${closingOf(sql`line`, closings)} = ${id}
    ), moved as materialized (
      select moved.order_id, moved.type, moved.book, abs(moved.amount) as amount, ${closingOf(sql`moved`, closings)} as closing_id
      from touched cross join lateral (
        ${movementsOf(sql`partner_id, order_id, type, book, amount, line, at`, sql`order_id = touched.order_id`)}
      ) moved
      where moved.type in ('purchase', 'charge', 'refund')
    ), charged as (
      select moved.*, exists (
        select from moved refund
        where refund.order_id = moved.order_id and refund.type = 'refund' and refund.closing_id = moved.closing_id
          and refund.amount = moved.amount) as is_returned
      from moved where type in ('purchase', 'charge')
    ), listed as (
      select 'sale' as kind, order_id, book, amount, closing_id, is_returned from charged where closing_id = ${id}
      union all
      select case when charged.closing_id is null then 'waiting' when moved.closing_id = charged.closing_id then 'refund' else 'credit' end,
        moved.order_id, moved.book, moved.amount, charged.closing_id, charged.is_returned and moved.closing_id = charged.closing_id
      from moved join charged using (order_id)
      where moved.type = 'refund' and (moved.closing_id = ${id} or moved.closing_id < ${id} and charged.closing_id = ${id})
    )
    select case when orders.status = 2 and listed.is_returned then 'failed' else listed.kind end as kind,
      to_char(closing.month, 'YYYY-MM') as "creditedMonth", orders.product_title as title,
      listed.amount as "unitPrice", count(*)::int as quantity,
      coalesce(sum(listed.amount) filter (where listed.book = 'debt'), 0)::bigint as "onTerms"
    from listed left join closing on closing.id = listed.closing_id join orders on orders.id = listed.order_id
    group by 1, closing.month, orders.plan_id, orders.product_title, listed.amount
    order by kind desc, closing.month, orders.product_title, listed.amount desc`);
}

/** A calendar month in UTC: `2026-11`. */
export type Month = string;

export const MONTH = /^(20\d\d)-(0[1-9]|1[0-2])$/;

export const monthOf = (at: Date | number): Month => new Date(at).toISOString().slice(0, 7);

const beginningOf = (month: Month): Date => new Date(`${month}-01T00:00:00Z`);

/** As the database writes it: `2026-11-01`. */
export const dateOf = (month: Month): string => `${month}-01`;

export function monthAfter(month: Month): Month {
  const begin = beginningOf(month);
  return monthOf(begin.setUTCMonth(begin.getUTCMonth() + 1));
}
