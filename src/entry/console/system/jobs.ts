import { MINUTE } from '../../../platform/clock.ts';
import { isSilent, type SeenProcess } from '../../../platform/jobs/processes.ts';
import type { JobRecord } from '../../../platform/jobs/successes.ts';
import { iso } from '../../site/json/action.ts';

/** A batch may take a while, and successes are written every few seconds. */
const PATIENCE_MS = 2 * MINUTE;

export interface JobView {
  readonly job: string;
  /** Processes with a heartbeat that run it. */
  readonly processes: number;
  /** How long it rests when there is nothing to do; null: no process says. */
  readonly every_ms: number | null;
  readonly succeeded_at: string | null;
  readonly failed_at: string | null;
  readonly error: string | null;
  /** `failing`: its last run failed. `late`: it should have succeeded by now. `not run`: by no process with a heartbeat. */
  readonly state: 'ok' | 'failing' | 'late' | 'new' | 'not run';
}

/** Every job that is run or was run lately, by name. */
export function jobViews(records: readonly JobRecord[], processes: readonly SeenProcess[], now: number): JobView[] {
  const alive = processes.filter((one) => !isSilent(one, now));
  const names = new Set([...records.map(({ job }) => job), ...alive.flatMap(({ jobs }) => Object.keys(jobs))]);
  return [...names].sort().map((job) => {
    const running = alive.filter(({ jobs }) => Object.hasOwn(jobs, job));
    const { succeededAt = null, failedAt = null, error = null } = records.find((one) => one.job === job) ?? {};
    const everyMs = running.length === 0 ? null : Math.min(...running.map(({ jobs }) => jobs[job] ?? 0));
    const since = Math.max(
      succeededAt?.getTime() ?? 0,
      Math.min(...running.map(({ startedAt }) => startedAt.getTime())),
    );
    const state = (): JobView['state'] => {
      if (everyMs === null) return 'not run';
      if (failedAt && failedAt > (succeededAt ?? 0)) return 'failing';
      if (now - since > 2 * everyMs + PATIENCE_MS) return 'late';
      return succeededAt === null ? 'new' : 'ok';
    };
    return {
      job,
      processes: running.length,
      every_ms: everyMs,
      succeeded_at: succeededAt && iso(succeededAt),
      failed_at: failedAt && iso(failedAt),
      error,
      state: state(),
    };
  });
}
