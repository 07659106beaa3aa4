import { type Clock, MINUTE, SECOND } from '../clock.ts';
import { batcher } from '../db/batch.ts';
import type { Tx } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import type { Log } from '../log.ts';
import type { Micros } from '../money/money.ts';
import { referenceOf } from '../orders/reference.ts';
import { stateOf } from '../orders/transitions.ts';
import type { Vault } from '../secrets.ts';
import type { OrderAnswer, Supplier, SupplierOrder } from '../suppliers/supplier.ts';
import type { Webhooks } from '../webhooks/webhooks.ts';
import type { World } from '../worlds/world.ts';
import { Breaker, PAUSE_MS } from './breaker.ts';
import { carryOut, carryOutRefunding, type Move, type Standing } from './moves.ts';

export { carryOutRefunding } from './moves.ts';

/** What provisioning needs to know of a paid order. */
export interface PaidOrder {
  readonly id: bigint;
  readonly partnerId: number;
  readonly state: 'paid' | 'deferred';
  readonly supplier: string;
  readonly supplierPlan: string;
  readonly supplierOrder: string | null;
  readonly amountMb: number;
  readonly day: number;
  readonly cost: Micros;
  readonly paidAt: Date;
  /** When it may last have been ordered; null: it surely was not. */
  readonly orderedAt: Date | null;
  /** How often the job has tried it. */
  readonly attempts: number;
  readonly script: unknown;
}

/** Brings paid orders of one world to their end at the supplier. */
export interface Provisioning {
  /** When a row paid now becomes due for the job: after whoever took the payment has surely finished with it. */
  firstDueAt(paidAt: Date): Date;
  /** The first try, by the request that took the payment: the only one that orders without asking first. */
  provision(order: PaidOrder, time?: Clock): Promise<Standing>;
  /** Takes what is due and tries each once more; returns how many it took. */
  provisionDue(): Promise<number>;
  /** The operator fails an order that is still open; undefined: there is none. On the owner's connection. */
  giveUp(tx: Tx, orderId: bigint): Promise<Standing | undefined>;
  /** Tells the operator, once each, of paid orders that are still not delivered. */
  reportOverdue(): Promise<number>;
  /** How many suppliers do not answer, so that this process defers their orders without asking. */
  silentSuppliers(): number;
}

/** The part of a world provisioning works in. */
export type ProvisionedWorld = Pick<World, 'schema' | 'db' | 'suppliers' | 'webhooks'>;

export interface ProvisioningOptions {
  readonly vault: Vault;
  readonly webhooks: Webhooks;
  readonly clock: Clock;
  readonly log: Log;
  /** How long a purchase waits for its eSIM before it is deferred. */
  readonly budgetMs: number;
  /** How long a paid order may stay undelivered before the operator hears of it. */
  readonly overdueMs: number;
}

/** The share of the budget the order call may use; the rest is for asking what became of it. */
const ORDER_SHARE = 0.75;
/** Beyond the budget, until another process may take the order. */
const LEASE_MARGIN_MS = 5 * SECOND;
const MAX_MOVES = 64;
/** Orders the job tries at a time: those of a silent supplier wait together, not behind each other. */
const MAX_CLAIM = 128;

/** Wait before the next try, by tries so far; the last one repeats. */
const waits = [5 * SECOND, 10 * SECOND, 20 * SECOND, 40 * SECOND, 80 * SECOND, 160 * SECOND, 5 * MINUTE, 10 * MINUTE];

