import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { endpoints } from '../../../src/entry/api/endpoints.ts';
import { MINUTE } from '../../../src/platform/clock.ts';
import { keyPermissions } from '../../../src/platform/contract/key-terms.ts';
import type { Mode } from '../../../src/platform/contract/mode.ts';
import { sql } from '../../../src/platform/db/query/sql.ts';
import { type Answer, record, type TestApp, testApp } from '../../support/program/app.ts';
import { run } from '../../support/program/operator.ts';
import { invoicing, sell } from '../../support/sales/invoices.ts';
import { testPlan } from '../../support/sales/paid-order.ts';
import { buy, catalogKnows, credit } from '../../support/sales/shop.ts';
import { type Receiver, receiver } from '../../support/servers/receiver.ts';

/** Fields only a sandbox answer may have. */
const ONLY_SANDBOX = ['livemode', 'sandbox_simulated', 'warnings'];
/** Actions only a sandbox has. */
/** Answered with a file, which has no fields; `test/entry/api/endpoints/invoice.test.ts` reads both. */
const FILES = ['/invoice/pdf', '/invoice/xml'];
const SANDBOX_ACTIONS = [
  '/sandbox/invoice',
  '/sandbox/profile',
  '/account/sandboxBalance',
  '/account/sandboxReset',
  '/sandbox/clock',
];

let t: TestApp;
let hook: Receiver;
/** What one account has in one world: a delivered order, a subscription with a delivery, a top-up that was paid. */
interface Stock {
  readonly mode: Mode;
  readonly key: string;
  readonly orderId: string;
  /** An order whose eSIM nothing else is asked about: it is given back. */
  readonly returnedId: string;
  readonly iccid: string;
  /** An eSIM that was never used, and is replaced. */
  readonly unusedIccid: string;
  readonly batchId: number;
  readonly delivery: string;
  /** A subscription that receives nothing else, for what changes one. */
  readonly spare: string;
  readonly paymentKey: string;
  /** The number of an invoice of last month. */
  readonly invoice: string;
}
let stocks: Record<Mode, Stock>;
let product: string;
let refill: string;

before(async () => {
  hook = await receiver();
  t = await testApp({ config: { webhookTrustedHosts: [hook.host], invoicing } });
  const plan = await testPlan(t);
  product = plan.alias;
  refill = (await testPlan(t, { refills: [plan.code] })).alias;
  await catalogKnows(t, product);
  const partnerId = await t.partner();
  await credit(t, partnerId, '100.00');
  stocks = { live: await stock(partnerId, 'live'), sandbox: await stock(partnerId, 'sandbox') };
});
after(async () => {
  await t[Symbol.asyncDispose]();
  await hook[Symbol.asyncDispose]();
});

async function stock(partnerId: number, mode: Mode): Promise<Stock> {
  const key = await t.key(partnerId, mode, { permissions: keyPermissions });
  // More calls of one tier are made than a key may in a minute.
  await t.base.db.run(sql`update api_keys set tier_ceilings = '{"money": 1000}' where partner_id = ${partnerId}`);
  const create = `webhook create --partner ${partnerId} --mode ${mode} --url http://${hook.host}/${mode}`;
  record('secrets', `${(await run(t.operator(), create)).secret}\n`);
  const spare = await run(t.operator(), `${create}/spare --events esim.expired`);
  record('secrets', `${spare.secret}\n`);
  const orderId = (await buy(t, key, product, { idempotency_key: 'stock', sandbox_usage: 'active' })).body.id;
  const returnedId = (await buy(t, key, product)).body.id;
  const items = JSON.stringify([{ product_id: product }]);
  const { batch_id: batchId } = (await t.post('/purchase/batch', { items, idempotency_key: 'stock-2' }, { key })).body;
  const iccidOf = async (id: string) => (await t.get(`/order/detail/${id}`, { key })).body.esim.iccid;
  const [iccid, unusedIccid] = [await iccidOf(orderId), await iccidOf((await buy(t, key, product)).body.id)];
  const delivery = (await t.get('/webhook/deliveries', { key })).body.deliveries[0].id;
  const paymentKey = (await t.post('/account/topup', { amount: '25' }, { key })).body.payment_key;
  if (mode === 'live') await run(t.operator(), `topup pay ${paymentKey}`);
  const lastMonth = new Date(new Date().setUTCDate(0));
  await sell(t, partnerId, { price: 450n, at: lastMonth }, mode);
  const month = lastMonth.toISOString().slice(0, 7);
  const { numbers } = await run(t.operator(), `invoice issue --partner ${partnerId} --month ${month} --mode ${mode}`);
  const ids = { orderId, returnedId, iccid, unusedIccid, batchId };
  return { mode, key, ...ids, delivery, spare: String(spare.subscription_id), paymentKey, invoice: numbers[0] };
}

