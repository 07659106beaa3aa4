import type { Queryable } from '../../../platform/db/database.ts';
import { type Sql, sql } from '../../../platform/db/query/sql.ts';
import { KEPT_MS } from './prune.ts';
import type { LoggedField } from './rows.ts';

/** A call as its account looks it up. */
export interface LoggedCall {
  readonly id: bigint;
  readonly at: Date;
  readonly requestId: string;
  readonly keyId: number;
  readonly method: string;
  readonly endpoint: string;
  readonly status: number;
  /** The code of a refusal; empty: none. */
  readonly error: string;
  readonly isSimulated: boolean;
  readonly durationMs: number;
  readonly address: string;
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

/** One call with what was sent; undefined: the account has none of this id, or not any more. */
export function findCall(
  db: Queryable,
  partnerId: number,
  requestId: string,
  now: number,
): Promise<(LoggedCall & { readonly fields: readonly LoggedField[] }) | undefined> {
  return db.maybe(sql`
    select ${columns}, coalesce(fields, '[]') as fields from request_log
    where ${kept(partnerId, now)} and request_id = ${requestId} order by id desc limit 1`);
}

export type NamedCall = LoggedCall & { readonly partnerId: number };

export function findNamed(db: Queryable, requestId: string, now: number): Promise<NamedCall | undefined> {
  return db.maybe(sql`
    select partner_id as "partnerId", ${columns} from request_log
    where request_id = ${requestId} and at > ${new Date(now - KEPT_MS)} order by id desc limit 1`);
}
