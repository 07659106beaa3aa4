import { setTimeout as wait } from 'node:timers/promises';
import type { Queryable, Tx } from '../../../../platform/db/database.ts';
import { sql } from '../../../../platform/db/query/sql.ts';
import type { Services } from '../../../../platform/start/services.ts';

/*
 * Removes deliveries from the log once they are older than `DELIVERY_RETENTION_DAYS`. docs/decisions/0009 says why this is not
 * done by dropping partitions.
 *
 * Ids grow with time, so the oldest rows are the first in the primary key, and no index by age is needed. A pass walks the key
 * from its beginning, a batch of ids at a time, and deletes what is old in each. It ends where several batches in a row have
 * nothing old. One would not be enough: a test clock or a wrong clock can date a run of rows ahead, and old rows follow them.
 * The next pass begins behind the batches at the front that went as a whole: until the next vacuum the key still has entries for
 * their rows, and stepping over a million of those takes seconds.
 *
 * What is still to be sent stays, however old. Dead letters are removed like everything else, but their time counts from the
 * moment they died, so that an operator always has the whole retention to notice them.
 */

/** Ids looked at in one statement: a few milliseconds of work, so deliveries beside it hardly notice. */
const BATCH = 1_000;
/** Batches without an old row that end a pass. */
const MISSES = 20;
/** Rest between two batches. The first pass over a log of years must not take the disk away from purchases. */
const PAUSE_MS = 100;

interface RetentionOptions extends Pick<Services, 'db' | 'clock' | 'log'> {
  readonly schema: string;
  readonly keptMs: number;
}

/** The run of a job: removes one batch and returns how many rows that were; 0 when the pass has ended. */
export function retention(options: RetentionOptions): (signal: AbortSignal) => Promise<number> {
  const { schema, db, keptMs, clock, log } = options;
  let front = 0n;
  let pass = { after: front, removed: 0 };
  return async (signal) => {
    const before = new Date(clock.now() - keptMs);
    for (let misses = 0; misses < MISSES; misses++) {
      const { last, seen, removed } = await removeBatch(db, pass.after, before);
      if (last === null) break;
      if (front === pass.after && removed === seen) front = last;
      pass = { after: last, removed: pass.removed + removed };
      if (removed === 0) continue;
      await wait(PAUSE_MS, undefined, { signal });
      return removed;
    }
    if (pass.removed > 0)
      log.info({ schema, deliveries: pass.removed, before }, 'old deliveries were removed from the log');
    pass = { after: front, removed: 0 };
    return 0;
  };
}

/** Removes what is older than `before` among the next ids after `after`. `last` is null if there are none. */
export function removeBatch(
  db: Queryable,
  after: bigint,
  before: Date,
): Promise<{ readonly last: bigint | null; readonly seen: number; readonly removed: number }> {
  return db.one(sql`
    with seen as materialized (
      select id, created_at < ${before} and coalesce(died_at < ${before}, true) as old
      from webhook_deliveries where id > ${after} order by id limit ${BATCH}
    ), removed as (
      delete from webhook_deliveries where id = any (array (
        select id from webhook_deliveries
        where id = any (array (select id from seen where old)) and status in ('sent', 'dead')
        order by id for update skip locked
      ))
      returning id
    ), attempts as (
      delete from webhook_attempts where delivery_id = any (array (select id from removed))
    )
    select max(id) as last, count(*)::int as seen, (select count(*)::int from removed) as removed from seen`);
}

/** Bodies deleted in one statement: few, so that deliveries never wait long for its locks. */
const BODY_BATCH = 500;

/** A batch of deliveries older than `before` that still have their bodies. Those still to be sent keep theirs. */
export async function listPrunable(db: Queryable, before: Date): Promise<bigint[]> {
  const rows = await db.query<{ id: bigint }>(sql`
    select id from webhook_deliveries
    where created_at < ${before} and body is not null and status in ('sent', 'dead')
    order by created_at limit ${BODY_BATCH}`);
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

/**
 * Deletes a partner's order deliveries, including those still waiting; the subscriptions and their test events stay. The queue
 * comes before the log and both in order, as queue.ts demands. A dead delivery that is requeued between the two statements is
 * kept, because it has a queue row again.
 */
async function forget(tx: Tx, partnerId: number): Promise<void> {
  const waiting = await tx.query<{ id: bigint }>(sql`
    delete from webhook_queue
    where delivery_id = any (array (
      select delivery_id from webhook_queue join webhook_deliveries on webhook_deliveries.id = delivery_id
      where partner_id = ${partnerId} and order_id > 0
      order by delivery_id for update of webhook_queue
    ))
    returning delivery_id as id`);
  await tx.run(sql`
    with forgotten as (
      delete from webhook_deliveries
      where partner_id = ${partnerId} and order_id > 0
        and (status in ('sent', 'dead') or id = any (${waiting.map(({ id }) => id)}::bigint[]))
      returning id
    )
    delete from webhook_attempts where delivery_id = any (array (select id from forgotten))`);
}

/** Deletes what the deliveries of these orders say, once they are done with. */
const forgetBodies = async (db: Queryable, orderIds: readonly bigint[]): Promise<number> =>
  orderIds.length === 0
    ? 0
    : db.run(sql`
        update webhook_deliveries set body = null
        where order_id > 0 and order_id = any (${orderIds}::bigint[]) and body is not null and status in ('sent', 'dead')`);

export const orderDeliveries = { forget, forgetBodies };
