import { type Clock, DAY, SECOND } from '../clock.ts';
import type { Queryable } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import type { Job } from './runner.ts';

/** The setting that holds them, as an object of job and milliseconds since the epoch. */
export const JOB_SUCCESSES = 'job_successes';
const WRITE_EVERY_MS = 10 * SECOND;
/** A job that has not succeeded for this long was renamed or removed. */
const FORGOTTEN_AFTER_MS = 30 * DAY;

/**
 * When each job last ran without an error, kept in the database: a worker that has stopped cannot report that itself, so
 * any other process must be able to.
 */
export function jobSuccesses(db: Queryable, clock: Clock): { note(job: string): void; readonly job: Job } {
  let unwritten = new Map<string, number>();
  return {
    note: (job) => void unwritten.set(job, clock.now()),
    job: {
      name: 'note successes',
      everyMs: WRITE_EVERY_MS,
      async run() {
        const noted = unwritten;
        unwritten = new Map();
        if (noted.size === 0) return 0;
        await db.run(sql`
          insert into settings (name, value) values (${JOB_SUCCESSES}, ${JSON.stringify(Object.fromEntries(noted))}::jsonb)
          on conflict (name) do update set value = (
            select jsonb_object_agg(job.key, job.value) from jsonb_each(settings.value || excluded.value) as job
            where (job.value)::text::bigint > ${clock.now() - FORGOTTEN_AFTER_MS}::bigint)`);
        return 0;
      },
    },
  };
}
