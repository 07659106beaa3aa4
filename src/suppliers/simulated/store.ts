import { randomBytes } from 'node:crypto';
import { type Batched, batcher } from '../../db/batch.ts';
import type { Db, Tx } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { iccidOf, isIccid } from '../iccid.ts';

export const behaviours = ['deliver', 'delay', 'refuse', 'timeout', 'duplicate', 'break'] as const;
export type Behaviour = (typeof behaviours)[number];

/** How long orders for a plan set to `delay` stay pending. */
export const DELAY_MS = 20_000;

export interface OrderRequest {
  readonly reference: string;
  readonly plan: string;
  readonly amountMb: number;
  readonly day: number;
}

export interface StoredOrder {
  readonly id: bigint;
  readonly reference: string;
  readonly refused: boolean;
  readonly readyAt: Date;
  readonly matchingId: string;
  /** How the plan behaves at the moment. */
  readonly behaviour: Behaviour;
}

export interface StoredUsage {
  readonly totalMb: number;
  readonly usedMb: number;
  readonly activatedAt: Date | null;
  readonly expiresAt: Date | null;
}

export interface SimulatedStore {
  /** Takes an order, or returns the one already taken under the reference. It is stored before it is answered. */
  readonly take: Batched<OrderRequest, StoredOrder>;
  find(reference: string): Promise<StoredOrder | undefined>;
  usage(iccid: string): Promise<StoredUsage | undefined>;
}

const MAX_BATCH = 256;
/** 89, country 44 and an issuer number; the order's serial and the check digit follow. */
const ICCID_PREFIX = '8944538';

export const iccidOfOrder = (id: bigint): string => iccidOf(ICCID_PREFIX, id);

/** The order an ICCID was made for; undefined when it is not one of this supplier's. */
function orderOfIccid(iccid: string): bigint | undefined {
  if (!isIccid(iccid) || !iccid.startsWith(ICCID_PREFIX)) return undefined;
  return BigInt(iccid.slice(ICCID_PREFIX.length, -1));
}

/** Several suppliers can be simulated, and two of them may use one code for different plans. */
export const simulatedPlan = (slug: string, code: string): string => `${slug}/${code}`;

export function simulatedStore(db: Db, now: () => number): SimulatedStore {
  async function takeBatch(asked: readonly OrderRequest[]): Promise<StoredOrder[]> {
    const at = now();
    // One random draw for the whole batch, 20 hex characters per order.
    const random = randomBytes(asked.length * 10)
      .toString('hex')
      .toUpperCase();
    const rows = await db.query<StoredOrder>(sql`
      with asked as (
        select reference, min(plan) as plan, min(amount_mb) as amount_mb, min(day) as day, min(matching_id) as matching_id,
          count(*)::int as calls
        from unnest(
          ${asked.map(({ reference }) => reference)}::text[], ${asked.map(({ plan }) => plan)}::text[],
          ${asked.map(({ amountMb }) => amountMb)}::int[], ${asked.map(({ day }) => day)}::int[],
          ${asked.map((_, i) => random.slice(i * 20, i * 20 + 20))}::text[]
        ) as asked (reference, plan, amount_mb, day, matching_id)
        group by reference order by reference
      )
      insert into simulated.orders as o (reference, plan, calls, refused, ready_at, matching_id, day, total_mb)
      select reference, plan, calls, coalesce(behaviour = 'refuse', false),
        case behaviour when 'delay' then ${new Date(at + DELAY_MS)}::timestamptz else ${new Date(at)}::timestamptz end,
        matching_id, day, amount_mb
      from asked left join simulated.behaviours using (plan)
      on conflict (reference) do update set calls = o.calls + excluded.calls
      returning id, reference, refused, ready_at as "readyAt", matching_id as "matchingId",
        coalesce((select behaviour from simulated.behaviours b where b.plan = o.plan), 'deliver') as behaviour`);
    const byReference = new Map(rows.map((row) => [row.reference, row]));
    return asked.map(({ reference }) => byReference.get(reference) as StoredOrder);
  }

  return {
    take: batcher(takeBatch, { max: MAX_BATCH }),
    find: (reference) =>
      db.maybe<StoredOrder>(sql`
        select id, reference, refused, ready_at as "readyAt", matching_id as "matchingId",
          coalesce(behaviour, 'deliver') as behaviour
        from simulated.orders left join simulated.behaviours using (plan)
        where reference = ${reference}`),
    usage: (iccid) =>
      db.maybe<StoredUsage>(sql`
        select total_mb as "totalMb", used_mb as "usedMb", activated_at as "activatedAt", expires_at as "expiresAt"
        from simulated.orders where id = ${orderOfIccid(iccid) ?? null} and not refused`),
  };
}

/** Returns the plan's previous behaviour. */
export async function setBehaviour(tx: Tx, slug: string, code: string, behaviour: Behaviour): Promise<Behaviour> {
  const plan = simulatedPlan(slug, code);
  const before = await tx.maybe<{ behaviour: Behaviour }>(sql`
    select behaviour from simulated.behaviours where plan = ${plan} for update`);
  await tx.run(sql`
    insert into simulated.behaviours (plan, behaviour) values (${plan}, ${behaviour})
    on conflict (plan) do update set behaviour = excluded.behaviour`);
  return before?.behaviour ?? 'deliver';
}

/** Used data or an expiry implies that the eSIM was activated. Without a given expiry its validity starts at activation. */
export function setUsage(
  tx: Tx,
  iccid: string,
  set: { readonly usedMb: number; readonly totalMb: number | undefined; readonly expiresAt: Date | undefined },
  now: Date,
): Promise<UsageRow | undefined> {
  const expiresAt = set.expiresAt ?? null;
  const activated = set.usedMb > 0 || set.expiresAt !== undefined ? now : null;
  return tx.maybe<UsageRow>(sql`
    update simulated.orders set used_mb = ${set.usedMb}, total_mb = coalesce(${set.totalMb ?? null}, total_mb),
      activated_at = coalesce(activated_at, ${activated}),
      expires_at = coalesce(${expiresAt}, expires_at, ${activated}::timestamptz + make_interval(days => day))
    where id = ${orderOfIccid(iccid) ?? null} and not refused
    returning used_mb, total_mb, activated_at, expires_at`);
}

interface UsageRow {
  readonly used_mb: number;
  readonly total_mb: number;
  readonly activated_at: Date | null;
  readonly expires_at: Date | null;
}
