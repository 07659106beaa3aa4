import type { Tx } from '../../../platform/db/database.ts';
import { type Sql, sql } from '../../../platform/db/query/sql.ts';
import { paidByCard, type Scope } from './checkpoint.ts';

/*
 * Whether what is new can be believed without comparing it row by row.
 *
 * The rules of `passes.ts` join every movement with its transfers, its order and the line before it. For a million new orders that
 * takes longer than all the rest of a nightly proof. So a proof of what is new first reads each table once, without a join, and compares
 * sums of hashes per partner. If two sides of a rule hold the same rows, their sums are equal; if any row differs, they differ, but for a
 * chance of about one in 2^60. When a sum is off, the rules run row by row and say what is wrong. A whole proof always does that.
 *
 *   lines      each line goes from one point (number, balance) to the next. All points reached, less all points left, are the
 *              last point of the book less the last one that was proved. It holds only if no line is missing or wrong.
 *   transfers  a movement can have several, so the hash of its id weighs their amounts, and the weighted sums add up. What goes from
 *              one account to another is added up first; what that does to each book is then asked of a few sums, not of each row.
 *   orders     the id and price of each paid order against the id and amount of each charge.
 *
 * Orders with anything beyond their charge (a refund, a share, a failure) are few: their ids are collected for the rules to look at.
 */

/** What `amount`, carried by a transfer `t`, does to a book of the partner's. A debt is the operator's asset: it grows when debited. */
const onWallet = (amount: Sql): Sql =>
  sql`(case when t.credit in ('cash', 'promo') then ${amount} else 0 end - case when t.debit in ('cash', 'promo') then ${amount} else 0 end)`;
const onDebt = (amount: Sql): Sql =>
  sql`(case when t.debit = 'receivable' then ${amount} else 0 end - case when t.credit = 'receivable' then ${amount} else 0 end)`;
export const ofWallet = onWallet(sql`t.amount`);
export const ofDebt = onDebt(sql`t.amount`);

const net = (plus: Sql, minus: Sql): Sql => sql`
  (coalesce(sum(t.amount) filter (where ${plus}), 0) - coalesce(sum(t.amount) filter (where ${minus}), 0))::bigint`;

/** What many of them do, by account. */
export const netEffects = sql`
  ${net(sql`t.credit = 'cash'`, sql`t.debit = 'cash'`)} as cash,
  ${net(sql`t.credit = 'promo'`, sql`t.debit = 'promo'`)} as promo,
  ${net(sql`t.debit = 'receivable'`, sql`t.credit = 'receivable'`)} as outstanding,
  ${net(sql`t.debit = 'card_clearing'`, sql`t.credit = 'card_clearing'`)} as card`;

/**
 * A place in a book: the number of a line, and the balance it left. Sums are kept by partner and book, so these are not part of it. It
 * has 63 bits, so that the difference of two fits a bigint.
 */
const point = (line: Sql, balance: Sql): Sql => sql`(hashint8extended(${line}, hashint8extended(${balance}, 1)) >> 1)`;

const list = (items: readonly Sql[]): Sql => items.reduce((one, other) => sql`${one}, ${other}`);

/** An amount with the hash of its movement as its weight, in three parts of 20 bits: products fit a bigint up to 88 billion dollars. */
const weighed = (movementId: Sql, amount: Sql): readonly Sql[] =>
  [sql`0`, sql`20`, sql`40`].map(
    (shift) => sql`sum(((hashint8extended(${movementId}, 1) >> ${shift}) & 1048575) * ${amount})`,
  );
/** What transfers from one account to another, of all movements, weigh in a book. */
const effectOf = (book: (amount: Sql) => Sql): Sql =>
  sql`array[${list([sql`1`, sql`2`, sql`3`].map((part) => sql`sum(${book(sql`t.weights[${part}]`)})`))}]`;
const noWeights = sql`array[0, 0, 0]::numeric[]`;

const isCharge = sql`m.type in ('purchase', 'charge')`;

