import { setTimeout as wait } from 'node:timers/promises';
import { SECOND } from '../clock.ts';
import { isConnectionError } from '../db/database.ts';
import type { Log } from '../log.ts';

/** Work that must happen is a row; a job looks for rows that are due and handles them. */
export interface Job {
  readonly name: string;
  /** How long it rests after finding nothing to do. */
  readonly everyMs: number;
  /** Handles one batch and returns how many rows it took. After a batch with rows it is called again at once. */
  run(signal: AbortSignal): Promise<number>;
}

export interface Runner {
  /** Resolves when each job has looked for work once, or the runner was closed before. */
  readonly begun: Promise<unknown>;
  /** Runs the job now, because something may be due. Only a hint: every job also polls. */
  wake(name: string): void;
  /** Lets each job finish the batch it holds, for `STOP_LIMIT_MS` at most. */
  close(): Promise<void>;
}

const AFTER_ERROR_MS = 1 * SECOND;
/** A first batch that takes longer no longer keeps the next job from its own. */
const FIRST_BATCH_MS = 50;
/** A batch that takes longer is left behind: its rows are leased, and the next process to run the job finds them when the lease ends. */
const STOP_LIMIT_MS = 15 * SECOND;

export type BatchOutcome = 'handled' | 'nothing due' | 'failed';

export function runJobs(
  jobs: readonly Job[],
  log: Log,
  countBatch: (job: string, outcome: BatchOutcome, error?: unknown) => void = () => {},
): Runner {
  const stop = new AbortController();
  const alarms = new Map<string, () => void>();
  const running = new Set<string>();

  async function loop(job: Job, hadFirst: () => void): Promise<void> {
    while (!stop.signal.aborted) {
      let rest = job.everyMs;
      let woken = false;
      let failed = false;
      // A wake-up during the batch counts: the batch may have looked before the row was there.
      alarms.set(job.name, () => {
        woken = true;
      });
      try {
        const rows = await job.run(stop.signal);
        countBatch(job.name, rows > 0 ? 'handled' : 'nothing due');
        if (rows > 0) continue;
      } catch (error) {
        if (stop.signal.aborted) return;
        countBatch(job.name, 'failed', error);
        const level = isConnectionError(error) ? 'warn' : 'error';
        log[level]({ err: error, job: job.name }, 'job failed; it will be tried again');
        rest = Math.max(rest, AFTER_ERROR_MS);
        failed = true;
      } finally {
        hadFirst();
      }
      if ((woken && !failed) || stop.signal.aborted) continue;
      await new Promise<void>((wakeUp) => {
        const timer = setTimeout(wakeUp, rest);
        alarms.set(job.name, () => {
          // A job that failed rests even if it is woken. While the database is away it would otherwise do nothing but fail.
          if (failed && !stop.signal.aborted) return;
          clearTimeout(timer);
          wakeUp();
        });
      });
    }
  }

  const loops: Promise<void>[] = [];
  /**
   * One job after the other: if all began at once, a process that starts would open every connection it may have, and the database
   * would plan on each what it now plans on a few.
   */
  async function begin(): Promise<unknown> {
    const firsts: Promise<void>[] = [];
    for (const job of jobs) {
      const first = Promise.withResolvers<void>();
      firsts.push(first.promise);
      running.add(job.name);
      loops.push(loop(job, first.resolve).finally(() => running.delete(job.name)));
      const limit = new AbortController();
      await Promise.race([
        first.promise,
        wait(FIRST_BATCH_MS, undefined, { ref: false, signal: limit.signal }).catch(() => {}),
      ]);
      limit.abort();
      if (stop.signal.aborted) break;
    }
    return Promise.all(firsts);
  }
  const begun = begin();
  return {
    begun,
    wake: (name) => alarms.get(name)?.(),
    async close() {
      stop.abort();
      for (const alarm of alarms.values()) alarm();
      await Promise.race([begun.then(() => Promise.all(loops)), wait(STOP_LIMIT_MS, undefined, { ref: false })]);
      if (running.size > 0) log.warn({ jobs: [...running] }, 'stopping without these jobs; their rows are found again');
    },
  };
}
