import type { Db } from '../../../src/platform/db/database.ts';
import { Flight } from '../../../src/platform/db/query/flight.ts';
import { sql } from '../../../src/platform/db/query/sql.ts';

/** The server's side of a pool: it can stop answering without a connection being lost. */
export interface Freezer {
  freeze(): void;
  thaw(): void;
}

/** For a pool of at most so many connections; all of them are opened. */
export async function freezer(db: Db, connections: number): Promise<Freezer> {
  const pids = new Set<number>();
  const all = Promise.withResolvers<void>();
  // Each holds its connection until all have one.
  const held = Array.from({ length: connections }, () =>
    db.tx(async (tx) => {
      pids.add((await tx.one<{ pid: number }>(sql`select pg_backend_pid() as pid`)).pid);
      if (pids.size === connections) all.resolve();
      await all.promise;
    }),
  );
  await Promise.all(held);
  const signal = (name: 'SIGSTOP' | 'SIGCONT') => () => {
    for (const pid of pids) process.kill(pid, name);
  };
  return { freeze: signal('SIGSTOP'), thaw: signal('SIGCONT') };
}

/** Calls `then` once, right before the next flight leaves that has a statement with this text in it. */
export function beforeStatement(text: string, then: () => void): void {
  const { submit } = Flight.prototype;
  Flight.prototype.submit = function (connection) {
    if (this.statements.some((statement) => statement.text.includes(text))) {
      Flight.prototype.submit = submit;
      then();
    }
    return submit.call(this, connection);
  };
}