type Call = (stock: Stock) => Promise<Answer>;
const get =
  (path: (stock: Stock) => string): Call =>
  (s) =>
    t.get(path(s), { key: s.key });
const post =
  (path: string, form: (stock: Stock) => Record<string, string>): Call =>
  (s) =>
    t.post(path, form(s), { key: s.key });

const batch = (items: () => object, more: Record<string, string> = {}): Call =>
  post('/purchase/batch', () => ({ items: JSON.stringify(items()), idempotency_key: 'batch', ...more }));

const rule = () => ({ product_id: refill, at_percent: '80', times: '2', max_price: '20' });

/** What is asked of each endpoint: what it is for, and what it refuses. */
const calls: Record<string, readonly Call[]> = {
  '/catalog/countries': [get(() => '/catalog/countries')],
  '/catalog/products': [
    get(() => '/catalog/products?country=FR'),
    get(() => '/catalog/products?country=FR&min_price=1&limit=1'),
    get(() => '/catalog/products'),
    get(() => '/catalog/products?country=FR&limit=0'),
  ],
  '/catalog/product': [get(() => `/catalog/product/${product}`), get(() => '/catalog/product/esc_00000000000000ff')],
  '/catalog/export': [get(() => '/catalog/export')],
  '/catalog/devices': [
    get(() => '/catalog/devices'),
    get(() => '/catalog/devices?search=galaxy'),
    get(() => `/catalog/devices?search=${'x'.repeat(200)}`),
  ],
  '/catalog/changes': [
    async ({ key }) => {
      const { version } = (await t.get('/catalog/export', { key })).body;
      return t.get(`/catalog/changes?since=${version}`, { key });
    },
    get(() => `/catalog/changes?since=1-${'0'.repeat(8)}-${'0'.repeat(8)}-${'0'.repeat(16)}`),
    get(() => '/catalog/changes'),
    get(() => '/catalog/changes?since=x'),
  ],
  '/purchase/buy': [
    post('/purchase/buy', () => ({ product_id: product })),
    post('/purchase/buy', () => ({ product_id: product, idempotency_key: 'stock' })),
    post('/purchase/buy', () => ({})),
    post('/purchase/buy', () => ({ product_id: product, idempotency_key: 'a<b' })),
    post('/purchase/buy', () => ({ product_id: product, reference: 'a<b' })),
  ],
  '/order/get': [
    get(() => '/order/get'),
    get(() => '/order/get?limit=1&start=9'),
    get(({ iccid }) => `/order/get?status=delivered&before_id=999999&iccid=${iccid}`),
    get(() => '/order/get?from=2020-01-01&to=tomorrow'),
  ],
  '/purchase/refill': [
    post('/purchase/refill', ({ iccid }) => ({ iccid, product_id: refill })),
    post('/purchase/refill', ({ iccid }) => ({ iccid, product_id: product })),
    post('/purchase/refill', () => ({ iccid: '123', product_id: refill })),
    post('/purchase/refill', () => ({})),
  ],
  '/purchase/batch': [
    batch(() => [{ product_id: product, quantity: 2 }]),
    batch(() => [{ product_id: product }], { idempotency_key: 'stock' }),
    batch(() => [{ product_id: product, quantity: 0 }]),
    batch(() => [{ product_id: product }], { idempotency_key: '' }),
    post('/purchase/batch', () => ({})),
  ],
  '/purchase/batch/{id}': [
    get(({ batchId }) => `/purchase/batch/${batchId}`),
    get(({ orderId }) => `/purchase/batch/${orderId}`),
  ],
  '/purchase/quote': [
    get(() => `/purchase/quote?product_id=${product}`),
    get(({ iccid }) => `/purchase/quote?product_id=${refill}&iccid=${iccid}`),
    get(() => `/purchase/quote?product_id=${refill}`),
    get(() => '/purchase/quote?iccid=123'),
  ],
  '/esim/list': [get(() => '/esim/list'), get(() => '/esim/list?state=on'), get(() => '/esim/list?before_id=x')],
  '/esim/detail': [
    get(({ iccid }) => `/esim/detail/${iccid}`),
    get(() => '/esim/detail/123'),
    get(() => '/esim/detail'),
  ],
  '/esim/refills': [
    get(({ iccid }) => `/esim/refills/${iccid}`),
    get(() => '/esim/refills/123'),
    get(() => '/esim/refills'),
  ],
  '/order/detail': [
    get(({ orderId }) => `/order/detail/${orderId}`),
    get(() => '/order/detail/1'),
    get(() => '/order/detail'),
  ],
  '/order/usage': [
    get(({ iccid }) => `/order/usage/${iccid}`),
    get(() => '/order/usage/123'),
    get(() => '/order/usage'),
  ],
  '/order/refund': [
    post('/order/refund', ({ returnedId }) => ({ order_id: returnedId, reason: 'Trip cancelled' })),
    post('/order/refund', ({ returnedId }) => ({ order_id: returnedId })),
    post('/order/refund', () => ({ order_id: '1' })),
    post('/order/refund', () => ({})),
  ],
  '/order/cancel': [
    post('/order/cancel', ({ returnedId }) => ({ order_id: returnedId })),
    post('/order/cancel', () => ({ order_id: '1' })),
    post('/order/cancel', () => ({})),
  ],
  '/esim/suspend': [
    post('/esim/suspend', ({ iccid }) => ({ iccid })),
    post('/esim/suspend', () => ({ iccid: '1' })),
    post('/esim/suspend', () => ({})),
  ],
  '/esim/resume': [
    post('/esim/resume', ({ iccid }) => ({ iccid })),
    post('/esim/resume', () => ({ iccid: '1' })),
    post('/esim/resume', () => ({})),
  ],
  '/esim/replace': [
    post('/esim/replace', ({ unusedIccid }) => ({ iccid: unusedIccid, idempotency_key: 'r-1', reason: 'It fails' })),
    post('/esim/replace', ({ unusedIccid }) => ({ iccid: unusedIccid, idempotency_key: 'r-1' })),
    post('/esim/replace', ({ unusedIccid }) => ({ iccid: unusedIccid })),
    post('/esim/replace', () => ({ iccid: '1', idempotency_key: 'r-2' })),
    post('/esim/replace', () => ({})),
  ],
  '/esim/autorefill': [
    post('/esim/autorefill', ({ iccid }) => ({ iccid, ...rule() })),
    post('/esim/autorefill', ({ iccid }) => ({ iccid, ...rule(), product_id: product })),
    post('/esim/autorefill', ({ iccid }) => ({ iccid, ...rule(), at_percent: '10' })),
    post('/esim/autorefill', ({ iccid }) => ({ iccid, ...rule(), times: '21' })),
    post('/esim/autorefill', ({ iccid }) => ({ iccid, ...rule(), max_price: '' })),
    get(({ iccid }) => `/esim/detail/${iccid}`),
    post('/esim/autorefill', ({ iccid }) => ({ iccid, off: '1' })),
    post('/esim/autorefill', ({ iccid }) => ({ iccid, off: 'x' })),
    post('/esim/autorefill', () => ({ iccid: '1', ...rule() })),
    post('/esim/autorefill', () => ({})),
  ],
  '/invoice/list': [get(() => '/invoice/list'), get(() => '/invoice/list?status=lost')],
  '/invoice/detail': [
    get(({ invoice }) => `/invoice/detail/${invoice}`),
    get(() => '/invoice/detail/INV1999-000001'),
    get(() => '/invoice/detail'),
  ],
  '/invoice/pdf': [get(() => '/invoice/pdf/INV1999-000001'), get(() => '/invoice/pdf')],
  '/invoice/xml': [get(() => '/invoice/xml/INV1999-000001'), get(() => '/invoice/xml')],
  '/sandbox/invoice': [
    post('/sandbox/invoice', ({ invoice }) => ({ number: invoice, event: 'invoice.overdue' })),
    post('/sandbox/invoice', () => ({})),
  ],
  '/sandbox/profile': [
    post('/sandbox/profile', ({ iccid }) => ({ iccid, state: 'installed' })),
    post('/sandbox/profile', () => ({})),
  ],
  '/account/balance': [get(() => '/account/balance')],
  '/account/history': [get(() => '/account/history'), get(() => '/account/history?limit=1')],
  '/account/statement': [get(() => '/account/statement'), get(() => '/account/statement?type=charge')],
  '/account/profitshare': [get(() => '/account/profitshare')],
  '/account/pricing': [get(() => '/account/pricing')],
  '/account/limits': [get(() => '/account/limits')],
  '/account/topup': [
    post('/account/topup', () => ({ amount: '20' })),
    post('/account/topup', () => ({ amount: '1' })),
    post('/account/topup', () => ({})),
  ],
  '/account/topupConfirm': [
    post('/account/topupConfirm', ({ paymentKey }) => ({ payment_key: paymentKey })),
    post('/account/topupConfirm', () => ({ payment_key: 'nothing' })),
    post('/account/topupConfirm', () => ({})),
  ],
  '/account/sandboxBalance': [
    post('/account/sandboxBalance', () => ({ operation: 'add', amount: '1' })),
    post('/account/sandboxBalance', () => ({})),
  ],
  '/account/sandboxReset': [post('/account/sandboxReset', () => ({}))],
  '/webhook/list': [get(() => '/webhook/list')],
  '/webhook/deliveries': [
    get(() => '/webhook/deliveries'),
    get(({ delivery }) => `/webhook/deliveries?id=${delivery}`),
    get(() => '/webhook/deliveries?id=999999'),
    get(() => '/webhook/deliveries?status=lost'),
  ],
  '/webhook/test': [post('/webhook/test', () => ({})), post('/webhook/test', () => ({ subscription_id: '999' }))],
  '/webhook/probe': [
    post('/webhook/probe', () => ({ url: `http://${hook.host}/probe` })),
    post('/webhook/probe', () => ({ url: 'https://10.0.0.1/' })),
    post('/webhook/probe', () => ({})),
  ],
  '/webhook/create': [
    post('/webhook/create', ({ mode }) => ({ url: `http://${hook.host}/${mode}/new`, events: 'esim.expired' })),
    post('/webhook/create', ({ mode }) => ({ url: `http://${hook.host}/${mode}/new` })),
    post('/webhook/create', () => ({ url: 'https://10.0.0.1/' })),
    post('/webhook/create', () => ({})),
  ],
  '/webhook/update': [
    post('/webhook/update', ({ spare }) => ({ id: spare, events: 'esim.depleted' })),
    post('/webhook/update', ({ spare }) => ({ id: spare, events: 'x' })),
    post('/webhook/update', () => ({ id: '999999' })),
  ],
  '/webhook/pause': [post('/webhook/pause', ({ spare }) => ({ id: spare })), post('/webhook/pause', () => ({}))],
  '/webhook/resume': [post('/webhook/resume', ({ spare }) => ({ id: spare })), post('/webhook/resume', () => ({}))],
  '/webhook/rotate': [
    post('/webhook/rotate', ({ spare }) => ({ id: spare })),
    post('/webhook/rotate', ({ spare }) => ({ id: spare, finish: '1' })),
    post('/webhook/rotate', ({ spare }) => ({ id: spare, finish: '2' })),
  ],
  '/webhook/delete': [
    post('/webhook/delete', ({ spare }) => ({ id: spare })),
    post('/webhook/delete', ({ spare }) => ({ id: spare })),
  ],
  '/sandbox/clock': [post('/sandbox/clock', () => ({ reset: '1' })), post('/sandbox/clock', () => ({}))],
};

