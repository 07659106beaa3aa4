import { raw, sql } from '../../../src/platform/db/query/sql.ts';
import type { TestApp } from '../program/app.ts';

/**
 * Tables that processes write beside their work, some time after it: logs of calls (refused ones included), counters, the last success
 * of each job, heartbeats, and answers stored under idempotency keys.
 */
const NOTES = [
  'action_keys',
  'request_log',
  'supplier_calls',
  'supplier_figures',
  'request_figures',
  'service_hours',
  'order_days_changed',
  'partner_sales_by_day',
  'partner_plans_by_day',
  'sales_by_day',
  'sales_by_day_progress',
  'ledger_by_month',
  'ledger_by_month_progress',
  'book_sums',
  'processes',
  'settings',
];

/** How many rows every table but the notes holds, for tests that say "nothing was written": { 'live.orders': 3, … }. */
export async function rowCounts(t: TestApp, schemas = ['shared', 'live', 'sandbox']): Promise<Record<string, number>> {
  const tables = await t.base.db.query<{ name: string }>(sql`
    select nspname || '.' || relname as name from pg_class join pg_namespace on pg_namespace.oid = relnamespace
    where nspname = any(${schemas}) and relkind in ('r', 'p') and not relispartition and relname <> all(${NOTES}) order by 1`);
  const counts = tables.map(({ name }) => `select '${name}' as name, count(*)::int as rows from ${name}`);
  const rows = await t.base.db.query<{ name: string; rows: number }>(raw(counts.join(' union all ')));
  return Object.fromEntries(rows.map(({ name, rows }) => [name, rows]));
}

/** Everything the tables of a schema say, except the notes, as one fingerprint each. */
export async function contents(t: TestApp, schema: 'live' | 'sandbox' | 'shared'): Promise<Record<string, string>> {
  const tables = Object.keys(await rowCounts(t, [schema]));
  const prints = tables.map(
    (name) =>
      `select '${name}' as name, coalesce(md5(string_agg(t::text, ',' order by t::text)), '') as print from ${name} t`,
  );
  const rows = await t.base.db.query<{ name: string; print: string }>(raw(prints.join(' union all ')));
  return Object.fromEntries(rows.map(({ name, print }) => [name, print]));
}
