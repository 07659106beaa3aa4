import { type Clock, MINUTE, SECOND } from '../../../platform/clock.ts';
import type { Mode } from '../../../platform/contract/mode.ts';
import type { Db, Queryable, Tx } from '../../../platform/db/database.ts';
import { accountTime } from '../../../platform/db/query/account-time.ts';
import { batcher } from '../../../platform/db/query/batch.ts';
import { sql } from '../../../platform/db/query/sql.ts';
import { enterSchema } from '../../../platform/db/search-path.ts';
import type { Job } from '../../../platform/jobs/runner.ts';
import { workOnAll } from '../../../platform/limits/turns.ts';
import type { Log } from '../../../platform/log.ts';
import type { Services } from '../../../platform/start/services.ts';
import { isTracing, traced, traceparent } from '../../../platform/traces/traces.ts';
import type { Webhooks } from '../../messages/webhooks/webhooks.ts';
import { walletTx } from '../../money/ledger/ledger.ts';
import { type Cancel, isSamePlan, orderAttempts, provisionDue, stateOf, supplierIn } from '../orders/orders.ts';
import {
  CANCELLED,
  type CancelRequest,
  type CancelTerms,
  type CancelTogether,
  cancelOrder,
  cancelUnsent,
  giveUpOrder,
} from './cancel.ts';
import { type CountDifference, reportCharge } from './charged.ts';
import { recheckHeld, reportHeld, takenIccid } from './held-orders.ts';
import { carryOut, carryOutRefunding, type Move, type MoveResult } from './moves.ts';
import { LONGEST_WAIT_MS, moveAfterAnswer } from './order-retry-schedule.ts';
import { type CountRouted, type RoutedAnswer, type Routing, routeOn } from './route-on.ts';
import {
  createSupplierCalls,
  type PaidOrder,
  type SupplierCallsWorld,
  type SupplyTerms,
  type Tried,
  takenOver,
} from './supplier-calls.ts';

/** Orders one round of the job tries side by side, so that those of a silent supplier wait together, not in turn. */
const MAX_CLAIM = 128;

interface ClaimedOrder extends Omit<PaidOrder, 'refillOf' | 'attempted'> {
  readonly attempted: Parameters<typeof orderAttempts.read>[0];
  readonly refilledIccid: string | null;
  readonly refilledOrder: string | null;
}

/** A replacement is free, and its route may spend what was paid for the eSIM it replaces. */
const priceOf = sql`coalesce(nullif(orders.sale_price, 0),
  (select price from esim_replacements where esim_replacements.order_id = orders.id), 0)`;

/** Claims orders that are due, as what provisioning needs to know of them. */
async function claimDue(db: Queryable, now: Date, leasedUntil: Date): Promise<PaidOrder[]> {
  const claimed = await db.query<ClaimedOrder>(sql`
    ${provisionDue.claim(now, leasedUntil, MAX_CLAIM)}
    returning orders.id, orders.partner_id as "partnerId", orders.reference, first.iccid as "refilledIccid",
      first.supplier_order as "refilledOrder", case orders.delivery when 'deferred' then 'deferred' else 'paid' end as state,
      orders.product_id as "productId", ${priceOf} as price, ${supplierIn(sql`orders.supplier`)} as supplier,
      ${orderAttempts.numberIn(sql`orders.supplier`)} as number, ${orderAttempts.ofOrder(sql`orders.id`)} as attempted,
      orders.supplier_plan as "supplierPlan", orders.supplier_order as "supplierOrder",
      orders.amount_mb as "amountMb", orders.day, orders.cost_micros as cost, orders.paid_at as "paidAt",
      nullif(coalesce(orders.ordered_at, orders.paid_at), '-infinity') as "orderedAt",
      orders.provision_attempts as attempts, orders.script,
      orders.cancel_status is not null as "isCancelRequested", orders.held_reason as held, orders.traceparent as cause,
      coalesce(orders.free_attempts = orders.provision_attempts - 1, false) as "wasFree"`);
  return claimed.map(paidOrder);
}

function paidOrder({ refilledIccid: iccid, refilledOrder: supplierOrder, ...order }: ClaimedOrder): PaidOrder {
  const attempted = orderAttempts.read(order.attempted);
  // What another supplier's plan has may be more than what was sold.
  const { amountMb, day } = attempted.find((attempt) => isSamePlan(attempt, order)) ?? order;
  return { ...order, attempted, amountMb, day, refillOf: iccid === null ? null : { iccid, supplierOrder } };
}

