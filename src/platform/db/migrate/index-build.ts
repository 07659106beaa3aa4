import type pg from 'pg';
import { setSearchPath } from '../search-path.ts';
import type { Migration } from './migrations.ts';
import { statementsOf } from './table-locks.ts';

/**
 * Building and dropping an index of a big table.
 *
 * `create index` keeps writers out of the table until it is done, which on a big one is an outage. `create index concurrently`
 * does not, but it cannot run in a transaction, so it is not undone when it is
 * interrupted: an invalid index is left behind, which costs every write and serves no query.
 *
 * So a migration file that is exactly one `create index concurrently if not exists NAME on …;` is applied by itself, after all
 * others. Whenever it is interrupted, the next start finds it unapplied, drops what is invalid and builds it
 * again; an index that was finished just before is kept. The migration lock keeps a second process from building it too.
 *
 * It waits for every transaction that was open when it began. That blocks no other statement, so it has no time limit.
 *
 * A file that is exactly one `drop index concurrently if exists NAME;` is applied in the same way, in the order of the files, so an index
 * is dropped when the one that replaces it is there.
 */
const FORM =
  /^(?:create (?:unique )?index concurrently if not exists (\w+) on .+|drop index concurrently if exists (\w+))$/s;

function indexOf({ text }: Migration): string | undefined {
  const [only, ...more] = statementsOf(text);
  const form = more.length === 0 ? FORM.exec(only ?? '') : null;
  return form?.[1] ?? form?.[2];
}

export const isIndexBuild = (migration: Migration): boolean => indexOf(migration) !== undefined;

/** The caller holds the migration lock and is in no transaction. */
export async function buildIndex(client: pg.Client, migration: Migration): Promise<void> {
  const { id, schema, text, hash } = migration;
  const index = `${schema}.${indexOf(migration)}`;
  await client.query('set lock_timeout = 0');
  await client.query('set statement_timeout = 0');
  await client.query(setSearchPath(schema, 'session'));
  await dropInvalid(client, index);
  await client.query(text);
  await client.query('insert into shared.migrations (id, hash) values ($1, $2)', [id, hash]);
}

/** What a build that was interrupted left behind. */
async function dropInvalid(client: pg.Client, index: string): Promise<void> {
  const { rowCount: leftover } = await client.query(
    'select from pg_index where indexrelid = to_regclass($1) and not indisvalid',
    [index],
  );
  if (leftover) await client.query(`drop index concurrently ${index}`);
}
