import type { AttemptOutcome, Exchange } from '../domains/messages/webhooks/webhooks.ts';
import type { Clock } from '../platform/clock.ts';
import { databaseFigures } from '../platform/measure/database-figures.ts';
import { connectionsOf } from '../platform/measure/database-settings.ts';
import type { Metrics } from '../platform/measure/metrics.ts';
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

/** Attempts by outcome, and how long after the event the first one ended. */
export function countAttempt({ delivery, deliveryDelay }: Metrics, clock: Clock) {
  return (world: string, { claimed, succeeded, dueAt, durationMs }: AttemptOutcome): void => {
    delivery(durationMs / 1000, world, succeeded ? 'sent' : dueAt ? 'failed' : 'dead');
    const delayMs = clock.now() - claimed.createdAt.getTime();
    // An account whose test clock is ahead dates its events in the future: how late they are is unknown.
    if (claimed.attempts === 1 && delayMs >= 0) deliveryDelay(delayMs / 1000, world);
  };
}

/** Tries of disabled subscriptions: attempts like any other. */
export const countTry =
  ({ delivery }: Metrics) =>
  (world: string, { succeeded, durationMs }: Exchange): void =>
    delivery(durationMs / 1000, world, succeeded ? 'sent' : 'failed');
