import type { Queryable } from '../db/database.ts';
import { sql } from '../db/sql.ts';

export interface TableSize {
  /** `live.orders` */
  readonly table: string;
  /** With its indexes. */
  readonly bytes: number;
  /** As the server's statistics estimate. */
  readonly rows: number;
}

const LARGEST = 12;

/** How large the database is, from the server's own bookkeeping: no table is read. */
export async function databaseSize(db: Queryable): Promise<{ bytes: number; server: string; tables: TableSize[] }> {
  const [whole, tables] = await Promise.all([
    db.one<{ bytes: number; server: string }>(sql`
      select pg_database_size(current_database())::float8 as bytes, current_setting('server_version') as server`),
    db.query<TableSize>(sql`
      select schemaname || '.' || relname as table, pg_total_relation_size(relid)::float8 as bytes,
        n_live_tup::float8 as rows
      from pg_stat_user_tables order by 2 desc, 1 limit ${LARGEST}`),
  ]);
  return { ...whole, tables };
}
