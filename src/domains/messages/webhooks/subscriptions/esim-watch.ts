import type { Tx } from '../../../../platform/db/database.ts';
import { aheadOfRealTime } from '../../../../platform/db/query/account-time.ts';
import { type Sql, sql } from '../../../../platform/db/query/sql.ts';
import { wantsLowData } from '../../airalo/airalo.ts';
import { type EventName, readingEvents } from '../../events/events.ts';

/**
 * Whether the partner has a subscription that names an event that readings trigger, or wants the like in Airalo's form. Only then does a job
 * read its eSIMs.
 */
const wantsEsimEvents = (partnerId: Sql): Sql => sql`(exists (
  select from webhook_subscriptions as esim_subscription
  where esim_subscription.partner_id = ${partnerId} and esim_subscription.deleted_at is null and esim_subscription.events && ${readingEvents}::text[])
  or ${wantsLowData(partnerId)})`;

/**
 * When an eSIM that was delivered or refilled `at` is to be read first, in real time; null: no subscription of its partner names
 * eSIM events, and it is not watched for another reason.
 */
export const firstReadingAt = (
  afterMs: number,
  partnerId: Sql,
  at: Sql,
  isWatched: Sql = sql`false`,
): Sql => sql`case when ${isWatched} or ${wantsEsimEvents(partnerId)}
  then ${at} - ${aheadOfRealTime(partnerId)} + ${afterMs}::float8 * interval '1 ms' end`;

const ALL = 2n ** 63n - 1n;

/** A subscription that newly names eSIM events also covers the eSIMs that exist already. A job goes through them. */
export async function watchEarlier(tx: Tx, partnerId: number, events: readonly EventName[]): Promise<void> {
  if (events.some((name) => readingEvents.some((known) => known === name))) await setBacklog(tx, partnerId, ALL);
}

/** The same for a client of Airalo's software that wants to hear of eSIMs that run low. */
const watchAllEarlier = (tx: Tx, partnerId: number): Promise<void> => setBacklog(tx, partnerId, ALL);

/** A partner with earlier eSIMs to be watched, from the order below `beforeId` down; locked. */
const nextBacklog = (tx: Tx): Promise<{ partnerId: number; beforeId: bigint } | undefined> =>
  tx.maybe(sql`
    select partner_id as "partnerId", before_id as "beforeId" from watch_backlog where before_id > 0
    order by partner_id limit 1 for update skip locked`);

/** 0: all were processed. */
async function setBacklog(tx: Tx, partnerId: number, beforeId: bigint): Promise<void> {
  await tx.run(sql`
    insert into watch_backlog (partner_id, before_id) values (${partnerId}, ${beforeId})
    on conflict (partner_id) do update set before_id = excluded.before_id`);
}

/** Which partners' eSIMs are read regularly. */
export const esimWatch = { isWanted: wantsEsimEvents, nextBacklog, setBacklog, watchAllEarlier };
