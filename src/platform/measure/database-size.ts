import type { Queryable } from '../db/database.ts';
import { sql } from '../db/query/sql.ts';

export interface TableSize {
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
