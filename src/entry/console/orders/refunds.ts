import type { Catalog } from '../../../domains/catalog/catalog.ts';
import { partnerNames } from '../../../domains/partners/accounts/accounts.ts';
import type { OrderRecord } from '../../../domains/sales/order-lists/order-lists.ts';
import { type Refund, refundStatuses, refundVersion } from '../../../domains/sales/refunds/refunds.ts';
import { formatCents, toCents } from '../../../platform/amounts/cents.ts';
import type { World } from '../../../worlds/world.ts';
import type { Services } from '../../api/endpoint.ts';
import { jsonOf, requireMode } from '../../site/json/action.ts';
import { filtersFrom } from '../../site/json/filters.ts';
import { type OperatorCall, operatorRead } from '../action.ts';
import { type ConsoleOrderRow, orderRow, type UsageFacts, usageView } from './order-view.ts';
import { requirePartner } from './orders.ts';

const PER_PAGE = 25;

/** Requests for money back, each with what a person needs to decide. Decisions are commands (`refund approve`, `refund reject`). */
export const refundActions = ({ catalog }: Services) => [
  operatorRead('/operator/api/{mode}/refunds', (call) => refundsIn(call, catalog)),
];

async function refundsIn(call: OperatorCall, catalog: Catalog) {
  const { db, worlds } = call.context;
  const world = worlds[requireMode(call)];
  const { oneOf, id, ...filters } = filtersFrom(call);
  const limit = filters.limit(PER_PAGE);
  const partnerId = await requirePartner(call, db);
  const filter = { partnerId, status: oneOf('status', refundStatuses), beforeId: id('before') };
  const found = await world.refunds.list({ ...filter, limit: limit + 1 });
  const refunds = found.slice(0, limit);
  const ids = refunds.map(({ orderId }) => orderId);
  const orders = new Map((await world.orders.all.readMany(ids)).map((order) => [order.id, order]));
  const iccids = [...orders.values()].flatMap(({ iccid }) => iccid ?? []);
  const owners = refunds.map((refund) => refund.partnerId);
  const [names, readings, available] = await Promise.all([
    partnerNames(db, owners),
    world.usage.last(iccids),
    spendable(world, owners),
  ]);
  const rows = refunds.flatMap((refund) => {
    const order = orders.get(refund.orderId);
    if (!order) return [];
    const usage = usageView(order.iccid === null ? undefined : readings.get(order.iccid));
    return view(refund, order, usage, orderRow(order, names, catalog), available.get(refund.partnerId));
  });
  return { refunds: rows, has_more: found.length > limit };
}

/** What each partner can spend now: a decision shows what that becomes. */
async function spendable({ books }: World, partnerIds: readonly number[]): Promise<Map<number, string>> {
  const each = [...new Set(partnerIds)].map(
    async (id) => [id, formatCents((await books.spendingPower(id)).available)] as const,
  );
  return new Map(await Promise.all(each));
}

const view = (
  refund: Refund,
  order: OrderRecord,
  usage: UsageFacts,
  row: ConsoleOrderRow,
  available: string | undefined,
) => ({
  status: refund.status,
  /** The version a decision applies to; sent with it. */
  version: refundVersion(refund),
  /** Given back so far. */
  amount: formatCents(refund.amount),
  /** `reason` is the partner's, `note` the operator's. `attempts`: how often the supplier was asked to withdraw the eSIM. */
  ...jsonOf(refund, 'reason', 'note', 'requestedAt', 'decidedAt', 'attempts'),
  /** What is left of the price. */
  left: formatCents(toCents(order.salePrice - order.refunded)),
  available: available ?? '0.00',
  order: {
    ...row,
    ...jsonOf(order, 'data', 'day', 'billingMode', 'deliveredAt'),
  },
  usage,
});
