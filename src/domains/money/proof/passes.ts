import { type Sql, sql } from '../../../platform/db/query/sql.ts';

/*
 * The rules the books must keep. Those that look at the same rows are checked in one pass over them, because at millions of orders
 * reading and joining them is what a proof takes its time for. A pass is one query that returns what breaks its rules: the rule,
 * and the id of a wallet (its partner), a movement or an order.
 */
export interface Pass {
  readonly rules: number;
  readonly breaches: Sql;
}

/** What a transfer `t` does to a book of the partner's. A debt is the operator's asset: it grows when debited. */
const ofWallet = sql`
  (case when t.credit in ('cash', 'promo') then t.amount else 0 end - case when t.debit in ('cash', 'promo') then t.amount else 0 end)`;
const ofDebt = sql`
  (case when t.debit = 'receivable' then t.amount else 0 end - case when t.credit = 'receivable' then t.amount else 0 end)`;

/** What the transfers of a movement `m` should do. */
const dueToWallet = sql`(case when m.book = 'wallet' then m.amount else 0 end)`;
const dueToDebt = sql`(case when m.book = 'debt' then m.amount else 0 end)`;

const net = (plus: Sql, minus: Sql): Sql => sql`
  (coalesce(sum(t.amount) filter (where ${plus}), 0) - coalesce(sum(t.amount) filter (where ${minus}), 0))::bigint`;

/** What each partner paid by card, less what went back. */
const paidByCard: Sql = sql`
  select partner_id, sum(amount - recovered)::bigint as paid from topups
  where status = 'succeeded' and provider in ('simulated', 'stripe') group by partner_id`;

/**
 * Movements against their transfers, and the sums of these against wallets and card payments. Nearly every movement has a single
 * transfer of its own amount. Only the others are grouped by movement, which is what makes this pass fast.
 */
const transfers: Pass = {
  rules: 4,
  breaches: sql`
    with booked as materialized (
      select m.partner_id,
        ${net(sql`t.credit = 'cash'`, sql`t.debit = 'cash'`)} as cash,
        ${net(sql`t.credit = 'promo'`, sql`t.debit = 'promo'`)} as promo,
        ${net(sql`t.debit = 'receivable'`, sql`t.credit = 'receivable'`)} as outstanding,
        ${net(sql`t.debit = 'card_clearing'`, sql`t.credit = 'card_clearing'`)} as card,
        array_agg(m.id) filter (where t.id is null or t.partner_id <> m.partner_id
          or ${ofWallet} <> ${dueToWallet} or ${ofDebt} <> ${dueToDebt}) as doubtful
      from movements m left join transfers t on t.movement_id = m.id
      group by m.partner_id
    ), archived as (
      select partner_id, ${net(sql`t.credit = 'cash'`, sql`t.debit = 'cash'`)} as cash,
        ${net(sql`t.credit = 'promo'`, sql`t.debit = 'promo'`)} as promo,
        ${net(sql`t.debit = 'receivable'`, sql`t.credit = 'receivable'`)} as outstanding
      from archived_transfers t group by partner_id
    )
    select 'every wallet equals the sum of its transfers' as rule, w.partner_id::bigint as id from wallets w
    left join booked b using (partner_id) left join archived a using (partner_id)
    where (w.cash, w.promo, w.outstanding) <> (coalesce(b.cash, 0) + coalesce(a.cash, 0),
      coalesce(b.promo, 0) + coalesce(a.promo, 0), coalesce(b.outstanding, 0) + coalesce(a.outstanding, 0))
    union all
    select 'what was archived of a book and what was kept of it make the balance it had', book.partner_id
    from archived_books book left join archived a using (partner_id)
    cross join lateral (
      select count(*) as lines, coalesce(sum(m.amount), 0) as amount from movements m
      where m.partner_id = book.partner_id and m.book = book.book and m.line <= book.line
    ) kept
    where kept.lines + book.taken <> book.line or book.balance <> kept.amount
      + case book.book when 'wallet' then coalesce(a.cash, 0) + coalesce(a.promo, 0) else coalesce(a.outstanding, 0) end
    union all
    select 'every movement equals the sum of its transfers', m.id
    from (select distinct unnest(doubtful) as id from booked) d
    join movements m on m.id = d.id left join transfers t on t.movement_id = m.id
    group by m.id
    having coalesce(sum(${ofWallet}), 0) <> ${dueToWallet} or coalesce(sum(${ofDebt}), 0) <> ${dueToDebt}
      or bool_or(t.partner_id <> m.partner_id)
    union all
    select 'every card payment is in the wallet once, less what went back', w.partner_id from wallets w
    left join (${paidByCard}) t using (partner_id) left join booked b using (partner_id)
    where coalesce(t.paid, 0) <> coalesce(b.card, 0)`,
};

