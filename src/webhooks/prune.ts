import type { Queryable } from '../db/database.ts';
import { sql } from '../db/sql.ts';

/** Small, so that no batch holds up the deliveries of anyone. */
const BATCH = 500;

/** Forgets one batch of bodies from before a time; call it until it returns none. What is still to be sent keeps its body. */
export function pruneBodies(db: Queryable, before: Date): Promise<number> {
  return db.run(sql`
    update webhook_deliveries set body = null
    where id = any (array (
      select id from webhook_deliveries
      where created_at < ${before} and body is not null and status in ('sent', 'dead')
      order by created_at limit ${BATCH} for update skip locked
    ))`);
}
