import { randomBytes } from 'node:crypto';
import type { Db } from '../../../../platform/db/database.ts';
import { type Batched, batcher } from '../../../../platform/db/query/batch.ts';
import { sql } from '../../../../platform/db/query/sql.ts';
import type { Behaviour } from './behaviours.ts';
import { isSold, orderOfIccid, type StoredUsage, type StoredWithdrawal, usageOf, withdrawEsim } from './esims.ts';

/** How long orders for a plan set to `delay` stay pending. */
export const DELAY_MS = 20_000;

export interface OrderRequest {
  readonly reference: string;
  readonly plan: string;
  readonly amountMb: number;
  readonly day: number;
}

/** A plan for an eSIM that was sold before. */
export interface RefillRequest extends OrderRequest {
  readonly iccid: string;
}

export interface StoredOrder {
  readonly id: bigint;
  readonly reference: string;
  /** The ICCID it refills; null: it is for a new eSIM. */
  readonly refillOf: string | null;
  readonly refused: boolean;
  readonly readyAt: Date;
  readonly matchingId: string;
  /** How the plan behaves at the moment. */
  readonly behaviour: Behaviour;
}

export interface SimulatedStore {
  /** Takes an order, or returns the one already taken under the reference. It is stored before it is answered. */
  readonly take: Batched<OrderRequest, StoredOrder>;
  /** The same for a refill. One for an eSIM that was never sold, or was given back, is refused. */
  readonly takeRefill: Batched<RefillRequest, StoredOrder>;
  find(reference: string): Promise<StoredOrder | undefined>;
  usage(iccid: string): Promise<StoredUsage | undefined>;
  withdraw(iccid: string): Promise<StoredWithdrawal | undefined>;
}

const MAX_BATCH = 256;

const columns = sql`id, reference, refill_of as "refillOf", refused, ready_at as "readyAt", matching_id as "matchingId"`;
const returned = sql`${columns},
        coalesce((select behaviour from simulated.behaviours b where b.plan = o.plan), 'deliver') as behaviour`;

export function simulatedStore(db: Db, now: () => number): SimulatedStore {
  async function takeBatch(wanted: readonly OrderRequest[]): Promise<StoredOrder[]> {
    const at = now();
    // One random draw for the whole batch, 20 hex characters per order.
    const random = randomBytes(wanted.length * 10)
      .toString('hex')
      .toUpperCase();
    const rows = await db.query<StoredOrder>(sql`
      with wanted as (
        select reference, min(plan) as plan, min(amount_mb) as amount_mb, min(day) as day, min(matching_id) as matching_id,
          count(*)::int as calls
        from unnest(
          ${wanted.map(({ reference }) => reference)}::text[], ${wanted.map(({ plan }) => plan)}::text[],
          ${wanted.map(({ amountMb }) => amountMb)}::int[], ${wanted.map(({ day }) => day)}::int[],
          ${wanted.map((_, i) => random.slice(i * 20, i * 20 + 20))}::text[]
        ) as wanted (reference, plan, amount_mb, day, matching_id)
        group by reference order by reference
      )
      insert into simulated.orders as o (reference, plan, calls, refused, ready_at, matching_id, day, total_mb)
      select reference, plan, calls, coalesce(behaviour = 'refuse', false),
        case behaviour when 'delay' then ${new Date(at + DELAY_MS)}::timestamptz else ${new Date(at)}::timestamptz end,
        matching_id, day, amount_mb
      from wanted left join simulated.behaviours using (plan)
      on conflict (reference) do update set calls = o.calls + excluded.calls
      returning ${returned}`);
    return inOrder(wanted, rows);
  }

  async function takeRefills(wanted: readonly RefillRequest[]): Promise<StoredOrder[]> {
    const at = now();
    // The eSIMs stay locked until the refills are stored, so that none of them is given back meanwhile.
    const rows = await db.query<StoredOrder>(sql`
      with wanted as (
        select reference, min(plan) as plan, min(amount_mb) as amount_mb, min(day) as day, min(iccid) as iccid, min(esim) as esim,
          count(*)::int as calls
        from unnest(
          ${wanted.map(({ reference }) => reference)}::text[], ${wanted.map(({ plan }) => plan)}::text[],
          ${wanted.map(({ amountMb }) => amountMb)}::int[], ${wanted.map(({ day }) => day)}::int[],
          ${wanted.map(({ iccid }) => iccid)}::text[], ${wanted.map(({ iccid }) => orderOfIccid(iccid) ?? null)}::bigint[]
        ) as wanted (reference, plan, amount_mb, day, iccid, esim)
        group by reference order by reference
      ), sold as (
        select id, split_part(plan, '/', 1) as supplier from simulated.orders
        where id in (select esim from wanted) and ${isSold} order by id for share
      )
      insert into simulated.orders as o (reference, plan, calls, refused, ready_at, matching_id, day, total_mb, refill_of)
      select reference, plan, calls, sold.id is null or coalesce(behaviour = 'refuse', false),
        case behaviour when 'delay' then ${new Date(at + DELAY_MS)}::timestamptz else ${new Date(at)}::timestamptz end,
        '', day, amount_mb, iccid
      from wanted left join simulated.behaviours using (plan)
        left join sold on sold.id = wanted.esim and sold.supplier = split_part(wanted.plan, '/', 1)
      on conflict (reference) do update set calls = o.calls + excluded.calls
      returning ${returned}`);
    return inOrder(wanted, rows);
  }

  return {
    take: batcher(takeBatch, { max: MAX_BATCH }),
    takeRefill: batcher(takeRefills, { max: MAX_BATCH }),
    find: (reference) =>
      db.maybe<StoredOrder>(sql`
        select ${columns}, coalesce(behaviour, 'deliver') as behaviour
        from simulated.orders left join simulated.behaviours using (plan)
        where reference = ${reference}`),
    usage: (iccid) => usageOf(db, iccid, now()),
    withdraw: (iccid) => withdrawEsim(db, iccid, now()),
  };
}

function inOrder(wanted: readonly OrderRequest[], rows: readonly StoredOrder[]): StoredOrder[] {
  const byReference = new Map(rows.map((row) => [row.reference, row]));
  return wanted.map(({ reference }) => byReference.get(reference) as StoredOrder);
}
