import { type Clock, DAY, HOUR, MINUTE, SECOND } from '../../../platform/clock.ts';
import type { Db, Queryable, Tx } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/query/sql.ts';
import type { Job } from '../../../platform/jobs/runner.ts';

/*
 * How well the service worked, hour by hour, for the public status page.
 *
 * API calls and supplier calls are counted elsewhere, in sums that are kept for a while. The job adds these sums up over all
 * partners and suppliers and stores them: every hour since the last one it stored, and that one again, because it may not have been
 * over. Storing an hour again replaces it, so any number of processes may do it, and a killed one loses nothing.
 *
 * Webhooks are checked once a minute: is a delivery more than five minutes late? A check is counted once, by the first process.
 */

export const serviceParts = ['api', 'webhooks', 'suppliers'] as const;
export type ServicePart = (typeof serviceParts)[number];

export const SHOWN_DAYS = 90;
/** Of the hours that are behind, those counted in one pass. */
const HOURS_AT_ONCE = 24;
/** A delivery due for longer than this is late, as in the alert. Deliveries held for disabled receivers are not due. */
const LATE_SECONDS = 300;

interface Measured {
  readonly hour: Date;
  readonly measured: number;
  readonly failed: number;
}

interface Sources {
  /** Answered calls, and how many of them failed on our side. */
  api(from: Date, to: Date): Promise<readonly Measured[]>;
  /** Calls to suppliers, and how many of them got no answer. */
  suppliers(from: Date, to: Date): Promise<readonly Measured[]>;
  /** How long the oldest delivery has been due; undefined: not known now. */
  oldestDueSeconds(): Promise<number | undefined>;
}

export const serviceHoursJob = (db: Db, clock: Clock, sources: Sources): Job => ({
  name: 'service hours',
  everyMs: 1 * MINUTE,
  async run() {
    const now = clock.now();
    const behind = await Promise.all([
      countPart(db, 'api', sources.api, now),
      countPart(db, 'suppliers', sources.suppliers, now),
    ]);
    const oldest = await sources.oldestDueSeconds();
    if (oldest !== undefined) await noteLook(db, oldest > LATE_SECONDS, now);
    await db.run(sql`delete from service_hours where hour < ${new Date(now - (SHOWN_DAYS + 1) * DAY)}`);
    return behind.some(Boolean) ? 1 : 0;
  },
});

async function countPart(db: Db, part: ServicePart, count: Sources['api'], now: number): Promise<boolean> {
  const { last } = await db.one<{ last: Date | null }>(sql`
    select max(hour) as last from service_hours where part = ${part}`);
  const from = Math.max(last?.getTime() ?? 0, Math.floor((now - SHOWN_DAYS * DAY) / HOUR) * HOUR);
  const to = Math.min(from + HOURS_AT_ONCE * HOUR, (Math.floor(now / HOUR) + 1) * HOUR);
  const found = new Map((await count(new Date(from), new Date(to))).map((one) => [one.hour.getTime(), one]));
  const hours = Array.from({ length: (to - from) / HOUR }, (_, i) => from + i * HOUR);
  await write(
    db,
    part,
    hours.map((hour) => found.get(hour) ?? { hour: new Date(hour), measured: 0, failed: 0 }),
    now,
  );
  return to <= now;
}

/** An hour that was counted and had no calls gets a row too: it says how far we came. */
const write = (db: Queryable, part: ServicePart, hours: readonly Measured[], now: number): Promise<number> =>
  db.run(sql`
    insert into service_hours (part, hour, measured, failed, counted_at)
    select ${part}, hour, measured, failed, ${new Date(now)}
    from unnest(
      ${hours.map(({ hour }) => hour)}::timestamptz[], ${hours.map(({ measured }) => measured)}::bigint[],
      ${hours.map(({ failed }) => failed)}::bigint[]
    ) as line (hour, measured, failed) order by hour
    on conflict (part, hour) do update set measured = excluded.measured, failed = excluded.failed,
      counted_at = excluded.counted_at`);

const noteLook = (db: Queryable, isLate: boolean, now: number): Promise<number> =>
  db.run(sql`
    insert into service_hours as kept (part, hour, measured, failed, counted_at)
    values ('webhooks', date_trunc('hour', ${new Date(now)}::timestamptz, 'UTC'), 1, ${isLate ? 1 : 0}, ${new Date(now)})
    on conflict (part, hour) do update set measured = kept.measured + 1, failed = kept.failed + excluded.failed,
      counted_at = excluded.counted_at
    where kept.counted_at <= ${new Date(now - 50 * SECOND)}`);

/** A day of a part; a day that is missing was not measured. */
export interface ServiceDay {
  readonly part: ServicePart;
  readonly day: Date;
  readonly measured: number;
  readonly failed: number;
}

