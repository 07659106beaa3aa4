/*
 * The test clock: how a partner moves time in its own sandbox.
 *
 * A deferred order is delivered after 60 seconds, a webhook is retried after up to 12 hours, an eSIM expires after 30 days. To
 * test against that, a partner can move its sandbox ahead of the real time, by a minute or by a month. Only forwards: going back
 * would make recorded events lie in the future of what they describe. `reset` returns to the real time and leaves what was
 * dated ahead as it is; `account/sandboxReset` clears it away.
 *
 * State. One row per partner in `sandbox.account_clocks`: how far ahead the account is (an interval, never negative). No row
 * means the real time. Live has the same table, because both worlds share their migrations, but a trigger refuses every row.
 *
 * Reading it. There are two kinds of time, and every use has to pick one.
 *
 *   account time = real time + ahead   what a partner sees and what decides about its orders: created_at, the release of
 *                                      deferred orders, usage, expiry, occurred_at in event bodies.
 *   real time                          what machines agree on: due times in the webhook queue, leases, signatures (receivers
 *                                      reject a timestamp that is five minutes off), rate limits, sessions.
 *
 * The edge adds the account's offset to the request's time once (`Context.now` and `Context.clock`), from the copy it keeps with
 * the API key. Statements that run without a request add it in SQL (platform/db/query/account-time.ts).
 *
 * Turning it. `advanceClock` runs in one transaction on the owner's connection:
 *   1. lock the partner's row, so that two people turning at once add up instead of overwriting each other;
 *   2. write the new offset; its trigger notifies every process to forget what it knows about the partner's keys;
 *   3. move the due times of waiting deliveries, and of the next tries of disabled subscriptions, closer by the same amount, since
 *      those are in real time. What a worker has leased right now is not moved; it comes due again by itself, a few seconds later;
 *   4. drop usage readings taken at the old time, and make those of watched eSIMs due.
 * Orders need no step of their own: their due times are in account time, so they are due once the account's time has passed them.
 */

import { expediteWaiting } from '../../domains/messages/webhooks/webhooks.ts';
import { usageMarks } from '../../domains/sales/orders/orders.ts';
import { forgetReachedLimits } from '../../domains/sales/purchase/purchase.ts';
import { forgetReadings } from '../../domains/sales/usage/usage.ts';
import { DAY, timestamp } from '../../platform/clock.ts';
import { Refused } from '../../platform/contract/refused.ts';
import type { Queryable, Tx } from '../../platform/db/database.ts';
import { sql } from '../../platform/db/query/sql.ts';
import { enterSchema } from '../../platform/db/search-path.ts';

/** The furthest an account's sandbox can be ahead of the real time: two years. */
export const MAX_AHEAD_MS = 2 * 365 * DAY;

export type SandboxClock = ReturnType<typeof shown>;

export async function showClock(db: Queryable, partnerId: number, now: number) {
  const aheadMs = await aheadMsOf(db, partnerId);
  return shown(partnerId, aheadMs, now);
}

/** Moves the account's sandbox ahead. On the owner's connection. */
export async function advanceClock(tx: Tx, partnerId: number, byMs: number, now: number) {
  const aheadMs = (await aheadMsOf(tx, partnerId, 'lock')) + byMs;
  if (aheadMs > MAX_AHEAD_MS)
    throw new Refused(
      'clock_too_far',
      `a sandbox clock can be at most two years (730 days) ahead of real time; this would make it ${Math.ceil(aheadMs / DAY)} days`,
    );
  await enterSchema(tx, 'sandbox');
  await tx.run(sql`
    insert into account_clocks (partner_id, ahead) values (${partnerId}, ${aheadMs}::float8 * interval '1 ms')
    on conflict (partner_id) do update set ahead = excluded.ahead`);
  // Readings before deliveries, in the order a reset of the account locks them.
  await forgetReadings(tx, partnerId);
  await usageMarks.allDue(tx, partnerId, new Date(now));
  await expediteWaiting(tx, partnerId, byMs, now);
  return shown(partnerId, aheadMs, now);
}

/** Returns to the real time. On the owner's connection. */
export async function resetClock(tx: Tx, partnerId: number, now: number) {
  await aheadMsOf(tx, partnerId, 'lock');
  await enterSchema(tx, 'sandbox');
  await tx.run(sql`delete from account_clocks where partner_id = ${partnerId}`);
  // Marks of windows ahead would keep today's events from being sent.
  await forgetReachedLimits(tx, partnerId);
  await forgetReadings(tx, partnerId);
  await usageMarks.allDue(tx, partnerId, new Date(now));
  return shown(partnerId, 0, now);
}

/** An account's sandbox time. */
const shown = (partnerId: number, aheadMs: number, now: number) => ({
  partner_id: partnerId,
  /** False: sandbox time is real time. */
  is_turned: aheadMs > 0,
  ahead_seconds: Math.round(aheadMs / 1000),
  sandbox_time: timestamp(now + aheadMs),
});

/** With `lock` the partner's row is held, so that concurrent turns add up. */
async function aheadMsOf(db: Queryable, partnerId: number, lock?: 'lock'): Promise<number> {
  const partner = await db.maybe(sql`
    select id from shared.partners where id = ${partnerId} ${lock ? sql`for no key update` : sql``}`);
  if (!partner) throw new Refused('partner_not_found');
  const row = await db.maybe<{ ms: number }>(sql`
    select extract(epoch from ahead)::float8 * 1000 as ms from sandbox.account_clocks where partner_id = ${partnerId}`);
  return row?.ms ?? 0;
}
