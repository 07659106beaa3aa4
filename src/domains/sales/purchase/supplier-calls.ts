import { type Cents, toMicros, ZERO } from '../../../platform/amounts/cents.ts';
import { type Clock, SECOND } from '../../../platform/clock.ts';
import type { Mode } from '../../../platform/contract/mode.ts';
import type { Db, Tx } from '../../../platform/db/database.ts';
import type { Log } from '../../../platform/log.ts';
import type { SupplierLog } from '../../supply/calls/calls.ts';
import type { Absent, OrderAnswer, RefilledEsim, Supplier, SupplierOrder } from '../../supply/port/port.ts';
import { Breakers } from '../../supply/supply.ts';
import {
  type Attempt,
  type Ordered,
  provisionDue,
  type State,
  startingAttempts,
  supplierReferenceOf,
} from '../orders/orders.ts';

/** What provisioning needs to know of a paid order. Supplier, plan, data, days and cost are those of the supplier being tried. */
export interface PaidOrder extends Omit<SupplierOrder, 'plan'> {
  readonly id: bigint;
  readonly partnerId: number;
  /** The partner's own; events carry it. */
  readonly reference: string;
  readonly state: 'paid' | 'deferred';
  readonly productId: string;
  /** Of a replacement, which is free, the price of the eSIM it replaces: routes are bound by it. */
  readonly price: Cents;
  /** Of its reference at the supplier: the first is 1. */
  readonly number: number;
  /** The suppliers that were tried, including this one. Empty: only this one. */
  readonly attempted: readonly Attempt[];
  readonly supplier: string;
  readonly supplierPlan: string;
  /** How often the job has tried it. */
  readonly attempts: number;
  /** Why it waits for a person: what its supplier sent cannot be right. Null: it does not. */
  readonly held?: string | null;
  /** It is to be cancelled: no supplier is asked to deliver it any more. */
  readonly isCancelRequested?: boolean;
  /** Certainly no supplier had it after the last try. */
  readonly wasFree?: boolean;
  /** The partner had no webhook subscription when the order was charged. */
  readonly hasNoSubscriber?: boolean;
  /** The request that ordered it, for traces. */
  readonly cause?: string | null;
}

/** An order that was just placed, for its first try. */
export function paidOrderOf(
  orderId: bigint,
  ordered: Omit<Ordered, 'refillOf'>,
  refillOf: RefilledEsim | null,
): PaidOrder {
  const { partnerId, reference, plan, start, price, at, script } = ordered;
  return {
    id: orderId,
    partnerId,
    reference,
    refillOf,
    state: 'paid',
    productId: plan.alias,
    price,
    number: 1,
    attempted: startingAttempts(ordered),
    supplier: start?.offer.supplier ?? plan.supplier.slug,
    supplierPlan: start?.offer.supplierPlan ?? plan.supplierPlan,
    supplierOrder: null,
    amountMb: start?.offer.amountMb ?? plan.amountMb,
    day: start?.offer.day ?? plan.day,
    cost: start?.offer.cost ?? plan.cost ?? toMicros(ZERO),
    paidAt: at,
    orderedAt: at,
    attempts: 0,
    script: script ?? null,
  };
}

export interface SupplierCallsWorld {
  readonly schema: Mode;
  readonly db: Db;
  readonly suppliers: { of(slug: string): Promise<Supplier> };
  readonly supplierLog: Pick<SupplierLog, 'record'>;
}

/** What worlds decide differently about orders at suppliers. */
export interface SupplyTerms {
  /** Whether a supplier can have this open order. If so, a cancel waits until its outcome is known. */
  mayHaveOrder(order: { readonly state: State; readonly isFree: boolean }): boolean;
  /** An order was delivered that is no longer open here. */
  reportUnsold(log: Log, about: Readonly<Record<string, unknown>>): void;
}

/** Suppliers that deliver for money. */
export const paidSupply: SupplyTerms = {
  // A charge that stopped half-way went to no supplier.
  mayHaveOrder: ({ state, isFree }) => !isFree && state !== 'created',
  reportUnsold: (log, about) => log.error(about, 'delivered by the supplier, but no longer open here'),
};

