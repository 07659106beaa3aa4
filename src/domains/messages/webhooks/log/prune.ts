import type { Queryable } from '../../../../platform/db/database.ts';
import { sql } from '../../../../platform/db/query/sql.ts';

/** Small, so that deliveries never wait long for its locks. */
const BATCH = 500;

/** A batch of deliveries older than `before` that still have their bodies. Those still to be sent keep theirs. */
export async function listPrunable(db: Queryable, before: Date): Promise<bigint[]> {
  const rows = await db.query<{ id: bigint }>(sql`
    select id from webhook_deliveries
    where created_at < ${before} and body is not null and status in ('sent', 'dead')
    order by created_at limit ${BATCH}`);
  return rows.map(({ id }) => id);
}

/** Deletes their bodies, except of those that somebody is sending again; returns how many. */
export function pruneBodies(db: Queryable, ids: readonly bigint[]): Promise<number> {
  return db.run(sql`
    update webhook_deliveries set body = null
    where id = any (array (
      select id from webhook_deliveries
      where id = any (${ids}::bigint[]) and body is not null and status in ('sent', 'dead') order by id for update skip locked
    ))`);
}
