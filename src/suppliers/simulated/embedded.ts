import type { Clock } from '../../clock.ts';
import { openDatabase } from '../../db/database.ts';
import type { Adapter } from '../registry.ts';
import { openSimulated } from '../simulated.ts';
import { startSimulatedService } from './service.ts';

/** The simulated supplier's service inside this process, on a loopback port, started by the first call. */
export function embeddedSimulated(options: { url: string; clock: Clock }): { adapter: Adapter } & AsyncDisposable {
  const undo = new AsyncDisposableStack();
  let client: ReturnType<typeof start> | undefined;

  async function start() {
    // Its own connections, because it plays a system outside ours. They need not wait for the disk: whatever we make of an answer is
    // committed later in the same database, so a crash never keeps that and undoes what the supplier stored.
    const db = openDatabase({
      url: options.url,
      name: 'simulated supplier',
      searchPath: 'simulated',
      maxConnections: 4,
      waitsForDisk: false,
    });
    undo.defer(() => db.close());
    const service = await startSimulatedService(db, { now: () => options.clock.now() });
    undo.defer(() => service.close());
    return undo.adopt(openSimulated(service.url), (opened) => opened.close());
  }

  return {
    async adapter(slug) {
      client ??= start().catch((error) => {
        client = undefined;
        throw error;
      });
      return (await client).supplier(slug);
    },
    async [Symbol.asyncDispose]() {
      await client?.catch(() => {});
      await undo.disposeAsync();
    },
  };
}