export interface Tried {
  readonly answer: OrderAnswer;
  /**
   * The supplier certainly does not have the order and will not get it from an earlier try, so another one may be tried. Never true
   * while an order is pending or the outcome of a try is unknown.
   */
  readonly isFree: boolean;
  /** False: its breaker is open, so it was not called. */
  readonly wasCalled: boolean;
}

/** Orders placed so that none is ever placed twice, and no silent supplier holds up the others. */
export type SupplierCalls = ReturnType<typeof createSupplierCalls>;

/** The supplier has delivered, and releases it in the transaction that fails the order, before anybody was told. */
interface Releasable {
  readonly release?: (tx: Tx) => Promise<void>;
}

/** The share of the budget the order call may use; the rest is for looking the order up. */
const ORDER_SHARE = 0.75;

export function createSupplierCalls(
  world: SupplierCallsWorld,
  { clock, log, budgetMs }: { clock: Clock; log: Log; budgetMs: number },
) {
  const orderLimitMs = budgetMs * ORDER_SHARE;
  const findLimitMs = budgetMs - orderLimitMs;
  const breakers = new Breakers(clock, (supplier, change) => {
    if (change === 'opened')
      log.warn(
        { supplier },
        `a supplier does not answer: its orders are deferred, except one every ${Breakers.pauseMs / SECOND} s`,
      );
    else log.info({ supplier }, 'a supplier answers again');
  });

  function supplierOrder(order: PaidOrder): SupplierOrder {
    const { supplierPlan: plan, supplierOrder, refillOf, amountMb, day, cost, paidAt, orderedAt, script } = order;
    const reference = supplierReferenceOf(world, order.id, order.number);
    return { reference, plan, supplierOrder, refillOf, amountMb, day, cost, paidAt, orderedAt, script };
  }

  /** One call through the supplier's breaker; undefined: the breaker is open and the supplier was not called. */
  const throughBreaker = <A extends Answered>(
    order: PaidOrder,
    ask: (asking: Asking) => Promise<A>,
  ): Promise<A | undefined> =>
    breakers.through(
      order.supplier,
      order.id,
      async () => ask({ supplier: await world.suppliers.of(order.supplier), sent: supplierOrder(order), order }),
      ({ answer }) => 'silent' in answer,
    );

  const logged = <Answer extends { readonly outcome: string }>(
    { supplier, sent, order }: Asking,
    operation: 'order' | 'find',
    call: () => Promise<Answer>,
  ): Promise<Answer> =>
    world.supplierLog.record({ orderId: order.id, supplier: supplier.name, operation, request: sent }, call);

  const lookedUp = (asking: Asking): Promise<OrderAnswer | Absent> =>
    logged(asking, 'find', () => asking.supplier.find(asking.sent, findLimitMs));

  /** If the reply is lost we look the order up; we never place it twice to find out. */
  async function place(asking: Asking, until: number): Promise<Answered> {
    const { supplier, sent, order } = asking;
    // Checked right before the call: one still in flight when another process decides about the order could be a second purchase.
    if (clock.now() + orderLimitMs > until) return { answer: takenOver, isFree: false };
    const answer = await logged(asking, 'order', () => supplier.order(sent, orderLimitMs));
    if (answer.outcome === 'unavailable') await provisionDue.noteNotOrdered(world.db, order);
    if (answer.outcome !== 'unknown') return { answer, isFree: isCertain(answer) };
    const found = await lookedUp(asking);
    // As far as can be known so soon, it never arrived; it may be tried again there, but not elsewhere. The first answer says why.
    if (found.outcome === 'absent') return { answer: { ...answer, outcome: 'unavailable' }, isFree: false };
    return { answer: found, isFree: found.outcome === 'refused' };
  }

  async function lookUpFirst(asking: Asking, until: number): Promise<Answered> {
    const { sent, order } = asking;
    const found = await lookedUp(asking);
    if (found.outcome !== 'absent') return { answer: found, isFree: isFreeAfter(order, found) };
    // Written before the order leaves, so that the next look-up counts from here even if this process dies.
    const orderedAt = new Date(clock.now());
    const noted = await provisionDue.noteOrdered(world.db, order, orderedAt);
    if (noted === 'cancelled') return notThere(asking);
    return noted === 'ours'
      ? place({ ...asking, sent: { ...sent, orderedAt } }, until)
      : { answer: takenOver, isFree: false };
  }

  /** It was looked up in vain, and is not to be placed any more. */
  function notThere({ supplier, order }: Asking): Answered {
    const surelyAt = (order.orderedAt?.getTime() ?? 0) + (supplier.listsLateMs ?? 0);
    return {
      answer: { outcome: 'unavailable', reason: 'the supplier does not have it, and its cancel was requested' },
      isFree: neverArrived(order) || clock.now() >= surelyAt,
    };
  }

  return {
    /**
     * The first try at a supplier: the only one that orders without looking first. `until`: when another process may claim the order,
     * in real time.
     */
    async order(order: PaidOrder, until: number): Promise<Tried> {
      const answered = await throughBreaker(order, (asking) => place(asking, until));
      if (answered) return { ...answered, wasCalled: true };
      await provisionDue.noteNotOrdered(world.db, order);
      return { answer: notCalled(order), isFree: true, wasCalled: false };
    },
    /** Every later try: looks the order up, and places it only if the supplier does not have it. */
    async lookUpThenOrder(order: PaidOrder, until: number): Promise<Tried> {
      const answered = await throughBreaker(order, (asking) => lookUpFirst(asking, until));
      if (answered) return { ...answered, wasCalled: true };
      return { answer: notCalled(order), isFree: neverArrived(order), wasCalled: false };
    },
    /** For an order that is to be cancelled: finds out who has it, without placing it. */
    async lookUp(order: PaidOrder): Promise<Tried & Releasable> {
      const answered = await throughBreaker(order, async (asking): Promise<Answered & Releasable> => {
        const { supplier, sent } = asking;
        const answer = await lookedUp(asking);
        if (answer.outcome === 'absent') return notThere(asking);
        if (answer.outcome === 'delivered' && supplier.release)
          return {
            answer,
            isFree: false,
            release: (tx) => supplier.release?.(tx, sent.reference) ?? Promise.resolve(),
          };
        return { answer, isFree: isFreeAfter(order, answer) };
      });
      if (answered) return { ...answered, wasCalled: true };
      return { answer: notCalled(order), isFree: neverArrived(order), wasCalled: false };
    },
    /** The suppliers that do not answer, so that this process defers their orders without calling them. */
    silentSuppliers: (): string[] => breakers.open,
  };
}

interface Asking {
  readonly supplier: Supplier;
  readonly sent: SupplierOrder;
  readonly order: PaidOrder;
}

type Answered = Omit<Tried, 'wasCalled'>;

const isCertain = ({ outcome }: OrderAnswer): boolean => outcome === 'refused' || outcome === 'unavailable';
const hasIt = ({ outcome }: OrderAnswer): boolean =>
  outcome === 'delivered' || outcome === 'refilled' || outcome === 'pending' || outcome === 'held';
/** After a look-up. Whether the supplier answers does not matter if the order certainly never reached it. */
const isFreeAfter = (order: PaidOrder, answer: OrderAnswer): boolean =>
  answer.outcome === 'refused' || (neverArrived(order) && !hasIt(answer));
const neverArrived = ({ orderedAt }: PaidOrder): boolean => orderedAt === null;

/** A try that was not made has certainly not placed the order, which stays due. */
const notCalled = ({ supplier }: PaidOrder): OrderAnswer => ({
  outcome: 'unavailable',
  reason: `supplier ${supplier} does not answer, so it was not called`,
});

/** Another process may be trying it by now, so this one must not report its outcome. */
export const takenOver: OrderAnswer = { outcome: 'unknown', reason: 'another process may have taken it over' };
