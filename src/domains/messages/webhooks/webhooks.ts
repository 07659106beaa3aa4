import { formatCents } from '../../../platform/amounts/cents.ts';
import { COUNT_LIMIT, counted } from '../../../platform/db/alerts.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { type Sql, sql } from '../../../platform/db/query/sql.ts';
import { bound, type Readers } from '../../../platform/db/replicas.ts';
import type { Log } from '../../../platform/log.ts';
import type { Services } from '../../../platform/start/services.ts';
import { noteForAiralo } from '../airalo/airalo.ts';
import {
  type CatalogEvent,
  describedEvents,
  type EventName,
  type NewEvent,
  type OrderEvent,
  orderOfEvent,
} from '../events/events.ts';
import type { Notices } from '../mail/mail.ts';
import {
  ATTEMPTS_READ,
  attemptsOfDelivery,
  attemptsOfOrder,
  dueOf,
  SLOW_MS,
  slowReceivers,
} from './log/attempt-log.ts';
import {
  deadReceivers,
  listDeadLetters,
  listRequeueable,
  MOST_REQUEUED,
  searchDeadLetters,
} from './log/dead-letter-search.ts';
import { deliveriesOfOrder, listDeliveries, readDelivery } from './log/delivery-log.ts';
import { countResendable, listResendable, MOST_RESENT, requireResendable, requireRoom, resend } from './log/resend.ts';
import { listPrunable, pruneBodies } from './log/retention.ts';
import { announce } from './queue/enqueue.ts';
import { abandonHeld, nextTryAt } from './queue/held.ts';
import {
  hasSubscriber,
  type Published,
  type PublishOptions,
  publish,
  type Subscribers,
  subscribersOf,
  type WebhookTerms,
} from './queue/publish.ts';
import { openProber, type ProbeOutcome, type Prober } from './send/probe.ts';
import { createSender, type GuardedFetch, guardedFetch, type Sender } from './send/send.ts';
import { createGuard, type Guard } from './send/target.ts';
import {
  type CatalogNotice,
  dueCatalogNotices,
  noteCatalog,
  type SentCatalog,
} from './subscriptions/catalog-notices.ts';
import { firstReadingAt } from './subscriptions/esim-watch.ts';
import {
  findSubscription,
  listAllStopped,
  listStopped,
  listSubscriptions,
  MAX_SUBSCRIPTIONS,
  MAX_URL_LENGTH,
  MOST_COUNTED,
} from './subscriptions/subscriptions.ts';
import { queueTestEvent, type TestOutcome } from './subscriptions/test-event.ts';

const MOST_RECEIVERS = 20;

/** A webhook address may hold a secret in its path, so only its host is shown. */
const hostOf = (url: Sql): Sql => sql`substring(${url} from '^[a-z]+://([^/?#@:]+)')`;

/** Receivers that were disabled since, and still are. */
const disabledSince = (since: Date): Sql =>
  counted(
    'disabled_webhooks',
    sql`select held_since as since from webhook_subscriptions
      where status = 3 and deleted_at is null and held_since > ${since}`,
  );

/** Receivers that are disabled, and those with events we gave up on. */
const stopped = (): Sql => sql`
  (select 'disabled_webhook' as kind, held.number::float8 as count, held_since as since, stopped.id::text as of,
    coalesce(${hostOf(sql`url`)}, '') as about, next_try_at as "nextTryAt"
  from (
    select id, partner_id, url, held_since, ${nextTryAt()} as next_try_at from webhook_subscriptions
    where status = 3 and deleted_at is null order by id
  ) as stopped
  join partners on partners.id = partner_id and partners.deleted_at is null
  cross join lateral (
    select count(*) as number from (select from webhook_queue where subscription_id = stopped.id limit ${COUNT_LIMIT}) as counted
  ) as held
  order by 2 desc, 3 limit ${MOST_RECEIVERS})
  union all
  (select 'dead_letters' as kind, dead.number::float8 as count, dead.since, dead.subscription_id::text as of,
    coalesce(${hostOf(sql`url`)}, '') as about, null
  from (
    select subscription_id, count(*) as number, min(died_at) as since from (
      select subscription_id, died_at from webhook_deliveries where status = 'dead' and not discarded
      order by died_at desc nulls last, id desc limit ${5 * COUNT_LIMIT}
    ) as newest group by subscription_id
  ) as dead
  join webhook_subscriptions as subscription on subscription.id = dead.subscription_id and subscription.deleted_at is null
  order by 2 desc, 4 limit ${MOST_RECEIVERS})`;

