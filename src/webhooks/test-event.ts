import { Failure, fail } from '../contract/errors.ts';
import { DatabaseAway, type Db, type Tx } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import type { Log } from '../log.ts';
import type { Vault } from '../secrets.ts';
import { enqueue } from './enqueue.ts';
import { sampleMessage } from './events.ts';
import { countWaiting, subscribersOf, type WebhookPort } from './publish.ts';
import { listSubscriptions, type Subscription } from './subscriptions.ts';

export interface QueuedTest {
  readonly eventId: string;
  readonly deliveryIds: readonly bigint[];
}

export interface TestEventParts {
  readonly db: Db;
  readonly port: WebhookPort;
  readonly vault: Vault;
  readonly log: Log;
}

const NOTE = 'Test event: it describes no order.';

/** Queues `order.test` on the real path, whatever events the subscriptions chose. */
export async function queueTestEvent(
  parts: TestEventParts,
  partnerId: number,
  subscriptionId: bigint | undefined,
  now: number,
): Promise<QueuedTest> {
  const receivers = receiversOf(await listSubscriptions(parts.db, partnerId), subscriptionId);
  try {
    return await parts.db.tx((tx) => queue(tx, parts, partnerId, receivers, now));
  } catch (error) {
    if (error instanceof Failure || error instanceof DatabaseAway) throw error;
    parts.log.error({ err: error, partnerId }, 'a test event could not be queued');
    throw fail('test_enqueue_failed');
  }
}

function receiversOf(subscriptions: readonly Subscription[], wanted: bigint | undefined): Subscription[] {
  if (subscriptions.length === 0) throw fail('no_subscription');
  const chosen = wanted === undefined ? subscriptions : subscriptions.filter(({ id }) => id === wanted);
  if (chosen.length === 0) throw fail('subscription_not_found');
  const active = chosen.filter(({ status }) => status === 1);
  if (active.length === 0) throw fail('no_active_subscription');
  return active;
}

async function queue(
  tx: Tx,
  { port, vault }: TestEventParts,
  partnerId: number,
  receivers: readonly Subscription[],
  now: number,
): Promise<QueuedTest> {
  if (port.waitingLimit) {
    await subscribersOf(tx, port, [partnerId]);
    const pending = (await countWaiting(tx, [partnerId])).get(partnerId) ?? 0;
    const { most, code } = port.waitingLimit;
    if (pending + receivers.length > most) throw fail(code, { pending, limit: most });
  }
  const { n } = await tx.one<{ n: bigint }>(sql`select nextval('webhook_test_numbers') as n`);
  const message = sampleMessage(port, 'order.test', n, NOTE, now);
  const deliveryIds = await enqueue(
    tx,
    vault,
    receivers.map(({ id }) => {
      return { partnerId, subscriptionId: id, orderId: 0n, event: 'order.test', message, at: now } as const;
    }),
  );
  return { eventId: message.eventId, deliveryIds };
}
