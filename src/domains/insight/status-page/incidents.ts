import type { Queryable, Tx } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/query/sql.ts';
import type { ServicePart } from './hours.ts';

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
