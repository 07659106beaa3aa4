import { setTimeout as wait } from 'node:timers/promises';
import { invoiceAlerts } from '../domains/billing/invoices/invoices.ts';
import { paymentAlerts } from '../domains/billing/topups/topups.ts';
import { balanceAlerts, listAlerts } from '../domains/catalog/catalog.ts';
import { poorSuppliers } from '../domains/insight/figures/figures.ts';
import { webhookAlerts } from '../domains/messages/webhooks/webhooks.ts';
import { ledgerAlerts } from '../domains/money/proof/proof.ts';
import { applicationAlerts } from '../domains/partners/applications/applications.ts';
import { proposalAlerts } from '../domains/partners/proposals/proposals.ts';
import { orderAlerts } from '../domains/sales/order-lists/order-lists.ts';
import { refundAlerts } from '../domains/sales/refunds/refunds.ts';
import { replacementAlerts } from '../domains/sales/replacements/replacements.ts';
import { stockAlerts } from '../domains/supply/stock/stock.ts';
import { SECOND } from '../platform/clock.ts';
import type { Alert as AnyAlert } from '../platform/db/alerts.ts';
import type { Queryable } from '../platform/db/database.ts';
import { type Sql, sql } from '../platform/db/query/sql.ts';
import { jobAlerts } from '../platform/jobs/successes.ts';

const parts = {
  orders: orderAlerts.waiting,
  refunds: refundAlerts.waiting,
  replacements: replacementAlerts,
  webhooks: webhookAlerts.stopped,
  payments: paymentAlerts,
  invoices: (_now, terms) => invoiceAlerts(terms),
  suppliers: (now: number) =>
    sql`${orderAlerts.silentSuppliers(now)} union all ${balanceAlerts(now)} union all ${poorSuppliers(now)} union all ${stockAlerts(now)}`,
  catalog: listAlerts,
  ledger: ledgerAlerts,
  jobs: jobAlerts,
  applications: applicationAlerts,
  proposals: proposalAlerts,
} satisfies Readonly<Record<string, (now: number, terms: AlertTerms) => Sql>>;

/** What alerts depend on besides what is stored. */
interface AlertTerms {
  /** The settings say who sells. */
  readonly hasSeller: boolean;
}

export type Part = keyof typeof parts;
export type Kind =
  | 'held_orders'
  | 'overdue_orders'
  | 'stuck_orders'
  | 'failing_orders'
  | 'half_written_orders'
  | 'refund_requests'
  | 'replacement_requests'
  | 'disabled_webhook'
  | 'dead_letters'
  | 'open_payments'
  | 'disputed_payments'
  | 'missing_seller'
  | 'waiting_invoices'
  | 'silent_supplier'
  | 'unread_balance'
  | 'low_balance'
  | 'poor_supplier'
  | 'low_stock'
  | 'old_list'
  | 'failed_import'
  | 'held_import'
  | 'broken_ledger'
  | 'old_proof'
  | 'stopped_job'
  | 'applications'
  | 'proposals';

export type Alert = AnyAlert<Kind>;

export type Attention =
  | { readonly part: Part; readonly alerts: readonly Alert[] }
  | { readonly part: Part; readonly isUnreadable: true };

/** A part that takes longer counts as unreadable. */
const READ_LIMIT_MS = 3 * SECOND;

/** Reads all parts at the same time. Each fails on its own, so that an unreadable part is never shown as fine. */
export function readAttention(db: Queryable, now: number, terms: AlertTerms): Promise<Attention[]> {
  return Promise.all(
    (Object.keys(parts) as Part[]).map(async (part): Promise<Attention> => {
      const late = new AbortController();
      try {
        const alerts = await Promise.race([
          db.query<Alert>(parts[part](now, terms)),
          wait(READ_LIMIT_MS, undefined, { ref: false, signal: late.signal }).catch(() => undefined),
        ]);
        return alerts ? { part, alerts } : { part, isUnreadable: true };
      } catch {
        return { part, isUnreadable: true };
      } finally {
        late.abort();
      }
    }),
  );
}

export type NewsKind = 'failed_orders' | 'refund_requests' | 'disabled_webhooks';

/** What happened since a time, counted: each part reads an index and stops at `COUNT_LIMIT`, as alerts do. */
export const readNews = (db: Queryable, since: Date): Promise<AnyAlert<NewsKind>[]> =>
  db.query(sql`
    ${orderAlerts.failedSince(since)} union all ${refundAlerts.requestedSince(since)} union all ${webhookAlerts.disabledSince(since)}`);
