import { type Plan, readPlans, supplierRows } from '../../domains/catalog/catalog.ts';
import {
  autoRoutes,
  preferences,
  previewOf,
  type RouteOf,
  type RouteView,
  routeBook,
  routeTrials,
  suggestions,
} from '../../domains/supply/routes/routes.ts';
import { formatCents, formatMicros } from '../../platform/amounts/cents.ts';
import { amend, change } from '../../platform/audit/audit-log.ts';
import { DAY } from '../../platform/clock.ts';
import { snaked } from '../../platform/contract/json.ts';
import { Refused } from '../../platform/contract/refused.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { action, type OperatorContext } from '../action.ts';
import { choice, cost, integer, invalid, percent, required, text, the, toggle } from '../fields.ts';

const productId = required(text('PRODUCT_ID', 'the product that is sold, esc_…'));
const dryRun = toggle('report which orders of the last 30 days would have gone elsewhere, and change nothing');
const prefer = choice(preferences, 'which supplier to try first: its own (the default), or the cheapest');

async function requireSupplier(db: Queryable, slug: string | undefined): Promise<void> {
  if (slug !== undefined && !(await supplierRows.slugs(db)).includes(slug)) throw new Refused('supplier_not_found');
}

/** How far back a dry run looks. */
const PREVIEW_DAYS = 30;

/** The effect a change would have had on the latest live orders: of one product, or of all. */
async function previewed({ worlds, clock }: OperatorContext, routeOf: RouteOf, product?: string) {
  const since = new Date(clock.now() - PREVIEW_DAYS * DAY);
  return previewOf(await worlds.live.orders.all.sales(since, product), routeOf, PREVIEW_DAYS);
}

const costOf = (plan: Plan): string | null => (plan.cost === null ? null : formatMicros(plan.cost));

/** What fits a terminal; `--json` has the rest. */
const asRow = ({ product_id, title, supplier, prefer: first, max_cost, min_margin, alternates }: RouteView) => ({
  product_id,
  title,
  supplier,
  alternates: alternates.map((one) => one.product_id).join(' '),
  prefer: first,
  limit: max_cost ?? (min_margin === null ? 'price paid' : `margin ${min_margin} %`),
});

