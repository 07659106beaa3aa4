import { DAY } from '../../../platform/clock.ts';
import { Refused } from '../../../platform/contract/refused.ts';
import type { Queryable, Tx } from '../../../platform/db/database.ts';
import { nothing, sql } from '../../../platform/db/query/sql.ts';
import type { Vault } from '../../../platform/vault/secrets.ts';
import type { Language } from '../../messages/texts/texts.ts';
import type { HelpFacts, Step } from './decision.ts';

/** Requests that one eSIM's page takes in a day (UTC, by the account's clock). */
export const MAX_A_DAY = 3;

/** What was known of the eSIM when help was asked for. */
export interface KnownFacts extends HelpFacts {
  /** ISO code of the country where it was last seen. */
  readonly country: string | null;
  /** Null: unlimited, or never read. */
  readonly remainingMb: number | null;
  /** ISO 8601; null: not started, or never read. */
  readonly endsAt: string | null;
}

export const requestStates = ['open', 'answered', 'closed'] as const;
export type RequestState = (typeof requestStates)[number];

/** What the traveller wrote. Both may be empty. */
export interface Written {
  readonly email: string;
  readonly message: string;
}

interface Sent {
  readonly partnerId: number;
  readonly orderId: bigint;
  readonly iccid: string;
  /** Names the form. */
  readonly form: string;
  readonly language: Language;
  readonly step: Step;
  readonly facts: KnownFacts;
  readonly written: Written;
  readonly at: Date;
}

export interface HelpRequest extends Omit<Sent, 'form' | 'at'> {
  readonly id: bigint;
  readonly state: RequestState;
  /** The last answer; null: none. */
  readonly answer: string | null;
  /** Account time. */
  readonly createdAt: Date;
  readonly answeredAt: Date | null;
  readonly closedAt: Date | null;
}

type Row = Omit<HelpRequest, 'written' | 'answer'> & { readonly sealed: Buffer; readonly answer: Buffer | null };

const columns = sql`
  id, partner_id as "partnerId", order_id as "orderId", iccid, language, step, facts, sealed, answer, state,
  created_at as "createdAt", answered_at as "answeredAt", closed_at as "closedAt"`;

const opened = (vault: Vault, { sealed, answer, ...row }: Row): HelpRequest => ({
  ...row,
  written: JSON.parse(vault.open(sealed)) as Written,
  answer: answer && vault.open(answer),
});

/** `known`: this form was sent before. Otherwise the number of the request among those of its ICCID. */
type InsertOutcome = 'known' | 'limit' | { readonly id: bigint; readonly n: number };

export async function insertRequest(tx: Tx, vault: Vault, sent: Sent): Promise<InsertOutcome> {
  const { partnerId, orderId, iccid, form, language, step, facts, written, at } = sent;
  // One request of an eSIM at a time, so that the limit is exact.
  await tx.run(sql`select pg_advisory_xact_lock(hashtext('help requests'), hashtext(${iccid}))`);
  const day = new Date(Math.floor(at.getTime() / DAY) * DAY);
  const { isKnown, today, n } = await tx.one<{ isKnown: boolean; today: number; n: number }>(sql`
    select coalesce(bool_or(order_id = ${orderId} and form = ${form}), false) as "isKnown",
      count(*) filter (where created_at >= ${day} and created_at < ${new Date(day.getTime() + DAY)})::int as today,
      coalesce(max(n), 0) + 1 as n
    from help_requests where iccid = ${iccid}`);
  if (isKnown) return 'known';
  if (today >= MAX_A_DAY) return 'limit';
  const { id } = await tx.one<{ id: bigint }>(sql`
    insert into help_requests (partner_id, order_id, iccid, n, form, language, step, facts, sealed, created_at)
    values (${partnerId}, ${orderId}, ${iccid}, ${n}, ${form}, ${language}, ${step}, ${JSON.stringify(facts)}::jsonb,
      ${vault.seal(JSON.stringify(written))}, ${at})
    returning id`);
  return { id, n };
}

export interface RequestPage {
  readonly limit: number;
  /** Only requests with a smaller id. */
  readonly beforeId: bigint | undefined;
  readonly state: RequestState | undefined;
}

/** Newest first. */
export async function listRequests(
  db: Queryable,
  vault: Vault,
  partnerId: number,
  { limit, beforeId, state }: RequestPage,
): Promise<HelpRequest[]> {
  const rows = await db.query<Row>(sql`
    select ${columns} from help_requests where partner_id = ${partnerId}
      ${state === undefined ? nothing : sql`and state = ${state}`} ${beforeId === undefined ? nothing : sql`and id < ${beforeId}`}
    order by id desc limit ${limit}`);
  return rows.map((row) => opened(vault, row));
}

const MOST_COUNTED = 100;

/** Those that wait for an answer; `more`: there may be more than were counted. */
export async function countOpenRequests(db: Queryable, partnerId: number) {
  const found = await db.one<{ requests: number; since: Date | null }>(sql`
    select count(*)::int as requests, min(created_at) as since from (
      select created_at from help_requests where partner_id = ${partnerId} and state = 'open'
      order by id desc limit ${MOST_COUNTED}
    ) as open`);
  return { ...found, more: found.requests === MOST_COUNTED };
}

/** Throws `help_request_not_found`. */
export async function findRequest(db: Queryable, vault: Vault, id: bigint): Promise<HelpRequest> {
  const row = await db.maybe<Row>(sql`select ${columns} from help_requests where id = ${id}`);
  if (!row) throw new Refused('help_request_not_found');
  return opened(vault, row);
}

/** Until the end of the transaction, nothing else changes it. Throws `help_request_not_found`. */
export async function lockRequest(tx: Tx, vault: Vault, id: bigint): Promise<HelpRequest> {
  await tx.run(sql`select from help_requests where id = ${id} for no key update`);
  return findRequest(tx, vault, id);
}

export async function saveAnswer(tx: Tx, vault: Vault, id: bigint, answer: string, at: Date): Promise<void> {
  await tx.run(sql`
    update help_requests set state = 'answered', answer = ${vault.seal(answer)}, answered_at = ${at}, closed_at = null
    where id = ${id}`);
}

export async function closeRequest(tx: Tx, id: bigint, at: Date): Promise<void> {
  await tx.run(sql`
    update help_requests set state = 'closed', closed_at = ${at} where id = ${id} and state <> 'closed'`);
}
