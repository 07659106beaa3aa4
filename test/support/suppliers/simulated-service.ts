import { systemClock } from '../../../src/platform/clock.ts';
import { openDatabase } from '../../../src/platform/db/database.ts';
import { startSimulatedService } from './simulated-server.ts';

/**
 * The simulated supplier as a program of its own, behind a connection: half an answer or one that comes twice can arrive, and it
 * lives on when our server is killed.
 */
export async function simulatedService(
  databaseUrl: string,
  now: () => number = systemClock.now,
): Promise<{ readonly url: string } & AsyncDisposable> {
  await using undo = new AsyncDisposableStack();
  const db = openDatabase({ url: databaseUrl, name: 'simulated supplier', searchPath: 'simulated' });
  undo.defer(() => db.close());
  const service = await startSimulatedService(db, { now });
  undo.defer(() => service.close());
  const owned = undo.move();
  return { url: service.url, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}
