import type { Queryable, Tx } from '../../../platform/db/database.ts';
import { type Sql, sql } from '../../../platform/db/query/sql.ts';

/** What an order says of its eSIM's usage, and when that eSIM is read next for its partner's webhooks. */

/** The order that delivered the eSIM, if it exists and its events are sent. */
const brought = (iccid: string): Sql =>
  sql`iccid = ${iccid} and status = 1 and refill_of is null and withdrawn_at is null and not is_quiet`;

export const usageMarks = {
  /** As part of a statement in which `kept` has a row if the reading was kept. */
  note: (orderId: bigint, state: string, endsAt: Date | null): Sql => sql`
      update orders set usage_state = ${state}, usage_ends_at = ${endsAt} from kept
      where id = ${orderId} and (usage_state, usage_ends_at) is distinct from (${state}::text, ${endsAt}::timestamptz)`,

  /** eSIMs whose time is up since their last reading. */
  expire: (db: Queryable, now: Date, limit: number): Promise<number> =>
    db.run(sql`
      update orders set usage_state = 'expired' where id in (
        select id from orders
        where usage_state in ('active', 'depleted') and usage_ends_at is not null and usage_ends_at <= ${now}
        order by usage_ends_at limit ${limit} for no key update skip locked)`),

  /**
   * Claims readings of one supplier that are due, by moving their due time to the end of the lease. The caller says what it
   * returns.
   */
  claim: (supplier: string, now: Date, leasedUntil: Date, limit: number): Sql => sql`
    update orders set watch_due_at = ${leasedUntil} where id = any (array (
      select id from orders where supplier = ${supplier} and watch_due_at <= ${now}
      order by watch_due_at limit ${limit} for no key update skip locked))`,

  /** When they are read next; null: no more. A row that came due meanwhile for another reason stays due. */
  async putOff(
    db: Queryable,
    rows: readonly { readonly orderId: bigint; readonly lease: Date; readonly next: Date | null }[],
  ): Promise<void> {
    if (rows.length === 0) return;
    await db.run(sql`
      update orders set watch_due_at = read.next
      from unnest(${rows.map(({ orderId }) => orderId)}::bigint[], ${rows.map(({ lease }) => lease)}::timestamptz[],
        ${rows.map(({ next }) => next)}::timestamptz[]) as read (id, lease, next)
      where orders.id = read.id and orders.watch_due_at = read.lease and orders.id = any (array (
        select id from orders where id = any(${rows.map(({ orderId }) => orderId)}::bigint[]) order by id for no key update))`);
  },

  /** Begins to read the eSIMs of those of these orders that brought one, at times spread evenly from `now` on. */
  begin: (tx: Tx, orderIds: readonly bigint[], now: Date, spreadMs: number): Promise<number> =>
    tx.run(sql`
      update orders set watch_due_at = ${now}::timestamptz + random() * ${spreadMs}::float8 * interval '1 ms'
      where id = any (array (
        select id from orders where id = any(${orderIds}::bigint[]) and status = 1 and refill_of is null
          and withdrawn_at is null and watch_due_at is null and not is_quiet and usage_state is distinct from 'expired'
        for no key update skip locked))`),

  /** Makes the eSIM due at `dueAt` if `isSubscribed` holds. */
  setDue: (iccid: string, dueAt: Sql, isSubscribed: Sql): Sql => sql`
    update orders set watch_due_at = ${dueAt} where ${brought(iccid)} and ${isSubscribed}`,

  /** All eSIMs of a partner that are read at all are due now. */
  allDue: (tx: Tx, partnerId: number, now: Date): Promise<number> =>
    tx.run(sql`
      update orders set watch_due_at = ${now} where id = any (array (
        select id from orders where partner_id = ${partnerId} and watch_due_at is not null order by id for no key update))`),
};

/** Locks orders by id, so that two processes with the same ones cannot deadlock. */
const inOrder = (orderIds: readonly bigint[]): Sql => sql`
  select id from orders where id = any(${orderIds}::bigint[]) order by id for no key update`;

/** When a sale is next checked for its revenue share (`usage_due_at`); 'infinity': it is settled. */
export const shareDue = {
  /** As part of a statement. */
  close: (orderIds: readonly bigint[]): Sql => sql`
      update orders set usage_due_at = 'infinity'
      from (${inOrder(orderIds)}) held where orders.id = held.id`,

  /** A sale that was settled in the meantime stays closed. */
  async postpone(db: Queryable, later: readonly { readonly orderId: bigint; readonly at: number }[]): Promise<void> {
    if (later.length === 0) return;
    await db.run(sql`
      update orders set usage_due_at = due.at
      from unnest(${later.map(({ orderId }) => orderId)}::bigint[], ${later.map(({ at }) => new Date(at))}::timestamptz[])
        as due (order_id, at)
      join (${inOrder(later.map(({ orderId }) => orderId))}) held on held.id = due.order_id
      where orders.id = due.order_id and (orders.usage_due_at is null or orders.usage_due_at < 'infinity')`);
  },

  /** The usage of an eSIM changed, so its sale is checked again at once. On the owner's connection. */
  async again(tx: Tx, iccid: string): Promise<void> {
    await tx.run(sql`
      update live.orders set usage_due_at = null where iccid = ${iccid} and usage_due_at < 'infinity'`);
  },
};