/** The fields and types of a value: null and an empty list leave their type open. */
type Shape = string | { [field: string]: Shape } | [Shape];
function shapeOf(value: unknown): Shape | undefined {
  if (value === null) return undefined;
  if (Array.isArray(value)) {
    const [first] = value.map(shapeOf);
    return first === undefined ? undefined : [first];
  }
  if (typeof value !== 'object') return typeof value;
  const fields = Object.entries(value as object).map(([field, inner]) => [field, shapeOf(inner) ?? 'open']);
  return Object.fromEntries(fields);
}

/** Each way two shapes differ. */
function differences(live: Shape, sandbox: Shape, at: string): string[] {
  if (live === 'open' || sandbox === 'open') return [];
  if (Array.isArray(live) && Array.isArray(sandbox)) return differences(live[0], sandbox[0], `${at}[]`);
  if (typeof live === 'string' || typeof sandbox === 'string' || Array.isArray(live) || Array.isArray(sandbox)) {
    return JSON.stringify(live) === JSON.stringify(sandbox)
      ? []
      : [`${at}: ${JSON.stringify(live)} and ${JSON.stringify(sandbox)}`];
  }
  const fields = new Set([...Object.keys(live), ...Object.keys(sandbox)]);
  return [...fields].flatMap((field) => {
    const [a, b] = [live[field], sandbox[field]];
    if (a === undefined || b === undefined) return [`${at}.${field}: only in ${a === undefined ? 'sandbox' : 'live'}`];
    return differences(a, b, `${at}.${field}`);
  });
}

