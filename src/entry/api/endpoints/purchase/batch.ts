import type { Quote } from '../../../../domains/catalog/prices/prices.ts';
import type { OrderBatch } from '../../../../domains/sales/order-lists/order-lists.ts';
import type { BatchOutcome, Bundle, Wanted } from '../../../../domains/sales/purchase/purchase.ts';
import { type Cents, centsToNumber, toCents } from '../../../../platform/amounts/cents.ts';
import { described, said } from '../../../../platform/contract/described.ts';
import { aboutItem, fail, ofBatch } from '../../../../platform/contract/failure.ts';
import { notPlain, type RawValue, rawField } from '../../../../platform/contract/fields.ts';
import { type Static, type TObject, Type } from '../../../../platform/contract/schema.ts';
import { type Context, endpoint } from '../../endpoint.ts';
import { OrderItem, orderItem } from '../order/get.ts';
import {
  maxTotal,
  parseMaxTotal,
  parseReference,
  parseScript,
  requiredKey,
  requireIdempotencyKey,
  scriptFields,
} from './fields.ts';
import { requireEsimPlan } from './product.ts';
import { MAX_REQUOTES, type Sale, saleErrors, saleSimulated, simulatedAmounts, unsellable, wantedOf } from './sale.ts';
import { refusalOf, warnings } from './sale-reply.ts';

/** Items, and eSIMs in total. */
export const MOST_ESIMS = 100;

/** One line of a batch. The product is looked up later. */
interface Item {
  readonly productId: RawValue;
  readonly quantity: number;
  readonly reference: string;
}

/** Left raw here and parsed in `check`, so that the limiter and the endpoint read the same. */
const items = described(
  'What to buy, as JSON: a list of 1 to 100 objects with `product_id`, `quantity` (1 to 100; 1 if left out) and `reference` (your own, may be left out), at most 100 eSIMs in all. Another name in an object is refused.',
  {
    ...rawField(
      Type.String({ contentMediaType: 'application/json' }),
      'items_required',
      'invalid_items',
      'too_many_items',
      'product_id_required',
      'invalid_product',
      'reference_too_long',
      'invalid_reference',
    ),
    required: true,
  },
  { example: '[{"product_id":"esc_0123456789abcdef","quantity":2,"reference":"booking-4711"}]' },
);

const invalid = (item: number | null) => fail('invalid_items', { item });

function parseItems(raw: RawValue): Item[] {
  if (raw === undefined) throw fail('items_required');
  const list = listIn(raw);
  if (list.length === 0) throw fail('items_required');
  if (list.length > MOST_ESIMS) throw fail('too_many_items');
  const parsed = list.map(parseItem);
  if (parsed.reduce((sum, { quantity }) => sum + quantity, 0) > MOST_ESIMS) throw fail('too_many_items');
  return parsed;
}

/** How many eSIMs a batch asks for. A batch that will be refused counts as one call. */
function esimsIn(raw: RawValue): number {
  try {
    return parseItems(raw).reduce((sum, { quantity }) => sum + quantity, 0);
  } catch {
    return 1;
  }
}

function listIn(raw: string | typeof notPlain): unknown[] {
  try {
    const list: unknown = raw === notPlain ? undefined : JSON.parse(raw);
    if (Array.isArray(list)) return list;
  } catch {
    // Not JSON.
  }
  throw invalid(null);
}

function parseItem(item: unknown, index: number): Item {
  if (item === null || typeof item !== 'object' || Array.isArray(item)) throw invalid(index);
  // A misspelt quantity would buy one eSIM instead of many.
  const { product_id, quantity, reference, ...unknown } = item as Record<string, unknown>;
  if (Object.keys(unknown).length > 0) throw invalid(index);
  const count = quantity ?? 1;
  if (typeof count !== 'number' || !Number.isInteger(count) || count < 1 || count > MOST_ESIMS) throw invalid(index);
  try {
    return { productId: textIn(product_id), quantity: count, reference: parseReference(textIn(reference)) };
  } catch (error) {
    throw aboutItem(error, index);
  }
}

/** A value of JSON as a form would have it. Half a character cannot be sent in a form, nor stored. */
function textIn(value: unknown): RawValue {
  if (value === undefined || value === null || value === '') return undefined;
  return typeof value === 'string' && value.isWellFormed() && !value.includes('\0') ? value : notPlain;
}

/** A batch as both of its endpoints show it. */
export const batchReply = {
  batch_id: said.integer('The number of the batch.'),
  orders: Type.Array(OrderItem, {
    description: 'One order for each eSIM, in the order of the items. Failed ones are among them.',
  }),
  count: said.integer('How many orders.'),
  charged: said.number('What was charged for all of them when they were bought, in USD.'),
};

export const batchView = (
  { catalog }: Context,
  id: bigint,
  { orders, charged }: OrderBatch,
): Static<TObject<typeof batchReply>> => ({
  batch_id: Number(id),
  orders: orders.map((order) => orderItem(order, catalog)),
  count: orders.length,
  charged: centsToNumber(charged),
});