export const webhookAlerts = { stopped, disabledSince };

export type { AttemptDetail, Due } from './log/attempt-log.ts';
export { type DeadLetterSearch, latestDeathFirst, type Place } from './log/dead-letter-search.ts';
export type { LoggedDelivery } from './log/delivery-log.ts';
export { inbox } from './log/inbox.ts';
export { type Resendable, type ResendFilter, resendStatuses } from './log/resend.ts';
export { orderDeliveries } from './log/retention.ts';
export { expediteWaiting } from './queue/due-times.ts';
export { type DeliveryStatus, deliveryStatuses } from './queue/matching.ts';
export { type AttemptOutcome, type Exchange, HINT_CHANNEL } from './queue/queue.ts';
export { webhookWork } from './queue/work.ts';
export { signing } from './send/signature.ts';
export { esimWatch } from './subscriptions/esim-watch.ts';
export {
  type StoppedSubscription,
  type Subscription,
  subscriptions,
  UrlBlocked,
} from './subscriptions/subscriptions.ts';

export const webhookLimits = {
  subscriptions: MAX_SUBSCRIPTIONS,
  urlLength: MAX_URL_LENGTH,
  counted: MOST_COUNTED,
  requeued: MOST_REQUEUED,
  resent: MOST_RESENT,
  /** Attempts that are looked at for slow receivers, and from when on one is slow. */
  attemptsRead: ATTEMPTS_READ,
  slowMs: SLOW_MS,
} as const;

interface WebhookWorld extends Readers {
  readonly webhookTerms: WebhookTerms;
  /** Mails people what concerns real money; left out in a world of play money. */
  readonly notices?: Notices;
}

interface WebhooksParts extends Pick<Services, 'vault' | 'clock' | 'log'> {
  readonly prober: Prober;
}

export type Webhooks = ReturnType<typeof createWebhooks>;

