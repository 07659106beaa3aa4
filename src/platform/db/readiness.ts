import { setTimeout as wait } from 'node:timers/promises';
import { type Clock, keptFor, SECOND } from '../clock.ts';
import { type Db, sqlState } from './database.ts';
import { isDiskFull } from './database-errors.ts';
import { EditedMigration } from './migrate/migrations.ts';
import { isMigrated } from './migrate/schema-state.ts';
import type { Listener } from './notifications.ts';
import { sql } from './query/sql.ts';

interface ReadinessParts {
  /** The pools requests are served from, the owner's first. */
  readonly pools: readonly [Db, ...Db[]];
  readonly listener: Listener;
  readonly clock: Clock;
}

/** However many ask, the database is looked at once in this time. */
const FRESH_MS = 1 * SECOND;
const PROBE_LIMIT_MS = 2 * SECOND;

const AWAY = 'the database cannot be reached';
const OLD = 'the schema of the database is not current';
const READ_ONLY = 'the database is read-only';
const FULL = 'the disk of the database is full';

/**
 * Why requests cannot be served, undefined if they can: the database is reached, its schema is current, and it accepts writes. Anyone may ask, so it must cost
 * nothing to ask often. The answer is kept for `FRESH_MS`, and everyone who asks while a probe runs shares its outcome.
 *
 * A probe runs on a connection that is open and idle. Opening one would take it from requests, and at the database's
 * connection limit it would fail while requests, which have theirs, succeed. When every connection is busy the notification
 * connection, which proves itself alive every few hundred milliseconds, answers for the database.
 *
 * A full disk is found out by the requests that it fails. From then on a probe tries whether there is room again, by a table that
 * needs some: until then it would fail others.
 */
export function createReadiness({ pools, listener, clock }: ReadinessParts): () => Promise<string | undefined> {
  // The program migrates before it serves.
  let schema: string | undefined;

  async function probe(): Promise<string | undefined> {
    const idle = pools.find((db) => db.load().idle > 0);
    if (!idle && listener.healthy) return schema;
    // Without any connection at all, the first pool opens the one its next request will use.
    const looked = await Promise.race([
      look(idle ?? pools[0]).catch(() => undefined),
      wait(PROBE_LIMIT_MS, undefined, { ref: false }),
    ]);
    schema = looked ? looked.schema : schema;
    return looked ? (looked.schema ?? looked.writes) : listener.healthy ? schema : AWAY;
  }

  async function look(db: Db): Promise<{ schema: string | undefined; writes: string | undefined }> {
    const current = await isMigrated(db).catch((error) => {
      if (error instanceof EditedMigration) return false;
      throw error;
    });
    return { schema: current ? undefined : OLD, writes: await whyNoWrites(db) };
  }

  async function whyNoWrites(db: Db): Promise<string | undefined> {
    const { readOnly } = await db.one<{ readOnly: boolean }>(
      sql`select current_setting('transaction_read_only') = 'on' as "readOnly"`,
    );
    if (readOnly) return READ_ONLY;
    if (!pools.some(({ disk }) => disk.isFull)) return undefined;
    try {
      await pools[0].tx((tx) => tx.run(sql`create temp table room_to_write on commit drop as select 1 as one`));
    } catch (error) {
      if (isDiskFull(error)) return FULL;
      if (sqlState(error) === undefined) throw error;
    }
    for (const { disk } of pools) disk.isFull = false;
    return undefined;
  }

  return keptFor(FRESH_MS, clock, probe);
}
