import { DAY } from '../../../../platform/clock.ts';
import type { Db, Queryable, Tx } from '../../../../platform/db/database.ts';
import { type Sql, sql } from '../../../../platform/db/query/sql.ts';
import { iccidOf, isIccid } from '../../port/port.ts';
import type { Behaviour } from './behaviours.ts';

/** 89, country 44 and an issuer number; the order's serial and the check digit follow. */
const ICCID_PREFIX = '8944538';

export const iccidOfOrder = (id: bigint): string => iccidOf(ICCID_PREFIX, id);

/** The order an ICCID was made for; undefined when it is not one of this supplier's. */
export function orderOfIccid(iccid: string): bigint | undefined {
  if (!isIccid(iccid) || !iccid.startsWith(ICCID_PREFIX)) return undefined;
  return BigInt(iccid.slice(ICCID_PREFIX.length, -1));
}

export interface StoredUsage {
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
export async function usageOf(db: Queryable, iccid: string, now: number): Promise<StoredUsage | undefined> {
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
export const isSold = sql`refill_of is null and not refused and withdrawn_at is null`;

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

export interface StoredWithdrawal {
  readonly withdrawn: boolean;
  /** How the eSIM's plan behaves at the moment. */
  readonly behaviour: Behaviour;
}

/**
 * Takes back an eSIM that was neither activated nor refilled. One that was taken back before stays so. Undefined: there is no such
 * eSIM. The row is locked before its refills are looked at: a refill that is being stored holds it.
 */
export function withdrawEsim(db: Db, iccid: string, now: number): Promise<StoredWithdrawal | undefined> {
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
