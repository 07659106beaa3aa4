import type { Cents } from '../../../platform/amounts/cents.ts';
import type { Queryable } from '../../../platform/db/database.ts';
import { raw, type Sql, sql } from '../../../platform/db/query/sql.ts';
import { tookClasses } from './contributions.ts';
import { filled, type Span } from './span.ts';

/** The outcomes of the orders placed in a period. */
export interface OrderCounts {
  /** Charged, whatever their outcome. */
  readonly orders: number;
  /** Purchases that were refused without a charge. */
  readonly refused: number;
  readonly delivered: number;
  readonly failed: number;
}

export interface OrderPoint extends OrderCounts {
  readonly at: Date;
  /** All delivered orders together. */
  readonly tookMs: number;
}

export interface OrderFigures {
  readonly points: readonly OrderPoint[];
  readonly total: OrderCounts & { readonly tookMs: number };
  /** How many were delivered in up to so many seconds, and in more than the class before. */
  readonly took: readonly { readonly upToSeconds: number | null; readonly orders: number }[];
  readonly destinations: readonly DestinationCounts[];
}

export interface DestinationCounts {
  readonly code: string;
  readonly title: string;
  readonly orders: number;
  readonly delivered: number;
  readonly failed: number;
}

const isInHours = (partnerId: number, { from, to }: Span): Sql =>
  sql`partner_id = ${partnerId} and hour >= ${from} and hour < ${to}`;
const isInDays = (partnerId: number, { from, to }: Span): Sql =>
  sql`partner_id = ${partnerId} and day >= (${from}::timestamptz at time zone 'UTC')::date
    and day < (${to}::timestamptz at time zone 'UTC')::date`;
export const beginningOf = ({ per }: Span): Sql => sql`date_trunc(${per}, hour, 'UTC')`;

const counts = sql`
  coalesce(sum(orders), 0)::float8 as orders, coalesce(sum(refused), 0)::float8 as refused,
  coalesce(sum(delivered), 0)::float8 as delivered, coalesce(sum(failed), 0)::float8 as failed,
  coalesce(sum(took_ms), 0)::float8 as "tookMs"`;

export async function readOrderFigures(db: Queryable, partnerId: number, span: Span): Promise<OrderFigures> {
  const [points, { took, ...total }, destinations] = await Promise.all([
    db.query<OrderPoint>(sql`
      select ${beginningOf(span)} as at, ${counts} from order_figures where ${isInHours(partnerId, span)} group by 1`),
    db.one<OrderFigures['total'] & { took: number[] }>(sql`
      select ${counts}, array[${tookSums}] as took from order_figures where ${isInHours(partnerId, span)}`),
    db.query<DestinationCounts>(sql`
      select sold.*, coalesce(destinations.title, sold.code) as title
      from (
        select destination as code, sum(orders)::float8 as orders, sum(delivered)::float8 as delivered, sum(failed)::float8 as failed
        from destination_figures where ${isInDays(partnerId, span)} group by 1 having sum(orders) > 0
      ) as sold left join destinations on destinations.code = sold.code
      order by sold.orders desc, sold.code`),
  ]);
  const empty = (at: Date) => ({ at, orders: 0, refused: 0, delivered: 0, failed: 0, tookMs: 0 });
  return {
    points: filled(span, points, empty),
    total,
    took: tookClasses.map(({ upToSeconds }, i) => ({ upToSeconds, orders: took[i] ?? 0 })),
    destinations,
  };
}

const tookSums = raw(tookClasses.map(({ column }) => `coalesce(sum(${column}), 0)::float8`).join(', '));

export interface Spent {
  readonly charged: Cents;
  /** Given back of that, until now. */
  readonly returned: Cents;
}

export interface SpendFigures {
  readonly points: readonly (Spent & { readonly at: Date })[];
  readonly total: Spent;
  readonly destinations: readonly (Spent & { readonly code: string })[];
}

const spent = sql`coalesce(sum(charged), 0)::bigint as charged, coalesce(sum(returned), 0)::bigint as returned`;

export async function readSpendFigures(db: Queryable, partnerId: number, span: Span): Promise<SpendFigures> {
  const [points, total, destinations] = await Promise.all([
    db.query<SpendFigures['points'][number]>(sql`
      select ${beginningOf(span)} as at, ${spent} from order_figures where ${isInHours(partnerId, span)} group by 1`),
    db.one<Spent>(sql`select ${spent} from order_figures where ${isInHours(partnerId, span)}`),
    db.query<SpendFigures['destinations'][number]>(sql`
      select destination as code, ${spent} from destination_figures where ${isInDays(partnerId, span)}
      group by 1 having sum(orders) > 0`),
  ]);
  const none = 0n as Cents;
  return { points: filled(span, points, (at) => ({ at, charged: none, returned: none })), total, destinations };
}

/** What was bought of one plan in a period. */
export interface PlanBought extends Spent {
  readonly at: Date;
  readonly plan: string;
  readonly destination: string;
  readonly orders: number;
}

/** By day or month: plans are not counted by the hour. */
export function readPlanFigures(db: Queryable, partnerId: number, span: Span): Promise<PlanBought[]> {
  const per = span.per === 'month' ? 'month' : 'day';
  return db.query(sql`
    select date_trunc(${per}, day::timestamp) at time zone 'UTC' as at, plan, destination, sum(orders)::float8 as orders, ${spent}
    from plan_figures where ${isInDays(partnerId, span)} group by 1, 2, 3 having sum(orders) > 0 order by 1, 2, 3`);
}

/** The same for the figures of plans. */
export async function readPlansCountedUntil(db: Queryable): Promise<Date | null> {
  const row = await db.maybe<{ until: Date | null }>(sql`select counted_until as until from plan_progress`);
  return row?.until ?? null;
}

/** Until when everything is counted, in real time; null: the first count is not finished. */
export async function readCountedUntil(db: Queryable): Promise<Date | null> {
  const row = await db.maybe<{ until: Date | null }>(sql`select counted_until as until from figure_progress`);
  return row?.until ?? null;
}
