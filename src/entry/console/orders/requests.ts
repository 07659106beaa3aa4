import type { Catalog } from '../../../domains/catalog/catalog.ts';
import { partnerNames } from '../../../domains/partners/accounts/accounts.ts';
import type { OrderRecord } from '../../../domains/sales/order-lists/order-lists.ts';
import { type Refund, refundStatuses, refundVersion } from '../../../domains/sales/refunds/refunds.ts';
import { type Replacement, replacementStatuses } from '../../../domains/sales/replacements/replacements.ts';
import { formatCents, formatMicros, toCents } from '../../../platform/amounts/cents.ts';
import type { Base } from '../../../worlds/base.ts';
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
    return refundView(refund, order, usage, orderRow(order, names, catalog), available.get(refund.partnerId));
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

const refundView = (
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

/** Replacements, each with what a person needs to decide. Decisions are commands (`replacement approve`, `replacement reject`). */
export const replacementActions = ({ db, worlds }: Base, { catalog }: Services) => [
  operatorRead('/operator/api/{mode}/replacements', async (call) => {
    const world = worlds[requireMode(call)];
    const { oneOf, id, ...filters } = filtersFrom(call);
    const limit = filters.limit(PER_PAGE);
    const partnerId = await requirePartner(call, db);
    const filter = { partnerId, status: oneOf('status', replacementStatuses), beforeId: id('before') };
    const found = await world.replacements.list({ ...filter, limit: limit + 1 });
    const shown = found.slice(0, limit);
    const ids = shown.map(({ oldOrderId }) => oldOrderId);
    const owners = [...new Set(shown.map((one) => one.partnerId))];
    const [orders, names, budgets] = await Promise.all([
      world.orders.all.readMany(ids),
      partnerNames(db, owners),
      budgetsOf(world, owners),
    ]);
    const byId = new Map(orders.map((order) => [order.id, order]));
    const replacements = shown.flatMap((replacement) => {
      const order = byId.get(replacement.oldOrderId);
      if (!order) return [];
      const planCost = catalog.byAlias(order.productId)?.cost ?? null;
      const budget = budgets.get(replacement.partnerId);
      return replacementView(replacement, orderRow(order, names, catalog), planCost, budget);
    });
    return { replacements, has_more: found.length > limit };
  }),
];

type Budget = Awaited<ReturnType<World['replacements']['budgetOf']>>;

async function budgetsOf({ replacements }: World, partnerIds: readonly number[]): Promise<Map<number, Budget>> {
  return new Map(await Promise.all(partnerIds.map(async (id) => [id, await replacements.budgetOf(id)] as const)));
}

const replacementView = (
  replacement: Replacement,
  order: ConsoleOrderRow,
  planCost: Replacement['cost'],
  budget: Budget | undefined,
) => ({
  id: replacement.id.toString(),
  status: replacement.status,
  /** What the new eSIM costs the operator, or would cost by the plan; null: not known. */
  cost: costText(replacement.cost ?? planCost),
  ...jsonOf(replacement, 'reason', 'requestedBy', 'requestedAt', 'decidedAt'),
  /** Of the new eSIM. */
  new_order_id: replacement.orderId?.toString() ?? null,
  /** What became of the old eSIM. */
  old_esim: replacement.oldEsim,
  /** The partner's, per month, and what was spent of it in this one. */
  budget: budget ? formatCents(budget.budget) : null,
  budget_spent: budget ? costText(budget.spent) : null,
  /** Of the old eSIM. */
  order,
});

const costText = (cost: Replacement['cost']): string | null => (cost === null ? null : formatMicros(cost));
