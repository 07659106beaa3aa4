import type { Queryable } from '../db/database.ts';
import { sql } from '../db/sql.ts';

/** Small, so that deliveries never wait long for its locks. */
const BATCH = 500;

/** Deletes one batch of bodies older than `before`; call it until it returns 0. Deliveries still to be sent keep theirs. */
export function pruneBodies(db: Queryable, before: Date): Promise<number> {
  return db.run(sql`
    update webhook_deliveries set body = null
    where id = any (array (
      select id from webhook_deliveries
      where created_at < ${before} and body is not null and status in ('sent', 'dead')
      order by created_at limit ${BATCH} for update skip locked
    ))`);
}