/**
 * Each line against the one before it. By line, not by id: an index has them in this order, and numbers have no gaps. Those of archived
 * years are proved with their file; what follows begins at the balance they left.
 */
const lines: Pass = {
  rules: 2,
  breaches: sql`
    with line as (
      select id, partner_id, amount, balance_after, m.line,
        lag(balance_after, 1, coalesce(archived.balance, 0)) over (partition by partner_id, book order by m.line) as balance_before,
        lag(m.line, 1, coalesce(archived.line, 0)) over (partition by partner_id, book order by m.line) as line_before
      from movements m left join archived_books archived using (partner_id, book)
      where m.line > coalesce(archived.line, 0)
    ), broken as materialized (
      select * from line where balance_after <> balance_before + amount or line <> line_before + 1
    )
    select 'every movement follows from the balance before it' as rule, id from broken
    where balance_after <> balance_before + amount
    union all
    select 'the lines of every book are numbered without a gap', id from (
      select partner_id::bigint as id from broken where line <> line_before + 1
      union
      select w.partner_id from wallets w
      cross join lateral (values ('wallet', w.wallet_lines), ('debt', w.debt_lines)) kept (book, lines)
      left join lateral (
        select line from movements m where m.partner_id = w.partner_id and m.book = kept.book order by line desc limit 1
      ) last on true
      left join archived_books archived on archived.partner_id = w.partner_id and archived.book = kept.book
      where greatest(last.line, archived.line, 0) <> kept.lines
    ) gap`,
};

const returned = sql`coalesce(a.returned, 0)`;

/**
 * Of an order `o` without a charge: that it was archived with whatever went back. Only those are that failed, or that were delivered and
 * never refunded. Together they are held against what was archived (`archived` below).
 */
const isArchived = sql`
  o.paid_at < (select max(until) from archives) and o.sale_price > 0 and (o.status = 1 and o.refunded = 0 or o.status = 2)`;

