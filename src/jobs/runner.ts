import type { Log } from '../log.ts';

/** Work that must happen is a row; a job looks for rows that are due and handles them. */
export interface Job {
  readonly name: string;
  /** How long it rests when there was nothing to do. */
  readonly everyMs: number;
  /** Handles one batch and returns how many rows it took; more than none and it is called again at once. */
  run(signal: AbortSignal): Promise<number>;
}

export interface Runner {
  /** Look now: something may be due. A hint, never the only way a job hears of work. */
  wake(name: string): void;
  /** Lets each job finish the batch it holds. */
  close(): Promise<void>;
}

const AFTER_ERROR_MS = 1_000;

type BatchOutcome = 'handled' | 'nothing due' | 'failed';

export function runJobs(
  jobs: readonly Job[],
  log: Log,
  countBatch: (job: string, outcome: BatchOutcome) => void = () => {},
): Runner {
  const stop = new AbortController();
  const alarms = new Map<string, () => void>();

  async function loop(job: Job): Promise<void> {
    while (!stop.signal.aborted) {
      let rest = job.everyMs;
      let woken = false;
      let failed = false;
      alarms.set(job.name, () => {
        woken = true;
      });
      try {
        const rows = await job.run(stop.signal);
        countBatch(job.name, rows > 0 ? 'handled' : 'nothing due');
        if (rows > 0) continue;
      } catch (error) {
        if (stop.signal.aborted) return;
        countBatch(job.name, 'failed');
        log.error({ err: error, job: job.name }, 'job failed; it will be tried again');
        rest = Math.max(rest, AFTER_ERROR_MS);
        failed = true;
      }
      if ((woken && !failed) || stop.signal.aborted) continue;
      await new Promise<void>((wakeUp) => {
        const timer = setTimeout(wakeUp, rest);
        alarms.set(job.name, () => {
          // What failed rests, whoever calls: while the database is away a job woken often would do nothing but fail.
          if (failed && !stop.signal.aborted) return;
          clearTimeout(timer);
          wakeUp();
        });
      });
    }
  }

  const loops = jobs.map(loop);
  return {
    wake: (name) => alarms.get(name)?.(),
    async close() {
      stop.abort();
      for (const alarm of alarms.values()) alarm();
      await Promise.all(loops);
    },
  };
}
