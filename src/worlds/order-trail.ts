import type { World } from './world.ts';

export type OrderTrail = NonNullable<Awaited<ReturnType<typeof readOrderTrail>>>;

/** What is on record about an order: at the supplier, in the books and towards its partner. Undefined: there is no such order. */
export async function readOrderTrail(
  { orders, refunds, ledger, webhooks }: Pick<World, 'orders' | 'refunds' | 'ledger' | 'webhooks'>,
  id: bigint,
) {
  const order = await orders.all.read(id);
  if (!order) return undefined;
  const [refund, money, deliveries, attempts, refills] = await Promise.all([
    refunds.read(id),
    ledger.linesOfOrder(id),
    webhooks.all.deliveriesOfOrder(id),
    webhooks.attemptsOfOrder(order.partnerId, id),
    orders.all.refillsOf(id),
  ]);
  return { order, refund, money, deliveries, attempts, refills };
}