/** Orders against what was charged, refunded and shared for them. */
const orders: Pass = {
  rules: 9,
  breaches: sql`
    with charged as (
      select order_id, abs(amount) as amount from movements where order_id is not null and type in ('purchase', 'charge')
    ), after_charge as (
      select order_id, coalesce(sum(abs(amount)) filter (where type = 'refund'), 0)::bigint as returned,
        -coalesce(sum(amount) filter (where type = 'profit_share' and book = 'debt'), 0)::bigint as share_of_debt,
        coalesce(sum(amount) filter (where type = 'profit_share' and book = 'wallet'), 0)::bigint as share_to_wallet
      from movements where order_id is not null and type not in ('purchase', 'charge')
      group by order_id
    ), held as (
      select coalesce(o.id, c.order_id, a.order_id) as id,
        o.id is null as is_orphan,
        o.paid_at is not null and coalesce(c.amount, 0) <> o.sale_price and not (c.order_id is null and coalesce(${isArchived}, false))
          as is_miscounted,
        -- A moment lies between the delivery of a replacement and the booking of its cost.
        o.sale_price = 0 and o.status = 1 and o.withdrawn_at is null and p.id is null
          or p.id is not null and (o.id is null or o.sale_price <> 0 or c.order_id is not null or o.partner_id <> p.partner_id
            or p.status = 'replaced' and p.cost_micros is distinct from coalesce(o.charged_micros, o.cost_micros)
            or p.status <> 'replaced' and p.cost_micros is not null)
          as is_misbooked,
        o.paid_at is null and o.id is not null and c.order_id is not null as is_charged_unpaid,
        o.paid_at is not null and (${returned} > o.sale_price or (o.status = 2 and ${returned} <> o.sale_price
          and not (c.order_id is null and a.returned is null and coalesce(${isArchived}, false)))) as is_misrefunded,
        o.status = 1 and (o.refunded <> ${returned} or coalesce(r.amount, 0) <> o.refunded) as is_mismarked,
        coalesce(s.settle_debt, 0) <> coalesce(a.share_of_debt, 0)
          or coalesce(s.settle_wallet, 0) <> coalesce(a.share_to_wallet, 0) as is_misshared,
        s.status = 'settled' and s.full_amount is not null and o.sale_price > 0
          and s.amount <> round(s.full_amount * (o.sale_price - ${returned})::numeric / o.sale_price) as is_overshared,
        o.status = 3 as is_half_written
      from orders o full join charged c on c.order_id = o.id
      full join after_charge a on a.order_id = coalesce(o.id, c.order_id)
      left join refunds r on r.order_id = o.id
      left join esim_replacements p on p.order_id = o.id
      left join revenue_shares s on s.order_id = o.id
    )
    select rule.name as rule, broken.id from (
      select * from held where is_orphan or is_miscounted or is_charged_unpaid or is_misrefunded or is_mismarked or is_misshared
        or is_misbooked or is_overshared or is_half_written
    ) broken cross join lateral (values
      ('every paid order has its charge, of the price it was sold for', is_miscounted),
      ('every free order replaces an eSIM, charges nobody, and is booked at its cost as the operator''s', is_misbooked),
      ('no order that was never paid has a charge', is_charged_unpaid),
      ('no charge or refund without its order', is_orphan),
      ('every failed paid order has its whole charge back, no order more than that', is_misrefunded),
      ('every delivered order is marked with what was refunded of it, and its refund says the same', is_mismarked),
      ('every revenue share was paid as its row says, and nothing else was', is_misshared),
      ('every settled revenue share counts only what was not refunded', is_overshared),
      ('no order was left half-written', is_half_written)
    ) rule (name, is_broken) where rule.is_broken`,
};

const shareTotals: Pass = {
  rules: 1,
  breaches: sql`
    select 'the revenue share totals equal the sum of their rows' as rule, partner_id::bigint as id from revenue_share_totals t
    full join (
      select partner_id, case when status = 'shadow' then 'shadow' when channel = 'none' then 'none' else 'paid' end as kind,
        sum(amount) as amount, sum(unused_mb) as unused_mb
      from revenue_shares group by 1, 2
    ) s using (partner_id, kind)
    where (coalesce(t.amount, 0), coalesce(t.unused_mb, 0)) <> (coalesce(s.amount, 0), coalesce(s.unused_mb, 0))`,
};

/** Only read where something was archived. */
const archived: Pass = {
  rules: 1,
  breaches: sql`
    select 'the orders without a charge are those whose charges were archived' as rule, coalesce(sold.partner_id, sums.partner_id)::bigint as id
    from (
      select o.partner_id, sum(o.sale_price) as charged, coalesce(sum(o.sale_price) filter (where o.status = 2), 0) as returned
      from orders o where exists (select from archives) and ${isArchived}
        and not exists (select from movements m where m.order_id = o.id and m.type in ('purchase', 'charge'))
      group by o.partner_id
    ) sold
    full join (
      select partner_id, coalesce(sum(amount) filter (where credit = 'revenue'), 0) as charged,
        coalesce(sum(amount) filter (where debit = 'revenue'), 0) as returned
      from archived_transfers group by partner_id
    ) sums using (partner_id)
    where (coalesce(sold.charged, 0), coalesce(sold.returned, 0)) <> (coalesce(sums.charged, 0), coalesce(sums.returned, 0))`,
};

export const passes: readonly Pass[] = [transfers, lines, orders, shareTotals, archived];
