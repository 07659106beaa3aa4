import type { Db } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/query/sql.ts';
import { bounded } from '../../../platform/limits/turns.ts';
import type { Log } from '../../../platform/log.ts';
import type { BatchOutcome } from './buy-outcome.ts';
import type { Bundle, Charged } from './charge.ts';
import { type ChargeByDeadline, chargeByDeadline, notCharged, noteInterrupted } from './charge-deadline.ts';
import type { Lanes } from './charge-lanes.ts';
import { readWallet, type Wanted } from './decide.ts';
import type { Provisioning } from './provision.ts';

/*
 * Many purchases with one decision about money.
 *
 * A batch has no row of its own. It is the orders with its number in `batch_id`, which is the id of the first of them. The first
 * also has the idempotency key, so batches and single purchases find each other's keys in the one unique index there is, and a
 * purchase pays nothing for it. What was asked for and what was charged is read from the orders: neither changes after they are
 * written.
 *
 * All members are written in one transaction (`chargeAll`). From then on each is a paid order like any other: if the process is
 * killed, the job delivers the rest, and one that fails is refunded alone.
 */

/** Orders of a batch that are sent to suppliers at a time, so that other purchases get their turns. */
const AT_ONCE = 16;

interface BatchWorld {
  readonly db: Db;
  readonly provisioning: Pick<Provisioning, 'provision'>;
}

type Paid = Extract<Charged, { outcome: 'paid' }>;

export function openBatches({ db, provisioning }: BatchWorld, lanes: Lanes, { log }: { log: Log }) {
  async function buyBatch(members: Bundle): Promise<BatchOutcome> {
    const [first, ...others] = members;
    const outcomes = await chargeByDeadline<readonly ChargeByDeadline[]>(
      first,
      (timed) => lanes.batch([timed, ...others]),
      (outcome) => [outcome],
    );
    const [outcome] = outcomes as [ChargeByDeadline];
    switch (outcome.outcome) {
      case 'recorded':
        return outcome.isSame ? replay(members, outcome.orderId) : { outcome: 'key_conflict' };
      case 'paid':
      case 'refused': {
        const written = outcomes as readonly Extract<ChargeByDeadline, { queueFull: boolean }>[];
        const paid = written.flatMap((one, i) =>
          one.outcome === 'paid' ? [[one, members[i] as Wanted] as const] : [],
        );
        const delivered = deliverAll(paid);
        await (first.budget ? first.budget.within(delivered, () => {}) : delivered);
        const batchId = outcome.outcome === 'paid' ? outcome.order.id : outcome.orderId;
        return { outcome: 'placed', batchId, queueFull: written.some(({ queueFull }) => queueFull) };
      }
      default:
        return notCharged(db, first.partnerId, outcome);
    }
  }

  async function deliverAll(paid: readonly (readonly [Paid, Wanted])[]): Promise<void> {
    const inTurn = bounded({ atOnce: AT_ONCE, maxWaiting: paid.length }, () => new Error('more orders than paid for'));
    await Promise.all(
      paid.map(([{ order }, { clock, routing }]) =>
        inTurn(() => provisioning.provision(order, clock, routing)).catch((error) =>
          noteInterrupted(log, order, error),
        ),
      ),
    );
  }

  async function replay(members: Bundle, batchId: bigint): Promise<BatchOutcome> {
    const placed = await db.query<{ productId: string; reference: string }>(sql`
      select product_id as "productId", reference from orders where batch_id = ${batchId} order by id`);
    // Deleted by a reset since it was found. The next try with this key is a new batch.
    if (placed.length === 0)
      return { outcome: 'charge_in_progress', wallet: await readWallet(db, members[0].partnerId) };
    const isSame =
      placed.length === members.length &&
      members.every(({ plan, reference }, i) => {
        const earlier = placed[i];
        return earlier?.productId === plan.alias && earlier.reference === reference;
      });
    return isSame ? { outcome: 'placed', batchId, queueFull: false } : { outcome: 'key_conflict' };
  }

  return {
    buyBatch,
    async recordedBatch(members: Bundle): Promise<BatchOutcome | undefined> {
      const [{ partnerId, key }] = members;
      const row = await db.maybe<{ batchId: bigint | null }>(sql`
        select batch_id as "batchId" from orders where partner_id = ${partnerId} and idempotency_key = ${key}`);
      if (!row) return undefined;
      return row.batchId === null ? { outcome: 'key_conflict' } : replay(members, row.batchId);
    },
  };
}
