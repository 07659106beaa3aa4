import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { catalogImports, listSuppliers, operatorPlans } from '../../domains/catalog/catalog.ts';
import { HIGHEST_PRICE, ImportRefused, readImportFile } from '../../domains/catalog/import-format/import-format.ts';
import { orderAttempts } from '../../domains/sales/orders/orders.ts';
import { hasSettings, importList, sourceOf, supplierAccounts, tryList } from '../../domains/supply/supply.ts';
import { formatCents, formatMicros, MICROS_PER_CENT } from '../../platform/amounts/cents.ts';
import { type Author, amend } from '../../platform/audit/audit-log.ts';
import { DAY } from '../../platform/clock.ts';
import { snaked } from '../../platform/contract/json.ts';
import { Refused } from '../../platform/contract/refused.ts';
import type { Queryable } from '../../platform/db/database.ts';
import type { Base } from '../../worlds/base.ts';
import { action } from '../action.ts';
import { cost, integer, invalid, orAuto, required, text, the, toggle, trueOrFalse, usd } from '../fields.ts';
import type { Subject } from '../four-eyes.ts';

/** Imports the text of a file (docs/catalog-import.md), all or nothing, or says what that would do. */
export async function importCatalogFile(
  { vault, clock }: Pick<Base, 'vault' | 'clock'>,
  author: Author,
  text: string,
  how: { isDryRun: boolean; isConfirmed: boolean; onProgress?: (done: number, total: number) => void },
) {
  const parts = { author, sign: vault.sign, clock, onProgress: how.onProgress };
  try {
    const list = readImportFile(text);
    if (how.isDryRun) return await catalogImports.tried(parts, list);
    return await catalogImports.recorded(parts, list, how.isConfirmed);
  } catch (error) {
    return refusedImport(error);
  }
}

/** What was wrong with a list, as a result; anything else is thrown on. */
function refusedImport(error: unknown) {
  if (!(error instanceof ImportRefused)) throw error;
  return { ok: false, error: 'import_refused', message: error.message, problems: error.problems } as const;
}

/** What an import would do, found by trying it. Prices have no amount: they are given with every sale. */
export async function importing(
  tried: () => Promise<Awaited<ReturnType<typeof catalogImports.tried>> | undefined>,
  { isConfirmed, which }: { readonly isConfirmed: boolean; readonly which: string },
): Promise<Subject> {
  const counts = await tried().catch((error) => {
    throw error instanceof ImportRefused ? new Refused('invalid_input', error.message) : error;
  });
  if (!counts) throw new Refused('source_not_found', 'no supplier of that name has a list');
  const { supplier, plans, added, changed, repriced, off_sale } = counts;
  if (counts.needs_yes && !isConfirmed)
    throw new Refused(
      'many_off_sale',
      `nothing was proposed: ${counts.leave_sale} plans of ${supplier} would go off sale`,
    );
  const figures = { plans, added, changed, repriced, 'off sale': off_sale };
  return {
    amounts: 'any',
    words: `Import ${which} of ${supplier}: ${Object.entries(figures)
      .map(([what, count]) => `${count} ${what}`)
      .join(', ')}`,
    terms: {
      ...Object.fromEntries(Object.entries(figures).map(([what, count]) => [what, String(count)])),
      // Also the plans and prices the report names.
      report: createHash('sha256').update(JSON.stringify(counts)).digest('hex').slice(0, 12),
    },
  };
}

/** How far back `supplier list` counts the orders that others delivered. */
const LOST_MS = 30 * DAY;

const alias = required(text('PRODUCT_ID', 'the product, esc_…'));

async function requireProduct(db: Queryable, productId: string) {
  const plan = await operatorPlans.find(db, productId);
  if (!plan) throw new Refused('product_not_found');
  return plan;
}

/** The text of the file of that name; undefined if there is none, so that the name is a supplier's. */
const fileOf = (source: string): Promise<string | undefined> =>
  readFile(source, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw new Refused('file_unreadable', `${source}: ${error.message}`);
  });

