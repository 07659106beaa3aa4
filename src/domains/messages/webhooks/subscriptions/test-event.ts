import { DatabaseAway, type Tx } from '../../../../platform/db/database.ts';
import { sql } from '../../../../platform/db/query/sql.ts';
import type { Services } from '../../../../platform/start/services.ts';
import { sampleMessage } from '../../events/events.ts';
import { enqueue } from '../queue/enqueue.ts';
import { subscribersOf, type WebhookTerms } from '../queue/publish.ts';
import { countWaiting } from '../queue/waiting-limit.ts';
import { listSubscriptions, type Subscription } from './subscriptions.ts';

export type TestOutcome =
  | { readonly outcome: 'queued'; readonly eventId: string; readonly deliveryIds: readonly bigint[] }
  | { readonly outcome: 'no_subscription' | 'subscription_not_found' | 'no_active_subscription' }
  /** Too many deliveries of the account are waiting; nothing was queued. */
  | { readonly outcome: 'queue_full'; readonly pending: number; readonly limit: number }
  /** The database refused the write; it is logged. */
  | { readonly outcome: 'not_queued' };

interface TestEventParts extends Pick<Services, 'db' | 'vault' | 'log'> {
  readonly terms: WebhookTerms;
}

const NOTE = 'Test event: it describes no order.';

/** Queues `order.test` on the real path, even for subscriptions that did not choose that event. */
export async function queueTestEvent(
  parts: TestEventParts,
  partnerId: number,
  subscriptionId: bigint | undefined,
  now: number,
): Promise<TestOutcome> {
  const receivers = receiversOf(await listSubscriptions(parts.db, partnerId), subscriptionId);
  if ('outcome' in receivers) return receivers;
  try {
    return await parts.db.tx((tx) => queue(tx, parts, partnerId, receivers, now));
  } catch (error) {
    if (error instanceof DatabaseAway) throw error;
    parts.log.error({ err: error, partnerId }, 'a test event could not be queued');
    return { outcome: 'not_queued' };
  }
}

function receiversOf(
  subscriptions: readonly Subscription[],
  wanted: bigint | undefined,
): readonly Subscription[] | TestOutcome {
  if (subscriptions.length === 0) return { outcome: 'no_subscription' };
  const chosen = wanted === undefined ? subscriptions : subscriptions.filter(({ id }) => id === wanted);
  if (chosen.length === 0) return { outcome: 'subscription_not_found' };
  const active = chosen.filter(({ status }) => status === 1);
  if (active.length === 0) return { outcome: 'no_active_subscription' };
  return active;
}

async function queue(
  tx: Tx,
  { terms, vault }: TestEventParts,
  partnerId: number,
  receivers: readonly Subscription[],
  now: number,
): Promise<TestOutcome> {
  if (terms.waitingLimit !== undefined) {
    await subscribersOf(tx, terms, [partnerId]);
    const pending = (await countWaiting(tx, [partnerId])).get(partnerId) ?? 0;
    const limit = terms.waitingLimit;
    if (pending + receivers.length > limit) return { outcome: 'queue_full', pending, limit };
  }
  const { n } = await tx.one<{ n: bigint }>(sql`select nextval('webhook_test_numbers') as n`);
  const message = sampleMessage(terms, 'order.test', n, NOTE, now);
  const deliveryIds = await enqueue(
    tx,
    vault,
    receivers.map(({ id }) => {
      return { partnerId, subscriptionId: id, orderId: 0n, event: 'order.test', message, at: now } as const;
    }),
  );
  return { outcome: 'queued', eventId: message.eventId, deliveryIds };
}