/** Ids of the orders that the rules must look at; undefined: a sum is off, so they must look at everything that is new. */
export async function ordersToLookAt(
  tx: Tx,
  { proved, movementsTo, ordersTo, mayHaveChanged }: Scope,
): Promise<bigint[] | undefined> {
  // Read first and sent along as one value, because a value can be shared by several workers.
  const wallets = await tx.one<{ proved: string }>(sql`
    select coalesce(json_agg(p), '[]')::text as proved from (${proved}) p`);
  // Statistics know nothing of the new rows, so sums per partner look like one row each, to be compared pair by pair: with ten thousand
  // partners, a hundred million times.
  const [, { agrees, ids }] = await Promise.all([
    tx.run(sql`set local enable_nestloop = off`),
    tx.one<{ agrees: boolean; ids: string[] }>(sql`
    with proved as not materialized (
      select * from json_to_recordset(${wallets.proved}::json) as p (partner_id int, cash bigint, promo bigint, outstanding bigint,
        card bigint, wallet_lines bigint, debt_lines bigint)
    ), moved as materialized (
      select m.partner_id, m.book,
        coalesce(sum(${point(sql`m.line`, sql`m.balance_after`)} - ${point(sql`m.line - 1`, sql`m.balance_after - m.amount`)})
          filter (where m.is_new), 0) as path,
        array[${list(weighed(sql`m.id`, sql`m.amount`))}] as weights,
        coalesce(sum(hashint8extended(m.order_id, abs(m.amount))) filter (where ${isCharge} and m.order_id > ${ordersTo}), 0) as charged,
        array_agg(m.order_id) filter (where m.order_id <= ${ordersTo} or (m.order_id is not null and not (${isCharge}))) as order_ids,
        array_agg(m.id) filter (where not m.is_new) as proved_ids
      from (
        select m.*, m.line > coalesce(case m.book when 'wallet' then p.wallet_lines else p.debt_lines end, 0) as is_new
        from movements m left join proved p using (partner_id) where m.id > ${movementsTo}
      ) m
      group by m.partner_id, m.book
    ), between_accounts as materialized (
      select t.partner_id, t.debit, t.credit, sum(t.amount)::bigint as amount, array[${list(weighed(sql`t.movement_id`, sql`t.amount`))}] as weights
      from transfers t where t.movement_id > ${movementsTo} group by t.partner_id, t.debit, t.credit
    ), carried as materialized (
      select t.partner_id, ${netEffects}, ${effectOf(onWallet)} as of_wallet, ${effectOf(onDebt)} as of_debt
      from between_accounts t group by t.partner_id
    ), again as materialized (
      select t.partner_id, ${netEffects}
      from moved cross join lateral unnest(moved.proved_ids) as seen (id)
      -- By the index, for each of these few: the offset keeps it from becoming a join over the whole table.
      cross join lateral (select * from transfers where movement_id = seen.id offset 0) as t
      group by t.partner_id
    ), sold as materialized (
      select partner_id,
        coalesce(sum(hashint8extended(id, sale_price)) filter (where paid_at is not null), 0) as charged,
        array_agg(id) filter (where status in (2, 3) or refunded <> 0) as order_ids
      from orders where id > ${ordersTo} group by partner_id
    )
    select not exists (
      select from wallets w
      left join proved p using (partner_id)
      left join moved m on m.partner_id = w.partner_id and m.book = 'wallet'
      left join moved d on d.partner_id = w.partner_id and d.book = 'debt'
      left join carried c on c.partner_id = w.partner_id
      left join again a on a.partner_id = w.partner_id left join sold s on s.partner_id = w.partner_id
      left join (${paidByCard}) k on k.partner_id = w.partner_id
      where w.cash <> coalesce(p.cash, 0) + coalesce(c.cash, 0) - coalesce(a.cash, 0)
        or w.promo <> coalesce(p.promo, 0) + coalesce(c.promo, 0) - coalesce(a.promo, 0)
        or w.outstanding <> coalesce(p.outstanding, 0) + coalesce(c.outstanding, 0) - coalesce(a.outstanding, 0)
        or coalesce(k.paid, 0) <> coalesce(p.card, 0) + coalesce(c.card, 0) - coalesce(a.card, 0)
        or coalesce(m.weights, ${noWeights}) <> coalesce(c.of_wallet, ${noWeights})
        or coalesce(d.weights, ${noWeights}) <> coalesce(c.of_debt, ${noWeights})
        or coalesce(m.path, 0) <> ${point(sql`w.wallet_lines`, sql`w.cash + w.promo`)}
          - ${point(sql`coalesce(p.wallet_lines, 0)`, sql`coalesce(p.cash + p.promo, 0)`)}
        or coalesce(d.path, 0) <> ${point(sql`w.debt_lines`, sql`w.outstanding`)}
          - ${point(sql`coalesce(p.debt_lines, 0)`, sql`coalesce(p.outstanding, 0)`)}
        or coalesce(m.charged, 0) + coalesce(d.charged, 0) <> coalesce(s.charged, 0)
    ) and not exists (
      select from (select partner_id from moved union all select partner_id from carried union all select partner_id from sold) one
      where not exists (select from wallets w where w.partner_id = one.partner_id)
    ) as agrees, array(
      select unnest(order_ids)::text from moved union select unnest(order_ids)::text from sold
      union select id::text from (${mayHaveChanged}) changed
      union select order_id::text from refunds where order_id > ${ordersTo}
    ) as ids`),
    tx.run(sql`set local enable_nestloop = on`),
  ]);
  return agrees ? ids.map(BigInt) : undefined;
}
