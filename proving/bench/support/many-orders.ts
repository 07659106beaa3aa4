import { DAY } from '../../../src/platform/clock.ts';
import type { Db, Tx } from '../../../src/platform/db/database.ts';
import { type Sql, sql } from '../../../src/platform/db/query/sql.ts';

/**
 * Orders in bulk, as a year of sales leaves them: each with its charge, what was refunded of it, its deliveries and its usage, in a ledger
 * that can be proved.
 *
 * Order n depends on n alone. A fifth of them are the first partner's, the others are spread over the rest. The first hundred are still
 * open. Of the oldest tenth, a few are of a rare product, failed before they were paid, or were refunded. Half of the orders have a
 * reference, a tenth the same one. One in a hundred has an eSIM in use, and a refund was asked for of every tenth.
 *
 * Two sessions share the work: one writes the orders and the ledger, whose lines follow one another, the other what is written about
 * orders: deliveries, refunds and usage. A chunk and its progress are stored in one transaction, so an interrupted build continues where
 * each session was.
 */
export interface ManyOrders {
  readonly orders: number;
  readonly partners: number;
  /** Rows of the delivery log for each order: three events if one subscription has all of them. */
  readonly deliveries: number;
  /** A delivered order that was bought. The others have its plan, its price and what its eSIM is. */
  readonly like: bigint;
}

export const RARE_PRODUCT = 'esc_00000000000000bb';

/** Each partner's opening balance: more than it can spend. */
const PAID_IN = 10_000_000_000;
const CHUNK = 100_000;
const YEAR_MS = 365 * DAY;
/** Deliveries are kept for 90 days. */
const LOG_MS = 80 * DAY;

/** Partners up to this number, each with money and a subscription to every event. Those that exist keep what they have. */
export async function fillPartners(db: Db, partners: number): Promise<void> {
  await db.tx(async (tx) => {
    await tx.run(sql`
      insert into partners (id, name, email) overriding system value
      select n, 'Partner ' || n, 'partner' || n || '@example.com' from generate_series(1, ${partners}::int) n
      on conflict do nothing`);
    await tx.run(sql`
      with opened as (
        insert into wallets (partner_id, cash, opened_at, wallet_lines)
        select id, ${PAID_IN}::bigint, now(), 1 from partners on conflict do nothing returning partner_id
      ), moved as (
        insert into movements (partner_id, book, type, amount, balance_after, at, line)
        select partner_id, 'wallet', 'topup', ${PAID_IN}::bigint, ${PAID_IN}::bigint, now() - interval '1 year', 1 from opened
        returning id, partner_id
      ) insert into transfers (movement_id, partner_id, debit, credit, amount)
        select id, partner_id, 'bank_clearing', 'cash', ${PAID_IN}::bigint from moved`);
    await tx.run(sql`
      insert into webhook_subscriptions (partner_id, url, events, secret, secret_last4, created_at, updated_at, status, held_since)
      select id, 'https://192.0.2.1/' || id, '{order.created,order.paid,order.delivered}', '\\x00', '0000', now(), now(),
        -- No receiver answers there, so the events of partners that really buy are held.
        case when id <= 2 then 2 else 1 end, case when id <= 2 then now() end
      from partners where not exists (select from webhook_subscriptions where partner_id = partners.id)`);
    await tx.run(sql`select setval('partners_id_seq', (select max(id) from partners))`);
  });
  await db.run(sql`analyze partners, wallets, webhook_subscriptions`);
}

/** How far one of the sessions has come. */
interface Place {
  readonly made: number;
  /** Order n has this id and n more. */
  readonly beforeFirst: bigint;
  /** When the last order was bought. */
  readonly endedAt: Date;
}

type Part = 'ledger' | 'log';
const FILLED: Readonly<Record<Part, typeof fillLedger>> = { ledger: fillLedger, log: fillLog };

