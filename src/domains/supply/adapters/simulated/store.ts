import { randomBytes } from 'node:crypto';
import { DAY } from '../../../../platform/clock.ts';
import type { Db, Queryable, Tx } from '../../../../platform/db/database.ts';
import { batcher } from '../../../../platform/db/query/batch.ts';
import { type Sql, sql } from '../../../../platform/db/query/sql.ts';
import { iccidOf, isIccid } from '../../port/port.ts';

export const behaviours = ['deliver', 'delay', 'refuse', 'timeout', 'duplicate', 'break'] as const;
export type Behaviour = (typeof behaviours)[number];

/** Several suppliers can be simulated, and two of them may use one code for different plans. */
export const simulatedPlan = (slug: string, code: string): string => `${slug}/${code}`;

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

const MAX_BATCH = 256;

const columns = sql`id, reference, refill_of as "refillOf", refused, ready_at as "readyAt", matching_id as "matchingId"`;
const returned = sql`${columns},
        coalesce((select behaviour from simulated.behaviours b where b.plan = o.plan), 'deliver') as behaviour`;

export function simulatedStore(db: Db, now: () => number) {
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
    /** Takes an order, or returns the one already taken under the reference. It is stored before it is answered. */
    take: batcher(takeBatch, { max: MAX_BATCH }),
    /** The same for a refill. One for an eSIM that was never sold, or was given back, is refused. */
    takeRefill: batcher(takeRefills, { max: MAX_BATCH }),
    find: (reference: string) =>
      db.maybe<StoredOrder>(sql`
        select ${columns}, coalesce(behaviour, 'deliver') as behaviour
        from simulated.orders left join simulated.behaviours using (plan)
        where reference = ${reference}`),
    usage: (iccid: string) => usageOf(db, iccid, now()),
    withdraw: (iccid: string) => withdrawEsim(db, iccid, now()),
    /** Switches an eSIM's service off or on again. Undefined: there is no such eSIM, or it was given back. */
    setSuspended: (iccid: string, isSuspended: boolean) =>
      db.maybe<{ behaviour: Behaviour }>(sql`
        update simulated.orders o
        set suspended_at = case when ${isSuspended} then coalesce(suspended_at, ${new Date(now())}) end
        where id = ${orderOfIccid(iccid) ?? null} and ${isSold}
        returning coalesce((select behaviour from simulated.behaviours b where b.plan = o.plan), 'deliver') as behaviour`),
  };
}

function inOrder(wanted: readonly OrderRequest[], rows: readonly StoredOrder[]): StoredOrder[] {
  const byReference = new Map(rows.map((row) => [row.reference, row]));
  return wanted.map(({ reference }) => byReference.get(reference) as StoredOrder);
}

/** 89, country 44 and an issuer number; the order's serial and the check digit follow. */
const ICCID_PREFIX = '8944538';

export const iccidOfOrder = (id: bigint): string => iccidOf(ICCID_PREFIX, id);

/** The order an ICCID was made for; undefined when it is not one of this supplier's. */
function orderOfIccid(iccid: string): bigint | undefined {
  if (!isIccid(iccid) || !iccid.startsWith(ICCID_PREFIX)) return undefined;
  return BigInt(iccid.slice(ICCID_PREFIX.length, -1));
}

interface StoredUsage {
  readonly totalMb: number;
  readonly usedMb: number;
  readonly activatedAt: Date | null;
  readonly expiresAt: Date | null;
}

interface EsimRow extends StoredUsage {
  readonly id: bigint;
  readonly day: number;
  /** Ready, but not yet part of the figures. */
  readonly refills: readonly { readonly mb: number; readonly day: number; readonly ready_at: string }[];
}

/** Refills are added when the eSIM is read, so one that becomes ready later needs no job, and none can count twice. */
async function usageOf(db: Queryable, iccid: string, now: number): Promise<StoredUsage | undefined> {
  const row = await db.maybe<EsimRow>(esim(iccid, now));
  return row && refilled(row);
}

