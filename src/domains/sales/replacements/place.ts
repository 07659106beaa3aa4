import { type Cents, type Micros, ZERO } from '../../../platform/amounts/cents.ts';
import type { Queryable, Tx } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/query/sql.ts';
import { dataText } from '../../catalog/catalog.ts';
import type { OrderEvent, OrderEventName } from '../../messages/events/events.ts';
import type { Webhooks } from '../../messages/webhooks/webhooks.ts';
import type { Wallet } from '../../money/ledger/ledger.ts';
import { insertOrders, keepQuiet, newOrderId, type Ordered } from '../orders/orders.ts';
import { paidOrderOf, type Routing } from '../purchase/purchase.ts';

type OrderedPlan = Ordered['plan'];

/** Who delivers the plan, and who is asked first. */
export interface ReplacementRoutes extends Routing {
  start(sale: { readonly productId: string; readonly price: Cents }): Ordered['start'];
}

/** The plan of an order as it is sold now. */
interface ReplacedPlan {
  readonly plan: OrderedPlan;
  readonly isOnSale: boolean;
}

interface PlanRow extends Omit<OrderedPlan, 'data' | 'destination' | 'supplier'> {
  readonly destination: string;
  readonly supplier: string;
  readonly isOnSale: boolean;
}

/** Undefined: it is no longer in the catalog. */
export async function planOf(db: Queryable, orderId: bigint): Promise<ReplacedPlan | undefined> {
  const row = await db.maybe<PlanRow>(sql`
    select plans.id, plans.alias, plans.title, plans.supplier_plan as "supplierPlan", plans.amount_mb as "amountMb", plans.day,
      plans.is_unlimited as "isUnlimited", plans.list_price as "listPrice", plans.cost, plans.destination,
      suppliers.slug as supplier, plans.on_sale as "isOnSale"
    from orders join shared.plans on plans.id = orders.plan_id join shared.suppliers on suppliers.id = plans.supplier_id
    where orders.id = ${orderId}`);
  if (!row) return undefined;
  const { isOnSale, destination, supplier, ...plan } = row;
  const data = dataText(plan.amountMb);
  return { plan: { ...plan, data, destination: { code: destination }, supplier: { slug: supplier } }, isOnSale };
}

/** What is to be replaced, and how. */
export interface Placement {
  readonly replacementId: bigint;
  readonly partnerId: number;
  readonly plan: OrderedPlan;
  /** What was paid for the first eSIM. */
  readonly price: Cents;
  readonly reference: string;
  readonly script: unknown;
  /** Events the order will certainly send once it is placed. A waiting limit counts them in advance. */
  readonly eventsAhead: readonly OrderEventName[];
  readonly start?: Ordered['start'];
  /** The call that asked for it. */
  readonly by?: Pick<Ordered, 'keyId' | 'requestId'> | undefined;
  /** When the provisioning job may take the order. */
  readonly dueAt: Date;
  readonly at: Date;
}

export const expectedCost = (plan: OrderedPlan, start: Ordered['start']): Micros | null =>
  start?.offer.cost ?? plan.cost;

/**
 * Places the free order of a replacement, in the transaction that holds the wallet: the order, its events and the replacement's link to
 * it, or none of them. From then on it is an order like any other. Nothing is charged, so the wallet stays as it is.
 */
export async function placeReplacement(
  tx: Tx,
  { webhooks }: { readonly webhooks: Pick<Webhooks, 'publish'> },
  wallet: Pick<Wallet, 'billingMode'>,
  placement: Placement,
): Promise<ReturnType<typeof paidOrderOf>> {
  const { replacementId, partnerId, plan, price, reference, script, eventsAhead, start, by, dueAt, at } = placement;
  const { id: orderId } = await tx.one<{ id: bigint }>(sql`select ${newOrderId} as id`);
  const ordered = { partnerId, plan, start, key: undefined, reference, at, ...(script !== null && { script }), ...by };
  const wanted: Ordered = { ...ordered, price: ZERO };
  await insertOrders(tx, [{ orderId, wanted, wallet, reason: '', eventsAhead, dueAt }]);
  await tx.run(sql`
    update esim_replacements set status = 'pending', order_id = ${orderId}, placed_at = ${at}, decided_at = ${at}
    where id = ${replacementId}`);
  const of = { partnerId, orderId, reference, delivery: '', deliveryReason: '', iccid: '', qrCode: '' };
  const events = (['order.created', 'order.paid'] as const).map(
    (event): OrderEvent => ({ ...of, event, occurredAt: at.getTime() }),
  );
  const { refusedOrders } = await webhooks.publish(tx, events, { ahead: new Map([[orderId, eventsAhead]]) });
  await keepQuiet(tx, refusedOrders);
  return paidOrderOf(orderId, { ...ordered, price }, null);
}
