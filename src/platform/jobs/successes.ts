import { type Clock, DAY, MINUTE, SECOND } from '../clock.ts';
import type { Queryable } from '../db/database.ts';
import { type Sql, sql } from '../db/query/sql.ts';
import type { Job } from './runner.ts';

/** The setting that holds them, as an object of job and milliseconds since the epoch. */
export const JOB_SUCCESSES = 'job_successes';
/** The same for failures, as an object of job and `{ at, error }`. */
const JOB_FAILURES = 'job_failures';
const WRITE_EVERY_MS = 10 * SECOND;
/** A job that has not succeeded for this long was renamed or removed. */
const FORGOTTEN_AFTER_MS = 30 * DAY;
const MAX_ERROR_LENGTH = 300;

interface Failure {
  readonly at: number;
  readonly error: string;
}

/**
 * When each job last ran without an error and when it last failed, kept in the database: a worker that has stopped cannot report
 * that itself, so any other process must be able to.
 */
export function jobSuccesses(
  db: Queryable,
  clock: Clock,
): { note(job: string): void; noteFailure(job: string, error: unknown): void; readonly job: Job } {
  const successes = new Map<string, number>();
  const failures = new Map<string, Failure>();
  return {
    note: (job) => void successes.set(job, clock.now()),
    noteFailure: (job, error) => void failures.set(job, { at: clock.now(), error: messageOf(error) }),
    job: {
      name: 'note successes',
      everyMs: WRITE_EVERY_MS,
      async run() {
        const oldest = clock.now() - FORGOTTEN_AFTER_MS;
        await write(db, JOB_SUCCESSES, successes, sql`(job.value)::text::bigint > ${oldest}::bigint`);
        await write(db, JOB_FAILURES, failures, sql`(job.value ->> 'at')::bigint > ${oldest}::bigint`);
        return 0;
      },
    },
  };
}

/** Adds what was noted. If that fails, it stays noted and is written the next time. */
async function write<T>(db: Queryable, setting: string, noted: Map<string, T>, isRecent: Sql): Promise<void> {
  if (noted.size === 0) return;
  const written = new Map(noted);
  await db.run(sql`
    insert into settings (name, value) values (${setting}, ${JSON.stringify(Object.fromEntries(written))}::jsonb)
    on conflict (name) do update set value = (
      select jsonb_object_agg(job.key, job.value) from jsonb_each(settings.value || excluded.value) as job
      where ${isRecent})`);
  for (const [job, value] of written) if (noted.get(job) === value) noted.delete(job);
}

/** The message alone: it says what went wrong, and a stack would be cut anyway. */
const messageOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).slice(0, MAX_ERROR_LENGTH);

export type JobRecord = Awaited<ReturnType<typeof readJobRecords>>[number];

export async function readJobRecords(db: Queryable) {
  const rows = await db.query<{ name: string; value: Readonly<Record<string, never>> }>(sql`
    select name, value from shared.settings where name = any(${[JOB_SUCCESSES, JOB_FAILURES]}::text[])`);
  const of = <T>(setting: string): Readonly<Record<string, T>> =>
    rows.find(({ name }) => name === setting)?.value ?? {};
  const [successes, failures] = [of<number>(JOB_SUCCESSES), of<Failure>(JOB_FAILURES)];
  const dateOf = (at: number | undefined) => (at === undefined ? null : new Date(at));
  return [...new Set([...Object.keys(successes), ...Object.keys(failures)])].sort().map((job) => ({
    job,
    succeededAt: dateOf(successes[job]),
    failedAt: dateOf(failures[job]?.at),
    error: failures[job]?.error ?? null,
  }));
}

/** Longer than any of these jobs rests. */
const STOPPED_MS = 2 * MINUTE;

/** Jobs that orders, deliveries and payments depend on, and that no process has run for a while (see platform/db/alerts.ts). */
export const jobAlerts = (now: number): Sql => sql`
  select 'stopped_job' as kind, 1::float8 as count, to_timestamp(job.value::float8 / 1000) as since, job.key as of, '' as about
  from shared.settings cross join jsonb_each_text(settings.value) as job
  where settings.name = ${JOB_SUCCESSES} and (job.key like 'deliver %' or job.key like 'provision %' or job.key = 'topups')
    and job.value::float8 < ${now - STOPPED_MS}::float8`;
