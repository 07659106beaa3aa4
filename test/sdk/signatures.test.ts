import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import openapi from '../../openapi.json' with { type: 'json' };
import { type CallOptions, Wayfare } from '../../sdk/src/wayfare.ts';

interface Field {
  readonly name: string;
  readonly place: 'path' | 'query' | 'form';
  readonly schema: { readonly type?: string; readonly contentMediaType?: string; readonly description?: string };
}
interface Described {
  readonly operationId: string;
  readonly parameters?: readonly { name?: string; in?: string; description?: string; schema?: Field['schema'] }[];
  readonly requestBody?: {
    readonly content: Record<string, { readonly schema: { readonly properties: Record<string, Field['schema']> } }>;
  };
}

/** Every field of every operation, from the description of the API. */
const operations = new Map(
  Object.values(openapi.paths as unknown as Record<string, Record<string, Described>>).flatMap((verbs) =>
    Object.values(verbs).map((operation): [string, Field[]] => {
      const { parameters = [], requestBody } = operation;
      const sent = parameters.flatMap(({ name, in: place, description = '', schema = {} }): Field[] =>
        name && (place === 'path' || place === 'query') ? [{ name, place, schema: { ...schema, description } }] : [],
      );
      const form = requestBody?.content['application/x-www-form-urlencoded']?.schema.properties ?? {};
      const posted = Object.entries(form).map(([name, schema]): Field => ({ name, place: 'form', schema }));
      return [operation.operationId, [...sent, ...posted]];
    }),
  ),
);

/** Methods that are not named like their endpoint. */
const others: Readonly<Record<string, string>> = {
  'catalog.allProducts': 'catalog_products',
  'purchase.getBatch': 'purchase_batchById',
  'order.all': 'order_get',
  'esim.all': 'esim_list',
  'invoice.all': 'invoice_list',
  'account.allHistory': 'account_history',
  'account.allStatement': 'account_statement',
  'account.allProfitshare': 'account_profitshare',
  'webhook.delivery': 'webhook_deliveries',
};

/** A value for a field, and what the API must get for it. */
function sample({ name, schema }: Field): readonly [given: unknown, wire: string] {
  if (schema.contentMediaType === 'application/json') return [[{ product_id: name }], `[{"product_id":"${name}"}]`];
  if (/between commas/.test(schema.description ?? ''))
    return [['order.paid', 'order.failed'], 'order.paid,order.failed'];
  return schema.type === 'integer' ? [7, '7'] : [`a ${name}`, `a ${name}`];
}

/** A server with nothing in its lists, and what it was sent. */
function server() {
  const sent: { url: URL; form: URLSearchParams; key: string | null }[] = [];
  const wayfare = new Wayfare({
    key: 'esk_test_one',
    async fetch(input, init) {
      const url = new URL(String(input));
      const form = init?.method === 'POST' ? new URLSearchParams(String(init.body)) : url.searchParams;
      sent.push({ url, form, key: new Headers(init?.headers).get('x-api-key') });
      const lists = { products: [], order: [], esims: [], invoices: [], ledger: [], items: [] };
      return new Response(JSON.stringify({ result: 'ok', truncated: false, has_more: false, ...lists }));
    },
  });
  return { wayfare, sent };
}

type Method = (...args: unknown[]) => Promise<unknown> & Partial<AsyncGenerator>;
const methodsOf = (wayfare: Wayfare): [string, Method][] =>
  Object.entries(wayfare as unknown as Record<string, Record<string, Method>>).flatMap(([group, methods]) =>
    typeof methods === 'object'
      ? Object.entries(methods).map(([name, one]): [string, Method] => [`${group}.${name}`, one])
      : [],
  );

const isPaging = (name: string): boolean => /\.all/.test(name);

/** The fields that `all…` methods set themselves. */
const OWN = ['start'];

suite('every method takes the id of its path if it has one, then fields, then options', () => {
  for (const [name] of methodsOf(server().wayfare))
    test(name, async () => {
      const { wayfare, sent } = server();
      const operation = others[name] ?? name.replace('.', '_');
      const fields = operations.get(operation);
      assert.ok(fields, `the API has no ${operation}`);
      const method = new Map(methodsOf(wayfare)).get(name) as Method;
      const isById = fields.some(({ place }) => place === 'path') || name === 'webhook.delivery';
      const free = fields.filter((one) => one.place !== 'path' && !(isPaging(name) && OWN.includes(one.name)));
      const named = free.filter((one) => !(name === 'webhook.delivery' && one.name === 'id'));
      const given = Object.fromEntries(named.map((field) => [field.name, sample(field)[0]]));
      const args = [...(isById ? ['17'] : []), { ...given, newer_than_the_sdk: 'x' }, { key: 'esk_test_two' }];
      const calling = method(...args);
      await (isPaging(name) ? calling.next?.() : calling);
      const [{ url, form, key } = assert.fail('nothing was sent')] = sent;
      const wire = Object.fromEntries(named.map((field) => [field.name, sample(field)[1]]));
      for (const [field, value] of Object.entries({ ...wire, newer_than_the_sdk: 'x' }))
        assert.equal(form.get(field), value, field);
      assert.equal(key, 'esk_test_two', 'the options are the last argument');
      if (isById) assert.ok(url.pathname.endsWith('/17') || form.get('id') === '17');
    });

  test('every endpoint has its method', () => {
    const covered = methodsOf(server().wayfare).map(([name]) => others[name] ?? name.replace('.', '_'));
    assert.deepEqual(
      [...operations.keys()].filter((operation) => !covered.includes(operation)),
      [],
    );
  });

  test('the types say the same', () => {
    type Misplaced<Group> = {
      [Name in keyof Group]: Group[Name] extends (...args: infer Args) => unknown
        ? Required<Args> extends readonly [...unknown[], object, CallOptions]
          ? never
          : Name
        : never;
    }[keyof Group];
    type Groups = Omit<Wayfare, 'request'>;
    const misplaced: { [Group in keyof Groups]: Misplaced<Groups[Group]> }[keyof Groups][] = [];
    const none: never[] = misplaced;
    assert.deepEqual(none, []);
    const { wayfare } = server();
    void (() => wayfare.webhook.create({ url: '', events: ['order.paid', 'esim.expired'] }));
    // @ts-expect-error: a list is an array.
    void (() => wayfare.webhook.create({ url: '', events: 'order.paid' }));
    // @ts-expect-error: an event that does not exist.
    void (() => wayfare.webhook.update({ id: 1, events: ['order.payed'] }));
    // @ts-expect-error: options are not fields.
    void (() => wayfare.account.balance({ maxRetries: 1 }));
    void (() => wayfare.esim.detail('8901', { lang: 'de' }, { maxRetries: 1 }));
  });
});
