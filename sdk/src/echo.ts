import type { Operation } from './contract.ts';
import { answers, variants } from './examples.ts';

interface Sent {
  readonly operation: Operation;
  readonly fields: Readonly<Record<string, string>>;
  readonly param: string | undefined;
}

/** Where an answer has what followed the endpoint's path. */
const params: Partial<Record<Operation, readonly string[]>> = {
  catalog_product: ['product.id'],
  order_detail: ['order.id'],
  purchase_batchById: ['batch_id'],
  order_usage: ['usage.iccid'],
  esim_detail: ['esim.iccid', 'usage.iccid'],
  esim_refills: ['iccid'],
};

/** Fields that an answer has under another name, or that mean something else in it. */
const renamed: Partial<Record<Operation, Readonly<Record<string, string>>>> = {
  catalog_products: { country: 'country_code' },
  // The filter says `delivered`, a row says "1".
  order_get: { status: '' },
  webhook_deliveries: { event: 'event_type' },
  sandbox_clock: { advance: 'ahead_seconds' },
};

/**
 * The example with what was sent in it: a program that buys product X for booking Y reads X and Y in the answer. A list has one page
 * and at most as many rows as were asked for.
 */
export function echo(call: Sent): { readonly status: number; readonly body: object } {
  const { operation, fields, param } = call;
  const { status, example } = exampleFor(call);
  const body = structuredClone(example) as Record<string, unknown>;
  for (const [name, value] of Object.entries(fields)) put(body, renamed[operation]?.[name] ?? name, value);
  for (const path of param === undefined ? [] : (params[operation] ?? [])) putAt(body, path.split('.'), String(param));
  if (operation === 'purchase_batch' && fields.items !== undefined) fillBatch(body, fields.items);
  if (operation === 'catalog_products') body.filters = filtersIn(fields);
  if (operation === 'account_sandboxBalance') body.balance = changed(Number(body.previous_balance), fields);
  if (fields.events !== undefined && 'subscription' in body)
    (body.subscription as { events_list: string[] }).events_list = fields.events.split(',');
  if ('has_more' in body) body.has_more = false;
  if (fields.limit !== undefined)
    for (const [name, rows] of Object.entries(body)) if (isRows(rows)) body[name] = rows.slice(0, Number(fields.limit));
  return { status, body };
}

function exampleFor({ operation, fields }: Sent): { status: number; example: object } {
  const path = operation.replace('_', '/').replace(/ById$/, '/{id}');
  const usual = answers[path];
  if (!usual) throw new Error(`The API has no endpoint ${operation}`);
  // An id is another one each time; that there is one decides.
  const isMatch = ([name, value]: [string, string]) => (name === 'id' ? name in fields : fields[name] === value);
  const other = variants[path]?.find(({ when }) => Object.keys(when).length > 0 && Object.entries(when).every(isMatch));
  return other
    ? { status: other.status, example: other.body }
    : { status: Number((usual as { code: string }).code), example: usual };
}

/** One order for each eSIM asked for. */
function fillBatch(body: Record<string, unknown>, items: string): void {
  const [example] = body.orders as [object];
  const lines = JSON.parse(items) as { product_id: string; quantity?: number; reference?: string }[];
  const orders = lines.flatMap(({ product_id, quantity = 1, reference = '' }) =>
    Array.from({ length: quantity }, () => ({ ...structuredClone(example), product_id, reference })),
  );
  Object.assign(body, { orders, count: orders.length });
}

/** Those that `catalog/products` has a place of its own for in its answer. */
const noFilters = ['country', 'include_small', 'all_variants', 'sort', 'order', 'limit', 'offset', 'sandbox_error'];

function filtersIn(fields: Sent['fields']): object {
  const sent = Object.entries(fields).filter(([name]) => !noFilters.includes(name));
  const plain = sent.map(([name, value]) => [name, /^[\d.]+$/.test(value) ? Number(value) : value]);
  return plain.length > 0 ? Object.fromEntries(plain) : [];
}

function changed(before: number, { operation, amount }: Sent['fields']): number {
  if (operation === 'set') return Number(amount);
  return before + Number(amount) * (operation === 'subtract' ? -1 : 1);
}

const isRows = (value: unknown): value is object[] => Array.isArray(value) && typeof value[0] === 'object';

/** Everywhere in the body where a field has this name and a plain value. */
function put(inside: unknown, name: string, value: string): void {
  if (typeof inside !== 'object' || inside === null) return;
  for (const [field, old] of Object.entries(inside)) {
    if (typeof old === 'object' && old !== null) put(old, name, value);
    else if (field === name) (inside as Record<string, unknown>)[field] = like(old, value);
  }
}

function putAt(inside: Record<string, unknown>, [name = '', ...rest]: readonly string[], value: string): void {
  if (rest.length === 0) inside[name] = like(inside[name], value);
  else putAt(inside[name] as Record<string, unknown>, rest, value);
}

/** A form has only text; the answer has a number where the example has one. */
function like(old: unknown, value: string): unknown {
  if (typeof old === 'number') return Number(value);
  return typeof old === 'boolean' ? value === '1' : value;
}