/** Makes the missing orders, and reports after each chunk how many are complete. */
export async function fillOrders(db: Db, wanted: ManyOrders, onChunk: (orders: number) => void): Promise<void> {
  await begin(db, wanted);
  const made = { ledger: 0, log: 0 };
  const fillPart = async (part: Part): Promise<void> => {
    for (;;) {
      const place = await db.one<Place>(sql`
        select made, before_first as "beforeFirst", ended_at as "endedAt" from public.bulk_orders where part = ${part}`);
      made[part] = place.made;
      onChunk(Math.min(made.ledger, made.log));
      if (place.made >= wanted.orders) return;
      const last = Math.min(place.made + CHUNK, wanted.orders);
      await db.tx(async (tx) => {
        // Foreign keys are not looked up for each row: what refers to what is written here, and the proof of the ledger reads all of it.
        await tx.run(sql`set local session_replication_role = replica`);
        await tx.run(sql`set local synchronous_commit = off`);
        // It cannot know how many rows there will be, and would look up each one's wallet and subscription.
        await tx.run(sql`set local enable_nestloop = off`);
        await FILLED[part](tx, wanted, place, last);
        await tx.run(sql`update public.bulk_orders set made = ${last} where part = ${part}`);
      });
    }
  };
  await Promise.all([fillPart('ledger'), fillPart('log')]);
}

/** Reserves the ids of the orders, so that both sessions know them. */
const begin = (db: Db, { orders }: ManyOrders): Promise<unknown> =>
  db.tx(async (tx) => {
    await tx.run(sql`
      create table if not exists public.bulk_orders (
        part text primary key, made int not null default 0, before_first bigint not null, ended_at timestamptz not null)`);
    const begun = await tx.run(sql`
      insert into public.bulk_orders (part, before_first, ended_at)
      select part, last_value, now() from orders_id_seq, (values ('ledger'), ('log')) as parts (part) on conflict do nothing`);
    if (begun > 0) await tx.run(sql`select setval('orders_id_seq', last_value + ${orders}::int) from orders_id_seq`);
  });

/** The values of the orders after one number up to another, and the order `o` they are copies of. */
const soldBetween = (
  { orders, partners, like }: ManyOrders,
  { made, beforeFirst, endedAt }: Place,
  last: number,
): Sql => sql`
  o as materialized (select * from orders where id = ${like}), sold as materialized (
    select ${beforeFirst}::bigint + n as id, n, is_old, is_failed, is_open, not is_failed and not is_open as is_delivered,
      is_old and n % 1000 = 9 as is_refunded, case when n % 100 = 3 then 'active' when n % 100 < 90 then 'expired' end as usage_state,
      case when n % 5 = 0 then 1 else 2 + (n - n / 5 - 1) % ${partners - 1}::int end as partner_id,
      ${new Date(endedAt.getTime() - YEAR_MS)}::timestamptz + n::float8 / ${orders}::float8 * ${YEAR_MS}::float8 * interval '1 ms' as at
    from generate_series(${made + 1}::int, ${last}::int) n
    cross join lateral (select n <= ${orders}::int / 10 as is_old) as age
    cross join lateral (select is_old and n % 1000 = 8 as is_failed, n <= 100 as is_open) as kind
  )`;

