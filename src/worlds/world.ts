import type { Wanted } from '../domains/sales/purchase/purchase.ts';
import type { liveWorld } from './live.ts';
import type { Script } from './sandbox/scripted-supplier.ts';
import type { SandboxTools } from './sandbox/tools.ts';

export type { Script } from './sandbox/scripted-supplier.ts';

/**
 * One of the two worlds a key can open: the same code and the same SQL, on its own schema and under its own role. Every domain
 * that works on a world's rows is reached through its world (`world.orders.find(…)`), so above the worlds no caller chooses a
 * database. The key picks the world once, at the edge; nothing below asks again.
 */
export type World = Readonly<ReturnType<typeof liveWorld>> & {
  /** What a purchase's script changes about it. Only a sandbox plays scripts. */
  script?(script: Script): Pick<Wanted, 'refuse' | 'script' | 'eventsAhead'>;
  /** What only a sandbox can do. */
  readonly tools?: SandboxTools;
  /** Accounts can open a built-in inbox for their events. Only the sandbox has them. */
  readonly hasInbox?: boolean;
};

export type OrderTrail = NonNullable<Awaited<ReturnType<typeof readOrderTrail>>>;

type TrailWorld = Pick<
  World,
  'orders' | 'refunds' | 'ledger' | 'webhooks' | 'usage' | 'replacements' | 'autorefills' | 'airaloNotices'
>;

/** What is on record about an order: at the supplier, in the books and towards its partner. Undefined: there is no such order. */
export async function readOrderTrail(
  { orders, refunds, ledger, webhooks, usage, replacements, autorefills, airaloNotices }: TrailWorld,
  id: bigint,
) {
  const order = await orders.all.read(id);
  if (!order) return undefined;
  const [refund, money, deliveries, attempts, refills, phone, replacement, former, autorefill, airalo] =
    await Promise.all([
      refunds.read(id),
      ledger.linesOfOrder(id),
      webhooks.all.deliveriesOfOrder(id),
      webhooks.attemptsOfOrder(order.partnerId, id),
      orders.all.refillsOf(id),
      usage.eventsOf(id),
      replacements.ofOrder(id),
      replacements.behind(id),
      autorefills.of({ orderId: id }),
      airaloNotices.ofOrder([id, order.batchId ?? id]),
    ]);
  return {
    order,
    refund,
    money,
    deliveries,
    attempts,
    refills,
    phone,
    replacement,
    autorefill,
    airalo,
    replaces: former?.oldOrderId ?? null,
  };
}
