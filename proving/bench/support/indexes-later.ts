import { readFile } from 'node:fs/promises';
import type { Db } from '../../../src/platform/db/database.ts';
import { raw, sql } from '../../../src/platform/db/query/sql.ts';
import { dumpSchema } from '../../../test/support/database/schema-dump.ts';

/*
 * Filling tables without their indexes, and building these at the end, each in one go: with every index in place, a row costs several times
 * as much. Definitions of indexes are read from the database and stored there until they are built again, so an interrupted build can continue.
 * Indexes of keys stay: ids only grow, which costs them little.
 */

/** Drops the indexes of these tables of the live world. */
export const dropIndexes = (db: Db, tables: readonly string[]): Promise<void> =>
  db.tx(async (tx) => {
    await tx.run(sql`create table if not exists public.bulk_indexes (name text primary key, definition text not null)`);
    const dropped = await tx.query<{ name: string }>(sql`
      insert into public.bulk_indexes
      select indexrelid::regclass::text, pg_get_indexdef(indexrelid) from pg_index
      where indrelid = any (${tables.map((table) => `live.${table}`)}::text[]::regclass[])
        and not exists (select from pg_constraint where conindid = indexrelid)
      returning name`);
    for (const { name } of dropped) await tx.run(sql`drop index ${raw(name)}`);
  });

/** Builds the dropped indexes again, and reports after each how many are left. */
export async function buildIndexes(db: Db, onIndex: (left: number) => void): Promise<void> {
  const all = await db.query<{ name: string; definition: string }>(sql`
    select name, definition from public.bulk_indexes order by definition`);
  for (const [i, { name, definition }] of all.entries()) {
    await db.tx(async (tx) => {
      await tx.run(sql`${raw(definition)}`);
      await tx.run(sql`delete from public.bulk_indexes where name = ${name}`);
    });
    onIndex(all.length - i - 1);
  }
}

/** Checks that the schema is again the one that the migrations make. */
export async function requireSameSchema(url: string): Promise<void> {
  const due = await readFile(new URL('../../../schema.sql', import.meta.url), 'utf8');
  if ((await dumpSchema(url)) !== due) throw new Error('the schema is not the one in schema.sql');
}