async function fillLedger(tx: Tx, wanted: ManyOrders, place: Place, last: number): Promise<void> {
  await tx.run(sql`
    with ${soldBetween(wanted, place, last)}
    insert into orders (id, partner_id, idempotency_key, plan_id, product_id, status, delivery, billing_mode, product_price, sale_price,
      cost_micros, product_title, data, amount_mb, day, is_unlimited, country_code, supplier, supplier_plan, supplier_order, esim,
      iccid, created_at, paid_at, delivered_at, failed_at, provision_due_at, reference, refunded, usage_state, usage_ends_at, usage_due_at)
    overriding system value
    select sold.id, sold.partner_id, 'bulk-' || n, o.plan_id,
      case when is_old and n % 1000 = 7 then ${RARE_PRODUCT} when n % 2 = 0 then o.product_id
        else 'esc_' || lpad(to_hex(n % 200), 16, '0') end,
      case when is_failed then 2 when is_open then 4 else 1 end,
      case when is_failed then 'failed' when is_open then 'deferred' else 'delivered' end, o.billing_mode, o.product_price, o.sale_price,
      o.cost_micros, o.product_title, o.data, o.amount_mb, o.day, o.is_unlimited, o.country_code, o.supplier, o.supplier_plan,
      case when is_delivered then 'bulk-' || n end, case when is_delivered then o.esim end, case when is_delivered then '89' || n end,
      at, case when not is_failed then at end, case when is_delivered then at + interval '2 s' end, case when is_failed then at end,
      case when is_open then now() + interval '1 year' end,
      case when n % 10 = 1 then 'shared' when n % 10 < 5 then 'booking ' || n else '' end,
      case when is_refunded then o.sale_price else 0 end, sold.usage_state,
      case when n % 100 = 3 then now() + interval '1 year' end, case when is_delivered then 'infinity'::timestamptz end
    from sold cross join o`);
  await tx.run(sql`
    with ${soldBetween(wanted, place, last)}, booked as materialized (
      select nextval('movements_id_seq') as id, sold.id as order_id, sold.partner_id, kind.type, kind.sign * o.sale_price as amount, at,
        w.cash + w.promo + sum(kind.sign * o.sale_price) over in_turn as balance_after, w.wallet_lines + row_number() over in_turn as line
      from sold cross join o join wallets w on w.partner_id = sold.partner_id
      cross join (values ('purchase', -1), ('refund', 1)) as kind (type, sign)
      where not is_failed and (kind.sign < 0 or is_refunded)
      window in_turn as (partition by sold.partner_id order by sold.id, kind.sign)
    ), moved as (
      insert into movements (id, partner_id, book, type, amount, balance_after, order_id, at, line) overriding system value
      select id, partner_id, 'wallet', type, amount, balance_after, order_id, at, line from booked
    ), carried as (
      insert into transfers (movement_id, partner_id, debit, credit, amount)
      select id, partner_id, case when amount < 0 then 'cash' else 'revenue' end, case when amount < 0 then 'revenue' else 'cash' end,
        abs(amount) from booked
    )
    update wallets set cash = cash + added.amount, wallet_lines = wallet_lines + added.lines
    from (select partner_id, sum(amount) as amount, count(*) as lines from booked group by partner_id) as added
    where wallets.partner_id = added.partner_id`);
}

async function fillLog(tx: Tx, wanted: ManyOrders, place: Place, last: number): Promise<void> {
  const sold = soldBetween(wanted, place, last);
  await tx.run(sql`
    with ${sold}
    insert into refunds (order_id, partner_id, status, amount, reason, requested_at)
    select sold.id, sold.partner_id, case when is_refunded then 'refunded' when n % 50000 = 0 then 'requested' else 'rejected' end,
      case when is_refunded then o.sale_price else 0 end, 'asked', at
    from sold cross join o where is_refunded or (n % 10 = 0 and is_delivered)`);
  await tx.run(sql`
    with ${sold}
    insert into usage_readings (iccid, state, total_mb, used_mb, fetched_at, order_id)
    select '89' || n, coalesce(sold.usage_state, 'not_active'), o.amount_mb, 100, at, sold.id
    from sold cross join o where n % 2 = 1 and is_delivered`);
  await tx.run(sql`
    with ${sold}
    insert into webhook_deliveries (partner_id, subscription_id, order_id, event_id, event_type, status, attempts, max_attempts, http_code,
      duration_ms, response_body, sent_at, created_at, died_at)
    select sold.partner_id, subscription.id, sold.id, event || ':' || sold.id, event,
      case when n % 10000 = 5 then 'dead' else 'sent' end, 1, 5, 200, 20, 'ok', sent.at, sent.at, case when n % 10000 = 5 then sent.at end
    from sold join webhook_subscriptions subscription using (partner_id)
    cross join unnest((array['order.created', 'order.paid', 'order.delivered'])[1:${wanted.deliveries}::int]) as event
    cross join lateral (
      select ${new Date(place.endedAt.getTime() - LOG_MS)}::timestamptz
        + n::float8 / ${wanted.orders}::float8 * ${LOG_MS}::float8 * interval '1 ms' as at
    ) as sent order by n`);
}
