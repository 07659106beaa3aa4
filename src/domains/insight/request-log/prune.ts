import { type Clock, DAY, MINUTE } from '../../../platform/clock.ts';
import type { Db, Queryable } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/query/sql.ts';
import type { Job } from '../../../platform/jobs/runner.ts';

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
