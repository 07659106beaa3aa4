import { type Sql, sql } from '../../../platform/db/query/sql.ts';
import type { ArchivedDocuments } from '../../money/archive/archive.ts';
import type { Pass } from '../../money/proof/proof.ts';
import { closingOf } from './sales-of-month.ts';

/** Invoices against the ledger, their numbers, and what was paid against what was settled. Ids are those of documents or partners. */
export const invoicePass: Pass = {
  rules: 7,
  breaches: sql`
    with moved as materialized (
      select movements.partner_id, order_id, type, abs(amount) as amount, ${closingOf(sql`movements`, sql`invoice_closings`)} as closing_id
      from movements
      where order_id is not null and type in ('purchase', 'charge', 'refund')
        and exists (select from invoice_closings closing where closing.partner_id = movements.partner_id)
    ), refund as materialized (
      select moved.amount, moved.closing_id, charged.closing_id as charged_in
      from moved join moved charged on charged.order_id = moved.order_id and charged.type <> 'refund'
      where moved.type = 'refund' and moved.closing_id is not null and charged.closing_id is not null
    ), closed as (
      select closing.id, closing.partner_id, closing.month,
        coalesce(sold.amount, 0) - coalesce(given.amount, 0) + coalesce(archived.sold - archived.given, 0) as amount,
        coalesce(given_later.amount, 0) + coalesce(archived.given_later, 0) as given_later
      from invoice_closings closing left join archived_closings archived on archived.closing_id = closing.id
      left join (select closing_id as id, sum(amount) as amount from moved where type <> 'refund' group by 1) sold using (id)
      left join (select charged_in as id, sum(amount) as amount from refund where charged_in = closing_id group by 1) given using (id)
      left join (select charged_in as id, sum(amount) as amount from refund where charged_in <> closing_id group by 1) given_later using (id)
    ), document as (
      select i.*, s.status, s.settled, s.standing_month from invoices i left join invoice_states s on s.invoice_id = i.id
    ), credited as (
      select invoice.partner_id, invoice.month, sum(note.total) as amount
      from invoices note join invoices invoice on invoice.id = note.credits where not note.voids group by 1, 2
    ), slot as (
      select d.id, d.partner_id, d.month, d.settled, case when d.status <> 'void' then d.on_terms
          when exists (select from document other where other.partner_id = d.partner_id and other.standing_month = d.month) then 0
          else d.settled end as room
      from document d where d.kind = 'invoice'
    ), payment as (
      select account.partner_id, account.paid, account.paid + account.opening + coalesce((
          select sum(on_terms) from invoices note where note.partner_id = account.partner_id and note.kind = 'credit_note' and not note.voids
        ), 0) as pool,
        (select coalesce(-sum(amount), 0) from movements where movements.partner_id = account.partner_id and book = 'debt'
          and type in ('payment', 'adjust', 'profit_share') and line > account.opening_line and line <= account.debt_lines) as written,
        coalesce(sum(slot.settled), 0) as settled, coalesce(sum(slot.room), 0) as room
      from invoice_accounts account left join slot using (partner_id) group by account.partner_id
    )
    select 'every invoice that stands is the purchases of its month less their refunds in it' as rule, d.id
    from document d left join closed using (partner_id, month)
    where d.standing_month is not null and (d.standing_month <> d.month or d.total is distinct from closed.amount)
    union all
    select 'every later refund of an order on an invoice is in one credit note', closed.partner_id
    from closed left join credited using (partner_id, month) where closed.given_later <> coalesce(credited.amount, 0)
    union all
    select 'every closed month with purchases has an invoice, and a voided one its credit note', closed.partner_id
    from closed where closed.amount <> 0 and not exists (
      select from document d where d.partner_id = closed.partner_id and d.month = closed.month and d.kind = 'invoice'
        and (d.standing_month is not null or d.status = 'void'))
    union all
    select 'every voided invoice has a credit note over all of it, and no other has', d.id
    from document d left join invoices note on note.credits = d.id and note.voids
    where d.kind = 'invoice' and case when d.status = 'void' then note.total is distinct from d.total else note.id is not null end
    union all
    select 'the numbers of documents have no gaps', numbers.year from invoice_numbers numbers
    left join (select year, count(*) as documents, max(sequence) as last from invoices group by year) given using (year)
    where coalesce(given.documents, 0) + numbers.forgotten <> numbers.last or given.last > numbers.last
    union all
    select 'the numbers of documents have no gaps', id from invoices
    where number not like '%' || year || '-' || lpad(sequence::text, greatest(6, length(sequence::text)), '0')
    union all
    select 'every document is the sum of its lines', i.id from invoices i left join (
      select invoice_id, sum(amount) as amount from invoice_lines group by invoice_id) line on line.invoice_id = i.id
    where i.total is distinct from line.amount
    union all
    select 'payments settle invoices exactly, the oldest first', partner_id from payment
    where paid <> written or settled <> least(greatest(pool, 0), room)
    union all
    select 'payments settle invoices exactly, the oldest first', later.partner_id
    from slot earlier join slot later on later.partner_id = earlier.partner_id and later.month > earlier.month
    where earlier.settled < earlier.room and later.settled > 0
      and exists (select from document d where d.id = earlier.id and d.status <> 'void')
    union all
    select 'payments settle invoices exactly, the oldest first', d.id from document d
    where d.status is null or d.settled > d.on_terms
      or d.kind = 'invoice' and (d.status = 'paid') <> (d.settled = d.on_terms and d.status <> 'void')`,
};

/**
 * What invoices need of a year that is archived: its months are closed and its invoices paid, and the sums of each month stay, so that
 * the proof can go on holding documents against them.
 */
export const archivedInvoices: ArchivedDocuments = {
  closingOf: (line) => closingOf(line, sql`invoice_closings`),

  isBefore: (closing, until) => sql`(
    select month < (${until}::timestamptz at time zone 'UTC')::date from invoice_closings where id = ${closing})`,

  open: (until) => sql`
    select 'partners whose months are not all closed' as what, count(*)::int as count from wallets
    left join invoice_accounts account on account.partner_id = wallets.partner_id
    where exists (
      select from (values ('wallet'), ('debt')) kept (book) cross join lateral (
        select at from movements where movements.partner_id = wallets.partner_id and movements.book = kept.book order by line limit 1
      ) first where first.at < ${until}
    ) and (account.month is null or account.month < (${until}::timestamptz at time zone 'UTC')::date)
    union all
    select 'invoices that are not paid', count(*)::int from invoice_states state join invoices on invoices.id = state.invoice_id
    where state.status in ('open', 'overdue') and invoices.month < (${until}::timestamptz at time zone 'UTC')::date`,

  keep: (taken: Sql) => sql`
    insert into archived_closings as kept (closing_id, sold, given, given_later)
    select closing_id, sum(sold), sum(given), sum(given_later) from (
      select closing_id, amount as sold, 0 as given, 0 as given_later from (${taken}) charge where type <> 'refund'
      union all
      select charge.closing_id, 0, case when refund.closing_id = charge.closing_id then refund.amount else 0 end,
        case when refund.closing_id = charge.closing_id then 0 else refund.amount end
      from (${taken}) refund join (${taken}) charge on charge.order_id = refund.order_id and charge.type <> 'refund'
      where refund.type = 'refund' and refund.closing_id is not null
    ) as moved where closing_id is not null group by closing_id
    on conflict (closing_id) do update set sold = kept.sold + excluded.sold, given = kept.given + excluded.given,
      given_later = kept.given_later + excluded.given_later`,
};
