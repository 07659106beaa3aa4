import type { Db, Tx } from '../db/database.ts';
import { type Sql, sql } from '../db/sql.ts';

/** The books of one world, checked against each other. */
export interface Proof {
  readonly figures: Readonly<Record<string, bigint>>;
  /** Empty: nothing has drifted. */
  readonly drift: readonly Drift[];
}

export interface Drift {
  readonly rule: string;
  readonly rows: number;
  /** Some of the ids concerned. */
  readonly examples: readonly string[];
}

/** Each rule, with the query that finds what breaks it. */
const rules: Readonly<Record<string, Sql>> = {
  'every wallet equals the sum of its transfers': sql`
    select w.partner_id as id from wallets w
    left join (
      select partner_id,
        sum(case when credit = 'cash' then amount when debit = 'cash' then -amount else 0 end) as cash,
        sum(case when credit = 'promo' then amount when debit = 'promo' then -amount else 0 end) as promo,
        sum(case when debit = 'receivable' then amount when credit = 'receivable' then -amount else 0 end) as outstanding
      from transfers group by partner_id
    ) t using (partner_id)
    where (w.cash, w.promo, w.outstanding) is distinct from (coalesce(t.cash, 0), coalesce(t.promo, 0), coalesce(t.outstanding, 0))`,
  'every movement equals the sum of its transfers': sql`
    select m.id from movements m
    left join (
      select movement_id,
        sum(case when credit in ('cash', 'promo') then amount else 0 end)
          - sum(case when debit in ('cash', 'promo') then amount else 0 end) as wallet,
        sum(case when debit = 'receivable' then amount else 0 end)
          - sum(case when credit = 'receivable' then amount else 0 end) as debt
      from transfers group by movement_id
    ) t on t.movement_id = m.id
    where m.amount is distinct from (case m.book when 'wallet' then t.wallet else t.debt end)
      or coalesce(case m.book when 'wallet' then t.debt else t.wallet end, 0) <> 0`,
  'every movement follows from the balance before it': sql`
    select id from (
      select id, balance_after, amount,
        lag(balance_after, 1, 0::bigint) over (partition by partner_id, book order by id) as before
      from movements
    ) line where balance_after <> before + amount`,
  'the lines of every book are numbered without a gap': sql`
    select w.partner_id as id from wallets w
    cross join lateral (values ('wallet', w.wallet_lines), ('debt', w.debt_lines)) kept (book, lines)
    join (
      select partner_id, book, count(*) as lines, min(line) as first, max(line) as last from movements
      group by partner_id, book
    ) m on m.partner_id = w.partner_id and m.book = kept.book
    where m.last <> kept.lines or m.lines <> m.last - m.first + 1`,
  'every paid order has its charge, of the price it was sold for': sql`
    select o.id from orders o
    left join movements m on m.order_id = o.id and m.type in ('purchase', 'charge')
    where o.paid_at is not null and abs(m.amount) is distinct from o.sale_price`,
  'no order that was never paid has a charge': sql`
    select o.id from orders o join movements m on m.order_id = o.id and m.type in ('purchase', 'charge')
    where o.paid_at is null`,
  'no charge or refund without its order': sql`
    select m.order_id as id from movements m left join orders o on o.id = m.order_id
    where m.order_id is not null and o.id is null`,
  'every failed paid order has its whole charge back, no order more than that': sql`
    select o.id from orders o
    left join (select order_id, sum(abs(amount)) as amount from movements where type = 'refund' group by order_id) r
      on r.order_id = o.id
    where o.paid_at is not null
      and (coalesce(r.amount, 0) > o.sale_price or (o.status = 2 and coalesce(r.amount, 0) <> o.sale_price))`,
  'every delivered order is marked with what was refunded of it, and its refund says the same': sql`
    select o.id from orders o
    left join refunds on refunds.order_id = o.id
    left join (select order_id, sum(abs(amount)) as amount from movements where type = 'refund' group by order_id) r
      on r.order_id = o.id
    where o.status = 1
      and (o.refunded <> coalesce(r.amount, 0) or coalesce(refunds.amount, 0) <> o.refunded)`,
  'every card payment is in the wallet once, less what went back': sql`
    select partner_id as id
    from (
      select partner_id, sum(amount - recovered) as paid from topups
      where status = 'succeeded' and provider in ('simulated', 'stripe') group by partner_id
    ) t
    full join (
      select partner_id, sum(case when debit = 'card_clearing' then amount else -amount end) as moved from transfers
      where 'card_clearing' in (debit, credit) group by partner_id
    ) c using (partner_id)
    where paid is distinct from moved`,
  'every revenue share was paid as its row says, and nothing else was': sql`
    select order_id as id from revenue_shares s
    full join (
      select order_id, -coalesce(sum(amount) filter (where book = 'debt'), 0) as debt,
        coalesce(sum(amount) filter (where book = 'wallet'), 0) as wallet
      from movements where type = 'profit_share' group by order_id
    ) p using (order_id)
    where (coalesce(s.settle_debt, 0), coalesce(s.settle_wallet, 0)) <> (coalesce(p.debt, 0), coalesce(p.wallet, 0))`,
  'every settled revenue share counts only what was not refunded': sql`
    select s.order_id as id from revenue_shares s
    join orders o on o.id = s.order_id
    left join (select order_id, sum(abs(amount)) as refunded from movements where type = 'refund' group by order_id) r
      on r.order_id = s.order_id
    where s.status = 'settled' and s.full_amount is not null and o.sale_price > 0
      and s.amount <> round(s.full_amount * (o.sale_price - coalesce(r.refunded, 0)) / o.sale_price)`,
  'the revenue share totals equal the sum of their rows': sql`
    select partner_id as id from revenue_share_totals t
    full join (
      select partner_id, case when status = 'shadow' then 'shadow' when channel = 'none' then 'none' else 'paid' end as kind,
        sum(amount) as amount, sum(unused_mb) as unused_mb
      from revenue_shares group by 1, 2
    ) s using (partner_id, kind)
    where (coalesce(t.amount, 0), coalesce(t.unused_mb, 0)) <> (coalesce(s.amount, 0), coalesce(s.unused_mb, 0))`,
  'no order was left half-written': sql`select id from orders where status = 3`,
};

