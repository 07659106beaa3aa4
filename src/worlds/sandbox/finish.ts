import type { Insight } from '../../domains/insight/figures/figures.ts';
import { walletTx } from '../../domains/money/ledger/ledger.ts';
import type { Esims } from '../../domains/sales/esims/esims.ts';
import type { Orders } from '../../domains/sales/order-lists/order-lists.ts';
import { supplierReferenceOf } from '../../domains/sales/orders/orders.ts';
import {
  carryOutRefunding,
  moveAfterAnswer,
  OrderGone,
  type ProvisionedWorld,
} from '../../domains/sales/purchase/purchase.ts';
import type { UsageDesk } from '../../domains/sales/usage/usage.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Tx } from '../../platform/db/database.ts';
import { aheadOfRealTime } from '../../platform/db/query/account-time.ts';
import { type Sql, sql } from '../../platform/db/query/sql.ts';
import type { Vault } from '../../platform/vault/secrets.ts';
import { play } from './scripted-supplier.ts';

type Finisher = ReturnType<typeof finisher>;

interface Due {
  readonly id: bigint;
  readonly partnerId: number;
  readonly state: 'paid' | 'deferred';
  readonly reference: string;
  /** The eSIM it refills; null: it delivers a new one. */
  readonly iccid: string | null;
  readonly paidAt: Date;
  readonly script: unknown;
  readonly aheadMs: number;
}

const MAX_AT_ONCE = 100;

/** Finishes scripted orders. No supplier is called, so one transaction does it all. */
export function finisher(
  world: Omit<ProvisionedWorld, 'supplyTerms'>,
  { vault, clock }: { readonly vault: Vault; readonly clock: Clock },
) {
  const parts = { vault, webhooks: world.webhooks };

  /** Without a partner, orders of all of them. */
  async function finish(which: Sql, partnerId?: number): Promise<number> {
    const now = clock.now();
    const moves = await dueMoves(which, now);
    if (moves.length === 0) return 0;
    const work = (tx: Tx) => carryOutRefunding(tx, parts, moves);
    try {
      await (partnerId === undefined ? world.db.tx(work) : walletTx(world.db, partnerId, work));
    } catch (error) {
      // The account was reset meanwhile. If there is more to finish, the next look finds it.
      if (!(error instanceof OrderGone)) throw error;
    }
    return moves.length;
  }

  async function finishAll(which: Sql, partnerId: number): Promise<void> {
    while ((await finish(which, partnerId)) === MAX_AT_ONCE);
  }

  /** Read without locks: a move happens only from the state it was decided on, and its script never changes. */
  async function dueMoves(which: Sql, now: number) {
    const orders = await world.db.query<Due>(sql`
      select id, partner_id as "partnerId", case delivery when 'deferred' then 'deferred' else 'paid' end as state,
        reference, iccid, paid_at as "paidAt", script, extract(epoch from ${aheadOfRealTime(sql`orders.partner_id`)})::float8 * 1000 as "aheadMs"
      from orders
      where ${which} and provision_due_at <= ${new Date(now)}::timestamptz + ${aheadOfRealTime(sql`orders.partner_id`)}
      order by id limit ${MAX_AT_ONCE}`);
    return orders.map((order) => {
      const accountNow = now + order.aheadMs;
      const refillOf = order.iccid === null ? null : { iccid: order.iccid, supplierOrder: null };
      const answer = play({ ...order, refillOf, reference: supplierReferenceOf(world, order.id) }, accountNow);
      return moveAfterAnswer({ ...order, refillOf, attempts: 0 }, answer, accountNow);
    });
  }

  return {
    /** Finishes those of these orders that are due. A concurrent reader waits and sees them finished. */
    beforeRead: async (partnerId: number, orderIds: readonly bigint[]) =>
      orderIds.length === 0 ? 0 : finish(sql`id = any(${orderIds}::bigint[]) and partner_id = ${partnerId}`, partnerId),
    /** Finishes the refills of one eSIM that are due. Other orders wait for a reader of their own. */
    beforeEsim: (partnerId: number, iccid: string) =>
      finishAll(sql`iccid = ${iccid} and partner_id = ${partnerId}`, partnerId),
    /** Finishes all orders of a partner that are due. */
    allDue: (partnerId: number) => finishAll(sql`partner_id = ${partnerId}`, partnerId),
    /** Finishes orders whose purchase was cut off between payment and delivery. Deferred ones wait for their reader. */
    abandoned: () => finish(sql`delivery = '' and script is not null`),
  };
}

/** `read`, with `first` done before it with the same arguments. */
const after = <F extends (...args: never[]) => Promise<unknown>>(
  first: (...args: Parameters<F>) => Promise<unknown>,
  read: F,
): F => (async (...args: Parameters<F>) => first(...args).then(() => read(...args))) as F;

/** A deferred sandbox order is delivered by the first read after its time, so every read looks for due orders first. */
export const finishedBeforeRead = (orders: Orders, { beforeRead, allDue }: Finisher): Orders => ({
  ...orders,
  async list(partnerId, filter, page) {
    // Which orders are in a state depends on all that are due, listed or not.
    if (filter.state !== 'unfailed') await allDue(partnerId);
    return readFinished(partnerId, () => orders.list(partnerId, filter, page), beforeRead);
  },
  async summaries(partnerId, filter, limit) {
    if (filter.state !== undefined) await allDue(partnerId);
    return readFinished(partnerId, () => orders.summaries(partnerId, filter, limit), beforeRead);
  },
  summary: after((partnerId, orderId) => beforeRead(partnerId, [orderId]), orders.summary),
  async search(partnerId, text, limit) {
    const found = await orders.search(partnerId, text, limit);
    const changed = await beforeRead(
      partnerId,
      found.map(({ id }) => id),
    );
    return changed > 0 ? orders.search(partnerId, text, limit) : found;
  },
  bought: after(allDue, orders.bought),
  find: after((partnerId, orderId) => beforeRead(partnerId, [orderId]), orders.find),
  async batch(partnerId, batchId) {
    const found = await orders.batch(partnerId, batchId);
    return found && readFinished(partnerId, async () => (await orders.batch(partnerId, batchId)) ?? found, beforeRead);
  },
});

/** Reads a page again if some of its orders were due. */
async function readFinished<P extends { readonly orders: readonly { readonly id: bigint }[] }>(
  partnerId: number,
  read: () => Promise<P>,
  beforeRead: Finisher['beforeRead'],
): Promise<P> {
  const page = await read();
  const changed = await beforeRead(
    partnerId,
    page.orders.map(({ id }) => id),
  );
  return changed > 0 ? read() : page;
}

/** The same for eSIMs: deferred orders that are due bring some, and deferred refills change others. */
export const finishedBeforeEsims = (esims: Esims, { beforeEsim, allDue }: Finisher): Esims => ({
  ...esims,
  find: after(beforeEsim, esims.find),
  list: after(allDue, esims.list),
});

/** The job counts the finished orders a moment later; until then they still count as deferred. */
export const finishedBeforeInsight = (insight: Insight, { allDue }: Finisher): Insight => ({
  ...insight,
  bought: after(allDue, insight.bought),
  pace: after(allDue, insight.pace),
});

export const finishedBeforeUsage = (usage: UsageDesk, { beforeEsim }: Finisher): UsageDesk => ({
  ...usage,
  of: after(beforeEsim, usage.of),
});
