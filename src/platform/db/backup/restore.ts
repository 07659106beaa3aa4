import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { Refused } from '../../contract/refused.ts';
import { isIndexBuild } from '../migrate/index-build.ts';
import { applyEach, conclude, lockMigrations, migrate } from '../migrate/migrate.ts';
import {
  type Applied,
  isBaseline,
  isTooOld,
  type Migration,
  migrationsOnDisk,
  SCHEMAS,
  stepsFrom,
  unapplied,
} from '../migrate/migrations.ts';
import { withSession } from '../session.ts';
import { COPY_SETTINGS } from './backup.ts';
import type { Manifest, Totals } from './backup-file.ts';
import { BackupReader } from './backup-reader.ts';

const IDENTIFIER = /^([a-z_][a-z0-9_]*|"[^"]+")$/;

/** The first line of a backup, before anything is changed. */
export async function readManifest(file: string): Promise<Manifest> {
  await using backup = new BackupReader(file);
  return await backup.manifest();
}

/**
 * Loads a backup into an empty database, in one transaction: wherever it is killed, and whatever is wrong with the file, the
 * database stays empty and it can be tried again. Returns how many rows there are.
 *
 * 1. The schema is made as it was: the baseline and exactly the later migrations that the backup names, so a backup of the previous
 *    release fits.
 * 2. Rows are loaded without indexes, which follow, and with our triggers off, because what they would do was done when the rows were written; foreign keys and
 *    checks hold. What migrations inserted is removed first, since the backup has it too.
 * 3. The counts and the checksum of the file must be right.
 * 4. Later migrations bring the data up to this version, and the worlds' roles get their rights.
 * Indexes on big tables follow after the transaction, as in any migration.
 */
export async function restoreBackup(
  url: string,
  file: string,
  progress: (label: string, done: number, total: number) => void,
): Promise<number> {
  const rows = await withSession({ url, name: 'restore', settings: COPY_SETTINGS }, async (client) => {
    await lockMigrations(client);
    await requireEmpty(client);
    await using backup = new BackupReader(file);
    const manifest = await backup.manifest();
    const onDisk = await migrationsOnDisk();
    await client.query('begin');
    await applyEach(client, inBackup(manifest, onDisk));
    const tables = await emptyTables(client);
    const indexes = await dropIndexes(client);
    const totals = await load(client, backup, tables, (done) => progress('restore', done, tables.length));
    for (const table of tables) await client.query(`alter table ${table} enable trigger user`);
    for (const index of indexes) await client.query(index);
    const { rows: applied } = await client.query<Applied>('select id, hash from shared.migrations');
    await applyEach(client, withoutIndexBuilds(stepsFrom(applied, onDisk)));
    await conclude(client);
    await client.query('commit');
    await client.query('analyze');
    return Object.values(totals.rows).reduce((sum, count) => sum + count, 0);
  });
  await migrate(url);
  return rows;
}

async function requireEmpty(client: pg.Client): Promise<void> {
  const { rowCount } = await client.query('select from shared.migrations limit 1');
  if (rowCount)
    throw new Refused(
      'not_empty',
      'there is a Wayfare database already: restore into an empty data folder or database',
    );
}

const withoutIndexBuilds = (migrations: readonly Migration[]): Migration[] =>
  migrations.filter((migration) => !isIndexBuild(migration));

/** What makes the backup's schema. All of its migrations must be ours, unchanged. */
function inBackup({ version, migrations }: Manifest, onDisk: readonly Migration[]): Migration[] {
  const known = new Set(onDisk.map(({ id }) => id));
  const unknown = migrations.find(({ id }) => !known.has(id));
  if (unknown)
    throw new Refused(
      'newer_backup',
      `the backup was made by Wayfare ${version} with ${unknown.id}: restore it with that`,
    );
  if (isTooOld(onDisk, migrations))
    throw new Refused(
      'older_backup',
      'the backup is older than the previous release: restore it with that release, then upgrade',
    );
  const left = new Set(unapplied(onDisk, migrations).filter((migration) => !isBaseline(migration)));
  const named = onDisk.filter((migration) => !left.has(migration));
  return withoutIndexBuilds(stepsFrom([], named));
}

/** Every table of ours except `migrations`, with nothing in it and our triggers off. */
async function emptyTables(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ table: string }>(
    `select format('%I.%I', schemaname, tablename) as table from pg_tables
    where schemaname = any($1) and (schemaname, tablename) <> ('shared', 'migrations')`,
    [SCHEMAS],
  );
  const tables = rows.map(({ table }) => table);
  for (const table of tables) await client.query(`alter table ${table} disable trigger user`);
  await client.query(`truncate ${tables.join(', ')}`);
  return tables;
}

/** An index that is made of the rows costs a fraction of one that every row is added to. Those of keys stay: loading needs them. So do those of partitions, which cannot go one by one. */
async function dropIndexes(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string; statement: string }>(
    `select format('%I.%I', n.nspname, c.relname) as name, pg_get_indexdef(c.oid) as statement
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = any($1) and c.relkind = 'i' and not c.relispartition and not exists (select from pg_constraint where conindid = c.oid)`,
    [SCHEMAS],
  );
  await client.query(`drop index ${rows.map(({ name }) => name).join(', ')}`);
  return rows.map(({ statement }) => statement);
}

async function load(
  client: pg.Client,
  backup: BackupReader,
  tables: readonly string[],
  loaded: (tables: number) => void,
): Promise<Totals> {
  const counts: Record<string, number> = {};
  for (;;) {
    const next = await backup.next();
    if ('table' in next) {
      const { table, columns } = next;
      // They become part of a statement.
      if (!tables.includes(table) || !columns.every((column) => IDENTIFIER.test(column)))
        throw new Refused('not_a_backup', `${table} (${columns.join(', ')}) is not a table of the backup's version`);
      const copy = client.query(copyFrom(`copy ${table} (${columns.join(', ')}) from stdin`));
      await pipeline(backup.rows(), copy);
      counts[table] = copy.rowCount;
      loaded(Object.keys(counts).length);
      continue;
    }
    for (const [table, expected] of Object.entries(next.rows))
      if (counts[table] !== expected)
        throw new Refused(
          'not_a_backup',
          `${counts[table]} rows of ${table} were restored, and the backup has ${expected}`,
        );
    for (const { name, value, isCalled } of next.sequences)
      await client.query('select setval($1::regclass, $2, $3)', [name, value, isCalled]);
    return next;
  }
}
