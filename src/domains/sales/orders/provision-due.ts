import type { Queryable } from '../../../platform/db/database.ts';
import { type Sql, sql } from '../../../platform/db/query/sql.ts';
import { supplierIn } from './attempts.ts';

/** An order as the process that claimed it knows it: `attempts` counts the claims. */
interface Claimed {
  readonly id: bigint;
  readonly attempts: number;
}

/** When open orders are looked at next by provisioning, and what it notes about them. */
export const provisionDue = {
  /**
   * Claims due orders by moving their due time to the end of the lease. The caller says what it returns; `first`: the refilled
   * order.
   */
  claim: (now: Date, leasedUntil: Date, limit: number): Sql => sql`
    with due as (
      select id, refill_of from orders
      where provision_due_at <= ${now}
      order by provision_due_at limit ${limit} for no key update skip locked
    )
    update orders set provision_due_at = ${leasedUntil}, provision_attempts = orders.provision_attempts + 1
    from due left join orders first on first.id = due.refill_of
    where orders.id = due.id`,

  /** It certainly did not reach its supplier. Nothing is recorded once another process has claimed it. */
  noteNotOrdered: (db: Queryable, { id, attempts }: Claimed): Promise<number> =>
    db.run(sql`update orders set ordered_at = '-infinity' where id = ${id} and provision_attempts = ${attempts}`),

  /** When it goes out to its supplier again. An order whose cancel was requested does not. */
  async noteOrdered(db: Queryable, { id, attempts }: Claimed, at: Date): Promise<'ours' | 'cancelled' | 'taken_over'> {
    const noted = await db.maybe<{ isCancelled: boolean }>(sql`
      update orders set ordered_at = case when cancel_status is null then ${at} else ordered_at end
      where id = ${id} and provision_attempts = ${attempts} returning cancel_status is not null as "isCancelled"`);
    return noted ? (noted.isCancelled ? 'cancelled' : 'ours') : 'taken_over';
  },

  setNow: (db: Queryable, orderId: bigint, now: Date): Promise<number> =>
    db.run(sql`update orders set provision_due_at = ${now} where id = ${orderId}`),

  /** A supplier of this kind has news of a deferred order. One that is due within a lease stays as it is: a process may hold it. */
  expedite: (db: Queryable, kind: string, supplierOrder: string, now: Date, leasedUntil: Date): Promise<number> =>
    db.run(sql`
      update orders set provision_due_at = ${now}
      where supplier_order = ${supplierOrder} and delivery = 'deferred' and provision_due_at > ${leasedUntil}
        and ${supplierIn(sql`supplier`)} in (select slug from shared.suppliers where kind = ${kind})`),

  /**
   * A supplier can deliver so many of a plan again: those that wait longest come first. One due within a lease stays as it is, as
   * above.
   */
  expeditePlan: (
    db: Queryable,
    { supplier, plan, most }: { readonly supplier: string; readonly plan: string; readonly most: number },
    now: Date,
    leasedUntil: Date,
  ): Promise<number> =>
    db.run(sql`
      update orders set provision_due_at = ${now}
      where id in (
        select id from orders
        where provision_due_at > ${leasedUntil} and delivery = 'deferred'
          and ${supplierIn(sql`supplier`)} = ${supplier} and supplier_plan = ${plan}
        order by id limit ${most} for no key update skip locked)`),

  /** Makes orders due whose due time is further ahead than any order waits (a wrong clock), and marks them as overdue. */
  pullIn: (now: Date, tooFar: Date): Sql => sql`
    update orders set provision_due_at = ${now}, overdue_at = coalesce(overdue_at, ${now})
    where provision_due_at > ${tooFar}`,

  /** Marks open orders as overdue, once each: those paid before a time, or at one that has not come. */
  markOverdue: (now: Date, paidBefore: Date, tooFar: Date): Sql => sql`
    update orders set overdue_at = ${now}
    where provision_due_at is not null and overdue_at is null
      and (paid_at < ${paidBefore} or paid_at > ${tooFar})`,
};
