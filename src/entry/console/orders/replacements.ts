import { partnerNames } from '../../../domains/partners/accounts/accounts.ts';
import { type Replacement, replacementStatuses } from '../../../domains/sales/replacements/replacements.ts';
import { formatCents, formatMicros } from '../../../platform/amounts/cents.ts';
import type { Base } from '../../../worlds/base.ts';
import type { World } from '../../../worlds/world.ts';
import type { Services } from '../../api/endpoint.ts';
import { jsonOf, requireMode } from '../../site/json/action.ts';
import { filtersFrom } from '../../site/json/filters.ts';
import { operatorRead } from '../action.ts';
import { type ConsoleOrderRow, orderRow } from './order-view.ts';
import { requirePartner } from './orders.ts';

const PER_PAGE = 25;

/** Replacements, each with what a person needs to decide. Decisions are commands (`replacement approve`, `replacement reject`). */
export const replacementActions = ({ db, worlds }: Base, { catalog }: Services) => [
  operatorRead('/operator/api/{mode}/replacements', async (call) => {
    const world = worlds[requireMode(call)];
    const { oneOf, id } = filtersFrom(call);
    const partnerId = await requirePartner(call, db);
    const filter = { partnerId, status: oneOf('status', replacementStatuses), beforeId: id('before') };
    const found = await world.replacements.list({ ...filter, limit: PER_PAGE + 1 });
    const shown = found.slice(0, PER_PAGE);
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
      return view(replacement, orderRow(order, names, catalog), planCost, budget);
    });
    return { replacements, has_more: found.length > PER_PAGE };
  }),
];

type Budget = Awaited<ReturnType<World['replacements']['budgetOf']>>;

async function budgetsOf({ replacements }: World, partnerIds: readonly number[]): Promise<Map<number, Budget>> {
  return new Map(await Promise.all(partnerIds.map(async (id) => [id, await replacements.budgetOf(id)] as const)));
}

const view = (
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
