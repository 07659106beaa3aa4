import type { Queryable } from '../db/database.ts';
import type { Matter } from '../db/matters.ts';
import { sql } from '../db/sql.ts';
import { orderMatters } from '../order-lists/order-lists.ts';
import { refundMatters } from '../refunds/refunds.ts';
import { webhookMatters } from '../webhooks/webhooks.ts';

export type NewsKind = 'failed_orders' | 'refund_requests' | 'disabled_webhooks';

/** What happened since a time, counted: each part reads an index and stops at `COUNT_LIMIT`, as matters do. */
export const readNews = (db: Queryable, since: Date): Promise<Matter<NewsKind>[]> =>
  db.query(sql`
    ${orderMatters.failedSince(since)} union all ${refundMatters.requestedSince(since)} union all ${webhookMatters.disabledSince(since)}`);
