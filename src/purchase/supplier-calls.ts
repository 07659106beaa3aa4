import { type Clock, SECOND } from '../clock.ts';
import type { Mode } from '../contract/mode.ts';
import type { Db } from '../db/database.ts';
import type { Log } from '../log.ts';
import { provisionDue, supplierReferenceOf } from '../orders/orders.ts';
import type { SupplierLog } from '../supplier-log/supplier-log.ts';
import {
  type Absent,
  Breakers,
  type OrderAnswer,
  PAUSE_MS,
  type Supplier,
  type SupplierOrder,
} from '../suppliers/suppliers.ts';
import type { PaidOrder } from './paid-order.ts';

/** What calling suppliers needs of its world. */
export interface SupplierCallsWorld {
  readonly schema: Mode;
  readonly db: Db;
  readonly suppliers: { of(slug: string): Promise<Supplier> };
  readonly supplierLog: Pick<SupplierLog, 'record'>;
}

/** Orders placed so that none is ever placed twice, and no silent supplier holds up the others. */
export interface SupplierCalls {
  /** The first try, by the request that took the payment: the only one that orders without looking first. */
  order(order: PaidOrder): Promise<OrderAnswer>;
  /** Every later try: looks the order up, and places it only if the supplier does not have it. */
  lookUpThenOrder(order: PaidOrder): Promise<OrderAnswer>;
  /** The suppliers that do not answer, so that this process defers their orders without calling them. */
  silentSuppliers(): string[];
}

/** The share of the budget the order call may use; the rest is for looking the order up. */
const ORDER_SHARE = 0.75;

export function createSupplierCalls(
  world: SupplierCallsWorld,
  { clock, log, budgetMs }: { clock: Clock; log: Log; budgetMs: number },
): SupplierCalls {
  const orderLimitMs = budgetMs * ORDER_SHARE;
  const findLimitMs = budgetMs - orderLimitMs;
  const breakers = new Breakers(clock, (supplier, change) => {
    if (change === 'opened')
      log.warn(
        { supplier },
        `a supplier does not answer: its orders are deferred, except one every ${PAUSE_MS / SECOND} s`,
      );
    else log.info({ supplier }, 'a supplier answers again');
  });

  function supplierOrder(order: PaidOrder): SupplierOrder {
    const { supplierPlan: plan, supplierOrder, refillOf, amountMb, day, cost, paidAt, orderedAt, script } = order;
    const reference = supplierReferenceOf(world, order.id);
    return { reference, plan, supplierOrder, refillOf, amountMb, day, cost, paidAt, orderedAt, script };
  }

  const noteOrdered = (orderId: bigint, orderedAt: Date | '-infinity') =>
    provisionDue.noteOrdered(world.db, orderId, orderedAt);

  /** One call through the supplier's breaker; undefined: the breaker is open and the supplier was not called. */
  const throughBreaker = (
    order: PaidOrder,
    ask: (supplier: Supplier, order: SupplierOrder, orderId: bigint) => Promise<OrderAnswer>,
  ): Promise<OrderAnswer | undefined> =>
    breakers.through(
      order.supplier,
      order.id,
      async () => ask(await world.suppliers.of(order.supplier), supplierOrder(order), order.id),
      (answer) => 'silent' in answer,
    );

  const ordered = (supplier: Supplier, asked: SupplierOrder, orderId: bigint): Promise<OrderAnswer> =>
    world.supplierLog.record({ orderId, supplier: supplier.name, operation: 'order', asked }, () =>
      supplier.order(asked, orderLimitMs),
    );
  const lookedUp = (supplier: Supplier, asked: SupplierOrder, orderId: bigint): Promise<OrderAnswer | Absent> =>
    world.supplierLog.record({ orderId, supplier: supplier.name, operation: 'find', asked }, () =>
      supplier.find(asked, findLimitMs),
    );

  /** If the reply is lost we look the order up; we never place it twice to find out. */
  async function place(supplier: Supplier, order: SupplierOrder, orderId: bigint): Promise<OrderAnswer> {
    const answer = await ordered(supplier, order, orderId);
    if (answer.outcome === 'unavailable') await noteOrdered(orderId, '-infinity');
    if (answer.outcome !== 'unknown') return answer;
    const found = await lookedUp(supplier, order, orderId);
    // It never arrived. The first answer says why.
    return found.outcome === 'absent' ? { ...answer, outcome: 'unavailable' } : found;
  }

  async function lookUpFirst(supplier: Supplier, order: SupplierOrder, orderId: bigint): Promise<OrderAnswer> {
    const found = await lookedUp(supplier, order, orderId);
    if (found.outcome !== 'absent') return found;
    // Written before the order leaves, so that the next look-up counts from here even if this process dies.
    const orderedAt = new Date(clock.now());
    await noteOrdered(orderId, orderedAt);
    return place(supplier, { ...order, orderedAt }, orderId);
  }

  return {
    async order(order) {
      const answer = await throughBreaker(order, place);
      if (answer) return answer;
      await noteOrdered(order.id, '-infinity');
      return notCalled(order);
    },
    lookUpThenOrder: async (order) => (await throughBreaker(order, lookUpFirst)) ?? notCalled(order),
    silentSuppliers: () => breakers.open,
  };
}

/** A try that was not made has certainly not placed the order, which stays due. */
const notCalled = ({ supplier }: PaidOrder): OrderAnswer => ({
  outcome: 'unavailable',
  reason: `supplier ${supplier} does not answer, so it was not called`,
});
