import { COUNT_LIMIT, counted } from '../../../platform/db/alerts.ts';
import { type Sql, sql } from '../../../platform/db/query/sql.ts';

/** Partners whose months are not closed: nobody has said who sells, or a setting that their tax needs is missing. */
export const invoiceAlerts = ({ hasSeller }: { readonly hasSeller: boolean }): Sql =>
  hasSeller
    ? sql`
        select 'waiting_invoices'::text as kind, count(*)::float8 as count, null::timestamptz as since, ''::text as of,
          coalesce(string_agg(distinct waiting.waits_for, ', '), '') as about
        from (select waits_for from invoice_accounts where due_at is not null and waits_for <> '' limit ${COUNT_LIMIT}) as waiting
        having count(*) > 0`
    : counted(
        'missing_seller',
        sql`
          select null::timestamptz as since from wallets where wallet_lines + debt_lines > 0 and exists (
            select from movements where movements.partner_id = wallets.partner_id and movements.book in ('wallet', 'debt')
              and movements.type in ('purchase', 'charge'))`,
      );
