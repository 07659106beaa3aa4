import { Refused } from '../../../platform/contract/refused.ts';
import { counted } from '../../../platform/db/alerts.ts';
import { isDuplicate, type Queryable, type Tx } from '../../../platform/db/database.ts';
import { nothing, type Sql, sql } from '../../../platform/db/query/sql.ts';

export const applicationKinds = ['sign_up', 'live'] as const;
type ApplicationKind = (typeof applicationKinds)[number];

export const applicationStatuses = [
  'unconfirmed',
  'waiting',
  'asked',
  'approved',
  'rejected',
  'opened',
  'expired',
] as const;
type ApplicationStatus = (typeof applicationStatuses)[number];

export interface LiveDetails {
  readonly address: string;
  readonly country: string;
  readonly taxNumber: string;
  readonly volume: string;
  readonly use: string;
}

/** A request to the operators: for an account, or for live on an existing account. */
export interface Application {
  readonly applicationId: number;
  readonly kind: ApplicationKind;
  readonly status: ApplicationStatus;
  readonly version: number;
  /** Null: a sign-up whose account is not open yet. */
  readonly partnerId: number | null;
  readonly name: string;
  readonly company: string;
  readonly email: string;
  /** Empty for a sign-up. */
  readonly details: Partial<LiveDetails>;
  readonly question: string;
  readonly answer: string;
  readonly note: string;
  readonly createdAt: Date;
  readonly since: Date;
  readonly decidedAt: Date | null;
  readonly decidedBy: string;
}

export const columns = sql`
  id as "applicationId", kind, status, version, partner_id as "partnerId", name, company, email, details, question, answer, note,
  created_at as "createdAt", since, decided_at as "decidedAt", decided_by as "decidedBy"`;

export async function findApplication(db: Queryable, id: number): Promise<Application> {
  const found = await db.maybe<Application>(sql`
    select ${columns} from applications where id = ${id} and status <> 'unconfirmed'`);
  if (!found) throw new Refused('application_not_found');
  return found;
}

/** Keeps others from deciding until this transaction ends. */
export async function lockApplication(tx: Tx, id: number): Promise<Application> {
  await tx.run(sql`select from applications where id = ${id} for no key update`);
  return findApplication(tx, id);
}

interface ApplicationFilter {
  readonly kind?: ApplicationKind | undefined;
  readonly status?: ApplicationStatus | undefined;
  /** Continues after this id. */
  readonly before?: number | undefined;
  readonly limit: number;
}

/** Newest first. Sign-ups not confirmed by the link are not listed: anybody can type any address. */
export function listApplications(
  db: Queryable,
  { kind, status, before, limit }: ApplicationFilter,
): Promise<Application[]> {
  return db.query(sql`
    select ${columns} from applications
    where status <> 'unconfirmed'
      ${kind === undefined ? nothing : sql`and kind = ${kind}`}
      ${status === undefined ? nothing : sql`and status = ${status}`}
      ${before === undefined ? nothing : sql`and id < ${before}`}
    order by id desc limit ${limit}`);
}

/** What a change of status writes; omitted fields stay. */
interface Step {
  readonly status: ApplicationStatus;
  readonly question?: string;
  readonly answer?: string;
  readonly note?: string;
  readonly partnerId?: number;
  readonly decidedBy?: string;
}

/** The one way a status changes: its version grows, and a link that led to the status before no longer works. */
export function moveApplication(tx: Tx, id: number, step: Step, now: number): Promise<Application> {
  const at = new Date(now);
  const keep = (value: string | number | undefined) => value ?? null;
  return tx.one<Application>(sql`
    update applications set status = ${step.status}, version = version + 1, since = ${at}, link_hash = null,
      question = coalesce(${keep(step.question)}, question), answer = coalesce(${keep(step.answer)}, answer),
      note = coalesce(${keep(step.note)}, note), partner_id = coalesce(${keep(step.partnerId)}, partner_id),
      decided_by = coalesce(${keep(step.decidedBy)}, decided_by),
      decided_at = case when ${step.decidedBy !== undefined} then ${at}::timestamptz else decided_at end
    where id = ${id} returning ${columns}`);
}

export const applicationAlerts = (): Sql =>
  counted('applications', sql`select since from shared.applications where status = 'waiting' order by since`);

interface LiveWish {
  readonly partnerId: number;
  readonly email: string;
  readonly company: string;
  readonly details: LiveDetails;
}

/** Asks for live. One application of a partner is open at a time. */
export async function askForLive(tx: Tx, wish: LiveWish, now: number): Promise<Application> {
  const at = new Date(now);
  try {
    return await tx.one<Application>(sql`
      insert into applications (kind, status, partner_id, name, company, email, details, created_at, since)
      values ('live', 'waiting', ${wish.partnerId}, '', ${wish.company}, ${wish.email},
        ${JSON.stringify(wish.details)}::jsonb, ${at}, ${at})
      returning ${columns}`);
  } catch (error) {
    if (isDuplicate(error)) throw new Refused('application_open');
    throw error;
  }
}

export const liveApplicationOf = (db: Queryable, partnerId: number): Promise<Application | undefined> =>
  db.maybe<Application>(sql`
    select ${columns} from applications where partner_id = ${partnerId} and kind = 'live' order by id desc limit 1`);
