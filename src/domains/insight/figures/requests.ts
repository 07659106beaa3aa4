import { type Clock, DAY, HOUR } from '../../../platform/clock.ts';
import type { Db, Queryable } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/query/sql.ts';
import type { Job } from '../../../platform/jobs/runner.ts';
import type { Log } from '../../../platform/log.ts';
import { filled, type Span } from './span.ts';

export const REQUEST_FIGURES_KEPT_DAYS = 90;
const PRUNED_AT_ONCE = 5_000;

interface CountedRequests {
  readonly partnerId: number;
  /** Real time; any moment of the hour. */
  readonly at: Date;
  /** The endpoint's path, never the path as sent: a client can make up any number of those. */
  readonly endpoint: string;
  readonly status: number;
  readonly requests: number;
}

/** Adds requests to the figures of the world that `db` is connected to. In the transaction that logs them, or by itself. */
export async function addRequestFigures(db: Queryable, counted: readonly CountedRequests[]): Promise<void> {
  if (counted.length === 0) return;
  // Sorted, so that two processes that add to the same rows lock them in the same order.
  await db.run(sql`
    insert into request_figures as kept (partner_id, hour, endpoint, status, requests)
    select partner_id, date_trunc('hour', at, 'UTC'), endpoint, status, sum(requests)
    from unnest(
      ${counted.map(({ partnerId }) => partnerId)}::int[], ${counted.map(({ at }) => at)}::timestamptz[],
      ${counted.map(({ endpoint }) => endpoint)}::text[], ${counted.map(({ status }) => status)}::smallint[],
      ${counted.map(({ requests }) => requests)}::int[]
    ) as line (partner_id, at, endpoint, status, requests)
    group by 1, 2, 3, 4 order by 1, 2, 3, 4
    on conflict (partner_id, hour, endpoint, status) do update set requests = kept.requests + excluded.requests`);
}

interface RequestPoint {
  readonly at: Date;
  readonly statuses: Readonly<Record<string, number>>;
}

export interface RequestFigures {
  readonly points: readonly RequestPoint[];
  readonly endpoints: readonly EndpointRequests[];
}

interface EndpointRequests {
  readonly endpoint: string;
  readonly requests: number;
  /** With a status from 400 on. */
  readonly errors: number;
}

const MOST_ENDPOINTS = 100;

export async function readRequestFigures(db: Queryable, partnerId: number, span: Span): Promise<RequestFigures> {
  const isWanted = sql`partner_id = ${partnerId} and hour >= ${span.from} and hour < ${span.to}`;
  const [points, endpoints] = await Promise.all([
    db.query<RequestPoint>(sql`
      select at, jsonb_object_agg(status, requests) as statuses from (
        select date_trunc(${span.per}, hour, 'UTC') as at, status, sum(requests) as requests
        from request_figures where ${isWanted} group by 1, 2
      ) as counted group by at`),
    db.query<EndpointRequests>(sql`
      select endpoint, sum(requests)::float8 as requests,
        coalesce(sum(requests) filter (where status >= 400), 0)::float8 as errors
      from request_figures where ${isWanted} group by 1 order by 2 desc, 1 limit ${MOST_ENDPOINTS}`),
  ]);
  return { points: filled(span, points, (at) => ({ at, statuses: {} })), endpoints };
}

/** Over all partners, by hour. Each partner's hours are a range of their own in the index. */
export const readAnswered = (db: Queryable, from: Date, to: Date): Promise<AnsweredHour[]> =>
  db.query(sql`
    select hour, sum(requests)::float8 as measured, coalesce(sum(requests) filter (where status >= 500), 0)::float8 as failed
    from shared.partners cross join lateral (
      select hour, status, requests from request_figures
      where partner_id = partners.id and hour >= ${from} and hour < ${to}
    ) as counted group by hour`);

/** Answered requests of an hour, and how many of them failed on our side. */
interface AnsweredHour {
  readonly hour: Date;
  readonly measured: number;
  readonly failed: number;
}

/** Forgets sums that are older than `REQUEST_FIGURES_KEPT_DAYS`. */
export const requestFiguresJob = ({ schema, db }: { schema: string; db: Db }, clock: Clock): Job => ({
  name: `request figures ${schema}`,
  everyMs: 1 * HOUR,
  run: () => pruneRequestFigures(db, new Date(clock.now() - REQUEST_FIGURES_KEPT_DAYS * DAY)),
});

const pruneRequestFigures = (db: Queryable, before: Date): Promise<number> =>
  db.run(sql`
    delete from request_figures where (partner_id, hour, endpoint, status) in (
      select old.* from shared.partners cross join lateral (
        select partner_id, hour, endpoint, status from request_figures
        where partner_id = partners.id and hour < ${before} order by hour limit ${PRUNED_AT_ONCE}
      ) as old limit ${PRUNED_AT_ONCE})`);

/** Kinds of requests that wait: one for each account, endpoint, status and hour. Beyond these they are not counted. */
const MAX_KINDS = 20_000;

interface Kind extends Omit<CountedRequests, 'requests'> {
  readonly hour: number;
  requests: number;
}

export function createRequestCounts({ db }: { readonly db: Queryable }, { log }: { readonly log: Pick<Log, 'warn'> }) {
  let kinds = new Map<string, Kind>();

  function add(partnerId: number, endpoint: string, status: number, hour: number, requests: number): void {
    const name = `${partnerId} ${status} ${hour} ${endpoint}`;
    const kind = kinds.get(name);
    if (kind) kind.requests += requests;
    else if (kinds.size < MAX_KINDS)
      kinds.set(name, { partnerId, endpoint, status, hour, at: new Date(hour * HOUR), requests });
  }

  return {
    /** On the path of every request. `now` is real time. */
    count: (partnerId: number, endpoint: string, status: number, now: number): void =>
      add(partnerId, endpoint, status, Math.floor(now / HOUR), 1),
    /** Writes what was counted. To be called every second or so; what could not be written waits for the next time. */
    async flush(): Promise<void> {
      if (kinds.size === 0) return;
      const counted = [...kinds.values()];
      kinds = new Map();
      try {
        await addRequestFigures(db, counted);
      } catch (error) {
        log.warn({ err: error }, 'requests could not be added to the figures; they will be with the next ones');
        for (const { partnerId, endpoint, status, hour, requests } of counted)
          add(partnerId, endpoint, status, hour, requests);
      }
    },
  };
}
