import { repeatable } from '../src/call.ts';
import { type Content, type Described, isRefusal, type Operation, read, type Schema } from './description.ts';

/** What the generators of PHP and Python write down: every method with its fields, every error and every event. */
export interface Model {
  readonly version: string;
  readonly groups: ReadonlyMap<string, readonly Method[]>;
  /** Paths of calls that are POSTs, and of those among them that do the same when they are sent twice. */
  readonly posts: readonly string[];
  readonly repeatable: readonly string[];
  /** Every named schema but the refusals. */
  readonly schemas: Readonly<Record<string, Schema>>;
  readonly refusals: readonly Refusal[];
  readonly events: readonly string[];
}
export interface Field {
  readonly name: string;
  readonly schema: Schema;
  readonly isRequired: boolean;
  /** Arrays here; the API reads a text. */
  readonly list: 'events' | 'items' | undefined;
  /** "1" and "0" in the API; here a boolean will do. */
  readonly isFlag: boolean;
}
export interface Method {
  /** As in the TypeScript SDK: `topupConfirm`. */
  readonly name: string;
  readonly verb: 'GET' | 'POST';
  readonly path: string;
  /** What follows the path: `id`, `iccid`, `number`. */
  readonly param: string | undefined;
  /** The parameter is a field of the call, not part of its path. */
  readonly isParamField: boolean;
  readonly fields: readonly Field[];
  /** The name of the answer's schema; undefined: the bytes of a file. */
  readonly answer: string | undefined;
  readonly summary: string;
  readonly list: List | undefined;
}
/** A list to iterate: where its rows are in an answer, what they are, and how to ask for the next page. */
export interface List {
  readonly rows: string;
  readonly row: string;
  readonly by: 'before_id' | 'offset' | 'start';
  /** What `before_id` is taken from. */
  readonly of: string;
  readonly limit: number | undefined;
}
export interface Refusal {
  readonly code: string;
  /** `InsufficientBalanceError`. */
  readonly name: string;
  readonly description: string;
  /** What comes with this code only. */
  readonly fields: Readonly<Record<string, Schema>>;
  readonly required: readonly string[];
}

type Iterated = List & { readonly name: string; readonly summary: string };

const iterated: Readonly<Record<string, Iterated>> = {
  catalog_products: {
    name: 'allProducts',
    summary: 'Plans of one destination, however many there are.',
    rows: 'products',
    row: 'Product',
    by: 'offset',
    of: '',
    limit: undefined,
  },
  order_get: all('all', 'All orders that match', 'order', 'Order', 'id', 100),
  esim_list: all('all', 'All eSIMs that match', 'esims', 'Esim', 'order_id', 100),
  invoice_list: all('all', 'All documents that match', 'invoices', 'Invoice', 'id', 100),
  account_history: all('allHistory', 'All wallet movements that match', 'ledger', 'Movement', 'id', 500),
  account_statement: all('allStatement', 'All lines that match', 'ledger', 'StatementLine', 'id', 500),
  account_profitshare: {
    ...all('allProfitshare', 'All shares that match', 'items', 'RevenueShare', 'id', 500),
    by: 'start',
  },
};

function all(name: string, what: string, rows: string, row: string, of: string, limit: number): Iterated {
  return { name, summary: `${what}, newest first, fetched page by page.`, rows, row, by: 'before_id', of, limit };
}

/** What a method adds to the summary of its endpoint. */
const notes: Readonly<Record<string, string>> = {
  purchase_buy:
    'Without an `idempotency_key` it gets a new one, which protects the attempts of this call. Give your own to be protected when your program sends the purchase again, too.',
  purchase_refill: 'Keys work as with `buy`.',
  purchase_batch: 'Keys work as with `buy`.',
  order_detail: 'The activation data is a secret: the first phone to install it gets the line.',
  account_topup: 'Never repeated by itself: each call opens a payment.',
};

/** Refusals have these all; the code is the class. */
const ENVELOPE = [
  'result',
  'code',
  'error',
  'title',
  'message',
  'api_version',
  'livemode',
  'sandbox_simulated',
  'ignored',
];

const lastOf = ($ref = ''): string => $ref.split('/').at(-1) ?? '';

