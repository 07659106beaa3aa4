import { HOUR } from '../../../platform/clock.ts';
import type { Queryable } from '../../../platform/db/database.ts';
import { type Sql, sql } from '../../../platform/db/query/sql.ts';
import type { IdRange } from './index-paths.ts';

/**
 * How far the order of ids may differ from the order of times: a purchase gets its time when it arrives and its id when its wallet is
 * free, and servers' clocks differ.
 */
const SLACK_MS = HOUR;

/**
 * The ids between which all orders created in a period lie, over all partners, for a world whose ids follow time. It halves the range
 * of ids until the place is found, some twenty looks into the key, so orders need no index by time. Orders of other times are in
 * between as well: the caller still compares the time of each.
 */
export async function idsAround(
  db: Queryable,
  { from, to }: { readonly from: Date | undefined; readonly to: Date | undefined },
): Promise<Partial<IdRange>> {
  if (from === undefined && to === undefined) return {};
  const { first, end } = await db.one<{ first: bigint | null; end: bigint | null }>(sql`
    select ${from === undefined ? sql`null::bigint` : firstSince(new Date(from.getTime() - SLACK_MS))} as first,
      ${to === undefined ? sql`null::bigint` : firstSince(new Date(to.getTime() + SLACK_MS))} as end`);
  return { ...(first !== null && { first }), ...(end !== null && { last: end - 1n }) };
}

/** The id from which on orders are not older than `at`. `id` below is the first order in the upper half of what is left. */
const firstSince = (at: Date): Sql => sql`(
  with recursive place as (
    select coalesce((select id from orders order by id limit 1), 1) as low,
      coalesce((select id from orders order by id desc limit 1), 0) + 1 as high
    union all
    select case when middle.created_at < ${at} then middle.id + 1 else low end,
      case when middle.created_at < ${at} then high else (low + high) / 2 end
    from place cross join lateral (
      select id, created_at from orders where id >= (low + high) / 2 order by id limit 1
    ) as middle
    where low < high
  ) select low from place where low >= high limit 1)`;
