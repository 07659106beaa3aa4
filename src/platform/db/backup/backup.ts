import type pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { Refused } from '../../contract/refused.ts';
import { type Applied, SCHEMAS } from '../migrate/migrations.ts';
import { withSession } from '../session.ts';
import { END_OF_ROWS, FORMAT, type Manifest, type Table, type Totals, writeBackup, written } from './backup-file.ts';

/**
 * Copies the whole database into one file while servers use it.
 *
 * One transaction in `repeatable read` reads everything, so the file is a consistent snapshot: every order with its charge and its
 * events. It takes the weakest lock, which only a migration waits for, so servers notice nothing but the reading.
 *
 * It knows no table by name except `shared.migrations`: the tables are whatever the database has, in whatever version of the
 * schema. Rows are copied, not files, so a backup does not depend on the version of PostgreSQL, and one of the embedded
 * database can be restored into a PostgreSQL of your own.
 *
 * Not in it: the secret, the password of the embedded database, roles and rights (restoring makes them).
 */
export async function takeBackup(
  url: string,
  file: string,
  version: string,
  progress: (label: string, done: number, total: number) => void,
): Promise<{ bytes: number; takenAt: string; rows: number }> {
  return withSession({ url, name: 'backup', settings: COPY_SETTINGS }, async (client) => {
    const { rows: locks } = await client.query('select pg_try_advisory_lock($1) as held', [BACKUP_LOCK]);
    if (!locks[0].held) throw new Refused('backup_running', 'another backup of this database is being taken');
    const tables = inLoadingOrder(await tablesOf(client));
    if (tables.length === 0) throw new Refused('no_database', 'this database has no Wayfare schema');
    // First the locks, then the snapshot, which begins with the first query: so no migration comes between them.
    await client.query('begin isolation level repeatable read read only');
    await client.query(`lock table ${tables.map(({ table }) => table).join(', ')} in access share mode`);
    const now = inLoadingOrder(await tablesOf(client));
    if (JSON.stringify(now) !== JSON.stringify(tables))
      throw new Refused('schema_changed', 'a migration changed the schema just now: try again');
    const manifest = await manifestOf(client, version);
    let rows = 0;
    const content = contentOf(client, manifest, tables, (done, copied) => {
      rows += copied;
      progress('backup', done, tables.length);
    });
    const bytes = await writeBackup(file, content);
    return { bytes, takenAt: manifest.takenAt, rows };
  });
}

/** Any fixed number, other than the migrations'. */
const BACKUP_LOCK = 7_203_912;

/** Values are written and read in one format, whatever the server's own settings; and reading everything has no time limit. */
export const COPY_SETTINGS = {
  statement_timeout: '0',
  idle_in_transaction_session_timeout: '0',
  timezone: 'UTC',
  datestyle: 'ISO, MDY',
  intervalstyle: 'postgres',
  bytea_output: 'hex',
  extra_float_digits: '1',
} as const;

async function* contentOf(
  client: pg.Client,
  manifest: Manifest,
  tables: readonly Table[],
  copied: (tables: number, rows: number) => void,
): AsyncGenerator<Buffer, Totals> {
  yield written(manifest);
  const rows: Record<string, number> = {};
  for (const [i, table] of tables.entries()) {
    yield written({ table: table.table, columns: table.columns });
    const copy = client.query(copyTo(`copy (select ${table.columns.join(', ')} from ${table.table}) to stdout`));
    yield* copy as AsyncIterable<Buffer>;
    yield END_OF_ROWS;
    rows[table.table] = copy.rowCount;
    copied(i + 1, copy.rowCount);
  }
  // Sequences are not part of a snapshot. Read last, each is at or past every number that the copied rows use.
  return { rows, sequences: await sequencesOf(client) };
}

async function manifestOf(client: pg.Client, version: string): Promise<Manifest> {
  const { rows: migrations } = await client.query<Applied>('select id, hash from shared.migrations order by id');
  const { rows } = await client.query(`
    select to_char(now(), 'YYYY-MM-DD HH24:MI:SS') as at,
      (select value from shared.settings where name = 'vault') as mark`);
  return { format: FORMAT, version, takenAt: rows[0].at, migrations, mark: rows[0].mark };
}

type TableWithKeys = Table & { readonly refersTo: readonly string[] };

async function tablesOf(client: pg.Client): Promise<TableWithKeys[]> {
  const { rows } = await client.query<TableWithKeys>(
    `select format('%I.%I', n.nspname, c.relname) as table,
      array(
        select quote_ident(attname) from pg_attribute
        where attrelid = c.oid and attnum > 0 and not attisdropped and attgenerated = '' order by attnum
      ) as columns,
      array(
        select format('%I.%I', fn.nspname, f.relname) from pg_constraint k
        join pg_class f on f.oid = k.confrelid join pg_namespace fn on fn.oid = f.relnamespace
        where k.conrelid = c.oid and k.contype = 'f' and k.confrelid <> c.oid
      ) as "refersTo"
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = any($1) and c.relkind in ('r', 'p') and not c.relispartition
      and (n.nspname, c.relname) <> ('shared', 'migrations')
    order by array_position($1, n.nspname::text), c.relname`,
    [SCHEMAS],
  );
  return rows;
}

/** Each table after those its foreign keys refer to. */
export function inLoadingOrder(tables: readonly TableWithKeys[]): TableWithKeys[] {
  const ordered: TableWithKeys[] = [];
  const placed = new Set<string>();
  while (ordered.length < tables.length) {
    const ready = tables.filter(
      ({ table, refersTo }) => !placed.has(table) && refersTo.every((other) => placed.has(other)),
    );
    if (ready.length === 0) throw new Error('tables that refer to each other in a circle cannot be backed up');
    for (const table of ready) placed.add(table.table);
    ordered.push(...ready);
  }
  return ordered;
}

async function sequencesOf(client: pg.Client): Promise<Totals['sequences'][number][]> {
  const { rows: found } = await client.query<{ name: string }>(
    `select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = any($1) and c.relkind = 'S' order by 1`,
    [SCHEMAS],
  );
  const sequences: Totals['sequences'][number][] = [];
  for (const { name } of found) {
    const { rows } = await client.query(`select last_value as value, is_called as "isCalled" from ${name}`);
    sequences.push({ name, ...rows[0] });
  }
  return sequences;
}