function fieldsOf({ parameters, requestBody }: Operation): Field[] {
  const sent = parameters.filter((one) => one.in === 'query');
  const form = requestBody?.content['application/x-www-form-urlencoded']?.schema ?? {};
  const all: [string, Schema, boolean][] = [
    ...sent.map(({ name, description = '', schema, required = false }): [string, Schema, boolean] => [
      name,
      { ...schema, description },
      required,
    ]),
    ...Object.entries(form.properties ?? {}).map(([name, schema]): [string, Schema, boolean] => [
      name,
      schema,
      form.required?.includes(name) ?? false,
    ]),
  ];
  return all
    .map(([name, schema, isRequired]) => ({
      name,
      schema,
      // The client makes a key where there is none.
      isRequired: isRequired && name !== 'idempotency_key',
      list: name === 'events' || name === 'items' ? (name as 'events' | 'items') : undefined,
      isFlag: schema.enum?.length === 2 && schema.enum.includes('0') && schema.enum.includes('1'),
    }))
    .sort((a, b) => Number(b.isRequired) - Number(a.isRequired));
}

function methodsOf(path: string, verb: string, operation: Operation): Method[] {
  const { operationId, responses } = operation;
  const name = operationId.split('_')[1] ?? '';
  const answer = (responses['200'] ?? responses['202']) as Content;
  const method: Method = {
    name: operationId === 'purchase_batchById' ? 'getBatch' : name,
    verb: verb.toUpperCase() as Method['verb'],
    path: path.slice(1).replace(/\/\{\w+\}$/, ''),
    param: /\{(\w+)\}$/.exec(path)?.[1],
    isParamField: false,
    fields: fieldsOf(operation),
    answer: lastOf(answer.content['application/json']?.schema.$ref) || undefined,
    summary: [`${operation.summary}.`, notes[operationId]].filter(Boolean).join(' '),
    list: undefined,
  };
  if (operationId === 'webhook_deliveries') {
    const fields = method.fields.filter((one) => one.name !== 'id');
    const summary = 'One delivery with the exact body that was signed.';
    return [
      { ...method, fields, answer: 'DeliveryList', summary: 'The latest deliveries.' },
      { ...method, name: 'delivery', param: 'id', isParamField: true, fields, answer: 'DeliveryDetail', summary },
    ];
  }
  const list = iterated[operationId];
  if (!list) return [method];
  const own = list.by === 'offset' ? [] : ['start'];
  const fields = method.fields.filter((one) => !own.includes(one.name));
  return [method, { ...method, name: list.name, summary: list.summary, fields, list }];
}

export async function readModel(): Promise<Model> {
  const { paths, components } = await read<Described>('openapi.json');
  const { version } = await read<{ version: string }>('sdk/package.json');
  const calls = Object.entries(paths).flatMap(([path, verbs]) =>
    Object.entries(verbs).flatMap(([verb, operation]) => methodsOf(path, verb, operation)),
  );
  const groups = new Map<string, Method[]>();
  for (const method of calls) {
    const group = method.path.split('/')[0] ?? '';
    groups.set(group, [...(groups.get(group) ?? []), method]);
  }
  const schemas = Object.entries(components.schemas);
  const refusals = schemas.filter(([, schema]) => isRefusal(schema));
  return {
    version,
    groups,
    posts: calls.flatMap(({ verb, path }) => (verb === 'POST' ? [path] : [])).sort(),
    repeatable: repeatable.map((operation) => operation.replace('_', '/')).sort(),
    schemas: Object.fromEntries(schemas.filter(([, schema]) => !isRefusal(schema))),
    refusals: refusals.map(([name, { properties = {}, required = [], description = '' }]) => ({
      code: String(properties.error?.const),
      name,
      description,
      fields: Object.fromEntries(Object.entries(properties).filter(([field]) => !ENVELOPE.includes(field))),
      required,
    })),
    events: schemas.flatMap(([name]) => (name.endsWith('Event') ? [name] : [])),
  };
}

/** Text in lines of at most `width`, for a comment; paragraphs and list items stay apart. */
export function wrapped(text: string, width: number): string[] {
  return text.split('\n').flatMap((paragraph) => {
    const lines: string[] = [];
    let line = '';
    for (const word of paragraph.split(' ')) {
      if (line !== '' && line.length + word.length + 1 > width) {
        lines.push(line);
        line = '';
      }
      line = line === '' ? word : `${line} ${word}`;
    }
    return [...lines, line];
  });
}

export const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
