import type pg from 'pg';
import { Refused } from '../../contract/refused.ts';
import { sql } from '../query/sql.ts';
import type { Queryable } from '../query/transaction.ts';
import { withSession } from '../session.ts';
import { type Applied, namesOnDisk, requireRecent, unapplied } from './migrations.ts';
import { requirePromised, unknownTo } from './schema-promise.ts';

/** True when nothing is left to apply. */
export async function isMigrated(db: Queryable): Promise<boolean> {
  const applied = await db.query<Applied>(sql`select id, hash from shared.migrations`);
  return unapplied(await namesOnDisk(), applied).length === 0;
}

export type SchemaState = Awaited<ReturnType<typeof readSchemaState>>;

const LATEST = 5;

export async function readSchemaState(db: Queryable) {
  const rows = await db.query<Applied & { at: Date }>(sql`
    select id, hash, at from shared.migrations order by at desc, id desc`);
  const onDisk = await namesOnDisk();
  return {
    applied: rows.length,
    pending: unapplied(onDisk, rows).map(({ id }) => id),
    /** Applied, but not among this program's files: a newer version did. */
    unknown: unknownTo(onDisk, rows),
    latest: rows.slice(0, LATEST).map(({ id, at }) => ({ id, at })),
  };
}

const HOW = 'run `wayfare migrate`, or start a server of this version, first';

/** For whatever must not migrate by itself: throws unless the database is at this program's schema, or at one it works on. */
export async function requireMigrated(url: string): Promise<void> {
  await withSession({ url, name: 'schema check' }, async (client) => {
    const { rows: tables } = await client.query<{ name: string }>(
      "select name from unnest(array['shared.migrations', 'shared.backfills']) as name where to_regclass(name) is not null",
    );
    const read = async <Row extends pg.QueryResultRow>(table: string, columns: string): Promise<Row[]> =>
      tables.some(({ name }) => name === table)
        ? (await client.query<Row>(`select ${columns} from ${table}`)).rows
        : [];
    const applied = await read<Applied>('shared.migrations', 'id, hash');
    if (applied.length === 0) throw new Refused('not_migrated', `this database is empty: ${HOW}`);
    const onDisk = await namesOnDisk();
    await requirePromised(client, onDisk, applied);
    requireRecent(onDisk, applied);
    const missing = new Set(unapplied(onDisk, applied).map(({ id }) => id));
    const begun = await read<{ id: string }>('shared.backfills', 'migration as id');
    // Rows of a newer version do not concern us.
    for (const { id } of onDisk) if (begun.some((one) => one.id === id)) missing.add(id);
    if (missing.size > 0)
      throw new Refused(
        'not_migrated',
        `this database is of an earlier version, ${missing.size} migration${missing.size === 1 ? '' : 's'} behind: ${HOW}`,
      );
  });
}