const EXAMPLES = 5;

/** Reads all figures and rules in one snapshot, so that concurrent purchases cannot look like drift. */
export async function proveBooks(db: Db, onRule: (done: number, total: number) => void): Promise<Proof> {
  return db.tx(async (tx) => {
    await tx.run(sql`set transaction isolation level repeatable read read only`);
    await tx.run(sql`set local work_mem = '256MB'`);
    const drift: Drift[] = [];
    const names = Object.entries(rules);
    for (const [i, [rule, breaches]] of names.entries()) {
      const found = await tx.one<{ rows: number; examples: string[] | null }>(sql`
        with breach as (${breaches})
        select count(*)::int as rows, (array_agg(id::text))[1:${EXAMPLES}] as examples from breach`);
      if (found.rows > 0) drift.push({ rule, rows: found.rows, examples: found.examples ?? [] });
      onRule(i + 1, names.length);
    }
    return { figures: await figures(tx), drift };
  });
}

async function figures(tx: Tx): Promise<Record<string, bigint>> {
  return tx.one(sql`
    select (select count(*) from wallets) as wallets, (select count(*) from orders) as orders,
      (select count(*) from movements) as movements, (select count(*) from transfers) as transfers,
      w.cash, w.promo, w.outstanding, t.revenue
    from (select coalesce(sum(cash), 0)::bigint as cash, coalesce(sum(promo), 0)::bigint as promo,
        coalesce(sum(outstanding), 0)::bigint as outstanding from wallets) w,
      (select coalesce(sum(case when credit = 'revenue' then amount when debit = 'revenue' then -amount else 0 end), 0)::bigint
        as revenue from transfers) t`);
}
