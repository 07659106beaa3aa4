import { databaseFigures } from '../platform/measure/database-figures.ts';
import { connectionsOf } from '../platform/measure/database-settings.ts';
import type { Base } from './base.ts';

/** Figures that are read when somebody looks at the metrics. */
export function watchProcess({ config, db, pools, worlds, clock, metrics }: Base): void {
  metrics.watchProcess();
  const figures = databaseFigures(db, clock, connectionsOf(config));
  metrics.beforePrint(async () => {
    metrics.silentSuppliers.set(worlds.live.provisioning.silentSuppliers().length);
    metrics.connectionWaits.reset();
    for (const [pool, { load }] of Object.entries(pools)) {
      const { waited, ...states } = load();
      metrics.connectionWaits.inc({ pool }, waited);
      for (const [state, count] of Object.entries(states)) metrics.connections.set({ pool, state }, count);
    }
    metrics.setFromDatabase(await figures());
  });
}