export const catalogActions = [
  action({
    name: 'supplier list',
    console: 'shown',
    summary: 'List suppliers, whether they are configured here, and how many of their plans are on sale',
    async run({ db, clock, supplierKinds }) {
      const suppliers = await listSuppliers(db);
      const own = new Set((await supplierAccounts.list(db)).map(({ slug }) => slug));
      const lost = await orderAttempts.lostSince(db, new Date(clock.now() - LOST_MS));
      return suppliers.map((one) => ({
        ...one,
        configured: own.has(one.supplier) || hasSettings(supplierKinds, { slug: one.supplier, kind: one.kind }),
        settings_from: sourceOf(supplierKinds, { slug: one.supplier, kind: one.kind }, own.has(one.supplier)),
        lost_to_others: lost.find(({ supplier }) => supplier === one.supplier)?.orders ?? 0,
      }));
    },
  }),
  action({
    name: 'catalog import',
    console: { may: 'manage' },
    summary: 'Import plans from a JSON file (all or nothing) or from a supplier (bad rows are skipped and reported)',
    args: { source: required(text('FILE|SUPPLIER', 'docs/catalog-import.md describes the file')) },
    options: {
      'dry-run': toggle('report what the import would do, and change nothing'),
      yes: toggle("import it even if it takes more than a fifth of the supplier's plans off sale"),
      previous: toggle("import the supplier's list from before its last import again"),
    },
    async run(context, { source, 'dry-run': isDryRun, yes: isConfirmed, previous }) {
      const { worlds, vault, clock, progress, withoutFiles = false } = context;
      const onProgress = (done: number, total: number) => progress('plans', done, total);
      const parts = { author: context, sign: vault.sign, clock, onProgress };
      const file = withoutFiles || previous ? undefined : await fileOf(source);
      try {
        if (previous)
          return isDryRun
            ? await catalogImports.tried(parts, { previousOf: source })
            : await catalogImports.recorded(parts, { previousOf: source }, isConfirmed);
        if (file !== undefined)
          return await importCatalogFile(context, context, file, { isDryRun, isConfirmed, onProgress });
        const { suppliers } = worlds.live;
        const counts = await (isDryRun
          ? tryList(parts, suppliers, source)
          : importList(parts, suppliers, source, { isConfirmed }));
        if (!counts)
          throw new Refused(
            'source_not_found',
            withoutFiles
              ? `"${source}" is not a supplier with a list`
              : `"${source}" is neither a file nor a supplier with a list`,
          );
        return counts;
      } catch (error) {
        if (error instanceof Refused && error.code === 'many_off_sale' && !withoutFiles)
          throw new Refused(error.code, `${error.message}; if that is right, add --yes`);
        return refusedImport(error);
      }
    },
    fourEyes: {
      isSlow: true,
      async subject(context, { source, 'dry-run': isDryRun, yes: isConfirmed, previous }) {
        if (isDryRun) return undefined;
        const { worlds, vault, clock, withoutFiles = false } = context;
        const parts = { author: context, sign: vault.sign, clock };
        const file = withoutFiles || previous ? undefined : await fileOf(source);
        const tried = () =>
          previous
            ? catalogImports.tried(parts, { previousOf: source })
            : file === undefined
              ? tryList(parts, worlds.live.suppliers, source)
              : catalogImports.tried(parts, readImportFile(file));
        return importing(tried, { isConfirmed, which: previous ? 'the list before the last one' : 'the price list' });
      },
    },
  }),
  action({
    name: 'catalog imports',
    console: 'shown',
    summary: 'List past imports, newest first: who made them, and what they changed or why they failed',
    options: {
      supplier: text('SLUG', 'only of this supplier'),
      limit: integer('N', 'at most this many; 50 by default'),
    },
    async run({ db }, { supplier, limit = 50 }) {
      const imports = await catalogImports.list(db, { supplier, limit });
      return imports.map(({ counts, ...one }) => ({
        ...snaked(one, 'supplier', 'startedAt', 'finishedAt', 'who'),
        plans: counts?.plans ?? null,
        added: counts?.added ?? null,
        changed: counts?.changed ?? null,
        off_sale: counts?.off_sale ?? null,
        repriced: counts?.repriced ?? null,
        skipped: counts?.skipped ?? null,
        error: one.error,
      }));
    },
  }),
  action({
    name: 'catalog product show',
    console: 'shown',
    summary: 'Show a product with its supplier, cost and internal id',
    args: { product: alias },
    run: ({ db }, { product }) => requireProduct(db, product),
  }),
  action({
    name: 'catalog product set',
    console: { may: 'manage' },
    summary:
      "Set a product's price, cost or availability by hand, so that imports do not change it; auto: let imports set it again",
    args: { product: alias },
    options: {
      price: orAuto(usd('list price; 0: not for sale')),
      cost: orAuto(cost('wholesale cost, up to six decimals')),
      'on-sale': orAuto(trueOrFalse('whether partners can find and buy it')),
    },
    run(context, { product, price, cost: wholesale, 'on-sale': onSale }) {
      if (price === undefined && wholesale === undefined && onSale === undefined)
        throw invalid`nothing to change: give ${the('price')}, ${the('cost')} or ${the('on-sale')}`;
      const isAbove = (amount: bigint | 'auto' | null | undefined, highest: bigint) =>
        typeof amount === 'bigint' && amount > highest;
      if (isAbove(price, HIGHEST_PRICE) || isAbove(wholesale, HIGHEST_PRICE * MICROS_PER_CENT))
        throw invalid`a price or cost is at most 100000.00`;
      return amend(
        context,
        'catalog product set',
        `product ${product}`,
        (tx) => requireProduct(tx, product),
        (tx) => operatorPlans.set(tx, product, { price, cost: wholesale, onSale }),
      );
    },
    fourEyes: {
      async subject({ db }, { product, price, cost: wholesale }) {
        if (price === undefined && wholesale === undefined) return undefined;
        const plan = await requireProduct(db, product);
        const costWords =
          wholesale === null ? 'unknown' : typeof wholesale === 'bigint' ? formatMicros(wholesale) : wholesale;
        const changed = [
          price !== undefined && `price ${typeof price === 'bigint' ? formatCents(price) : price}`,
          wholesale !== undefined && `cost ${costWords}`,
        ];
        return {
          amounts: 'any',
          words: `Set for the plan ${plan.title} (${product}): ${changed.filter(Boolean).join(', ')}`,
          terms: { price: plan.price, cost: plan.cost ?? 'unknown' },
        };
      },
    },
  }),
];
