import { type Clock, DAY, HOUR } from '../../../platform/clock.ts';
import type { Db } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/query/sql.ts';
import type { Job } from '../../../platform/jobs/runner.ts';

/**
 * Versions are valid for seven days. One day more, because another process may hand out a state shortly after the next one was
 * made.
 */
const LOG_KEPT_MS = 8 * DAY;
const BATCH = 5_000;

/**
 * Removes expired states, and the log of what was different before them. A state is handed out until the next one is made, so its
 * time starts then: the newest state older than the limit is still needed, everything before it is not.
 */
export function catalogStatesJob(db: Db, clock: Clock): Job {
  return {
    name: 'catalog states',
    everyMs: HOUR,
    async run() {
      const before = new Date(clock.now() - LOG_KEPT_MS);
      const first = sql`(select max(id) from catalog_states where at < ${before})`;
      // States first: without its state a version is refused, so an incomplete log is never read.
      const states = await db.run(sql`delete from catalog_states where id < ${first}`);
      const destinations = await db.run(sql`delete from destination_changes where state <= ${first}`);
      const plans = await db.run(sql`
        delete from plan_changes where (plan_id, state) in (
          select plan_id, state from plan_changes where state <= ${first} order by state limit ${BATCH})`);
      return states + destinations + plans;
    },
  };
}