export { type ChargeDifference, chargeDifferences } from './charged.ts';
export { carryOutRefunding } from './moves.ts';
export { moveAfterAnswer } from './order-retry-schedule.ts';

/** Gets the paid orders of one world delivered by suppliers, or failed. */
export type Provisioning = ReturnType<typeof createProvisioning>;

/** The part of a world provisioning works in. */
export interface ProvisionedWorld extends SupplierCallsWorld {
  readonly webhooks: Webhooks;
  readonly supplyTerms: SupplyTerms;
}

export interface ProvisioningOptions extends Pick<Services, 'vault' | 'clock' | 'log'> {
  /** How long a purchase waits for its eSIM before it is deferred. */
  readonly budgetMs: number;
  /** How long a paid order may stay undelivered before it is reported. */
  readonly overdueMs: number;
  readonly countChargeDifference?: CountDifference;
  readonly countRouted?: CountRouted;
}

/** How long after the budget another process may claim the order. */
const LEASE_MARGIN_MS = 5 * SECOND;
/** The longest try at one supplier, in budgets: it is looked up, asked, and looked up again. */
const LONGEST_TRY = 1.25;
const MAX_MOVES = 64;

export function createProvisioning(world: ProvisionedWorld, options: ProvisioningOptions) {
  const { clock, log, budgetMs, overdueMs } = options;
  // One try of the job looks up, orders and looks up again, which takes less than twice the budget.
  const leaseMs = 2 * budgetMs + LEASE_MARGIN_MS;
  const calls = createSupplierCalls(world, options);
  const parts = { vault: options.vault, webhooks: world.webhooks };

  const onwards = batcher((moves: readonly Move[]) => carryOut(world.db, parts, moves), { max: MAX_MOVES });
  // Separate, because a refund waits for its wallet and deliveries must not wait with it, nor the refunds of other partners.
  const withRefund = batcher((moves: readonly Move[]) => world.db.tx((tx) => carryOutRefunding(tx, parts, moves)), {
    max: MAX_MOVES,
    aloneAfterTimeout: true,
  });
  const move = (given: Move) => {
    const next = isTracing() ? { ...given, cause: traceparent() } : given;
    return next.to === 'failed' ? withRefund(next) : onwards(next);
  };

  /** `until`: when another process may claim the order, in real time. From then on this process must not defer it. */
  async function finish({ order, answer, isFree }: RoutedAnswer, until: number, time = clock): Promise<MoveResult> {
    const about = { orderId: order.id.toString(), supplier: order.supplier };
    if (answer.outcome === 'held') reportHeld(log, order, answer.reason);
    else if ('reason' in answer) log.warn({ ...about, ...answer }, 'supplier did not deliver');
    const next = moveAfterAnswer(order, answer, time.now(), isFree);
    if (answer === takenOver || (next.to === 'deferred' && clock.now() > until)) return asItWas(order);
    const result = await move(next);
    // Not delivered, though the order is still as it was: another order has its ICCID.
    if (next.esim && !result.moved && result.state === order.state && answer.outcome === 'delivered') {
      const held = await takenIccid(world.db, next.esim.iccid, answer.supplierOrder);
      return finish({ order, answer: held, isFree: false }, until, time);
    }
    // It is fine if another process has recorded the same supplier order. Anything else is an eSIM we paid for and did not sell.
    const isRecorded = (by: { supplierOrder: string }) =>
      result.state === 'delivered' && result.supplierOrder === by.supplierOrder;
    const isDone = answer.outcome === 'delivered' || answer.outcome === 'refilled';
    if (isDone && !result.moved && !isRecorded(answer))
      world.supplyTerms.reportUnsold(log, { ...about, state: result.state });
    if (isDone && result.moved) reportCharge(order, answer.charged, options);
    return result;
  }

  const onTheWay = { db: world.db, calls, clock, countRouted: options.countRouted };
  /** The rest of a try: further suppliers are tried as long as the whole try fits into the lease. */
  async function goOn(order: PaidOrder, tried: Tried, until: number, routing?: Routing, isInTime = () => true) {
    const mayGoOn = () => isInTime() && clock.now() + LONGEST_TRY * budgetMs <= until;
    return routeOn(onTheWay, routing, { order, tried }, { until, mayGoOn });
  }

  /**
   * No supplier is asked to deliver it any more. It fails once certainly none has it; an eSIM that was delivered is returned
   * (refunds/).
   */
  async function endCancelled(order: PaidOrder, until: number): Promise<MoveResult> {
    const tried = order.wasFree ? undefined : await calls.lookUp(order);
    const isOver = !tried || tried.isFree || tried.release !== undefined;
    if (!isOver) return finish({ order, ...tried }, until);
    // The next process that claims it finds the same.
    if (clock.now() > until) return asItWas(order);
    const { id: orderId, partnerId, reference, refillOf, state: from } = order;
    const of = { orderId, partnerId, reference, refillOf, from, at: new Date(clock.now()) };
    return move({ ...of, to: 'failed', reason: CANCELLED, ...(tried?.release && { release: tried.release }) });
  }

  const cancelTerms = (): CancelTerms => {
    const now = clock.now();
    return { now: new Date(now), leasedUntil: new Date(now + leaseMs), mayHaveOrder: world.supplyTerms.mayHaveOrder };
  };

  return {
    /** When an order paid now becomes due for the job: once the request that took the payment must be done with it. */
    firstDueAt: (paidAt: Date): Date => new Date(paidAt.getTime() + leaseMs),

    /** The first try, by the request that took the payment. It is left to the job if the payment took so long that both might try. */
    async provision(order: PaidOrder, time: Clock = clock, routing?: Routing): Promise<MoveResult> {
      const leasedMs = order.paidAt.getTime() + leaseMs - time.now();
      if (leasedMs < budgetMs) return asItWas(order);
      const startedAt = clock.now();
      const until = startedAt + leasedMs;
      const [passed] = order.attempted;
      if (passed) options.countRouted?.(passed.supplier, order.supplier, passed.reason);
      const tried = await calls.order(order, until);
      // A purchase gives its suppliers this much time; then the job continues.
      const isInTime = () => clock.now() - startedAt < budgetMs;
      return finish(await goOn(order, tried, until, routing, isInTime), until, time);
    },

    /** Claims what is due and tries each order once more; returns how many. */
    async provisionDue(routing?: Routing): Promise<number> {
      const now = clock.now();
      const until = now + leaseMs;
      const claimed = await claimDue(world.db, new Date(now), new Date(until));
      return workOnAll(claimed, (order) => {
        const attributes = { 'wayfare.order_id': Number(order.id), 'wayfare.partner_id': order.partnerId };
        return traced('provision order', { cause: order.cause, attributes }, async () => {
          if (order.held)
            return finish({ order, answer: await recheckHeld(calls, order, order.held), isFree: false }, until);
          if (order.isCancelRequested) return endCancelled(order, until);
          return finish(await goOn(order, await calls.lookUpThenOrder(order, until), until, routing), until);
        });
      });
    },

    /** A supplier of this kind has news of an order: it is due at once, unless a process is looking at it. */
    async expedite(kind: string, supplierOrder: string): Promise<void> {
      const now = clock.now();
      await provisionDue.expedite(world.db, kind, supplierOrder, new Date(now), new Date(now + leaseMs));
    },

    /**
     * A supplier has so many more of a plan: orders that wait for it are due at once; returns how many. On the owner's connection.
     */
    async expeditePlan(tx: Tx, supplier: string, plan: string, most: number): Promise<number> {
      const now = clock.now();
      await enterSchema(tx, world.schema);
      const which = { supplier, plan, most };
      return provisionDue.expeditePlan(tx, which, new Date(now), new Date(now + leaseMs));
    },

    /**
     * Makes an open order due now, for the operator; undefined: no such order. On the owner's connection. `nextAttemptAt`: null if it is not
     * open. `isExpedited`: false if its time was left as it is, because a process may be trying it, or it is due within moments anyway.
     */
    async retry(tx: Tx, orderId: bigint) {
      const now = new Date(clock.now());
      await enterSchema(tx, world.schema);
      const order = await tx.maybe<{ status: number; delivery: string; dueAt: Date | null }>(sql`
        select status, delivery, provision_due_at as "dueAt" from orders where id = ${orderId} for no key update`);
      if (!order) return undefined;
      const { dueAt } = order;
      // As in `expedite`: a due time within a lease may be a claim.
      const isExpedited = dueAt !== null && dueAt.getTime() > now.getTime() + leaseMs;
      if (isExpedited) await provisionDue.setNow(tx, orderId, now);
      return { state: stateOf(order), nextAttemptAt: isExpedited ? now : dueAt, isExpedited };
    },

    /** Fails an order that is still open, for the operator; undefined: no such order. On the owner's connection. */
    async giveUp(tx: Tx, orderId: bigint): Promise<MoveResult | undefined> {
      await enterSchema(tx, world.schema);
      return giveUpOrder(tx, parts, orderId, new Date(clock.now()));
    },

    /** Cancels an order of a partner; undefined: it has no such order. */
    cancel: (wanted: CancelRequest): Promise<Cancel | undefined> =>
      walletTx(world.db, wanted.partnerId, (tx) => cancelOrder(tx, parts, wanted, cancelTerms())),

    /** Cancels what was bought together, if certainly no supplier has any of it; otherwise nothing. Returns whether it did. */
    cancelUnsent: (wanted: CancelTogether): Promise<boolean> =>
      walletTx(world.db, wanted.partnerId, (tx) => cancelUnsent(tx, parts, wanted, cancelTerms())),

    /** Cancels an order of any partner for the operator, on the owner's connection. */
    async cancelManually(tx: Tx, orderId: bigint): Promise<Cancel | undefined> {
      await enterSchema(tx, world.schema);
      const order = await tx.maybe<Pick<CancelRequest, 'partnerId' | 'at'>>(sql`
        select partner_id as "partnerId", ${accountTime(clock.now(), sql`orders.partner_id`)} as at
        from orders where id = ${orderId}`);
      return order && cancelOrder(tx, parts, { ...order, orderId }, cancelTerms());
    },

    /**
     * Reports paid orders that are still not delivered, once each. Orders that a wrong clock deferred or dated into the future
     * count as overdue, and are due at once.
     */
    reportOverdue: (): Promise<number> => reportOverdue(world.db, log, clock.now(), overdueMs),

    /** The suppliers that do not answer, so that this process defers their orders without calling them. */
    silentSuppliers: calls.silentSuppliers,
  };
}

