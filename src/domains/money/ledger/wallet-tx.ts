import type { Db, Tx } from '../../../platform/db/database.ts';
import { bounded, type Turns } from '../../../platform/limits/turns.ts';

/*
 * Who waits for a wallet, and with what.
 *
 * Everything that moves a partner's money locks the wallet before any other row of the partner's: before orders, refunds, top-ups
 * and shares. Transactions that take their locks in one order cannot deadlock.
 *
 * A transaction that waits for a lock keeps its connection. If every request of a partner waited like that, thirty of them would
 * hold all connections of the pool, and other partners would get none. So those that go through here wait for their turn first,
 * without a connection: of each partner one runs at a time. They would have run one after the other anyway, because of the lock.
 * Purchases have lanes of their own instead (domains/sales/purchase/charge-lanes.ts).
 */

interface Queue {
  readonly turn: Turns;
  users: number;
}

const queues = new WeakMap<Db, Map<number, Queue>>();

/**
 * A transaction about one partner's money: the work has to begin with `lockWallets`. The queue has no limit of its own; the callers
 * must have one.
 */
export async function walletTx<T>(db: Db, partnerId: number, work: (tx: Tx) => Promise<T>): Promise<T> {
  const ofDb = queues.get(db) ?? new Map<number, Queue>();
  queues.set(db, ofDb);
  const queue = ofDb.get(partnerId) ?? { turn: oneAtATime(), users: 0 };
  ofDb.set(partnerId, queue);
  queue.users++;
  try {
    return await queue.turn(() => db.tx(work));
  } finally {
    if (--queue.users === 0) ofDb.delete(partnerId);
  }
}

const oneAtATime = (): Turns =>
  bounded({ atOnce: 1, maxWaiting: Number.POSITIVE_INFINITY }, () => new Error('unreachable'));
