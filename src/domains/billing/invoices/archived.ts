import { type Sql, sql } from '../../../platform/db/query/sql.ts';
import type { ArchivedDocuments } from '../../money/archive/archive.ts';
import { closingOf } from './sales-of-month.ts';

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
