import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import type { Log } from '../../log.ts';
import { sqlState } from '../database-errors.ts';
import { setSearchPath } from '../search-path.ts';
import { withSession } from '../session.ts';
import { backfillOf, fillIn, splitData } from './backfill.ts';
import { buildIndex, isIndexBuild } from './index-build.ts';
import { type Applied, type Migration, migrationsOnDisk, stepsFrom } from './migrations.ts';
import { commentColumns } from './personal-columns.ts';
import { grantRoles } from './rights.ts';
import { notePromise, requirePromised } from './schema-promise.ts';
import { takeLocks } from './table-locks.ts';

/** Any fixed number: the process that holds this advisory lock migrates. */
const MIGRATION_LOCK = 7_203_911;
const LOCK_POLL_MS = 50;

class MigrationBlocked extends Error {}

/** SQLSTATEs of a transaction that could not get its locks, was rolled back, and may get them later. */
const BLOCKED: readonly unknown[] = ['55P03', '40P01'];

/** An index build takes one core, not all of them, so that servers are not starved. */
const SETTINGS = { statement_timeout: '0', max_parallel_maintenance_workers: '0' };

interface MigrateOptions {
  /** How long a migration waits for its tables; every request to them meanwhile queues behind it. */
  readonly lockTimeoutMs?: number;
  readonly pauseMs?: number;
  readonly tries?: number;
  readonly onDisk?: Promise<readonly Migration[]>;
  /** Asked before a database that is in use is changed; throws if something uses it that must not see the change. */
  readonly requireOthers?: (client: pg.Client) => Promise<void>;
}

/**
 * Brings the database up to date and returns what was applied. Two processes at once are fine: the second waits and finds
 * nothing to do.
 *
 * Servers of the previous version may be serving meanwhile, so no lock is held for long. Each migration is a transaction of its
 * own, which takes all its locks first (`table-locks.ts`); if it cannot get them soon, it is rolled back, the others proceed, and
 * it tries again. Rows of big tables are filled in by small batches (`backfill.ts`). Indexes of big tables come after the
 * others (`index-build.ts`). Wherever it is killed, the database has the first few migrations, each with its rights, and the next run
 * continues from there. An empty database has no users: it gets everything in one transaction.
 */
export async function migrate(
  url: string,
  log?: Pick<Log, 'warn'>,
  { lockTimeoutMs = 200, pauseMs = 1_000, tries = 90, onDisk = migrationsOnDisk(), requireOthers }: MigrateOptions = {},
): Promise<string[]> {
  return withSession({ url, name: 'migrate', settings: SETTINGS }, async (client) => {
    await lockMigrations(client);
    const { rows: applied } = await client.query<Applied>('select id, hash from shared.migrations');
    const migrations = await onDisk;
    await requirePromised(client, migrations, applied);
    const pending = stepsFrom(applied, migrations);
    const isFirst = applied.length === 0;
    const indexes = pending.filter(isIndexBuild);
    const steps = pending.filter((migration) => !indexes.includes(migration));
    if (!isFirst && pending.length > 0) await requireOthers?.(client);

    /** Runs `work` until it gets its locks. */
    const persist = async (what: string, work: () => Promise<void>): Promise<void> => {
      for (let left = tries - 1; ; left--) {
        try {
          return await work();
        } catch (error) {
          if (!BLOCKED.includes(sqlState(error))) throw error;
          if (left === 0) throw new MigrationBlocked(blocked(what), { cause: error });
          log?.warn({ migration: what, left }, 'a migration waits for a table that is in use; it tries again');
          await wait(pauseMs);
        }
      }
    };
    /** A transaction that waits for a lock no longer than it may. */
    const attempt = (what: string, work: () => Promise<void>): Promise<void> =>
      persist(what, () =>
        inTransaction(client, async () => {
          await client.query(`set local lock_timeout = ${lockTimeoutMs}`);
          await work();
        }),
      );

    const finish = (migration: Migration) => fillIn(client, migration, (work) => attempt(migration.id, work));
    const { rows: begun } = await client.query<{ id: string }>('select migration as id from shared.backfills');
    for (const migration of migrations) if (begun.some(({ id }) => id === migration.id)) await finish(migration);
    if (isFirst && steps.length > 0)
      await attempt('the first migration', async () => {
        await applyEach(client, steps);
        await conclude(client);
      });
    else
      for (const migration of steps) {
        const isLast = migration === steps.at(-1);
        await attempt(migration.id, () => applyBesideOthers(client, migration, lockTimeoutMs, isLast));
        if (backfillOf(migration)) await finish(migration);
      }
    for (const migration of indexes) await persist(migration.id, () => buildIndex(client, migration));
    return [...steps, ...indexes].map(({ id }) => id);
  });
}

const blocked = (what: string): string =>
  `${what} could not lock a table it changes: end the long transaction that uses it, and start again`;

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
  // Migrations whose rows are still being filled in, and how far that has come. Ids begin at 1.
  await client.query(
    'create table if not exists shared.backfills (migration text primary key, done_to bigint not null default 0)',
  );
}

async function inTransaction(client: pg.Client, work: () => Promise<void>): Promise<void> {
  await client.query('begin');
  try {
    await work();
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => {});
    throw error;
  }
}

/** Several migrations at once, in the caller's transaction, which ends with `conclude`. For a database without users. */
export async function applyEach(client: pg.Client, migrations: readonly Migration[]): Promise<void> {
  for (const { id, schema, text, hash } of migrations) {
    await client.query(`create schema if not exists ${schema}`);
    await client.query(setSearchPath(schema, 'local'));
    await client.query(text);
    await client.query('insert into shared.migrations (id, hash) values ($1, $2)', [id, hash]);
  }
}

/**
 * One migration, while others use the database. What it creates gets its rights with it. The last one sets all rights, also those
 * that a new version of the program changes without any migration. After the locks everything is sent at once: others are waiting.
 */
async function applyBesideOthers(
  client: pg.Client,
  migration: Migration,
  lockTimeoutMs: number,
  isLast: boolean,
): Promise<void> {
  const { id, schema, text, hash } = migration;
  const fillsIn = backfillOf(migration) !== undefined;
  const now = fillsIn ? splitData(text).schema.join(';\n') : text;
  const [name, digest] = [pg.escapeLiteral(id), pg.escapeLiteral(hash)];
  await client.query(`create schema if not exists ${schema}; ${setSearchPath(schema, 'local')}`);
  await takeLocks(client, now, lockTimeoutMs);
  await client.query(
    [
      now,
      `insert into shared.migrations (id, hash) values (${name}, ${digest})`,
      ...(fillsIn ? [`insert into shared.backfills (migration) values (${name})`] : []),
    ].join(';\n'),
  );
  if (isLast) await conclude(client);
  else if (/^create (table|view|sequence|schema)\b/im.test(text)) await grantRoles(client);
}

/** What follows the last migration, in the same transaction. */
export async function conclude(client: pg.Client): Promise<void> {
  await grantRoles(client);
  await commentColumns(client);
  await notePromise(client);
}
