import type { Cents, Micros } from '../../../platform/amounts/cents.ts';
import { counted } from '../../../platform/db/alerts.ts';
import type { Queryable, Tx } from '../../../platform/db/database.ts';
import { nothing, type Sql, sql } from '../../../platform/db/query/sql.ts';
import { windowOf } from '../../partners/limits/limits.ts';
import type { ReplacementStatus } from './eligibility.ts';

/** One request to replace an eSIM, from the request to what became of both eSIMs. */
export interface Replacement {
  readonly id: bigint;
  readonly partnerId: number;
  readonly oldOrderId: bigint;
  readonly oldIccid: string;
  /** The free order of the new eSIM; null: none is placed. */
  readonly orderId: bigint | null;
  /** Of the new eSIM; null until it is delivered. */
  readonly iccid: string | null;
  readonly reason: string;
  /** `partner`, or `traveller`. */
  readonly requestedBy: string;
  readonly status: ReplacementStatus;
  /** What the new eSIM costs the operator; an estimate until it is delivered, null while none is placed. */
  readonly cost: Micros | null;
  readonly requestedAt: Date;
  readonly decidedAt: Date | null;
  readonly replacedAt: Date | null;
  /** What became of the old eSIM; null: its supplier has not answered yet, or was not asked. */
  readonly oldEsim: 'withdrawn' | 'suspended' | 'left' | null;
}

/** What an order costs the operator: what its supplier charged or, until that is known, what it is expected to. */
const costOf = (order: Sql): Sql => sql`coalesce(${order}.charged_micros, ${order}.cost_micros)`;

const replacementColumns = sql`
  r.id, r.partner_id as "partnerId", r.old_order_id as "oldOrderId", r.old_iccid as "oldIccid", r.order_id as "orderId",
  case when placed.status = 1 then placed.iccid end as iccid, r.reason, r.requested_by as "requestedBy", r.status,
  coalesce(r.cost_micros, ${costOf(sql`placed`)}) as cost, r.requested_at as "requestedAt", r.decided_at as "decidedAt",
  r.replaced_at as "replacedAt", r.old_esim as "oldEsim"`;

const read = (db: Queryable, which: Sql): Promise<Replacement[]> =>
  db.query(sql`
    select ${replacementColumns} from esim_replacements r left join orders placed on placed.id = r.order_id where ${which}`);

async function readOne(db: Queryable, which: Sql): Promise<Replacement | undefined> {
  const [row] = await read(db, sql`${which} order by r.id desc limit 1`);
  return row;
}

export const replacementRows = {
  byId: (db: Queryable, id: bigint) => readOne(db, sql`r.id = ${id}`),
  byKey: (db: Queryable, partnerId: number, key: string) =>
    readOne(db, sql`r.partner_id = ${partnerId} and r.idempotency_key = ${key} collate "C"`),
  /** The latest one of an eSIM. */
  ofOld: (db: Queryable, oldOrderId: bigint) => readOne(db, sql`r.old_order_id = ${oldOrderId}`),
  /** The one an order was placed for. */
  ofNew: (db: Queryable, orderId: bigint) => readOne(db, sql`r.order_id = ${orderId}`),
  /** Those whose order has an outcome that is not recorded yet. */
  toSettle: (db: Queryable, limit: number) =>
    read(
      db,
      sql`r.status = 'pending' and ((placed.status = 1 and placed.cancel_due_at is null) or placed.status = 2)
        order by r.id limit ${limit}`,
    ),
};

interface ReplacementFilter {
  readonly partnerId: number | undefined;
  readonly status: ReplacementStatus | undefined;
  readonly beforeId?: bigint | undefined;
  readonly limit: number;
}

/** Newest first. */
export const listReplacements = (
  db: Queryable,
  { partnerId, status, beforeId, limit }: ReplacementFilter,
): Promise<Replacement[]> =>
  read(
    db,
    sql`true ${partnerId === undefined ? nothing : sql`and r.partner_id = ${partnerId}`}
      ${status === undefined ? nothing : sql`and r.status = ${status}`}
      ${beforeId === undefined ? nothing : sql`and r.id < ${beforeId}`}
    order by r.id desc limit ${limit}`,
  );

/** What the operator pays for a partner's replacements in a calendar month, and may pay before a person decides. */
interface BudgetUse {
  readonly budget: Cents;
  readonly spent: Micros;
}

/** In the month that `at` is in. Those that were placed by hand count, too; those that failed do not. */
export function budgetUse(db: Queryable, partnerId: number, at: Date): Promise<BudgetUse> {
  const { from, to } = windowOf('month', at);
  return db.one(sql`
    select replacement_budget as budget, (
      select coalesce(sum(coalesce(r.cost_micros, ${costOf(sql`placed`)})), 0)::bigint
      from esim_replacements r join orders placed on placed.id = r.order_id
      where r.partner_id = ${partnerId} and placed.status <> 2 and r.placed_at >= ${from} and r.placed_at < ${to}
    ) as spent from shared.partners where id = ${partnerId}`);
}

export async function forgetReplacements(tx: Tx, partnerId: number): Promise<void> {
  await tx.run(sql`delete from esim_replacements where partner_id = ${partnerId}`);
}

/** Those that wait for the operator. */
export const replacementAlerts = (): Sql =>
  counted('replacement_requests', sql`select requested_at as since from esim_replacements where status = 'requested'`);
