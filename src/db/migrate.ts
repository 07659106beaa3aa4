import { setTimeout as wait } from 'node:timers/promises';
import type pg from 'pg';
import type { Log } from '../log.ts';
import { sqlState } from './database-errors.ts';
import { buildIndex, isIndexBuild } from './index-build.ts';
import { type Applied, type Migration, migrationsOnDisk, unapplied } from './migrations.ts';
import { requireSessions } from './pooler.ts';
import type { Queryable } from './queryable.ts';
import { openSession } from './session.ts';
import { sql } from './sql.ts';

/** The role of a world's connections: it has its own schema and reads `shared`, except `OWNER_ONLY`. */
export const worldRole = { live: 'wayfare_live', sandbox: 'wayfare_sandbox' } as const;

/** Live rows are kept; only these tables are ever pruned there. Add a table here with the reason it may shrink. */
const PRUNED_IN_LIVE: readonly string[] = [
  // A delivery leaves the queue when it is done; the log keeps it.
  'webhook_queue',
  // The log is for looking up what happened lately, and it outgrows everything else; orders and the ledger stay.
  'webhook_deliveries',
  // Goes with its delivery.
  'webhook_attempts',
  // An order leaves it once its end is counted.
  'orders_counted_open',
  'sales_counted_open',
  // Sums for charts; the orders and the ledger stay.
  'request_figures',
  // The latest calls of each account; what was done is in the orders and the ledger.
  'request_log',
  // What suppliers were asked lately; what came of it is in the orders.
  'supplier_calls',
];
const APPEND_ONLY = ['movements', 'transfers'] as const;
/** Panel sign-ins, mail, what agents spend and what people asked for: neither world needs to read them. */
const OWNER_ONLY = [
  'people',
  'members',
  'member_links',
  'sessions',
  'second_factors',
  'staff',
  'staff_links',
  'staff_places',
  'staff_second_factors',
  'staff_sessions',
  'staff_views',
  'sign_in_places',
  'sign_in_failures',
  'mails',
  'notices',
  'password_requests',
  'agent_purchases',
  'action_keys',
] as const;

/** Any fixed number: the process that holds this advisory lock migrates. */
const MIGRATION_LOCK = 7_203_911;
const LOCK_POLL_MS = 50;

export class MigrationBlocked extends Error {}

/** SQLSTATE. */
const LOCK_NOT_AVAILABLE = '55P03';
const BLOCKED =
  'the migrations could not lock a table they change: end the long transaction that uses it, and start again';

/**
 * Brings the database up to date and returns what was applied. Two processes at once are fine: the second waits and finds
 * nothing to do. Everything is applied in one transaction, except indexes on big tables, which follow (`index-build.ts`).
 *
 * While a migration waits for a table, every statement behind it waits too, so it must not wait long: after `lockTimeoutMs` it
 * gives up, all is rolled back, the statements behind it go on, and it tries again.
 */
export async function migrate(
  url: string,
  log?: Pick<Log, 'warn'>,
  { lockTimeoutMs = 2_000, pauseMs = 3_000, tries = 20, onDisk = migrationsOnDisk() } = {},
): Promise<string[]> {
  const client = await openSession({ url, name: 'migrate', connectionTimeoutMillis: 5_000 });
  try {
    await requireSessions(client, url);
    await lockMigrations(client);
    const { rows: applied } = await client.query<Applied>('select id, hash from shared.migrations');
    const pending = unapplied(await onDisk, applied);
    const inTransaction = pending.filter((migration) => !isIndexBuild(migration));
    await client.query(`set lock_timeout = ${lockTimeoutMs}`);
    for (let left = tries - 1; inTransaction.length > 0; left--) {
      try {
        await apply(client, inTransaction);
        break;
      } catch (error) {
        if (sqlState(error) !== LOCK_NOT_AVAILABLE) throw error;
        if (left === 0) throw new MigrationBlocked(BLOCKED, { cause: error });
        log?.warn({ left }, 'a migration waits for a table that is in use; it tries again');
        await wait(pauseMs);
      }
    }
    const indexes = pending.filter(isIndexBuild);
    for (const migration of indexes) await buildIndex(client, migration);
    return [...inTransaction, ...indexes].map(({ id }) => id);
  } finally {
    await client.end();
  }
}

/**
 * From here to the end of the session only this one changes the schema. The lock is tried instead of waited for: a statement that
 * waits is an open transaction, and the process that holds the lock may be building an index, which waits for all of those.
 */
