import type { AttemptOutcome, Exchange } from '../domains/messages/webhooks/webhooks.ts';
import { type Clock, SECOND } from '../platform/clock.ts';
import { BEAT_MS, createHeartbeat } from '../platform/jobs/processes.ts';
import type { Job } from '../platform/jobs/runner.ts';
import { connectionsOf, databaseFigures } from '../platform/measure/database-figures.ts';
import type { Metrics } from '../platform/measure/metrics.ts';
import { version } from '../platform/settings/version.ts';
import type { Base } from './base.ts';

/* What a process records besides its work: that it is alive, what it counted, and the calls it answered and made. */

/** How often visits of travellers' pages, counts of API requests and calls to suppliers are written. */
const COUNTS_MS = 5 * SECOND;
/** How often calls are written to their logs: what a killed process loses of them. */
const CALLS_MS = 1 * SECOND;

/** Writes a heartbeat every few seconds until the process stops. */
export async function startHeartbeat(
  base: Base,
  role: string,
  jobs: readonly Job[],
  undo: AsyncDisposableStack,
): Promise<void> {
  const facts = {
    role,
    version,
    jobs: Object.fromEntries(jobs.map(({ name, everyMs }) => [name, everyMs])),
    supplierKinds: base.supplierKinds,
  };
  const heartbeat = createHeartbeat(base, facts, () => base.worlds.live.provisioning.silentSuppliers());
  await heartbeat.beat();
  const timer = setInterval(heartbeat.beat, BEAT_MS).unref();
  undo.defer(() => {
    clearInterval(timer);
    return heartbeat.end();
  });
}

/** Writes counts and logs until the process ends, and what is left of them then. */
export function writeNotes(base: Base, undo: AsyncDisposableStack): void {
  writeCounts(base, undo);
  writeCalls(base, undo);
}

function writeCounts({ supplierFigures, worlds }: Base, undo: AsyncDisposableStack): void {
  const counts = [
    supplierFigures,
    ...Object.values(worlds).flatMap(({ travellerLinks, insight }) => [travellerLinks.visits, insight.answered]),
  ];
  repeat(() => Promise.all(counts.map((one) => one.flush())), COUNTS_MS, undo);
}

function writeCalls({ worlds, metrics }: Base, undo: AsyncDisposableStack): void {
  const requestLogs = Object.values(worlds).map(({ requestLog }) => requestLog);
  const supplierLogs = Object.values(worlds).map(({ supplierLog }) => supplierLog);
  metrics.beforePrint(() => {
    for (const [counter, logs] of [
      [metrics.callsNotLogged, requestLogs],
      [metrics.supplierCallsNotLogged, supplierLogs],
    ] as const) {
      counter.reset();
      for (const { missing } of logs)
        for (const [reason, calls] of Object.entries(missing)) counter.inc({ reason }, calls);
    }
  });
  repeat(() => Promise.all([...requestLogs, ...supplierLogs].map((log) => log.flush())), CALLS_MS, undo);
}

/** Every so often, and once more at the end. */
function repeat(write: () => Promise<unknown>, everyMs: number, undo: AsyncDisposableStack): void {
  const timer = setInterval(write, everyMs).unref();
  undo.defer(async () => {
    clearInterval(timer);
    await write();
  });
}

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