export function createProvisioning(world: ProvisionedWorld, options: ProvisioningOptions): Provisioning {
  const { clock, log, budgetMs, overdueMs } = options;
  // A try of the job asks, orders and asks again, which takes less than twice the budget.
  const leaseMs = 2 * budgetMs + LEASE_MARGIN_MS;
  const orderLimitMs = budgetMs * ORDER_SHARE;
  const findLimitMs = budgetMs - orderLimitMs;

  const onwards = batcher((moves: readonly Move[]) => carryOut(world.db, world, options, moves), { max: MAX_MOVES });
  // A refund waits for its wallet; deliveries must not wait with it.
  const withRefund = batcher(
    (moves: readonly Move[]) => world.db.tx((tx) => carryOutRefunding(tx, world, options, moves)),
    { max: MAX_MOVES },
  );
  const move = (next: Move) => (next.to === 'failed' ? withRefund(next) : onwards(next));

  function supplierOrder(order: PaidOrder): SupplierOrder {
    const { supplierPlan: plan, supplierOrder, amountMb, day, cost, paidAt, orderedAt, script } = order;
    const reference = referenceOf(world, order.id);
    return { reference, plan, supplierOrder, amountMb, day, cost, paidAt, orderedAt, script };
  }

  const noteOrdered = (orderId: bigint, orderedAt: Date | '-infinity') =>
    world.db.run(sql`update orders set ordered_at = ${orderedAt} where id = ${orderId}`);

  const breakers = new Map<string, Breaker>();

  function breakerOf(supplier: string): Breaker {
    const breaker = breakers.get(supplier) ?? new Breaker();
    breakers.set(supplier, breaker);
    return breaker;
  }

  /** One try; undefined: its supplier is left alone and was not asked at all. */
  async function tryOnce(
    order: PaidOrder,
    ask: (supplier: Supplier, order: SupplierOrder, orderId: bigint) => Promise<OrderAnswer>,
  ): Promise<OrderAnswer | undefined> {
    const { supplier } = order;
    const breaker = breakerOf(supplier);
    if (!breaker.admits(clock.now())) return undefined;
    const answer = await ask(await world.suppliers.of(supplier), supplierOrder(order), order.id);
    const changed = breaker.ended(order.id, !('silent' in answer), clock.now());
    if (changed === 'opened')
      log.warn(
        { supplier },
        `a supplier does not answer: its orders are deferred, but for one every ${PAUSE_MS / SECOND} s`,
      );
    if (changed === 'closed') log.info({ supplier }, 'a supplier answers again');
    return answer;
  }

  /** Orders, and when the answer was lost asks what became of it: a second order is never the way to find out. */
  async function place(supplier: Supplier, order: SupplierOrder, orderId: bigint): Promise<OrderAnswer> {
    const answer = await supplier.order(order, orderLimitMs);
    if (answer.outcome === 'unavailable') await noteOrdered(orderId, '-infinity');
    if (answer.outcome !== 'unknown') return answer;
    const found = await supplier.find(order, findLimitMs);
    // It never got there; why is what the first answer said.
    return found.outcome === 'absent' ? { ...answer, outcome: 'unavailable' } : found;
  }

  async function askFirst(supplier: Supplier, order: SupplierOrder, orderId: bigint): Promise<OrderAnswer> {
    const found = await supplier.find(order, findLimitMs);
    if (found.outcome !== 'absent') return found;
    // Written before the order leaves: whoever asks next counts from here, also when this process dies.
    const orderedAt = new Date(clock.now());
    await noteOrdered(orderId, orderedAt);
    return place(supplier, { ...order, orderedAt }, orderId);
  }

  async function finish(order: PaidOrder, answer: OrderAnswer, time = clock): Promise<Standing> {
    if ('reason' in answer) log.warn({ orderId: order.id.toString(), ...answer }, 'supplier did not deliver');
    const standing = await move(nextMove(order, answer, time.now()));
    if (answer.outcome === 'delivered' && !standing.moved)
      log.error(
        { orderId: order.id.toString(), state: standing.state },
        'delivered by the supplier, but no longer open here',
      );
    return standing;
  }

  return {
    firstDueAt: (paidAt) => new Date(paidAt.getTime() + leaseMs),

    async provision(order, time) {
      const answer = await tryOnce(order, place);
      if (!answer) await noteOrdered(order.id, '-infinity');
      return finish(order, answer ?? leftAlone(order), time);
    },

    async provisionDue() {
      const now = clock.now();
      const claimed = await world.db.query<PaidOrder>(sql`
        with due as (
          select id from orders
          where provision_due_at <= ${new Date(now)}
          order by provision_due_at limit ${MAX_CLAIM} for update skip locked
        )
        update orders set provision_due_at = ${new Date(now + leaseMs)}, provision_attempts = provision_attempts + 1
        from due where orders.id = due.id
        returning orders.id, partner_id as "partnerId", case delivery when 'deferred' then 'deferred' else 'paid' end as state,
          supplier, supplier_plan as "supplierPlan", supplier_order as "supplierOrder", amount_mb as "amountMb", day,
          cost_micros as cost, paid_at as "paidAt", nullif(coalesce(ordered_at, paid_at), '-infinity') as "orderedAt",
          provision_attempts as attempts, script`);
      // Each ends on its own: one that fails must not leave the others running unwatched.
      const tried = await Promise.allSettled(
        claimed.map(async (order) => finish(order, (await tryOnce(order, askFirst)) ?? leftAlone(order))),
      );
      const failed = tried.find((one) => one.status === 'rejected');
      if (failed) throw failed.reason;
      return claimed.length;
    },

    async giveUp(tx, orderId) {
      await tx.run(sql`select set_config('search_path', ${`${world.schema},shared`}, true)`);
      const order = await tx.maybe<{ partnerId: number; status: number; delivery: string }>(sql`
        select partner_id as "partnerId", status, delivery from orders where id = ${orderId} for update`);
      if (!order) return undefined;
      const from = stateOf(order);
      if (from === 'delivered' || from === 'failed')
        return { state: from, reason: '', supplierOrder: null, moved: false };
      const of = { orderId, partnerId: order.partnerId, from, at: new Date(clock.now()) };
      const givenUp = { ...of, to: 'failed', reason: 'provider_rejected' } as const;
      const [standing] = await carryOutRefunding(tx, world, options, [givenUp]);
      return standing;
    },

    async reportOverdue() {
      const now = clock.now();
      const overdue = await world.db.query<{ id: bigint; supplier: string; reason: string }>(sql`
        update orders set overdue_at = ${new Date(now)}
        where provision_due_at is not null and overdue_at is null and paid_at < ${new Date(now - overdueMs)}
        returning id, supplier, delivery_reason as reason`);
      for (const { id, supplier, reason } of overdue)
        log.error(
          { orderId: id.toString(), supplier, reason },
          'a paid order is overdue: see `order overdue`, `order fail`',
        );
      return overdue.length;
    },

    silentSuppliers: () => [...breakers.values()].filter(({ isOpen }) => isOpen).length,
  };
}

/** The order was surely not placed by a try that was not made, and stays due. */
const leftAlone = ({ supplier }: PaidOrder): OrderAnswer => ({
  outcome: 'unavailable',
  reason: `supplier ${supplier} does not answer, so it was not asked`,
});

/** What an answer means for the order. */
export function nextMove(
  order: Pick<PaidOrder, 'id' | 'partnerId' | 'state' | 'attempts'>,
  answer: OrderAnswer,
  now: number,
): Move {
  const of = { orderId: order.id, partnerId: order.partnerId, from: order.state, at: new Date(now) } as const;
  const wait = waits[Math.min(order.attempts, waits.length - 1)] as number;
  switch (answer.outcome) {
    case 'delivered':
      return { ...of, to: 'delivered', reason: '', supplierOrder: answer.supplierOrder, esim: answer.esim };
    case 'refused':
      return { ...of, to: 'failed', reason: 'provider_rejected' };
    case 'pending': {
      const dueAt = answer.readyAt ?? new Date(now + wait);
      return { ...of, to: 'deferred', reason: 'awaiting_profile', supplierOrder: answer.supplierOrder, dueAt };
    }
    default:
      return { ...of, to: 'deferred', reason: 'provider_unavailable', dueAt: new Date(now + wait) };
  }
}
