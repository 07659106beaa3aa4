import { setTimeout as wait } from 'node:timers/promises';
import { type Clock, keptFor, SECOND } from '../clock.ts';
import type { Queryable } from '../db/database.ts';
import { raw, type Sql, sql } from '../db/query/sql.ts';
import { SILENT_AFTER_MS } from '../jobs/processes.ts';
import { JOB_SUCCESSES } from '../jobs/successes.ts';
import type { Config } from '../settings/config.ts';
import type { DatabaseFigure } from './metrics.ts';

/** Scrapes closer together than this share one query. */
const FRESH_MS = 5 * SECOND;
/** A scrape does not wait longer for the database; it prints the figures it has. */
const READ_LIMIT_MS = 2 * SECOND;
/** Counting stops here, so that a backlog of millions does not make every scrape expensive. */
const COUNT_LIMIT = 100_000;

/**
 * Reads the gauges that live in the database, with one query, however many ask. Nothing while the database is away. `connections`:
 * the most that this process opens.
 */
export const databaseFigures = (db: Queryable, clock: Clock, connections: number) =>
  keptFor(FRESH_MS, clock, (now) =>
    Promise.race([
      db.query<DatabaseFigure>(figuresAt(now, connections)),
      wait(READ_LIMIT_MS, [], { ref: false }),
    ]).catch(() => []),
  );

const figuresAt = (now: number, connections: number): Sql => sql`
  ${ofWorld('live', now)} union all ${ofWorld('sandbox', now)}
  union all
  select 'supplier_list_age_seconds', slug, extract(epoch from ${new Date(now)}::timestamptz - imported_at)::float8
  from shared.suppliers where imported_at is not null and kind <> 'stock'
  union all
  select figure.gauge, slug, figure.value from shared.suppliers cross join lateral (values
    ('supplier_balance_usd', balance_micros::float8 / 1000000),
    ('supplier_balance_alert_usd', balance_alert_micros::float8 / 1000000),
    ('supplier_balance_age_seconds', extract(epoch from ${new Date(now)}::timestamptz - balance_at)::float8)
  ) as figure (gauge, value)
  where balance_at is not null and figure.value is not null
  union all ${stockFigures(now)}
  union all
  select 'mails', status, count from (values
    ('waiting', (select count(*) from (select from shared.mails where due_at is not null limit ${COUNT_LIMIT}) as counted)::float8),
    ('failed', (select count(*) from (select from shared.mails where failed_at is not null limit ${COUNT_LIMIT}) as counted)::float8)
  ) as mails (status, count)
  union all
  select 'mail_oldest_seconds', 'waiting',
    coalesce(extract(epoch from ${new Date(now)}::timestamptz - min(created_at)), 0)::float8
  from shared.mails where due_at is not null
  union all
  -- Never proved counts from the first migration, so that the alert fires then too.
  select 'ledger_proof_age_seconds', 'whole', extract(epoch from ${new Date(now)}::timestamptz - coalesce(
    (select finished_at from shared.proofs where result is not null order by finished_at desc limit 1),
    (select min(at) from shared.migrations)))::float8
  union all (
    select 'ledger_broken', 'whole', (not (result ->> 'ok')::boolean)::int::float8 from shared.proofs
    where result is not null order by finished_at desc limit 1
  )
  union all
  select 'job_success_age_seconds', job.key, (${now}::float8 - job.value::float8) / 1000
  from shared.settings cross join jsonb_each_text(settings.value) as job where settings.name = ${JOB_SUCCESSES}
  union all
  select 'database_setting_unfit', setting, "isUnfit"::int::float8 from (${settingsAt(now, connections)}) as settings`;

/**
 * The rows of one world, each a gauge, what it is of, and its value. Every part reads an index and stops at `COUNT_LIMIT`:
 * the queue by the state of its subscription, disabled subscriptions, the oldest due row (hopping from lane to lane, as claims do),
 * dead letters, orders without their eSIM, and open card payments.
 */
function ofWorld(schema: 'live' | 'sandbox', now: number): Sql {
  const at = (table: string) => raw(`${schema}.${table}`);
  const counted = (gauge: string, rows: Sql) => sql`
    select ${gauge}::text as gauge, ${schema}::text as of, count(*)::float8 as value
    from (${rows} limit ${COUNT_LIMIT}) as counted`;
  const queued = (isActive: Sql) => sql`
    select from ${at('webhook_queue')} as queue join ${at('webhook_subscriptions')} as subscription
      on subscription.id = queue.subscription_id
    where ${isActive}`;
  return sql`
    ${counted('webhook_backlog', queued(sql`subscription.status = 1 and subscription.deleted_at is null`))}
    union all ${counted('webhook_held', queued(sql`subscription.status <> 1 and subscription.deleted_at is null`))}
    union all ${counted(
      'webhook_disabled',
      sql`select from ${at('webhook_subscriptions')} as subscription join shared.partners on partners.id = partner_id
        where subscription.status = 3 and subscription.deleted_at is null and partners.deleted_at is null`,
    )}
    union all ${counted('webhook_dead', sql`select from ${at('webhook_deliveries')} where status = 'dead'`)}
    union all ${counted(
      'orders_deferred',
      sql`select from ${at('orders')} where provision_due_at is not null and delivery = 'deferred'`,
    )}
    union all ${counted(
      'orders_overdue',
      sql`select from ${at('orders')} where overdue_at is not null and provision_due_at is not null`,
    )}
    union all ${counted('orders_held', sql`select from ${at('orders')} where held_at is not null and provision_due_at is not null`)}
    union all ${counted('card_payments_open', sql`select from ${at('topups')} where status = 'requires_payment'`)}
    union all ${oldestDue(schema, at, now)}`;
}