export const routeActions = [
  action({
    name: 'route set',
    console: { may: 'manage' },
    summary: 'Name the plans that are delivered in place of a product when its own supplier does not deliver',
    args: { product: productId },
    options: {
      alternates: required(text('ID,ID', 'product ids, in the order in which they are tried')),
      'max-cost': cost('the most an alternate may cost; by default what the partner paid'),
      'min-margin': percent('the margin an alternate must leave, in percent of the price paid; instead of --max-cost'),
      prefer,
      force: toggle('allow alternates that are not at least as good'),
      'dry-run': dryRun,
    },
    async run(context, { product, alternates, 'max-cost': maxCost, 'min-margin': margin, ...given }) {
      if (maxCost !== undefined && margin !== undefined)
        throw invalid`give ${the('max-cost')} or ${the('min-margin')}, not both`;
      if (maxCost === null) throw invalid`${the('max-cost')} is an amount`;
      const plans = await readPlans(context.db);
      const wanted = {
        productId: product,
        alternates: alternates.split(',').map((id) => id.trim()),
        maxCost: maxCost ?? null,
        minMargin: margin === undefined ? null : hundredths(margin),
        prefer: given.prefer ?? 'own',
        isForced: given.force,
      } as const;
      if (given['dry-run']) {
        const { route, routeOf } = routeTrials.set(plans, wanted);
        return { route, preview: await previewed(context, routeOf, product) };
      }
      const show = async (db: Queryable) => (await routeBook.find(db, plans, product)) ?? null;
      return amend(context, 'route set', `product ${product}`, show, (tx) => routeBook.set(tx, plans, wanted));
    },
  }),
  action({
    name: 'route show',
    console: 'shown',
    summary: 'Show who else may deliver a product: its route, or the automatic one',
    args: { product: productId },
    async run({ db }, { product }) {
      const found = await routeBook.find(db, await readPlans(db), product);
      if (!found) throw new Refused('route_not_found');
      return found;
    },
  }),
  action({
    name: 'route list',
    console: 'shown',
    summary: 'List the routes that were set',
    run: async ({ db }) => routeBook.list(db, await readPlans(db)),
    text: (routes: readonly RouteView[]) => routes.map(asRow),
  }),
  action({
    name: 'route clear',
    console: { may: 'manage' },
    summary:
      'Remove the route of a product: its own supplier delivers it, or automatic routes apply; open orders do not move',
    args: { product: productId },
    options: { 'dry-run': dryRun },
    async run(context, { product, 'dry-run': isDryRun }) {
      const plans = await readPlans(context.db);
      if (isDryRun) {
        const { route, routeOf } = await routeTrials.clear(context.db, plans, product);
        return { route, preview: await previewed(context, routeOf, product) };
      }
      return change(context, 'route clear', async (tx) => {
        const before = await routeBook.find(tx, plans, product);
        if (!(await routeBook.clear(tx, product))) throw new Refused('route_not_found');
        return { target: `product ${product}`, before, result: { product_id: product, cleared: true } };
      });
    },
  }),
  action({
    name: 'route suggest',
    console: 'shown',
    summary: "List other suppliers' plans that are at least as good as a product, cheapest first",
    args: { product: text('PRODUCT_ID', 'only for this product') },
    options: {
      destination: text('CODE', 'only for products of this destination'),
      supplier: text('SLUG', 'only for products of this supplier'),
      limit: integer('N', 'at most this many; 500 by default'),
    },
    async run({ db }, { product, destination, supplier, limit = 500 }) {
      await requireSupplier(db, supplier);
      const found = suggestions(await readPlans(db), { productId: product, destination, supplier });
      return found.slice(0, limit).map(({ plan, alternate }) => ({
        instead_of: plan.alias,
        instead_of_title: plan.title,
        instead_of_supplier: plan.supplier.slug,
        instead_of_cost: costOf(plan),
        price: formatCents(plan.listPrice),
        product_id: alternate.alias,
        title: alternate.title,
        supplier: alternate.supplier.slug,
        supplier_plan: alternate.supplierPlan,
        cost: costOf(alternate),
        data: alternate.data,
        day: alternate.day,
      }));
    },
    text: (rows: readonly Record<string, unknown>[]) =>
      rows.map((one) => snaked(one, 'instead_of', 'product_id', 'supplier', 'title', 'cost')),
  }),
  action({
    name: 'route auto',
    console: { may: 'manage' },
    summary:
      'Let products without a route fall back to what `route suggest` lists: cheapest first, never above the price paid',
    args: { setting: required(choice(['on', 'off'], 'whether they do')) },
    options: { supplier: text('SLUG', 'only products of this supplier; by default all'), prefer, 'dry-run': dryRun },
    async run(context, { setting, supplier, prefer: first, 'dry-run': isDryRun }) {
      await requireSupplier(context.db, supplier);
      const wanted = { supplier: supplier ?? null, isOn: setting === 'on', prefer: first ?? 'own' } as const;
      if (isDryRun) {
        const routeOf = await routeTrials.auto(context.db, await readPlans(context.db), wanted);
        return { preview: await previewed(context, routeOf) };
      }
      const show = async (db: Queryable) =>
        (await autoRoutes.list(db)).map((one) => ({
          supplier: one.supplier,
          auto: one.isOn ? 'on' : 'off',
          prefer: one.prefer,
        }));
      return amend(context, 'route auto', supplier ? `supplier ${supplier}` : 'routes', show, (tx) =>
        autoRoutes.set(tx, wanted),
      );
    },
  }),
];

/** From 0 to 100 with at most two places; 12.5 % is 1250. */
function hundredths(text: string): bigint {
  const [whole = '0', places = ''] = text.split('.');
  return BigInt(whole) * 100n + BigInt(places.padEnd(2, '0'));
}
