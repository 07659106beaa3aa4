import { readFile } from 'node:fs/promises';
import { audit } from '../actions/audit-log.ts';
import { findPlan, ImportRefused, importCatalog, listSuppliers, readImportFile, setPlan } from '../catalog/catalog.ts';
import { MINUTE } from '../clock.ts';
import type { Queryable } from '../db/database.ts';
import { MICROS_PER_CENT } from '../money/money.ts';
import { Refused } from '../refused.ts';
import type { Suppliers } from '../suppliers/suppliers.ts';
import { command } from './command.ts';
import { cost, required, text, trueOrFalse, UsageError, usd } from './options.ts';

/** Some suppliers take more than half a minute to list everything. */
const LIST_LIMIT_MS = 2 * MINUTE;
const HIGHEST_PRICE = 10_000_000n;
const alias = required(text('PRODUCT_ID', 'the product, esc_…'));

async function known(db: Queryable, productId: string) {
  const plan = await findPlan(db, productId);
  if (!plan) throw new Refused('product_not_found');
  return plan;
}

async function listOf(suppliers: Suppliers, slug: string) {
  const supplier = await suppliers.of(slug);
  return supplier.plans(AbortSignal.timeout(LIST_LIMIT_MS)).catch((error: Error) => {
    throw new Refused('supplier_unavailable', `${slug} gave no list: ${error.message}`);
  });
}

/** A file when there is one of that name, else a supplier. */
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
    summary: 'Suppliers, whether this installation can talk to them, and how many of their plans are on sale',
    async run({ db, supplierKinds }) {
      const suppliers = await listSuppliers(db);
      return suppliers.map((one) => ({ ...one, configured: supplierKinds.includes(one.kind) }));
    },
  }),
  command({
    path: ['catalog', 'import'],
    summary: 'Import plans from a JSON file (all or nothing) or from a supplier (bad rows are skipped and reported)',
    args: { source: required(text('FILE|SUPPLIER', 'docs/catalog-import.md describes the file')) },
    async run({ db, worlds, who, vault, progress }, { source }) {
      try {
        const batch = await read(worlds.live.suppliers, source);
        return await db.tx(async (tx) => {
          const counts = await importCatalog(tx, batch, vault.sign, (done) =>
            progress('plans', done, batch.plans.length),
          );
          await audit(tx, { who, what: 'catalog import', target: `supplier ${counts.supplier}`, after: counts });
          return counts;
        });
      } catch (error) {
        if (!(error instanceof ImportRefused)) throw error;
        return { ok: false, error: 'import_refused', message: error.message, problems: error.problems };
      }
    },
  }),
  command({
    path: ['catalog', 'product', 'show'],
    summary: 'A product with its supplier, cost and internal id',
    args: { product: alias },
    run: ({ db }, { product }) => known(db, product),
  }),
  command({
    path: ['catalog', 'product', 'set'],
    summary: 'Change price, cost or availability of a product, until the next import of its supplier',
    args: { product: alias },
    options: {
      price: usd('list price; 0: no sellable price'),
      cost: cost('wholesale cost, six places'),
      'on-sale': trueOrFalse('whether partners find and buy it'),
    },
    async run({ db, who }, { product, price, cost: wholesale, 'on-sale': onSale }) {
      if (price === undefined && wholesale === undefined && onSale === undefined)
        throw new UsageError('nothing to change: --price, --cost or --on-sale');
      if ((price ?? 0n) > HIGHEST_PRICE || (wholesale ?? 0n) > HIGHEST_PRICE * MICROS_PER_CENT)
        throw new UsageError('no price or cost is above 100000.00');
      return db.tx(async (tx) => {
        const before = await known(tx, product);
        await setPlan(tx, product, { price, cost: wholesale, onSale });
        const after = await known(tx, product);
        await audit(tx, { who, what: 'catalog product set', target: `product ${product}`, before, after });
        return after;
      });
    },
  }),
];