/** What is bought: a quote for each item. */
interface BatchSale {
  readonly lines: readonly (Quote & Pick<Item, 'quantity' | 'reference'>)[];
  readonly key: string;
  readonly ceiling: Cents | undefined;
  readonly script: Sale['script'];
}

const totalOf = ({ lines }: BatchSale): Cents =>
  toCents(lines.reduce((sum, { price, quantity }) => sum + price.partnerPrice * BigInt(quantity), 0n));

export const batch = endpoint({
  path: '/purchase/batch',
  verb: 'POST',
  tier: 'purchase',
  permission: 'buy',
  isExtension: true,
  summary: 'Buy up to 100 eSIMs with one charge',
  about: `All of it is charged at once, or nothing is. Then each eSIM is an order of its own, with its own delivery, events and refund: one that cannot be delivered is refunded alone. The answer is always **202**: read \`purchase/batch/{id}\` until nothing is deferred, or wait for the events of the orders. The orders hold activation data once they are delivered.

The key is required. If an answer is lost, send the same request again: the batch is returned as it stands, and nothing is charged twice. The same key with other items, or for a single purchase, is 409 \`idempotency_key_conflict\`. A batch that is refused records nothing and does not use up its key.

It counts as its number of eSIMs against the quota, so a key whose limit is below 100 a minute needs smaller batches.`,
  fields: {
    items,
    idempotency_key: requiredKey(
      'Your name for this batch. Sent again with the same items, it returns the batch as it stands and charges nothing.',
      'group-4711-1',
    ),
    max_total: maxTotal,
    sandbox_scenario: scriptFields.sandbox_scenario,
  },
  calls: (sent) => esimsIn(sent.get('items')),
  errors: [...saleErrors, 'idempotency_key_required'],
  simulated: saleSimulated,
  statuses: [202],
  reply: Type.Object({ ...batchReply, warnings }),
  storeFailure: (codes) => codes.orderInsert,

  isBatch: true,
  /** Items, key, ceiling and script are checked in this order, before a simulated error. */
  async check(context, input): Promise<BatchSale> {
    const lines = await Promise.all(
      parseItems(input.items).map(async ({ productId, ...line }, i) => {
        const quote = await requireEsimPlan(context, productId).catch((error) => {
          throw aboutItem(error, i);
        });
        return { ...quote, ...line };
      }),
    );
    const key = requireIdempotencyKey(input.idempotency_key);
    const ceiling = parseMaxTotal(input.max_total);
    const { script: play } = context.world;
    const script = play?.(parseScript({ ...input, sandbox_usage: undefined })) ?? {};
    return { lines, key, ceiling, script };
  },
  simulatedExtra: (sale: BatchSale) => simulatedAmounts(totalOf(sale), sale.ceiling),

  async handle(context, _, { checked }) {
    const { batchId, queueFull } = await sellBatch(context, checked);
    const placed = await context.world.orders.batch(context.partnerId, batchId);
    // Deleted by a reset of the sandbox since it was placed. The next try with this key is a new batch.
    if (!placed) throw ofBatch(fail('charge_in_progress', { order_id: null, billing_mode: 'prepaid', outstanding: 0 }));
    const view = batchView(context, batchId, placed);
    return { status: 202, body: { ...view, ...(queueFull ? { warnings: ['sandbox_queue_full'] } : {}) } };
  },
});

type Placed = Extract<BatchOutcome, { outcome: 'placed' }>;

/** Buys it, or answers with what was recorded under its key. */
async function sellBatch(context: Context, sale: BatchSale): Promise<Placed> {
  let wanted = sale;
  for (let requotes = 0; ; requotes++) {
    const bought = await attempt(context, wanted);
    if (bought.outcome === 'placed') return bought;
    if (bought.outcome !== 'outdated' || requotes === MAX_REQUOTES)
      throw ofBatch(refusalOf(bought, { price: totalOf(wanted), codes: context.world.codes }));
    const lines = wanted.lines.map(async (line) => {
      return { ...line, ...(await context.pricing.quote(context.partnerId, line.plan.alias)) };
    });
    wanted = { ...wanted, lines: await Promise.all(lines) };
  }
}

async function attempt(context: Context, sale: BatchSale): Promise<BatchOutcome> {
  const { checkout } = context.world;
  const members = membersOf(context, sale);
  const item = sale.lines.findIndex((line) => unsellable(line));
  if (item === -1) return checkout.buyBatch(members);
  // A recorded batch is replayed even if a product has gone off sale since.
  const recorded = await checkout.recordedBatch(members);
  if (!recorded) throw aboutItem(unsellable(sale.lines[item] as Quote), item);
  return recorded;
}

/** One purchase for each eSIM. The first has the key. */
function membersOf(context: Context, sale: BatchSale): Bundle {
  const { ceiling, script } = sale;
  const members = sale.lines.flatMap(({ quantity, ...line }) => {
    const one = wantedOf(context, { ...line, ceiling, script, key: undefined });
    return Array.from({ length: quantity }, (): Wanted => ({ ...one, isBatched: true }));
  });
  const [first, ...others] = members as [Wanted, ...Wanted[]];
  return [{ ...first, key: sale.key }, ...others];
}
