import type { Db } from '../../../../src/platform/db/database.ts';
import { sql } from '../../../../src/platform/db/query/sql.ts';

interface Backlog {
  /** Subscriptions, numbered oddly from 1; the first few belong to the partner that is looked at. */
  readonly subscriptions: number;
  /** Due rows, spread over the subscriptions, the first one having half of them. */
  readonly due: number;
  /** Rows of the log that were sent before, of the first partner's subscriptions. */
  readonly sent: number;
}

/** Fills one world's tables as months of use would, without delivering anything. */
export async function fillBacklog(db: Db, partnerId: number, backlog: Backlog): Promise<void> {
  await db.run(sql`
    insert into webhook_subscriptions (partner_id, url, events, secret, secret_last4, created_at, updated_at)
    select ${partnerId}, 'https://192.0.2.1/' || n, '{order.paid}', '\\x00', '0000', now(), now()
    from generate_series(1, ${backlog.subscriptions}::int) as n`);
  const batch = 250_000;
  for (let from = 0; from < backlog.sent; from += batch) {
    await db.run(sql`
      insert into webhook_deliveries (partner_id, subscription_id, order_id, event_id, event_type, status, attempts,
        max_attempts, http_code, duration_ms, response_body, sent_at, created_at)
      select ${partnerId}, 1 + 2 * (n % 5), n, 'order.paid:' || n || ':1',
        (array['order.created', 'order.paid', 'order.delivered'])[1 + n % 3], case when n % 100000 = 0 then 'dead' else 'sent' end,
        1, 5, 200, 12, 'ok', now(), now() - interval '40 days'
      from generate_series(${from + 1}::int, ${Math.min(from + batch, backlog.sent)}::int) as n`);
  }
  for (let from = 0; from < backlog.due; from += batch) {
    await db.run(sql`
      with fresh as (
        insert into webhook_deliveries (partner_id, subscription_id, order_id, event_id, event_type, max_attempts, created_at, body)
        select ${partnerId}, case when n % 2 = 0 then 1 else 1 + 2 * ((n / 2) % ${backlog.subscriptions}::int) end, n,
          'order.paid:' || n || ':1', 'order.paid', 5, now(), '\\x00'
        from generate_series(${from + 1}::int, ${Math.min(from + batch, backlog.due)}::int) as n
        returning id, subscription_id
      )
      insert into webhook_queue (delivery_id, subscription_id, due_at, max_attempts)
      select id, subscription_id, now() - interval '1 min', 5 from fresh`);
  }
}
