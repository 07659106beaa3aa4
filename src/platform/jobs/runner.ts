import { setTimeout as wait } from 'node:timers/promises';
import { SECOND } from '../clock.ts';
import { isConnectionError } from '../db/database.ts';
import type { Log } from '../log.ts';
import { BATCH_ROWS, notice, traced } from '../traces/traces.ts';

/** Work that must happen is a row; a job looks for rows that are due and handles them. */
export interface Job {
  readonly name: string;
  /** How long it rests after finding nothing to do, and before it first looks (but see `FIRST_LOOK_MS`). */
  readonly everyMs: number;
  /** Handles one batch and returns how many rows it took. After a batch with rows it is called again at once. */
  run(signal: AbortSignal): Promise<number>;
}

const AFTER_ERROR_MS = 1 * SECOND;
/** A job first looks after its rest, or after this: what is done every hour is also done where a process is restarted more often. */
const FIRST_LOOK_MS = 5 * SECOND;
/** A first batch that takes longer no longer keeps the next job from its own. */
const FIRST_BATCH_MS = 50;
/** A batch that takes longer is left behind: its rows are leased, and the next process to run the job finds them when the lease ends. */
const STOP_LIMIT_MS = 15 * SECOND;

export type BatchOutcome = 'handled' | 'nothing due' | 'failed';

export function runJobs(
  jobs: readonly Job[],
  log: Log,
  countBatch: (job: string, outcome: BatchOutcome, error?: unknown) => void = () => {},
) {
  const stop = new AbortController();
  const alarms = new Map<string, () => void>();
  /** Who waits for a batch that begins from now on, by job. */
  const waiting = new Map<string, (() => void)[]>();

  /** Until the time is over or the job is woken. One that `isDeaf` is woken only to stop. */
  const rest = (name: string, ms: number, isDeaf = false): Promise<void> =>
    new Promise((wakeUp) => {
      const timer = setTimeout(wakeUp, ms);
      alarms.set(name, () => {
        if (isDeaf && !stop.signal.aborted) return;
        clearTimeout(timer);
        wakeUp();
      });
    });

  let firstBatches: Promise<unknown> = Promise.resolve();
  /**
   * One first batch after the other: if all began at once, a process would open every connection it may have, and the database would
   * plan on each what it now plans on a few.
   */
  async function turn(): Promise<() => void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const before = firstBatches;
    firstBatches = before.then(async () => {
      const limit = new AbortController();
      await Promise.race([
        promise,
        wait(FIRST_BATCH_MS, undefined, { ref: false, signal: limit.signal }).catch(() => {}),
      ]);
      limit.abort();
    });
    await before;
    return resolve;
  }

  async function loop(job: Job): Promise<void> {
    await rest(job.name, Math.min(job.everyMs, FIRST_LOOK_MS));
    const hadFirst = await turn();
    while (!stop.signal.aborted) {
      let restMs = job.everyMs;
      let woken = false;
      let failed = false;
      // A wake-up during the batch counts: the batch may have looked before the row was there.
      alarms.set(job.name, () => {
        woken = true;
      });
      const told = waiting.get(job.name) ?? [];
      waiting.delete(job.name);
      try {
        const rows = await traced(
          `job ${job.name}`,
          { apart: true, attributes: { 'wayfare.job': job.name } },
          async () => {
            const handled = await job.run(stop.signal);
            notice({ [BATCH_ROWS]: handled });
            return handled;
          },
        );
        countBatch(job.name, rows > 0 ? 'handled' : 'nothing due');
        if (rows > 0) continue;
      } catch (error) {
        if (stop.signal.aborted) return;
        countBatch(job.name, 'failed', error);
        const level = isConnectionError(error) ? 'warn' : 'error';
        log[level]({ err: error, job: job.name }, 'job failed; it will be tried again');
        restMs = Math.max(restMs, AFTER_ERROR_MS);
        failed = true;
      } finally {
        hadFirst();
        for (const tell of told) tell();
      }
      if ((woken && !failed) || stop.signal.aborted) continue;
      // A job that failed rests even if it is woken. While the database is away it would otherwise do nothing but fail.
      await rest(job.name, restMs, failed);
    }
    hadFirst();
  }

  const running = new Set(jobs.map(({ name }) => name));
  const ended = Promise.all(jobs.map((job) => loop(job).finally(() => running.delete(job.name))));
  return {
    /** Runs the job now, because something may be due. Only a hint: every job also polls. */
    wake: (name: string): void => alarms.get(name)?.(),
    /** Runs every job now, or only these. Resolves when each has had a whole batch. */
    wakeAll: (only?: readonly string[]): Promise<unknown> =>
      Promise.all(
        jobs
          .filter(({ name }) => only?.includes(name) ?? true)
          .map(({ name }) => {
            const batch = new Promise<void>((tell) => waiting.set(name, [...(waiting.get(name) ?? []), tell]));
            alarms.get(name)?.();
            return batch;
          }),
      ),
    /** Lets each job finish the batch it holds, for `STOP_LIMIT_MS` at most. */
    async close(): Promise<void> {
      stop.abort();
      for (const alarm of alarms.values()) alarm();
      await Promise.race([ended, wait(STOP_LIMIT_MS, undefined, { ref: false })]);
      if (running.size > 0) log.warn({ jobs: [...running] }, 'stopping without these jobs; their rows are found again');
    },
  };
}
