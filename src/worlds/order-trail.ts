import { linesOfOrder } from '../money/money.ts';
import { readOrder, refillsOf } from '../orders/orders.ts';
import { readRefund } from '../refunds/refunds.ts';
import { deliveriesOfOrder } from '../webhooks/webhooks.ts';
import type { World } from './world.ts';

export type OrderTrail = NonNullable<Awaited<ReturnType<typeof readOrderTrail>>>;

/** What is on record about an order: at the supplier, in the books and towards its partner. Undefined: there is no such order. */
export async function readOrderTrail({ db, webhooks }: Pick<World, 'db' | 'webhooks'>, id: bigint) {
  const order = await readOrder(db, id);
  if (!order) return undefined;
  const [refund, money, deliveries, attempts, refills] = await Promise.all([
    readRefund(db, id),
    linesOfOrder(db, id),
    deliveriesOfOrder(db, id),
    webhooks.attemptsOfOrder(order.partnerId, id),
    refillsOf(db, id),
  ]);
  return { order, refund, money, deliveries, attempts, refills };
}
