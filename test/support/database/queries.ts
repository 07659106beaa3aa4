import pg from 'pg';
import type { Flight } from '../../../src/platform/db/query/flight.ts';

/** Every statement this process sends to PostgreSQL from now on, except the listener's heartbeat. */
export function watchQueries(): Disposable & { readonly seen: string[] } {
  const seen: string[] = [];
  const query = pg.Client.prototype.query;
  pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
    const [first] = args as [string | Flight];
    if (typeof first !== 'string') seen.push(...first.statements.map(({ text }) => text));
    else if (first !== 'select 1') seen.push(first);
    return Reflect.apply(query, this, args);
  } as typeof query;
  return {
    seen,
    [Symbol.dispose]: () => {
      pg.Client.prototype.query = query;
    },
  };
}
