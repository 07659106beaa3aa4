import { readFile } from 'node:fs/promises';
import { HIGHEST_PRICE } from '../../domains/catalog/import-format/import-format.ts';
import { orderState } from '../../domains/sales/order-lists/order-lists.ts';
import { orderOfReference } from '../../domains/sales/orders/orders.ts';
import {
  HIGHEST_LEVEL,
  readExpiry,
  type StockFile,
  type StockItem,
  StockRefused,
  stockStates,
} from '../../domains/supply/stock/stock.ts';
import { MICROS_PER_CENT, type Micros } from '../../platform/amounts/cents.ts';
import { type Author, amend } from '../../platform/audit/audit-log.ts';
import { Refused } from '../../platform/contract/refused.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { Base } from '../../worlds/base.ts';
import { action, type OperatorContext } from '../action.ts';
import { choice, cost, field, integer, invalid, required, text, toggle } from '../fields.ts';

/** Imports the text of a file into stock, or reports what that would do. Orders waiting for the plan are retried at once. */
export async function importStock(
  { stock, worlds }: Pick<Base, 'stock' | 'worlds'>,
  author: Author,
  file: StockFile,
  { isDryRun, onProgress }: { readonly isDryRun: boolean; readonly onProgress?: (done: number, total: number) => void },
) {
  const { expeditePlan: expedite } = worlds.live.provisioning;
  try {
    return await stock.imports[isDryRun ? 'tried' : 'recorded']({ author, expedite, onProgress }, file);
  } catch (error) {
    if (!(error instanceof StockRefused)) throw error;
    return { ok: false, error: 'import_refused', message: error.message, problems: error.problems } as const;
  }
}

const iccid = required(text('ICCID', 'the number of the eSIM'));
const supplier = text('SLUG', 'the supplier, of kind stock');
const plan = text('CODE', "the plan, by the supplier's code");
const ofPlan = { supplier: required(supplier), plan: required(plan) };

/** Null: off. */
const low = field<number | null>(
  'N|off',
  'low when this many or fewer are left; off: never',
  `a whole number up to ${HIGHEST_LEVEL}, or off`,
  (given) => {
    if (given === 'off') return null;
    return /^\d{1,6}$/.test(given) && Number(given) <= HIGHEST_LEVEL ? Number(given) : undefined;
  },
);

const LISTED = 100;
const MOST_LISTED = 100_000;

/** What `--cost` and `--expires` say of items without their own. Also what the console's form sends. */
export function readStockTerms(given: {
  readonly cost?: Micros | null | undefined;
  readonly expires?: string | undefined;
}) {
  if (given.cost && given.cost > HIGHEST_PRICE * MICROS_PER_CENT) throw invalid`a cost is at most 100000.00`;
  const expiresAt = given.expires === undefined ? null : readExpiry(given.expires);
  if (expiresAt === undefined)
    throw invalid`"${given.expires ?? ''}" is not a date like 2030-05-31 or a time like 2030-05-31T12:00:00Z`;
  return { cost: given.cost ?? null, expiresAt };
}

async function requireItem({ stock }: OperatorContext, tx: Tx, number: string): Promise<StockItem> {
  const found = await stock.hold(tx, number);
  if (!found) throw new Refused('item_not_found');
  return found;
}

/** The item is reserved for its order or was delivered with it, unless the order failed in between. */
async function requireFailedOrder({ worlds }: OperatorContext, tx: Tx, { reference }: StockItem): Promise<void> {
  const id = orderOfReference(worlds.live, reference ?? '');
  if (id === undefined || (await orderState(tx, id)) !== 'failed')
    throw new Refused('item_in_use', `it was sold with the order ${reference}; a refund of that order returns it`);
}

/** Also the fields of the console's form. */
export const stockImportOptions = {
  ...ofPlan,
  cost: cost('the cost of items that do not name their own'),
  expires: text('DATE', 'the last day of items that do not name their own'),
  'dry-run': toggle('report what the import would do, and change nothing'),
};

export const stockActions = [
  action({
    name: 'stock import',
    console: { never: 'it reads a file; the console has its own upload' },
    summary: 'Import eSIMs bought in advance from a CSV or JSON file (all or nothing)',
    args: { file: required(text('FILE', 'docs/suppliers.md describes it')) },
    options: stockImportOptions,
    async run(context, { file, 'dry-run': isDryRun, supplier: slug, plan: code, ...terms }) {
      const content = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
        throw new Refused('file_unreadable', `${file}: ${error.message}`);
      });
      const given = { supplier: slug, plan: code, text: content, ...readStockTerms(terms) };
      const onProgress = (done: number, total: number) => context.progress('items', done, total);
      return importStock(context, context, given, { isDryRun, onProgress });
    },
  }),
  action({
    name: 'stock list',
    console: 'shown',
    summary: 'List eSIMs in stock in the order in which they are sold, without their codes',
    options: {
      supplier,
      plan,
      state: choice(stockStates, 'only those'),
      limit: integer('N', `at most this many; ${LISTED} by default`),
    },
    run: ({ stock }, { limit = LISTED, supplier: slug, plan: code, state }) =>
      stock.list({ supplier: slug, plan: code, state, limit: Math.min(limit, MOST_LISTED) }),
  }),
  action({
    name: 'stock show',
    console: 'shown',
    summary: 'Show one eSIM in stock without its codes; without ICCID, the count for each plan',
    args: { iccid: text('ICCID', 'the number of the eSIM') },
    options: { supplier, plan },
    async run({ stock }, { iccid: number, supplier: slug, plan: code }) {
      if (number === undefined) return stock.plans({ supplier: slug, plan: code });
      const found = await stock.find(number);
      if (!found) throw new Refused('item_not_found');
      return found;
    },
  }),
  action({
    name: 'stock discard',
    console: { may: 'manage' },
    summary: 'Take an eSIM out of stock, so that it is not sold; `stock release` undoes it',
    args: { iccid },
    run: (context, { iccid: number }) =>
      amend(
        context,
        'stock discard',
        `stock ${number}`,
        (tx) => requireItem(context, tx, number),
        async (tx, { state, reference }) => {
          if (state === 'sold')
            throw new Refused(
              'item_in_use',
              `it was sold with the order ${reference}; a refund of that order returns it`,
            );
          await context.stock.discard(tx, number);
        },
      ),
  }),
  action({
    name: 'stock release',
    console: { may: 'manage' },
    summary: 'Put an eSIM that was returned or discarded back on sale',
    args: { iccid },
    run: (context, { iccid: number }) =>
      amend(
        context,
        'stock release',
        `stock ${number}`,
        (tx) => requireItem(context, tx, number),
        async (tx, item) => {
          if (item.state === 'sold') await requireFailedOrder(context, tx, item);
          if (item.state === 'available') return;
          await context.stock.release(tx, number);
          await context.worlds.live.provisioning.expeditePlan(tx, item.supplier, item.plan, 1);
        },
      ),
  }),
  action({
    name: 'stock set',
    console: { may: 'manage' },
    summary: 'Set the level from which the stock of a plan counts as low',
    options: { ...ofPlan, low: required(low) },
    run: (context, { supplier: slug, plan: code, low: level }) =>
      amend(
        context,
        'stock set',
        `stock of ${slug} ${code}`,
        (tx) => context.stock.planOf(tx, slug, code),
        (tx) => context.stock.setLow(tx, slug, code, level),
      ),
  }),
];
