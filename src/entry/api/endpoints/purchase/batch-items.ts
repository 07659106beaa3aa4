import { described } from '../../../../platform/contract/described.ts';
import { aboutItem, fail } from '../../../../platform/contract/failure.ts';
import { notPlain, type RawValue, rawField } from '../../../../platform/contract/fields.ts';
import { Type } from '../../../../platform/contract/schema.ts';
import { parseReference } from './reference.ts';

/** Items, and eSIMs in total. */
export const MOST = 100;

/** One line of a batch. The product is looked up later. */
export interface Item {
  readonly productId: RawValue;
  readonly quantity: number;
  readonly reference: string;
}

/** Left raw here and parsed in `check`, so that the limiter and the endpoint read the same. */
export const items = described(
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

export function parseItems(raw: RawValue): Item[] {
  if (raw === undefined) throw fail('items_required');
  const list = listIn(raw);
  if (list.length === 0) throw fail('items_required');
  if (list.length > MOST) throw fail('too_many_items');
  const parsed = list.map(parseItem);
  if (parsed.reduce((sum, { quantity }) => sum + quantity, 0) > MOST) throw fail('too_many_items');
  return parsed;
}

/** How many eSIMs a batch asks for. A batch that will be refused counts as one call. */
export function esimsIn(raw: RawValue): number {
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
  if (typeof count !== 'number' || !Number.isInteger(count) || count < 1 || count > MOST) throw invalid(index);
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
