import pg from 'pg';
import { Flight } from '../../../src/platform/db/query/flight.ts';

/** The statements of every flight that was sent while `work` ran, each by its first two words. */
export async function flightsOf(work: () => Promise<unknown>): Promise<string[][]> {
  const flights: string[][] = [];
  const { query } = pg.Client.prototype;
  pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
    if (args[0] instanceof Flight)
      flights.push(args[0].statements.map(({ text }) => text.trim().split(/\s+/).slice(0, 2).join(' ')));
    return Reflect.apply(query, this, args);
  } as typeof query;
  await work().finally(() => {
    pg.Client.prototype.query = query;
  });
  return flights;
}
