import { readFile } from 'node:fs/promises';
import { amend, change } from '../audit-log.ts';
import { findPlan, ImportRefused, importCatalog, listSuppliers, readImportFile, setPlan } from '../catalog/catalog.ts';
import { MINUTE } from '../clock.ts';
import type { Queryable } from '../db/database.ts';
import { MICROS_PER_CENT } from '../money/money.ts';
import { Refused } from '../refused.ts';
import type { Suppliers } from '../suppliers/suppliers.ts';
import { command } from './command.ts';
import { cost, required, text, trueOrFalse, UsageError, usd } from './options.ts';

/** Some suppliers take more than half a minute to list their plans. */
const LIST_LIMIT_MS = 2 * MINUTE;
const HIGHEST_PRICE = 10_000_000n;
const alias = required(text('PRODUCT_ID', 'the product, esc_…'));

async function requireProduct(db: Queryable, productId: string) {
  const plan = await findPlan(db, productId);
  if (!plan) throw new Refused('product_not_found');
  return plan;
}

async function listOf(suppliers: Suppliers, slug: string) {
  const supplier = await suppliers.of(slug);
  return supplier.plans(AbortSignal.timeout(LIST_LIMIT_MS)).catch((error: Error) => {
    throw new Refused('supplier_unavailable', `${slug} did not return its plans: ${error.message}`);
  });
}

/** The file of that name if there is one, otherwise the supplier. */
async function read(suppliers: Suppliers, source: string) {
  const file = await readFile(source, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw new Refused('file_unreadable', `${source}: ${error.message}`);
  });
  const batch = file === undefined ? await listOf(suppliers, source) : readImportFile(file);
  if (!batch) throw new Refused('source_not_found', `"${source}" is neither a file nor a supplier with a feed`);
  return batch;
}

export const catalogCommands = [
  command({
    path: ['supplier', 'list'],
    summary: 'List suppliers, whether they are configured here, and how many of their plans are on sale',
    async run({ db, supplierKinds }) {
      const suppliers = await listSuppliers(db);
      return suppliers.map((one) => ({ ...one, configured: supplierKinds.includes(one.kind) }));
    },
  }),
  command({
    path: ['catalog', 'import'],
    summary: 'Import plans from a JSON file (all or nothing) or from a supplier (bad rows are skipped and reported)',
    args: { source: required(text('FILE|SUPPLIER', 'docs/catalog-import.md describes the file')) },
    async run(context, { source }) {
      const { worlds, vault, progress } = context;
      try {
        const batch = await read(worlds.live.suppliers, source);
        return await change(context, 'catalog import', async (tx) => {
          const counts = await importCatalog(tx, batch, vault.sign, (done) =>
            progress('plans', done, batch.plans.length),
          );
          return { target: `supplier ${counts.supplier}`, after: counts, result: counts };
        });
      } catch (error) {
        if (!(error instanceof ImportRefused)) throw error;
        return { ok: false, error: 'import_refused', message: error.message, problems: error.problems };
      }
    },
  }),
  command({
    path: ['catalog', 'product', 'show'],
    summary: 'Show a product with its supplier, cost and internal id',
    args: { product: alias },
    run: ({ db }, { product }) => requireProduct(db, product),
  }),
  command({
    path: ['catalog', 'product', 'set'],
    summary: "Change a product's price, cost or availability until its supplier's next import",
    args: { product: alias },
    options: {
      price: usd('list price; 0: not for sale at any price'),
      cost: cost('wholesale cost, up to six decimals'),
      'on-sale': trueOrFalse('whether partners can find and buy it'),
    },
    run(context, { product, price, cost: wholesale, 'on-sale': onSale }) {
      if (price === undefined && wholesale === undefined && onSale === undefined)
        throw new UsageError('nothing to change: give --price, --cost or --on-sale');
      if ((price ?? 0n) > HIGHEST_PRICE || (wholesale ?? 0n) > HIGHEST_PRICE * MICROS_PER_CENT)
        throw new UsageError('a price or cost is at most 100000.00');
      return amend(
        context,
        'catalog product set',
        `product ${product}`,
        (tx) => requireProduct(tx, product),
        (tx) => setPlan(tx, product, { price, cost: wholesale, onSale }),
      );
    },
  }),
];
