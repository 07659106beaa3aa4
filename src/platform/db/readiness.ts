import { setTimeout as wait } from 'node:timers/promises';
import { type Clock, SECOND } from '../clock.ts';
import type { Db } from './database.ts';
import { EditedMigration } from './migrate/migrations.ts';
import { isMigrated } from './migrate/schema-state.ts';
import type { Listener } from './notifications.ts';

export interface ReadinessParts {
  /** The pools requests are served from. */
  readonly pools: readonly [Db, ...Db[]];
  readonly listener: Listener;
  readonly clock: Clock;
}

/** However many ask, the database is looked at once in this time. */
const FRESH_MS = 1 * SECOND;
const PROBE_LIMIT_MS = 2 * SECOND;

/**
 * Whether requests can be served: the database can be reached and its schema is current. Anyone may ask, so it must cost
 * nothing to ask often. The answer is kept for `FRESH_MS`, and everyone who asks while a probe runs shares its outcome.
 *
 * A probe runs on a connection that is open and idle. Opening one would take it from requests, and at the database's
 * connection limit it would fail while requests, which have theirs, succeed. When every connection is busy the notification
 * connection, which proves itself alive every few hundred milliseconds, answers for the database.
 */
export function createReadiness({ pools, listener, clock }: ReadinessParts): () => Promise<boolean> {
  // The program migrates before it serves.
  let migrated = true;
  let probedAt = Number.NEGATIVE_INFINITY;
  let answer: Promise<boolean> = Promise.resolve(false);

  async function probe(): Promise<boolean> {
    const idle = pools.find((db) => db.load().idle > 0);
    if (!idle && listener.healthy) return migrated;
    // Without any connection at all, the first pool opens the one its next request will use.
    const looked = await Promise.race([
      isMigrated(idle ?? pools[0]).catch((error) => (error instanceof EditedMigration ? false : undefined)),
      wait(PROBE_LIMIT_MS, undefined, { ref: false }),
    ]);
    migrated = looked ?? migrated;
    return looked ?? (listener.healthy && migrated);
  }

  return () => {
    const age = clock.now() - probedAt;
    if (age < 0 || age >= FRESH_MS) {
      probedAt = clock.now();
      answer = probe();
    }
    return answer;
  };
}
