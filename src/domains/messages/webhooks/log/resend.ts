import { Refused } from '../../../../platform/contract/refused.ts';
import type { Queryable, Tx } from '../../../../platform/db/database.ts';
import { nothing, sql } from '../../../../platform/db/query/sql.ts';
import { type EventName, eventNames } from '../../events/events.ts';
import { type DeliveryStatus, matching } from '../queue/matching.ts';
import { subscribersOf, type WebhookTerms } from '../queue/publish.ts';
import { hint } from '../queue/queue.ts';
import { LEASE_MS, MAX_ATTEMPTS } from '../queue/schedule.ts';
import { countWaiting } from '../queue/waiting-limit.ts';

/*
 * The one way to send deliveries again, for members and operators. First somebody chooses: one delivery, those of a subscription
 * that a filter means (here), or dead letters of any partner (dead-letter-search.ts). Then `resend` takes the ids. Delivered and
 * dead ones go back into the queue with five more attempts. Those that wait for a retry are tried now and keep the attempts they
 * have left.
 *
 * `asOf` makes it safe to repeat. It is the database's time when the choice was made, or shown to the member who made it, and
 * whatever was sent again since then is left out. So a request that is repeated, because its answer was lost or somebody clicked
 * twice, changes nothing; a click on a page that was read afterwards does.
 *
 * Locks are taken in the order queue.ts demands: queue, log, and last the subscription, whose lock is held while what waits is
 * counted.
 */

/** Deliveries sent again by one click; more have to be narrowed down. One transaction of some seconds. */
export const MOST_RESENT = 10_000;

/** `pending` is left out: these are about to be sent. */
export const resendStatuses = ['sent', 'failed', 'dead'] as const;
type ResendStatus = (typeof resendStatuses)[number];

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

/** What the filter selects, on the world's own connection: its planner reads indexes in their order. */
export async function listResendable(db: Queryable, partnerId: number, filter: ResendFilter): Promise<bigint[]> {
  const matched = await db.query<{ id: bigint }>(matchOf(partnerId, filter));
  if (matched.length > MOST_RESENT) throw new Refused('too_many_deliveries');
  return matched.map(({ id }) => id);
}

/** Sends these deliveries again, as far as that is still to be done; returns how many. */
export async function resend(tx: Tx, ids: readonly bigint[], asOf: Date | undefined, now: number): Promise<number> {
  return (await expedite(tx, ids, asOf, now)) + (await revive(tx, ids, asOf, now));
}

/** The delivery to send again; refused if that is impossible. Its queue row is locked first, if it has one. */
export async function requireResendable(tx: Tx, id: bigint, ofPartner?: number): Promise<{ status: DeliveryStatus }> {
  await tx.run(sql`select from webhook_queue where delivery_id = ${id} for update`);
  const found = await tx.maybe<{ status: DeliveryStatus; pruned: boolean; deleted: boolean; closed: boolean }>(sql`
    select delivery.status, body is null as pruned, webhook_subscriptions.deleted_at is not null as deleted,
      partners.deleted_at is not null as closed
    from webhook_deliveries as delivery join webhook_subscriptions on webhook_subscriptions.id = subscription_id
    join shared.partners on partners.id = webhook_subscriptions.partner_id
    where delivery.id = ${id} ${ofPartner === undefined ? nothing : sql`and webhook_subscriptions.partner_id = ${ofPartner}`}
    for update of delivery`);
  if (!found) throw new Refused('delivery_not_found');
  if (found.closed) throw new Refused('partner_closed');
  if (found.deleted) throw new Refused('subscription_not_found');
  if (found.pruned) throw new Refused('payload_pruned');
  return found;
}

/** Not yet sent again since `asOf` (undefined: whenever that was), and still possible. */
const open = (asOf: Date | undefined) =>
  asOf ? sql`body is not null and coalesce(requeued_at < ${asOf}, true)` : sql`body is not null`;

/** Makes those due now that wait for a retry. Rows due within a lease are left alone, as in `expediteDeliveries`. */
function expedite(tx: Tx, ids: readonly bigint[], asOf: Date | undefined, now: number): Promise<number> {
  return tx.run(sql`
    with waiting as materialized (
      select delivery_id from webhook_queue
      where delivery_id = any (${ids}::bigint[]) and due_at > ${new Date(now + LEASE_MS)}
      order by delivery_id for update
    ), expedited as (
      update webhook_deliveries set requeued_at = now()
      where id = any (array (select delivery_id from waiting)) and ${open(asOf)}
      returning id
    ), due as (
      update webhook_queue set due_at = ${new Date(now)} where delivery_id = any (array (select id from expedited))
      returning delivery_id
    )
    select delivery_id, ${hint()} from due`);
}

function revive(tx: Tx, ids: readonly bigint[], asOf: Date | undefined, now: number): Promise<number> {
  return tx.run(sql`
    with revived as (
      update webhook_deliveries
      set status = case when attempts = 0 or status = 'sent' then 'pending' else 'failed' end,
        max_attempts = attempts + ${MAX_ATTEMPTS}::int, died_at = null, discarded = false, requeued_at = now()
      where id = any (array (
        select id from webhook_deliveries
        where id = any (${ids}::bigint[]) and status in ('sent', 'dead') and ${open(asOf)}
        order by id for update
      ))
      returning id, subscription_id, attempts, max_attempts
    ), queued as (
      insert into webhook_queue (delivery_id, subscription_id, due_at, attempts, max_attempts)
      select id, subscription_id, ${new Date(now)}, attempts, max_attempts from revived
    )
    select id, ${hint()} from revived`);
}

/** A world may limit how many deliveries of an account wait; these count as any others do. */
export async function requireRoom(tx: Tx, terms: WebhookTerms, partnerId: number): Promise<void> {
  const { waitingLimit } = terms;
  if (waitingLimit === undefined) return;
  await subscribersOf(tx, terms, [partnerId]);
  const waiting = (await countWaiting(tx, [partnerId])).get(partnerId) ?? 0;
  if (waiting > waitingLimit)
    throw new Refused('queue_full', `at most ${waitingLimit} deliveries may wait to be sent at a time`);
}
