import { type Clock, DAY, MINUTE } from '../../../platform/clock.ts';
import type { Db, Queryable } from '../../../platform/db/database.ts';
import { columnsOf } from '../../../platform/db/query/columns.ts';
import { type Sql, sql } from '../../../platform/db/query/sql.ts';
import { wholeMs } from '../../../platform/db/query/values.ts';
import type { Job } from '../../../platform/jobs/runner.ts';

export interface NotedCall {
  readonly partnerId: number;
  readonly keyId: number;
  readonly requestId: string;
  /** When it arrived, in real time. */
  readonly at: number;
  readonly method: string;
  readonly endpoint: string;
  readonly status: number;
  /** The code of a refusal; empty: none. */
  readonly error: string;
  /** The caller had the error simulated. */
  readonly isSimulated: boolean;
  readonly durationMs: number;
  readonly address: string;
  readonly orderId: bigint | number | undefined;
  /** What was sent, without secrets. Called only when the call is written: it takes longer than everything else here. */
  fields(): readonly LoggedField[];
  /** Characters that wait in memory for `answer`. */
  readonly held: number;
  /** Of the whole answer, as long as it was. */
  readonly answerLength: number;
  /** The answer or its beginning, without secrets; null: nothing of it is kept. Called when the call is written, too. */
  answer(): string | null;
}

export interface LoggedField {
  readonly in: 'path' | 'query' | 'body' | 'header';
  readonly name: string;
  readonly value: string;
  /** Why `value` is not what was sent. */
  readonly note?: 'hidden' | 'undeclared' | 'misplaced' | 'unreadable' | 'shortened';
}

const noted = columnsOf<NotedCall>()({
  partner_id: ['int', ({ partnerId }) => partnerId],
  at: ['timestamptz', ({ at }) => new Date(at)],
  request_id: ['uuid', ({ requestId }) => requestId],
  key_id: ['int', ({ keyId }) => keyId],
  method: ['text', ({ method }) => method],
  endpoint: ['text', ({ endpoint }) => endpoint],
  status: ['smallint', ({ status }) => status],
  error: ['text', ({ error }) => error],
  is_simulated: ['boolean', ({ isSimulated }) => isSimulated],
  duration_ms: ['int', ({ durationMs }) => wholeMs(durationMs)],
  address: ['text', ({ address }) => address],
  order_id: ['bigint', ({ orderId }) => orderId],
  fields: ['json', (call) => textOfFields(call.fields())],
  answer: ['text', (call) => call.answer()],
  answer_length: ['int', ({ answerLength }) => answerLength],
});

const insertNoted = noted.statement(
  sql`insert into request_log (${noted.names}) select ${noted.stored} from ${noted.unnested}`,
);

const textOfFields = (fields: readonly LoggedField[]) => (fields.length === 0 ? null : JSON.stringify(fields));

/** Writes calls in the order they were answered. */
export const insertCalls = (db: Db, calls: readonly NotedCall[]): Promise<number> => db.run(insertNoted(calls));

export interface LoggedCall
  extends Omit<NotedCall, 'partnerId' | 'at' | 'orderId' | 'fields' | 'held' | 'answerLength' | 'answer'> {
  readonly id: bigint;
  readonly at: Date;
  readonly orderId: bigint | null;
}

export interface CallFilter {
  readonly keyId?: number | undefined;
  readonly endpoint?: string | undefined;
  readonly status?: readonly [least: number, most: number] | undefined;
  readonly error?: string | undefined;
  readonly requestId?: string | undefined;
  readonly orderId?: bigint | undefined;
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
  readonly beforeId?: bigint | undefined;
}

const NEWEST = 2n ** 63n - 1n;

const columns = sql`
  id, at, request_id as "requestId", key_id as "keyId", method, endpoint, status, error, is_simulated as "isSimulated",
  duration_ms as "durationMs", address, order_id as "orderId"`;

/** The part of an account's calls that is shown: what the job has yet to remove is not. */
const kept = (partnerId: number, now: number): Sql =>
  sql`partner_id = ${partnerId} and at > ${new Date(now - KEPT_MS)}`;

/**
 * Newest first. Walks the account's calls from the newest down until the page is full, so it never reads another's. One text for
 * all filters: they only differ in which rows are stepped over.
 */