export async function lockMigrations(client: pg.Client): Promise<void> {
  const attempt = async () =>
    (await client.query<{ held: boolean }>('select pg_try_advisory_lock($1) as held', [MIGRATION_LOCK])).rows[0]?.held;
  while (!(await attempt())) await wait(LOCK_POLL_MS);
  await client.query('create schema if not exists shared');
  await client.query(
    'create table if not exists shared.migrations (id text primary key, hash text not null, at timestamptz not null default now())',
  );
}

/** Rights are part of it: wherever it is killed, the database has all of this or nothing. */
async function apply(client: pg.Client, migrations: readonly Migration[]): Promise<void> {
  await client.query('begin');
  try {
    await applyEach(client, migrations);
    await grantRoles(client);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => {});
    throw error;
  }
}

/** In the caller's transaction, which ends with `grantRoles`. */
export async function applyEach(client: pg.Client, migrations: readonly Migration[]): Promise<void> {
  for (const { id, schema, text, hash } of migrations) {
    await client.query(`create schema if not exists ${schema}`);
    await client.query(`set local search_path = ${schema}, shared`);
    await client.query(text);
    await client.query('insert into shared.migrations (id, hash) values ($1, $2)', [id, hash]);
  }
}

let ofThisProgram: Promise<Migration[]> | undefined;

/** True when nothing is left to apply. The files are read and hashed once: they do not change while the program runs. */
export async function isMigrated(db: Queryable): Promise<boolean> {
  ofThisProgram ??= migrationsOnDisk();
  const applied = await db.query<Applied>(sql`select id, hash from shared.migrations`);
  return unapplied(await ofThisProgram, applied).length === 0;
}

/** How the database's schema compares to this program's. */
export interface SchemaState {
  readonly applied: number;
  readonly pending: readonly string[];
  /** Applied, but not among this program's files: a newer version did. */
  readonly unknown: readonly string[];
  /** The last ones applied, the latest first. */
  readonly latest: readonly { readonly id: string; readonly at: Date }[];
}

const LATEST = 5;

export async function readSchemaState(db: Queryable): Promise<SchemaState> {
  ofThisProgram ??= migrationsOnDisk();
  const rows = await db.query<Applied & { at: Date }>(sql`
    select id, hash, at from shared.migrations order by at desc, id desc`);
  const onDisk = await ofThisProgram;
  return {
    applied: rows.length,
    pending: unapplied(onDisk, rows).map(({ id }) => id),
    unknown: rows.filter(({ id }) => !onDisk.some((migration) => migration.id === id)).map(({ id }) => id),
    latest: rows.slice(0, LATEST).map(({ id, at }) => ({ id, at })),
  };
}

export async function grantRoles(client: pg.Client): Promise<void> {
  for (const [schema, role] of Object.entries(worldRole)) {
    // Roles belong to the whole server: an administrator may have made it, or another database may be making it right now.
    await client.query(
      `do $$ begin
        if not exists (select from pg_roles where rolname = '${role}') then create role ${role} nologin; end if;
      exception when duplicate_object or unique_violation then null; end $$`,
    );
    // In PostgreSQL 15 membership always includes the right to set the role; from 16 on that is a right of its own.
    await client.query(
      `do $$ begin if not pg_has_role(current_user, '${role}',
        case when current_setting('server_version_num')::int < 160000 then 'member' else 'set' end)
      then grant ${role} to current_user; end if; end $$`,
    );
    const statements = [
      `grant usage on schema shared, ${schema} to ${role}`,
      `grant select on all tables in schema shared to ${role}`,
      ...OWNER_ONLY.map((table) => `revoke all on shared.${table} from ${role}`),
      // A world says what a partner is to be told; who is told, and how, it does not learn.
      `grant insert on shared.notices to ${role}`,
      `grant select, insert, update on all tables in schema ${schema} to ${role}`,
      `grant usage on all sequences in schema ${schema} to ${role}`,
      ...APPEND_ONLY.map((table) => `revoke update on ${schema}.${table} from ${role}`),
      ...(schema === 'sandbox' ? [`grant delete on all tables in schema sandbox to ${role}`] : []),
      ...(schema === 'live' ? PRUNED_IN_LIVE.map((table) => grantDelete(table, role)) : []),
    ];
    for (const statement of statements) await client.query(statement);
  }
}

/** A schema that is brought up from an earlier version has fewer tables on the way. */
const grantDelete = (table: string, role: string): string =>
  `do $$ begin if to_regclass('live.${table}') is not null then grant delete on live.${table} to ${role}; end if; end $$`;
