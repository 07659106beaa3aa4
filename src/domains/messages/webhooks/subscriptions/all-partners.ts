import type { Tx } from '../../../../platform/db/database.ts';
import type { Readers } from '../../../../platform/db/replicas.ts';
import {
  type DeadLetterSearch,
  type DeadReceiver,
  deadReceivers,
  type FoundDeadLetter,
  listRequeueable,
  type Place,
  type Requeueable,
  searchDeadLetters,
} from '../log/dead-letter-search.ts';
import { type DeadLetter, type DeadLetterFilter, listDeadLetters } from '../log/dead-letters.ts';
import { deliveriesOfOrder, type LoggedDelivery } from '../log/delivery-log.ts';
import { requireResendable, resend } from '../log/resend.ts';
import { listPrunable, pruneBodies } from '../log/retention.ts';
import { abandonHeld } from '../queue/held.ts';
import type { DeliveryStatus } from '../queue/matching.ts';
import { type SlowReceiver, slowReceivers } from '../send/slow-receivers.ts';
import { listAllStopped, type StoppedOfPartner } from './stopped.ts';
import { findSubscription, type Subscription } from './subscriptions.ts';

/** The webhooks of all partners of a world, for its operators. */
export interface AllWebhooks {
  subscription(id: bigint): Promise<Subscription>;
  stopped(): Promise<StoppedOfPartner[]>;
  /** Receivers that answered slowly since a time. */
  slow(since: Date): Promise<SlowReceiver[]>;
  deliveriesOfOrder(orderId: bigint): Promise<LoggedDelivery[]>;
  /** The latest dead deliveries. */
  dead(filter: DeadLetterFilter): Promise<DeadLetter[]>;
  searchDead(search: DeadLetterSearch, page: { after: Place | undefined; limit: number }): Promise<FoundDeadLetter[]>;
  deadReceivers(search: DeadLetterSearch): Promise<DeadReceiver[]>;
  requeueable(search: DeadLetterSearch, limit: number): Promise<Requeueable>;
  /** A batch of deliveries whose bodies were created before a time. */
  prunable(before: Date): Promise<bigint[]>;
  /** Gives up a batch of what deleted subscriptions still held; returns how many. */
  abandonHeld(now: number): Promise<number>;
  /** These are on the owner's connection. */
  requireResendable(tx: Tx, deliveryId: bigint): Promise<{ status: DeliveryStatus }>;
  requeue(tx: Tx, deliveryIds: readonly bigint[], asOf: Date | undefined, now: number): Promise<number>;
  pruneBodies(tx: Tx, deliveryIds: readonly bigint[]): Promise<number>;
}

export const allWebhooks = ({ db, reads }: Readers): AllWebhooks => ({
  subscription: (id) => findSubscription(db, id),
  stopped: () => listAllStopped(reads),
  slow: (since) => slowReceivers(reads, since),
  deliveriesOfOrder: (orderId) => deliveriesOfOrder(reads, orderId),
  dead: (filter) => listDeadLetters(reads, filter),
  searchDead: (search, page) => searchDeadLetters(reads, search, page),
  deadReceivers: (search) => deadReceivers(reads, search),
  requeueable: (search, limit) => listRequeueable(db, search, limit),
  prunable: (before) => listPrunable(db, before),
  abandonHeld: (now) => abandonHeld(db, now),
  requireResendable,
  requeue: resend,
  pruneBodies,
});