const esim = (iccid: string, now: number): Sql => sql`
  select id, day, total_mb as "totalMb", used_mb as "usedMb", activated_at as "activatedAt", expires_at as "expiresAt",
    (select coalesce(json_agg(json_build_object('mb', total_mb, 'day', day, 'ready_at', ready_at) order by ready_at, id), '[]')
      from simulated.orders where ${isDueRefill(iccid, now)}) as refills
  from simulated.orders where id = ${orderOfIccid(iccid) ?? null} and ${isSold}`;

const isDueRefill = (iccid: string, now: number): Sql =>
  sql`refill_of = ${iccid} and not refused and not is_counted and ready_at <= ${new Date(now)}`;

/** An eSIM the customer has: not a refill, and not given back. */
const isSold = sql`refill_of is null and not refused and withdrawn_at is null`;

/** Before activation a refill makes the validity longer; afterwards it moves the end, or starts again from an end that has passed. */
function refilled({ refills, ...row }: EsimRow): Omit<EsimRow, 'refills'> {
  return refills.reduce(({ totalMb, day, expiresAt, ...rest }, refill) => {
    const from = expiresAt && Math.max(expiresAt.getTime(), Date.parse(refill.ready_at));
    return {
      ...rest,
      totalMb: totalMb + refill.mb,
      day: from === null ? day + refill.day : day,
      expiresAt: from === null ? null : new Date(from + refill.day * DAY),
    };
  }, row);
}

/** Used data or an expiry implies that the eSIM was activated. Without a given expiry its validity starts at activation. */
export async function setUsage(
  tx: Tx,
  iccid: string,
  set: { readonly usedMb: number; readonly totalMb: number | undefined; readonly expiresAt: Date | undefined },
  now: Date,
): Promise<UsageRow | undefined> {
  const at = now.getTime();
  // Locked before it is read, as a refill that is being stored holds it, too.
  await tx.run(sql`select from simulated.orders where id = ${orderOfIccid(iccid) ?? null} for update`);
  const row = await tx.maybe<EsimRow>(esim(iccid, at));
  if (!row) return undefined;
  const before = refilled(row);
  const activated = set.usedMb > 0 || set.expiresAt !== undefined ? now : null;
  // What is set from here on includes the refills so far.
  await tx.run(sql`update simulated.orders set is_counted = true where ${isDueRefill(iccid, at)}`);
  return tx.maybe<UsageRow>(sql`
    update simulated.orders set used_mb = ${set.usedMb}, total_mb = ${set.totalMb ?? before.totalMb}, day = ${before.day},
      activated_at = coalesce(activated_at, ${activated}),
      expires_at = coalesce(${set.expiresAt ?? null}, ${before.expiresAt},
        ${activated}::timestamptz + make_interval(days => ${before.day}))
    where id = ${row.id}
    returning used_mb, total_mb, activated_at, expires_at`);
}

interface UsageRow {
  readonly used_mb: number;
  readonly total_mb: number;
  readonly activated_at: Date | null;
  readonly expires_at: Date | null;
}

/**
 * Takes back an eSIM that was neither activated nor refilled. One that was taken back before stays so. Undefined: there is no such
 * eSIM. The row is locked before its refills are looked at: a refill that is being stored holds it.
 */
function withdrawEsim(db: Db, iccid: string, now: number) {
  const id = orderOfIccid(iccid) ?? null;
  const at = new Date(now);
  return db.tx(async (tx) => {
    const found = await tx.maybe<{ behaviour: Behaviour }>(sql`
      select coalesce((select behaviour from simulated.behaviours b where b.plan = o.plan), 'deliver') as behaviour
      from simulated.orders o where id = ${id} and refill_of is null and not refused for update`);
    if (!found) return undefined;
    const rows = await tx.run(sql`
      update simulated.orders set withdrawn_at = coalesce(withdrawn_at, ${at})
      where id = ${id} and activated_at is null
        and not exists (select from simulated.orders refill where refill.refill_of = ${iccid} and not refill.refused)`);
    return { withdrawn: rows === 1, behaviour: found.behaviour };
  });
}
