import { type Sql, sql } from '../../../platform/db/query/sql.ts';

/** What `amount`, carried by a transfer `t`, does to a book of the partner's. A debt is the operator's asset: it grows when debited. */
export const onWallet = (amount: Sql): Sql =>
  sql`(case when t.credit in ('cash', 'promo') then ${amount} else 0 end - case when t.debit in ('cash', 'promo') then ${amount} else 0 end)`;
export const onDebt = (amount: Sql): Sql =>
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
