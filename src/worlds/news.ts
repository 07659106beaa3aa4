import { webhookMatters } from '../domains/messages/webhooks/webhooks.ts';
import { orderMatters } from '../domains/sales/order-lists/order-lists.ts';
import { refundMatters } from '../domains/sales/refunds/refunds.ts';
import type { Matter } from '../platform/db/alerts.ts';
import type { Queryable } from '../platform/db/database.ts';
import { sql } from '../platform/db/query/sql.ts';

export type NewsKind = 'failed_orders' | 'refund_requests' | 'disabled_webhooks';

/** What happened since a time, counted: each part reads an index and stops at `COUNT_LIMIT`, as matters do. */
export const readNews = (db: Queryable, since: Date): Promise<Matter<NewsKind>[]> =>
  db.query(sql`
    ${orderMatters.failedSince(since)} union all ${refundMatters.requestedSince(since)} union all ${webhookMatters.disabledSince(since)}`);
