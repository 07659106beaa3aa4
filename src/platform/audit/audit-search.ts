import { HOUR } from '../clock.ts';
import type { Queryable } from '../db/database.ts';
import { nothing, pinned, type Sql, sql } from '../db/query/sql.ts';
import type { ActivityEntry } from './audit-log.ts';

/*
 * The audit log by person, thing, kind and time. Each filter is a handful of ranges of one index, already in the order shown, so
 * the cost does not grow with the log:
 *
 *   person           audit_log_by_who
 *   person and kind  audit_log_by_what
 *   kind             audit_log_by_what, hopping from person to person
 *   thing            audit_log_of_target
 *   partner          audit_log_of_partner; with another filter, all entries of that partner
 *   time alone       the primary key, between two ids found by halving: ids grow with time
 */

export interface ChangeSearch {
  /** Any of these names. */
  readonly who?: readonly string[] | undefined;
  readonly target?: string | undefined;
  readonly partnerId?: number | undefined;
  readonly what?: string | undefined;
  readonly from?: Date | undefined;
  readonly until?: Date | undefined;
}

const MOST_PEOPLE = 5_000;
/** Entries get their id when a change ends and their time when it began. No change takes longer. */
const OUT_OF_ORDER_MS = HOUR;

const columns = sql`id, at, who, what, target, before, after, partner_id as "partnerId"`;

/** Newest first, before an entry. The owner's connection only. */
export function searchChanges(
  db: Queryable,
  { who, target, what, partnerId, from, until }: ChangeSearch,
  { before, limit }: { readonly before?: bigint | undefined; readonly limit: number },
): Promise<ActivityEntry[]> {
  const isInRange = sql`
    ${from === undefined ? nothing : sql`and at >= ${from}`} ${until === undefined ? nothing : sql`and at < ${until}`}`;
  const isBy = who === undefined ? nothing : sql`and who = any(${who}::text[])`;
  if (partnerId !== undefined)
    return db.query(sql`
      select ${columns} from shared.audit_log
      where ${pinned('partner_id', partnerId)} ${isBy} ${isInRange}
        ${target === undefined ? nothing : sql`and target = ${target}`}
        ${what === undefined ? nothing : sql`and what = ${what}`}
        ${before === undefined ? nothing : sql`and id < ${before}`}
      order by id desc limit ${limit}`);
  if (who === undefined && target === undefined && what === undefined)
    return db.query(sql`
      select ${columns} from shared.audit_log
      where true ${isInRange} ${before === undefined ? nothing : sql`and id < ${before}`}
        ${from === undefined ? nothing : sql`and id >= ${firstIdSince(from.getTime() - OUT_OF_ORDER_MS)}`}
        ${until === undefined ? nothing : sql`and id < ${firstIdSince(until.getTime() + OUT_OF_ORDER_MS)}`}
      order by id desc limit ${limit}`);
  const isWanted = sql`
    ${target === undefined ? nothing : sql`and target = ${target}`}
    ${what === undefined ? nothing : sql`and what = ${what}`} ${isInRange}
    ${before === undefined ? nothing : sql`and (at, id) < ((select at from shared.audit_log where id = ${before}), ${before})`}`;
  const newest = (more: Sql) => sql`
    select ${columns} from shared.audit_log where true ${more} ${isWanted} order by at desc, id desc limit ${limit}`;
  // A thing has few entries.
  if (target !== undefined) return db.query(newest(isBy));
  const people = who === undefined ? sql`(${peopleOf(what ?? '')})` : sql`unnest(${who}::text[])`;
  return db.query(sql`
    select entry.* from ${people} as person (name)
    cross join lateral (${newest(sql`and who = person.name`)}) as entry
    order by entry.at desc, entry.id desc limit ${limit}`);
}

const MOST_LOOKED_AT = 2_000;

/** What other operators changed since a time, newest first; members, keys and the schedule are left out. */
export const changesByOthers = (
  db: Queryable,
  { since, who, limit }: { readonly since: Date; readonly who: string; readonly limit: number },
): Promise<ActivityEntry[]> =>
  db.query(sql`
    select * from (
      select ${columns} from shared.audit_log
      where id >= ${firstIdSince(since.getTime() - OUT_OF_ORDER_MS)} order by id desc limit ${MOST_LOOKED_AT}
    ) as newest
    where at > ${since} and who <> ${who} and who !~ '^(member|key):' and what <> 'catalog import'
    order by id desc limit ${limit}`);

const peopleOf = (what: string): Sql => sql`
  with recursive person as (
    (select who, 1 as number from shared.audit_log where what = ${what} order by who limit 1)
    union all
    select next.who, number + 1 from person cross join lateral (
      select who from shared.audit_log where what = ${what} and who > person.who order by who limit 1
    ) as next
    where number < ${MOST_PEOPLE}
  )
  select who from person`;

/** The first id whose entry is not older, by halving. */
const firstIdSince = (at: number): Sql => sql`(
  with recursive step as (
    select 1::bigint as low, 1 + coalesce((select max(id) from shared.audit_log), 0) as high
    union all
    select case when probe.is_older then probe.id + 1 else low end, case when probe.is_older then high else middle end
    from step
    cross join lateral (select (low + high) / 2 as middle) as half
    cross join lateral (
      select id, at < ${new Date(at)} as is_older from shared.audit_log where id >= middle order by id limit 1
    ) as probe
    where low < high
  )
  select max(low) from step
)`;

export async function listKinds(db: Queryable): Promise<string[]> {
  const rows = await db.query<{ what: string }>(sql`
    with recursive kind as (
      (select what, 1 as number from shared.audit_log order by what limit 1)
      union all
      select next.what, number + 1 from kind cross join lateral (
        select what from shared.audit_log where what > kind.what order by what limit 1
      ) as next
      where number < 500
    )
    select what from kind order by what`);
  return rows.map(({ what }) => what);
}
