import { Refused } from '../../accounts/accounts.ts';
import { DAY, timestamp } from '../../clock.ts';
import type { Queryable, Tx } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { hastenDeliveries } from '../../webhooks/webhooks.ts';

/** The furthest an account's sandbox can be ahead of the real time: two years. */
export const MAX_AHEAD_MS = 2 * 365 * DAY;

/** What an account's sandbox takes the time to be. */
export interface SandboxClock {
  readonly partner_id: number;
  /** False: sandbox time is the real time. */
  readonly is_turned: boolean;
  readonly ahead_seconds: number;
  readonly sandbox_time: string;
}

export async function showClock(db: Queryable, partnerId: number, now: number): Promise<SandboxClock> {
  const aheadMs = await aheadMsOf(db, partnerId);
  return shown(partnerId, aheadMs, now);
}

/** Moves the account's sandbox forward: what it waits for comes nearer. On the owner's connection. */
export async function advanceClock(tx: Tx, partnerId: number, byMs: number, now: number): Promise<SandboxClock> {
  const aheadMs = (await aheadMsOf(tx, partnerId, 'lock')) + byMs;
  if (aheadMs > MAX_AHEAD_MS) throw new Refused('clock_too_far', 'a sandbox clock goes at most two years ahead');
  await tx.run(sql`set local search_path = sandbox, shared`);
  await tx.run(sql`
    insert into account_clocks (partner_id, ahead) values (${partnerId}, ${aheadMs}::float8 * interval '1 ms')
    on conflict (partner_id) do update set ahead = excluded.ahead`);
  await hastenDeliveries(tx, partnerId, byMs, now);
  await forgetReadings(tx, partnerId);
  return shown(partnerId, aheadMs, now);
}

/** Back to the real time. What was dated in the future keeps its date; a reset of the account clears it away. */
export async function resetClock(tx: Tx, partnerId: number, now: number): Promise<SandboxClock> {
  await aheadMsOf(tx, partnerId, 'lock');
  await tx.run(sql`set local search_path = sandbox, shared`);
  await tx.run(sql`delete from account_clocks where partner_id = ${partnerId}`);
  await forgetReadings(tx, partnerId);
  return shown(partnerId, 0, now);
}

const shown = (partnerId: number, aheadMs: number, now: number): SandboxClock => ({
  partner_id: partnerId,
  is_turned: aheadMs > 0,
  ahead_seconds: Math.round(aheadMs / 1000),
  sandbox_time: timestamp(now + aheadMs),
});

/** The partner's row is the lock: two who turn the clock at once both count. */
async function aheadMsOf(db: Queryable, partnerId: number, lock?: 'lock'): Promise<number> {
  const partner = await db.maybe(sql`
    select id from shared.partners where id = ${partnerId} and deleted_at is null ${lock ? sql`for update` : sql``}`);
  if (!partner) throw new Refused('partner_not_found');
  const row = await db.maybe<{ ms: number }>(sql`
    select extract(epoch from ahead)::float8 * 1000 as ms from sandbox.account_clocks where partner_id = ${partnerId}`);
  return row?.ms ?? 0;
}

/** Figures taken at another time are not this time's. */
async function forgetReadings(tx: Tx, partnerId: number): Promise<void> {
  await tx.run(sql`
    delete from usage_readings using orders where usage_readings.iccid = orders.iccid and partner_id = ${partnerId}`);
}