/** What is in stock of each plan, with the state of those whose time has passed, and the plan's level. */
function stockFigures(now: number): Sql {
  const hasPassed = sql`expires_at is not null and expires_at <= ${new Date(now)}`;
  const states = [
    ['available', sql`state = 'available' and not (${hasPassed})`],
    ['expired', sql`state = 'available' and ${hasPassed}`],
    ['sold', sql`state = 'sold'`],
    ['returned', sql`state = 'returned'`],
    ['discarded', sql`state = 'discarded'`],
  ] as const;
  const counts = states.map(
    ([name, which]) => sql`
      select 'stock_items', concat_ws(E'\n', supplier, plan, ${name}::text), (select count(*) from (
        select from live.stock_items where stock_items.supplier = stock_plans.supplier and stock_items.plan = stock_plans.plan
          and ${which} limit ${COUNT_LIMIT}) as counted)::float8
      from live.stock_plans`,
  );
  return counts.reduce(
    (all, one) => sql`${all} union all ${one}`,
    sql`select 'stock_low_level', concat_ws(E'\n', supplier, plan), low::float8 from live.stock_plans where low is not null`,
  );
}

function oldestDue(schema: string, at: (table: string) => Sql, now: number): Sql {
  return sql`(
    with recursive lane as (
      (select subscription_id as id from ${at('webhook_queue')} order by subscription_id limit 1)
      union all
      select next.id from lane cross join lateral (
        select subscription_id as id from ${at('webhook_queue')}
        where subscription_id > lane.id order by subscription_id limit 1
      ) as next
    )
    select 'webhook_oldest_due_seconds', ${schema}::text,
      greatest(0, coalesce(extract(epoch from ${new Date(now)}::timestamptz - min(first.due_at)), 0))::float8
    from lane
    join ${at('webhook_subscriptions')} as subscription
      on subscription.id = lane.id and subscription.status = 1 and subscription.deleted_at is null
    cross join lateral (
      select due_at from ${at('webhook_queue')} where subscription_id = lane.id order by due_at limit 1
    ) as first
  )`;
}

interface TableSize {
  /** `live.orders` */
  readonly table: string;
  /** With its indexes. */
  readonly bytes: number;
  /** As the server's statistics estimate; null: it has none yet, as after a restore or a crash. */
  readonly rows: number | null;
}

const LARGEST = 12;

/** How large the database is, from the server's own bookkeeping: no table is read. */
export async function databaseSize(db: Queryable): Promise<{ bytes: number; server: string; tables: TableSize[] }> {
  const [whole, tables] = await Promise.all([
    db.one<{ bytes: number; server: string }>(sql`
      select pg_database_size(current_database())::float8 as bytes, current_setting('server_version') as server`),
    db.query<TableSize>(sql`
      select schemaname || '.' || stat.relname as table, pg_total_relation_size(relid)::float8 as bytes,
        case when n_live_tup > 0 or pg_relation_size(relid) = 0 then n_live_tup else nullif(reltuples, -1) end::float8 as rows
      from pg_stat_user_tables as stat join pg_class on pg_class.oid = relid order by 2 desc, 1 limit ${LARGEST}`),
  ]);
  return { ...whole, tables };
}

/** A setting of the database server as our sessions have it. */
interface DatabaseSetting {
  readonly setting: keyof typeof unfit;
  readonly value: string;
  readonly isUnfit: boolean;
}

/** What an unsuitable value means. */
const unfit = {
  jit: 'the database server compiles plans, which takes longer than our statements: set jit = off',
  fsync: 'a crash of the database server can destroy the database: set fsync = on',
  synchronous_commit:
    'a crash of the database server can undo purchases that were answered: set synchronous_commit = on',
  max_connections:
    'the database server accepts fewer connections than our processes may open, and requests would be answered 503: raise max_connections',
} as const;

export const whyUnfit = ({ setting }: DatabaseSetting): string => unfit[setting];

/** Beside the pools: one to listen, and four of the simulated supplier. */
const OTHER_CONNECTIONS = 5;

export const connectionsOf = ({ pools }: Pick<Config, 'pools'>): number =>
  Object.values(pools).reduce((sum, size) => sum + size, OTHER_CONNECTIONS);

/**
 * Rows of `DatabaseSetting`. `jit` is off in our sessions, whatever the server says (`platform/db/session.ts`), so it counts only if that did not
 * reach it. Every process that is alive is taken to open as many connections as this one; some are kept for administrators.
 */
const settingsAt = (now: number, connections: number): Sql => sql`
  select setting, value, is_unfit as "isUnfit" from (values
    ('jit', current_setting('jit'), current_setting('jit') <> 'off'),
    ('fsync', current_setting('fsync'), current_setting('fsync') = 'off'),
    ('synchronous_commit', current_setting('synchronous_commit'), current_setting('synchronous_commit') = 'off'),
    ('max_connections', current_setting('max_connections'),
      current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
        - coalesce(current_setting('reserved_connections', true), '0')::int
      < ${connections}::int * greatest(1, (
        select count(*) from shared.processes where last_seen > ${new Date(now - SILENT_AFTER_MS)}::timestamptz)))
  ) as settings (setting, value, is_unfit)`;

export const readDatabaseSettings = (db: Queryable, now: number, connections: number): Promise<DatabaseSetting[]> =>
  db.query<DatabaseSetting>(settingsAt(now, connections));
