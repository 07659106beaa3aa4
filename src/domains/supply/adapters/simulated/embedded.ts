import type { Clock } from '../../../../platform/clock.ts';
import { openDatabase } from '../../../../platform/db/database.ts';
import type { Adapter } from '../../accounts/registry.ts';
import { simulatedAnswers } from './answers.ts';
import { simulatedSupplier } from './simulated.ts';
import { withinProcess } from './within-process.ts';

/** The simulated supplier inside this process. */
export function embeddedSimulated(options: { url: string; clock: Clock }): { adapter: Adapter } & AsyncDisposable {
  // Its own connections, because it plays a system outside ours. They need not wait for the disk: whatever we make of an answer is
  // committed later in the same database, so a crash never keeps that and undoes what the supplier stored.
  const db = openDatabase({
    url: options.url,
    name: 'simulated supplier',
    searchPath: 'simulated',
    maxConnections: 4,
    waitsForDisk: false,
  });
  const service = withinProcess(simulatedAnswers(db, () => options.clock.now()));
  return {
    adapter: (slug) => simulatedSupplier(service, slug),
    [Symbol.asyncDispose]: () => db.close(),
  };
}
