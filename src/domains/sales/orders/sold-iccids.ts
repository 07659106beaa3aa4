import { type Clock, DAY, HOUR } from '../../../platform/clock.ts';
import type { Db, Queryable, Tx } from '../../../platform/db/database.ts';
import { type Sql, sql } from '../../../platform/db/query/sql.ts';
import type { Job } from '../../../platform/jobs/runner.ts';

/*
 * One ICCID, one eSIM: a supplier that sends the ICCID of an eSIM which is already sold would give two buyers the same line, and the
 * first one's data to the second.
 *
 * The statement that delivers an eSIM first claims its ICCID in `sold_iccids`. Two that claim the same one meet at its primary key:
 * the second waits for the first and then gets nothing, so its order stays as it is. A refill has the ICCID of the eSIM it is added to
 * and claims none. A migration claimed the ICCIDs of orders that were delivered before there was this table. Servers of the previous
 * version claim nothing, so while they still sell, a job claims what they delivered.
 *
 * An ICCID can be sold again once its eSIM is gone: withdrawn (stock that was returned and released, say), or expired for long
 * (suppliers reuse numbers). Whether it has expired is what the supplier says, so that alone is not enough.
 */

const REUSED_AFTER_DAYS = 180;

/** Whether the eSIM of a delivered order is gone at a time. */
const isGone = (order: Sql, at: Sql): Sql => sql`(${order}.withdrawn_at is not null
  or (${order}.usage_state = 'expired' and ${order}.delivered_at < ${at} - ${REUSED_AFTER_DAYS} * interval '1 day'))`;

interface Delivery {
  readonly orderId: bigint;
  readonly esim?: { readonly iccid: string };
  readonly at: Date;
}

/**
 * Claims the ICCIDs of eSIMs that are to be delivered, as `claimed` of a larger statement, which then delivers only those it names.
 * Undefined: none of the moves brings an eSIM. An order that was not delivered in the end does not keep its claim once it has failed;
 * one that is merely open in the snapshot of this statement may have been delivered by the one it waited for.
 */
function claimed(moves: readonly Delivery[]): Sql | undefined {
  const byIccid = new Map<string, Delivery>();
  for (const move of moves) if (move.esim && !byIccid.has(move.esim.iccid)) byIccid.set(move.esim.iccid, move);
  if (byIccid.size === 0) return undefined;
  const claims = [...byIccid.values()];
  return sql`claimed as (
      insert into sold_iccids as sold (iccid, order_id, at)
      select claim.iccid, claim.id, claim.at
      from unnest(${[...byIccid.keys()]}::text[], ${claims.map(({ orderId }) => orderId)}::bigint[],
        ${claims.map(({ at }) => at)}::timestamptz[]) as claim (iccid, id, at)
      order by claim.iccid
      on conflict (iccid) do update set order_id = excluded.order_id, at = excluded.at
      where sold.order_id = excluded.order_id or exists (
        select from orders former where former.id = sold.order_id and (former.status = 2 or ${isGone(sql`former`, sql`excluded.at`)}))
      returning order_id
    )`;
}

/**
 * Claims the ICCIDs of orders created since a time that were delivered without a claim; returns how many. Ids grow with time, so only
 * those orders are read.
 */
const claimMissing = (db: Queryable, since: Date): Promise<number> =>
  db.run(sql`
    insert into sold_iccids as sold (iccid, order_id, at)
    select distinct on (iccid) iccid, id, delivered_at from orders
    where id > coalesce((select id from orders where created_at < ${since} order by id desc limit 1), 0)
      and status = 1 and refill_of is null and iccid is not null and withdrawn_at is null
      and not exists (select from sold_iccids known where known.iccid = orders.iccid and known.at >= orders.delivered_at)
    order by iccid, delivered_at desc, id desc
    on conflict (iccid) do update set order_id = excluded.order_id, at = excluded.at where sold.at < excluded.at`);

const UNCLAIMED_DAYS = 3;

/** For what servers of the previous version deliver. To be removed once that version claims ICCIDs, too. */
const job = (world: { readonly schema: string; readonly db: Db }, clock: Clock): Job => ({
  name: `claim iccids ${world.schema}`,
  everyMs: HOUR,
  run: () => claimMissing(world.db, new Date(clock.now() - UNCLAIMED_DAYS * DAY)),
});

/** The order whose eSIM has an ICCID; undefined: none has. */
async function ownerOf(db: Queryable, iccid: string): Promise<bigint | undefined> {
  const row = await db.maybe<{ id: bigint }>(sql`
    select id from orders where iccid = ${iccid} and status = 1 and refill_of is null order by id desc limit 1`);
  return row?.id;
}

/** Those of a partner's orders, before the orders are deleted. */
const forget = (tx: Tx, partnerId: number): Promise<number> =>
  tx.run(sql`
    delete from sold_iccids using orders
    where sold_iccids.iccid = orders.iccid and sold_iccids.order_id = orders.id and orders.partner_id = ${partnerId}`);

/** Which order each ICCID belongs to. */
export const soldIccids = { claimed, job, ownerOf, forget };