export function createWebhooks(world: WebhookWorld, { vault, prober, clock, log }: WebhooksParts) {
  const { db, reads, webhookTerms: terms, notices } = world;
  return {
    /** True: orders can be refused their events, so `publish` still writes after its answer is known. */
    hasWaitingLimit: terms.waitingLimit !== undefined,
    /** Writes the deliveries of a batch of events in the caller's transaction, so they exist exactly when the change does. */
    async publish(tx: Tx, events: readonly NewEvent[], options?: PublishOptions): Promise<Published> {
      // Sent first: a purchase sends its commit right behind what `publish` has sent by the time it returns.
      const mailed = notices && mailPeople(tx, notices, events);
      const noted = noteForAiralo(tx, events, new Date(clock.now()));
      const [published] = await Promise.all([publish(tx, vault, terms, events, options), mailed, noted]);
      return published;
    },
    /** The subscriptions of these partners. Under a waiting limit they stay locked until the transaction ends. */
    subscribers: (tx: Tx, partnerIds: readonly number[]): Promise<Subscribers> => subscribersOf(tx, terms, partnerIds),
    announce: (events: readonly OrderEvent[], changed: Sql): Sql => announce(vault, terms, events, changed),
    hasSubscriber,
    firstReadingAt: (partnerId: Sql, at: Sql, isWatched?: Sql): Sql =>
      firstReadingAt(terms.firstReadingMs, partnerId, at, isWatched),
    /** Notes the catalog reported to a partner, and publishes the event. False: another process was first. */
    publishCatalog: (
      notice: CatalogNotice,
      latest: SentCatalog & { readonly form: string },
      event: CatalogEvent | undefined,
    ): Promise<boolean> =>
      db.tx(async (tx) => {
        const isFirst = await noteCatalog(tx, notice, latest, event && new Date(event.occurredAt));
        if (isFirst && event) await publish(tx, vault, terms, [event]);
        return isFirst && event !== undefined;
      }),
    /** Queues `order.test` for one subscription, or for all active ones. */
    test: (partnerId: number, subscriptionId: bigint | undefined, now: number): Promise<TestOutcome> =>
      queueTestEvent({ db, terms, vault, log }, partnerId, subscriptionId, now),
    // Signed with the real time even when an account's test clock is turned: receivers reject any other.
    probe: (url: string, event: EventName): Promise<ProbeOutcome> => prober.probe(terms, url, event, clock.now()),
    ...bound(terms, { events: describedEvents, orderOfEvent }),
    ...bound(db, {
      catalogNotices: dueCatalogNotices,
      subscriptions: listSubscriptions,
      stopped: listStopped,
      /** How many a filter selects, before they are sent again. */
      resendable: countResendable,
      listResendable,
      dueOf,
      attempts: attemptsOfDelivery,
    }),
    ...bound(reads, { deliveries: listDeliveries, attemptsOfOrder }),
    delivery: (partnerId: number, id: bigint) => readDelivery(db, vault, partnerId, id),
    /**
     * Sends one delivery of a partner again, or those of `listResendable`, as far as that was not done since `asOf` (undefined: since
     * the transaction began); returns how many.
     */
    async resend(
      tx: Tx,
      partnerId: number,
      chosen: bigint | readonly bigint[],
      asOf: Date | undefined,
      now: number,
    ): Promise<number> {
      if (typeof chosen === 'bigint') await requireResendable(tx, chosen, partnerId);
      const since = asOf ?? (await tx.one<{ at: Date }>(sql`select now() as at`)).at;
      const count = await resend(tx, typeof chosen === 'bigint' ? [chosen] : chosen, since, now);
      await requireRoom(tx, terms, partnerId);
      return count;
    },
    /** The time by which a resend leaves out what was sent again since. */
    asOf: async () => (await db.one<{ asOf: Date }>(sql`select now() as "asOf"`)).asOf,
    /** Those of all partners, for operators. The last three are on the owner's connection. */
    all: {
      ...bound(db, {
        subscription: findSubscription,
        requeueable: listRequeueable,
        prunable: listPrunable,
        abandonHeld,
      }),
      ...bound(reads, {
        stopped: listAllStopped,
        slow: slowReceivers,
        deliveriesOfOrder,
        dead: listDeadLetters,
        searchDead: searchDeadLetters,
        deadReceivers,
      }),
      requireResendable,
      requeue: resend,
      pruneBodies,
    },
  };
}

/** Mails a partner's people the events that concern them, too, whether or not a subscription names the event. */
async function mailPeople(tx: Tx, notices: Notices, events: readonly NewEvent[]): Promise<void> {
  await Promise.all(
    events.map((event) => {
      if (event.event !== 'account.balance_low' || event.level === undefined) return undefined;
      const facts = { balance: formatCents(event.balance), level: formatCents(event.level) };
      return notices.noticeFor(tx, event.partnerId, 'balance_low', facts, event.occurredAt);
    }),
  );
}

/** What reaches addresses that partners choose: the check of them, the sender, a probe that records nothing, and a `fetch`. */
export interface Outgoing {
  readonly guard: Guard;
  readonly sender: Sender;
  readonly prober: Prober;
  readonly fetch: GuardedFetch;
}

export function openOutgoing({ trustedHosts, log }: { trustedHosts: readonly string[]; log: Log }): Outgoing {
  const guard = createGuard({ trustedHosts });
  const sender = createSender({ guard });
  return { guard, sender, prober: openProber({ sender, log }), fetch: guardedFetch(guard) };
}
