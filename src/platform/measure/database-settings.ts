import type { Queryable } from '../db/database.ts';
import { type Sql, sql } from '../db/query/sql.ts';
import { SILENT_AFTER_MS } from '../jobs/processes.ts';
import type { Config } from '../settings/config.ts';

/** A setting of the database server as our sessions have it. */
export interface DatabaseSetting {
  readonly setting: keyof typeof unfit;
  readonly value: string;
  /** Its value is unsuitable. */
  readonly isUnfit: boolean;
}

/** What an unsuitable value means. */
const unfit = {
  jit: 'the database server compiles plans, which takes longer than our statements: set jit = off',
  fsync: 'a crash of the database server can destroy the database: set fsync = on',
  synchronous_commit:
    'a crash of the database server can undo purchases that were answered: set synchronous_commit = on',
  max_connections:
    'the database server accepts fewer connections than our processes may open, and requests would be answered 503: raise max_connections',
} as const;

export const whyUnfit = ({ setting }: DatabaseSetting): string => unfit[setting];

/** Beside the pools: one to listen, and four of the simulated supplier. */
const OTHER_CONNECTIONS = 5;

/** The most connections a process with these settings opens. */
export const connectionsOf = ({ pools }: Pick<Config, 'pools'>): number =>
  Object.values(pools).reduce((sum, size) => sum + size, OTHER_CONNECTIONS);

/**
 * Rows of `DatabaseSetting`. `jit` is off in our sessions, whatever the server says (`platform/db/session.ts`), so it counts only if that did not
 * reach it. Every process that is alive is taken to open as many connections as this one; some are kept for administrators.
 */
export const settingsAt = (now: number, connections: number): Sql => sql`
  select setting, value, is_unfit as "isUnfit" from (values
    ('jit', current_setting('jit'), current_setting('jit') <> 'off'),
    ('fsync', current_setting('fsync'), current_setting('fsync') = 'off'),
    ('synchronous_commit', current_setting('synchronous_commit'), current_setting('synchronous_commit') = 'off'),
    ('max_connections', current_setting('max_connections'),
      current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
        - coalesce(current_setting('reserved_connections', true), '0')::int
      < ${connections}::int * greatest(1, (
        select count(*) from shared.processes where last_seen > ${new Date(now - SILENT_AFTER_MS)}::timestamptz)))
  ) as settings (setting, value, is_unfit)`;

export const readDatabaseSettings = (db: Queryable, now: number, connections: number): Promise<DatabaseSetting[]> =>
  db.query<DatabaseSetting>(settingsAt(now, connections));