/** It is left to the next process that claims it. */
const asItWas = ({ state }: PaidOrder): MoveResult => ({ state, reason: '', supplierOrder: null, moved: false });

interface OverdueOrder {
  readonly id: bigint;
  readonly supplier: string;
  readonly reason: string;
}

const reported = sql`returning id, ${supplierIn(sql`supplier`)} as supplier, delivery_reason as reason`;

/** Reports orders whose next attempt a wrong clock put too far ahead, and makes them due now; and those that were paid too long ago. */
async function reportOverdue(db: Db, log: Log, now: number, overdueMs: number): Promise<number> {
  const report = (orders: readonly OverdueOrder[], message: string) => {
    for (const { id, supplier, reason } of orders) log.error({ orderId: id.toString(), supplier, reason }, message);
    return orders.length;
  };
  const tooFar = new Date(now + LONGEST_WAIT_MS);
  const putOff = await db.query<OverdueOrder>(sql`${provisionDue.pullIn(new Date(now), tooFar)} ${reported}`);
  const late = report(
    putOff,
    'a paid order was scheduled too far ahead, as if the clock had been wrong: it is tried now',
  );
  const overdue = await db.query<OverdueOrder>(sql`
    ${provisionDue.markOverdue(new Date(now), new Date(now - overdueMs), tooFar)} ${reported}`);
  return late + report(overdue, 'a paid order is overdue: see `order overdue`, `order fail`');
}

interface JobWorld {
  readonly schema: Mode;
  readonly provisioning: { provisionDue(routing?: Routing): Promise<number>; reportOverdue(): Promise<number> };
}

/** Finishes paid orders that no request is waiting for any more, and reports those that take too long. */
export function provisioningJobs({ provisioning, schema }: JobWorld, routing: Routing): Job[] {
  return [
    { name: `provision ${schema}`, everyMs: SECOND, run: () => provisioning.provisionDue(routing) },
    {
      name: `overdue ${schema}`,
      everyMs: MINUTE,
      async run() {
        await provisioning.reportOverdue();
        return 0;
      },
    },
  ];
}