/** The last 90 days with today, and the last hour or two by themselves. */
export async function readService(
  db: Queryable,
  now: number,
): Promise<{ readonly days: readonly ServiceDay[]; readonly latest: readonly Omit<ServiceDay, 'day'>[] }> {
  const today = Math.floor(now / DAY) * DAY;
  const [days, latest] = await Promise.all([
    db.query<ServiceDay>(sql`
      select part, date_trunc('day', hour, 'UTC') as day, sum(measured)::float8 as measured, sum(failed)::float8 as failed
      from service_hours where hour >= ${new Date(today - (SHOWN_DAYS - 1) * DAY)}
      group by 1, 2 having sum(measured) > 0 order by 1, 2`),
    db.query<Omit<ServiceDay, 'day'>>(sql`
      select part, sum(measured)::float8 as measured, sum(failed)::float8 as failed
      from service_hours where hour >= ${new Date(Math.floor(now / HOUR) * HOUR - HOUR)}
      group by 1 having sum(measured) > 0`),
  ]);
  return { days, latest };
}

export const impacts = ['maintenance', 'minor', 'major'] as const;
type Impact = (typeof impacts)[number];
export const incidentStatuses = ['investigating', 'identified', 'monitoring', 'resolved'] as const;
export type IncidentStatus = (typeof incidentStatuses)[number];

export const MAX_TITLE = 120;
export const MAX_TEXT = 1_000;
export const MAX_UPDATES = 200;

interface IncidentUpdate {
  readonly status: IncidentStatus;
  readonly text: string;
  readonly writtenAt: Date;
}

/** A problem or planned work, as published on the status page. */
export interface Incident {
  readonly id: number;
  readonly title: string;
  readonly impact: Impact;
  readonly parts: readonly ServicePart[];
  readonly startedAt: Date;
  readonly resolvedAt: Date | null;
  /** The latest first. Their number is the incident's version. */
  readonly updates: readonly IncidentUpdate[];
}

type NewIncident = Pick<Incident, 'title' | 'impact' | 'parts' | 'startedAt'>;

const columns = sql`
  id, title, impact, parts, started_at as "startedAt", resolved_at as "resolvedAt"`;

async function withUpdates(db: Queryable, found: readonly Omit<Incident, 'updates'>[]): Promise<Incident[]> {
  const rows = await db.query<IncidentUpdate & { id: number }>(sql`
    select incident_id as id, status, text, written_at as "writtenAt" from incident_updates
    where incident_id = any (${found.map(({ id }) => id)}::int[]) order by incident_id, number desc`);
  const updates = Map.groupBy(rows, ({ id }) => id);
  return found.map((one) => ({
    ...one,
    updates: (updates.get(one.id) ?? []).map(({ status, text, writtenAt }) => ({ status, text, writtenAt })),
  }));
}

export const incidents = {
  /** Open ones, whenever they began, and those that were over since a time; the latest first. */
  async list(db: Queryable, { since, limit }: { readonly since: Date; readonly limit: number }): Promise<Incident[]> {
    const found = await db.query<Omit<Incident, 'updates'>>(sql`
      select ${columns} from incidents where resolved_at is null or resolved_at >= ${since}
      order by resolved_at is null desc, started_at desc, id desc limit ${limit}`);
    return withUpdates(db, found);
  },

  async find(db: Queryable, id: number): Promise<Incident | undefined> {
    const found = await db.query<Omit<Incident, 'updates'>>(sql`select ${columns} from incidents where id = ${id}`);
    return (await withUpdates(db, found))[0];
  },

  async write(tx: Tx, { title, impact, parts, startedAt }: NewIncident, first: IncidentUpdate): Promise<number> {
    const { id } = await tx.one<{ id: number }>(sql`
      insert into incidents (title, impact, parts, started_at)
      values (${title}, ${impact}, ${[...parts]}::text[], ${startedAt}) returning id`);
    await append(tx, id, 1, first);
    return id;
  },

  /** The incident, locked: no other update can come between what was read and what is written. */
  async hold(tx: Tx, id: number): Promise<Incident | undefined> {
    await tx.maybe(sql`select from incidents where id = ${id} for update`);
    return incidents.find(tx, id);
  },

  /** `held`: as `hold` returned it. An update that says it is over ends it; any other opens it again. */
  async update(tx: Tx, held: Incident, update: IncidentUpdate): Promise<void> {
    const resolvedAt =
      update.status === 'resolved' ? new Date(Math.max(update.writtenAt.getTime(), held.startedAt.getTime())) : null;
    await append(tx, held.id, held.updates.length + 1, update);
    await tx.run(sql`update incidents set resolved_at = ${resolvedAt} where id = ${held.id}`);
  },
} as const;

const append = (tx: Tx, id: number, number: number, { status, text, writtenAt }: IncidentUpdate): Promise<number> =>
  tx.run(sql`
    insert into incident_updates (incident_id, number, status, text, written_at)
    values (${id}, ${number}, ${status}, ${text}, ${writtenAt})`);