export function listCalls(
  db: Queryable,
  partnerId: number,
  filter: CallFilter,
  { limit, now }: { readonly limit: number; readonly now: number },
): Promise<LoggedCall[]> {
  const [least, most] = filter.status ?? [null, null];
  return db.query(sql`
    select ${columns} from request_log
    where ${kept(partnerId, now)}
      and id < ${filter.beforeId ?? NEWEST}
      and key_id = coalesce(${filter.keyId ?? null}::int, key_id)
      and endpoint = coalesce(${filter.endpoint ?? null}::text, endpoint)
      and status >= coalesce(${least}::int, status) and status <= coalesce(${most}::int, status)
      and error = coalesce(${filter.error ?? null}::text, error)
      and request_id = coalesce(${filter.requestId ?? null}::uuid, request_id)
      and order_id is not distinct from coalesce(${filter.orderId ?? null}::bigint, order_id)
      and at >= coalesce(${filter.from ?? null}::timestamptz, at) and at < coalesce(${filter.to ?? null}::timestamptz, 'infinity')
    order by id desc limit ${limit}`);
}

interface WholeCall extends LoggedCall {
  readonly fields: readonly LoggedField[];
  readonly answer: string | null;
  readonly answerLength: number;
}

/** One call with what was sent and answered; undefined: the account has none of this id, or not any more. */
export function findCall(
  db: Queryable,
  partnerId: number,
  requestId: string,
  now: number,
): Promise<WholeCall | undefined> {
  return db.maybe(sql`
    select ${columns}, coalesce(fields, '[]') as fields, answer, answer_length as "answerLength" from request_log
    where ${kept(partnerId, now)} and request_id = ${requestId} order by id desc limit 1`);
}

type NamedCall = LoggedCall & { readonly partnerId: number };

export function findNamed(db: Queryable, requestId: string, now: number): Promise<NamedCall | undefined> {
  return db.maybe(sql`
    select partner_id as "partnerId", ${columns} from request_log
    where request_id = ${requestId} and at > ${new Date(now - KEPT_MS)} order by id desc limit 1`);
}

export const KEPT_MS = 7 * DAY;
/** Calls kept per account. Until the job comes by, there are a minute's more. */
export const KEPT_CALLS = 10_000;

const BATCH = 2_000;
const ACCOUNTS = 50;

interface Overgrown {
  readonly partnerId: number;
  /** This call and those before it are too many; 0: they are only too old. */
  readonly upTo: bigint;
}

/**
 * Removes calls that are too old or too many. An account is looked at in two places: its oldest call, and the one after the calls
 * it may keep. Both are ends of a range of the key. Whole months go with their partition (platform/jobs/partitions.ts).
 */
export async function pruneCalls(db: Queryable, now: number, keptCalls = KEPT_CALLS): Promise<number> {
  const before = new Date(now - KEPT_MS);
  const overgrown = await db.query<Overgrown>(sql`
    select partners.id as "partnerId", coalesce(surplus.id, 0) as "upTo"
    from shared.partners
    cross join lateral (
      select at from request_log where partner_id = partners.id order by id limit 1
    ) as oldest
    left join lateral (
      select id from request_log where partner_id = partners.id order by id desc offset ${keptCalls} limit 1
    ) as surplus on true
    where oldest.at < ${before} or surplus.id is not null
    order by partners.id limit ${ACCOUNTS}`);
  if (overgrown.length === 0) return 0;
  return db.run(sql`
    delete from request_log using (
      select first.partner_id, first.id, first.at
      from unnest(${overgrown.map(({ partnerId }) => partnerId)}::int[], ${overgrown.map(({ upTo }) => upTo)}::bigint[])
        as overgrown (partner_id, up_to)
      cross join lateral (
        select partner_id, id, at from request_log where partner_id = overgrown.partner_id order by id limit ${BATCH}
      ) as first
      where first.id <= overgrown.up_to or first.at < ${before}
    ) as gone
    where request_log.partner_id = gone.partner_id and request_log.id = gone.id and request_log.at = gone.at`);
}

export const pruneCallsJob = ({ schema, db }: { schema: string; db: Db }, clock: Clock): Job => ({
  name: `prune requests ${schema}`,
  everyMs: MINUTE,
  run: () => pruneCalls(db, clock.now()),
});
