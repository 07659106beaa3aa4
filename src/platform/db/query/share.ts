import { bounded } from '../../limits/turns.ts';
import type { Db } from '../database.ts';

/**
 * A part of a pool: the same database, through at most `connections` of the pool's connections at a time. For work that
 * anyone can cause, so that it cannot keep callers with a key or a session from the rest. The queue has no limit of its own:
 * the callers must have one.
 */
export function shareOf(db: Db, connections: number): Db {
  const turn = bounded({ atOnce: connections, maxWaiting: Number.POSITIVE_INFINITY }, () => new Error('unreachable'));
  return {
    ...db,
    query: (statement) => turn(() => db.query(statement)),
    one: (statement) => turn(() => db.one(statement)),
    maybe: (statement) => turn(() => db.maybe(statement)),
    run: (statement) => turn(() => db.run(statement)),
    tx: (work) => turn(() => db.tx(work)),
  };
}