function comparable(body: Record<string, unknown>): Shape {
  const rest = Object.entries(body).filter(([field]) => !ONLY_SANDBOX.includes(field));
  return shapeOf(Object.fromEntries(rest)) ?? 'open';
}

test('every endpoint is asked something', () => {
  assert.deepEqual(Object.keys(calls).sort(), endpoints.map(({ path }) => path).sort());
});

for (const { path } of endpoints.filter((one) => ![...SANDBOX_ACTIONS, ...FILES].includes(one.path))) {
  test(`${path}: live and sandbox answer the same fields of the same types, and refuse with the same code`, async () => {
    for (const [i, call] of (calls[path] ?? []).entries()) {
      const [live, sandbox] = [await call(stocks.live), await call(stocks.sandbox)];
      const told = `${path}, call ${i + 1}`;
      assert.deepEqual([sandbox.status, sandbox.body.error], [live.status, live.body.error], told);
      if (i === 0) assert.ok([200, 202].includes(sandbox.status), `${told}: the first is one that works`);
      assert.deepEqual(differences(comparable(live.body), comparable(sandbox.body), told), []);
      assert.deepEqual([live.body.livemode, sandbox.body.livemode], [undefined, false], told);
      const headers = (answer: Answer) => Object.keys(answer.headers).sort();
      assert.deepEqual(headers(sandbox), headers(live), told);
    }
  });
}

for (const path of SANDBOX_ACTIONS) {
  test(`${path}: sandbox answers, live refuses the action itself`, async () => {
    // Together they are more calls than a key has in a minute.
    t.clock.advance(MINUTE);
    const [first] = calls[path] as [Call];
    assert.equal((await first(stocks.sandbox)).status, 200);
    for (const call of calls[path] ?? []) assert.equal((await call(stocks.live)).body.error, 'sandbox_only_action');
  });
}
