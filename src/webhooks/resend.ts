import type { Queryable, Tx } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import { Refused } from '../refused.ts';
import { type EventName, eventNames } from './events.ts';
import { hint } from './hint.ts';
import { matching } from './matching.ts';
import { countWaiting, subscribersOf, type WebhookTerms } from './publish.ts';
import { requireDelivery, revive } from './requeue.ts';
import { LEASE_MS } from './schedule.ts';

/*
 * A member sends deliveries again: one, or all of a subscription that a filter means. Delivered and dead ones go back into the
 * queue with five more attempts. Those that wait for a retry are tried now and keep the attempts they have left.
 *
 * `asOf` makes it safe to repeat. It is the database's time when the member was shown what they decided about, and whatever was
 * sent again since then is left out. So a request that is repeated, because its answer was lost or somebody clicked twice, changes
 * nothing; a click on a page that was read afterwards does.
 *
 * Locks are taken in the order queue.ts demands: queue, log, and last the subscription, whose lock is held while what waits is counted.
 */

/** Deliveries sent again by one click; more have to be narrowed down. One transaction of some seconds. */
export const MOST_RESENT = 10_000;

/** `pending` is left out: these are about to be sent. */
export const resendStatuses = ['sent', 'failed', 'dead'] as const;
export type ResendStatus = (typeof resendStatuses)[number];

export interface ResendFilter {
  readonly subscriptionId: bigint;
  readonly status: ResendStatus | undefined;
  readonly event: EventName | undefined;
  readonly from: Date | undefined;
  readonly until: Date | undefined;
}

export interface Resendable {
  readonly count: number;
  /** Matched, but too old: their bodies are no longer stored. */
  readonly withoutBody: number;
  /** There are more than one click may send. */
  readonly tooMany: boolean;
  readonly asOf: Date;
}

const matchOf = (partnerId: number, { status, event, ...filter }: ResendFilter) =>
  matching({
    ...filter,
    partnerId,
    statuses: status ? [status] : resendStatuses,
    events: event ? [event] : eventNames,
    limit: MOST_RESENT + 1,
  });

export function countResendable(db: Queryable, partnerId: number, filter: ResendFilter): Promise<Resendable> {
  return db.one(sql`
    with matched as materialized (${matchOf(partnerId, filter)})
    select count(*) filter (where body is not null)::int as count, count(*) filter (where body is null)::int as "withoutBody",
      count(*) > ${MOST_RESENT} as "tooMany", now() as "asOf"
    from matched cross join lateral (
      select body from webhook_deliveries where webhook_deliveries.id = matched.id limit 1
    ) as delivery`);
}

/** What the filter means, on the world's own connection: its planner reads indexes in their order. */
export async function listResendable(db: Queryable, partnerId: number, filter: ResendFilter): Promise<bigint[]> {
  const matched = await db.query<{ id: bigint }>(matchOf(partnerId, filter));
  if (matched.length > MOST_RESENT) throw new Refused('too_many_deliveries');
  return matched.map(({ id }) => id);
}

/** Sends these deliveries of a partner again, as far as that is still to be done; returns how many. */
export async function resend(
  tx: Tx,
  terms: WebhookTerms,
  partnerId: number,
  ids: readonly bigint[],
  asOf: Date,
  now: number,
): Promise<number> {
  const count = (await hasten(tx, ids, asOf, now)) + (await reviveFinished(tx, ids, asOf, now));
  await requireRoom(tx, terms, partnerId);
  return count;
}

/** Sends one delivery again, whatever became of it; false if it already was since `asOf`, or is about to be sent. */
export async function resendOne(
  tx: Tx,
  terms: WebhookTerms,
  partnerId: number,
  id: bigint,
  asOf: Date,
  now: number,
): Promise<boolean> {
  await tx.run(sql`select from webhook_queue where delivery_id = ${id} for update`);
  const { pruned, status } = await requireDelivery(tx, id, partnerId);
  if (pruned) throw new Refused('payload_pruned');
  const act = status === 'failed' ? hasten : reviveFinished;
  const count = await act(tx, [id], asOf, now);
  await requireRoom(tx, terms, partnerId);
  return count > 0;
}

/** Not yet sent again since `asOf`, and still possible. */
const open = (asOf: Date) => sql`body is not null and coalesce(requeued_at < ${asOf}, true)`;

/** Makes those due now that wait for a retry. Rows due within a lease are left alone, as in `hastenDeliveries`. */
function hasten(tx: Tx, ids: readonly bigint[], asOf: Date, now: number): Promise<number> {
  return tx.run(sql`
    with waiting as materialized (
      select delivery_id from webhook_queue
      where delivery_id = any (${ids}::bigint[]) and due_at > ${new Date(now + LEASE_MS)}
      order by delivery_id for update
    ), hastened as (
      update webhook_deliveries set requeued_at = now()
      where id = any (array (select delivery_id from waiting)) and ${open(asOf)}
      returning id
    ), due as (
      update webhook_queue set due_at = ${new Date(now)} where delivery_id = any (array (select id from hastened))
      returning delivery_id
    )
    select delivery_id, ${hint()} from due`);
}

function reviveFinished(tx: Tx, ids: readonly bigint[], asOf: Date, now: number): Promise<number> {
  return revive(
    tx,
    sql`select id from webhook_deliveries
      where id = any (${ids}::bigint[]) and status in ('sent', 'dead') and ${open(asOf)}
      order by id for update`,
    now,
  );
}

/** A world may limit how many deliveries of an account wait; these count as any others do. */
async function requireRoom(tx: Tx, terms: WebhookTerms, partnerId: number): Promise<void> {
  const { waitingLimit } = terms;
  if (waitingLimit === undefined) return;
  await subscribersOf(tx, terms, [partnerId]);
  const waiting = (await countWaiting(tx, [partnerId])).get(partnerId) ?? 0;
  if (waiting > waitingLimit)
    throw new Refused('queue_full', `at most ${waitingLimit} deliveries may wait to be sent at a time`);
}
