import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { keyPermissions } from '../../../src/platform/contract/key-terms.ts';
import { rowCounts } from '../../support/database/rows.ts';
import { type Answer, record, type TestApp, testApp } from '../../support/program/app.ts';
import { run } from '../../support/program/operator.ts';
import { testPlan } from '../../support/sales/paid-order.ts';
import { catalogKnows, pausedSubscription } from '../../support/sales/shop.ts';

const everywhere = ['invalid_api_key', 'partner_disabled', 'ip_not_allowed', 'rate_limited'];

/** The contract's table, written out: what each endpoint accepts beyond the four. */
const extra = {
  'GET catalog/countries': [],
  'GET catalog/products': ['country_not_found'],
  'GET catalog/product': ['product_not_found'],
  'POST purchase/buy': [
    'product_not_found',
    'invalid_price',
    'insufficient_balance',
    'credit_limit_exceeded',
    'partner_account_suspended',
    'charge_in_progress',
    'charge_incomplete',
    'idempotency_key_conflict',
    'sale_insert_failed',
  ],
  'GET order/get': ['order_read_failed'],
  'GET order/detail': ['order_not_found', 'order_read_failed'],
  'GET order/usage': ['usage_not_available'],
  'GET account/balance': [],
  'GET account/history': ['history_read_failed'],
  'GET account/statement': ['partner_account_not_found'],
  'GET account/profitshare': [],
  'GET account/pricing': [],
  'POST account/topup': ['topup_not_available', 'amount_out_of_range', 'topup_failed', 'topup_record_failed'],
  'POST account/topupConfirm': ['topup_not_found', 'topup_confirm_failed'],
  'POST account/sandboxBalance': [
    'invalid_operation',
    'amount_required',
    'balance_out_of_range',
    'sandbox_balance_write_failed',
  ],
  'POST account/sandboxReset': [],
  'GET webhook/list': ['webhook_read_failed'],
  'GET webhook/deliveries': ['delivery_not_found', 'webhook_read_failed'],
  'POST webhook/test': [
    'no_subscription',
    'subscription_not_found',
    'no_active_subscription',
    'test_enqueue_failed',
    'webhook_read_failed',
  ],
  'POST webhook/probe': ['probe_blocked', 'probe_unavailable'],
} as const;

/** The same for what we add beside the contract. */
const added = {
  'GET esim/list': [],
  'GET esim/detail': ['esim_not_found'],
  'GET esim/refills': ['esim_not_found'],
  'POST purchase/refill': [...extra['POST purchase/buy'], 'esim_not_found', 'invalid_refill'],
  'GET purchase/quote': ['esim_not_found', 'invalid_refill'],
  'POST order/refund': ['order_not_found', 'order_not_refundable'],
  'POST order/cancel': ['order_not_found'],
  'POST webhook/create': ['url_blocked', 'url_already_subscribed', 'subscription_limit_reached'],
  'POST webhook/update': ['subscription_not_found', 'url_blocked', 'url_already_subscribed'],
  'POST webhook/pause': ['subscription_not_found'],
  'POST webhook/resume': ['subscription_not_found'],
  'POST webhook/rotate': ['subscription_not_found'],
  'POST webhook/delete': ['subscription_not_found'],
  'POST sandbox/clock': ['clock_too_far'],
  'GET account/limits': [],
} as const;

/** What purchases answer since they take a ceiling on the price and keep to limits on spending. */
const ofSpending = ['price_changed', 'limit_exceeded'] as const;

const accepted = {
  ...extra,
  ...added,
  'POST purchase/buy': [...extra['POST purchase/buy'], ...ofSpending],
  'POST purchase/refill': [...added['POST purchase/refill'], ...ofSpending],
};
type Name = keyof typeof accepted;
const names = Object.keys(accepted) as Name[];
const pairsOf = (these: readonly Name[]) =>
  these.flatMap((name) => [...everywhere, ...accepted[name]].map((code) => ({ name, code })));
const pairs = pairsOf(names);

/** HTTP status and the fields beyond the envelope, as the contract's error tables give them. */
const money = 'number';
const live: Record<string, [status: number, fields?: Record<string, string>]> = {
  invalid_api_key: [401],
  partner_disabled: [403],
  ip_not_allowed: [403],
  rate_limited: [429, { limit_per_minute: 'number', tier: 'string', retry_after: 'number' }],
  country_not_found: [404],
  product_not_found: [404],
  invalid_price: [400],
  insufficient_balance: [402, { balance: money, required: money, order_id: 'number' }],
  credit_limit_exceeded: [
    403,
    { outstanding: money, credit_limit: money, available: money, required: money, order_id: 'number' },
  ],
  partner_account_suspended: [403, { billing_mode: 'string', status: 'number' }],
  charge_in_progress: [409, { order_id: 'number', billing_mode: 'string', outstanding: money }],
  charge_incomplete: [409, { order_id: 'number', billing_mode: 'string', outstanding: money }],
  idempotency_key_conflict: [409],
  price_changed: [409, { partner_price: money, max_price: money }],
  limit_exceeded: [403, { limit: 'object' }],
  sale_insert_failed: [500],
  order_read_failed: [500],
  order_not_found: [404],
  usage_not_available: [404],
  order_not_refundable: [409],
  history_read_failed: [500],
  partner_account_not_found: [404],
  topup_not_available: [403],
  amount_out_of_range: [400, { min: money, max: money }],
  topup_failed: [400],
  topup_record_failed: [500],
  topup_not_found: [404],
  topup_confirm_failed: [400],
  invalid_operation: [400],
  amount_required: [400],
  balance_out_of_range: [400, { balance: money, max: money }],
  sandbox_balance_write_failed: [500],
  webhook_read_failed: [500],
  delivery_not_found: [404],
  no_subscription: [404],
  subscription_not_found: [404],
  no_active_subscription: [409],
  test_enqueue_failed: [500],
  probe_blocked: [400, { request_sent: 'boolean', reason: 'string' }],
  probe_unavailable: [500],
  esim_not_found: [404],
  invalid_refill: [400],
  url_blocked: [400, { reason: 'string' }],
  url_already_subscribed: [409],
  subscription_limit_reached: [409],
  clock_too_far: [409],
};
const envelope = [
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

let t: TestApp;
let key: string;
let product: string;
let refill: string;
let iccid: string;
before(async () => {
  t = await testApp();
  const partner = await t.partner();
  const plan = await testPlan(t);
  product = plan.alias;
  refill = (await testPlan(t, { refills: [plan.code] })).alias;
  await run(t.operator(), `pricing rule add --scope country --target FR --partner ${partner} --share 25`);
  await catalogKnows(t, product);
  const made = await run(
    t.operator(),
    `key create --partner ${partner} --mode sandbox --permissions ${keyPermissions}`,
  );
  key = made.key;
  record('secrets', `${key}\n`);
  await run(t.operator(), `key set ${made.key_id} --ceilings read=9000,purchase=9000,money=9000,outbound=9000`);
  const { id } = (await t.post('/purchase/buy', { product_id: product }, { key })).body;
  ({ iccid } = (await t.get(`/order/detail/${id}`, { key })).body.esim);
  // A subscription, in case anything were sent.
  await pausedSubscription(t, partner);
});
after(() => t[Symbol.asyncDispose]());

/** A call that would do something, were no error asked for. */
function call(name: Name, headers: Record<string, string> = {}, query = '', form = ''): Promise<Answer> {
  const [verb, path] = name.split(' ') as [string, string];
  const param = {
    'catalog/product': `/${product}`,
    'order/detail': '/1001',
    'order/usage': '/8900000000000010010',
    'esim/detail': `/${iccid}`,
    'esim/refills': `/${iccid}`,
  }[path];
  const url = `/${path}${param ?? ''}?country=FR&product_id=${product}&${query}`;
  if (verb === 'GET') return t.get(url, { key, headers });
  const fields = {
    'purchase/buy': `product_id=${product}&idempotency_key=simulated`,
    'purchase/refill': `iccid=${iccid}&product_id=${refill}&idempotency_key=refilled`,
    'account/topup': 'amount=50',
    'account/topupConfirm': 'payment_key=sbx_topup_1',
    'account/sandboxBalance': 'operation=add&amount=5',
    'order/refund': 'order_id=1001',
    'order/cancel': 'order_id=1001',
    'webhook/probe': 'url=https://93.184.215.14/hook',
    'webhook/create': 'url=https://93.184.215.14/hook',
    'sandbox/clock': 'advance=60',
  }[path];
  return t.post(`/${path}?${query}`, `${fields ?? ''}&${form}`, { key, headers });
}

test('the contract names 117 pairs; what we add comes on top', () => {
  const named = Object.values(extra).map((codes) => everywhere.length + codes.length);
  assert.equal(
    named.reduce((sum, count) => sum + count, 0),
    117,
  );
});

test('every pair: live status, live extra fields, marked as simulated; nothing written, no event', async () => {
  const unchanged = await rowCounts(t);
  for (const { name, code } of pairs) {
    const answer = await call(name, { 'x-sandbox-error': code });
    const [status, fields = {}] = live[code] ?? [0];
    const told = `${name} ${code}`;
    assert.equal(answer.status, status, told);
    const { body } = answer;
    assert.deepEqual(
      [body.result, body.code, body.error, body.api_version, body.livemode, body.sandbox_simulated],
      ['fail', String(status), code, 3, false, true],
      told,
    );
    const beyond = Object.entries(body).filter(([field]) => !envelope.includes(field));
    assert.deepEqual(Object.fromEntries(beyond.map(([field, value]) => [field, typeof value])), fields, told);
    if (code === 'rate_limited') {
      assert.deepEqual([answer.headers['retry-after'], answer.headers['x-ratelimit-remaining']], ['30', '0'], told);
      assert.equal(body.retry_after, 30);
    }
  }
  assert.deepEqual(await rowCounts(t), unchanged);
});

test('the idempotency key is not consumed, and `required` is the real partner price', async () => {
  const simulated = await call('POST purchase/buy', { 'x-sandbox-error': 'insufficient_balance' });
  assert.equal(simulated.body.required, 8.5, 'list price 10, cost 4, a quarter of the margin off');
  const other = await call('POST purchase/buy', { 'x-sandbox-error': 'credit_limit_exceeded' });
  assert.equal(other.body.required, 8.5);
  assert.ok(simulated.body.balance < 8.5 && other.body.available < 8.5, 'the sample money does not reach for it');
  const bought = await call('POST purchase/buy');
  assert.deepEqual([bought.status, bought.body.delivery], [200, 'delivered']);
  const short = await call('POST purchase/refill', { 'x-sandbox-error': 'insufficient_balance' });
  assert.equal(short.body.required, 8.5);
  assert.equal((await call('POST purchase/refill')).body.delivery, 'delivered');
});

test('any other pair: 400 invalid_sandbox_error with endpoint and allowed', async () => {
  const unchanged = await rowCounts(t);
  const codes = Object.keys(live);
  for (const name of names) {
    const allowed: string[] = [...everywhere, ...accepted[name]];
    // One that another endpoint accepts, one that is no code at all, one that is malformed.
    const foreign = codes.find((code) => !allowed.includes(code)) as string;
    for (const asked of [foreign, 'no_such_code', 'Rate-Limited!', 'toString']) {
      const { status, body } = await call(name, { 'x-sandbox-error': asked });
      assert.deepEqual([status, body.error], [400, 'invalid_sandbox_error'], `${name} ${asked}`);
      assert.equal(body.endpoint, name.split(' ')[1]);
      assert.deepEqual([...body.allowed].sort(), [...allowed].sort());
      assert.equal(body.livemode, false);
    }
  }
  assert.deepEqual(await rowCounts(t), unchanged);
});

describe('where the code is sent', () => {
  const error = async (...given: Parameters<typeof call>) => (await call(...given)).body.error;

  test('header over query over body, and an empty one is not sent', async () => {
    const buy = 'POST purchase/buy';
    const [query, form] = ['sandbox_error=partner_disabled', 'sandbox_error=ip_not_allowed'];
    assert.equal(await error(buy, { 'x-sandbox-error': 'rate_limited' }, query, form), 'rate_limited');
    assert.equal(await error(buy, { 'x-sandbox-error': '' }, query, form), 'partner_disabled');
    assert.equal(await error(buy, {}, 'sandbox_error=', form), 'ip_not_allowed');
    assert.equal(await error(buy, {}, '', 'sandbox_error='), undefined);
  });

  test('sent twice or with brackets is malformed, in every place', async () => {
    const twice = 'sandbox_error=rate_limited&sandbox_error=rate_limited';
    const places: Parameters<typeof call>[] = [
      ['POST webhook/test', { 'x-sandbox-error': 'rate_limited, rate_limited' }],
      ['POST webhook/test', {}, twice],
      ['POST webhook/test', {}, '', twice],
      ['POST webhook/test', {}, 'sandbox_error[]=rate_limited'],
    ];
    for (const place of places) assert.equal(await error(...place), 'invalid_sandbox_error', JSON.stringify(place));
  });
});

describe('checks that come before', () => {
  const headers = { 'x-sandbox-error': 'rate_limited' };

  test('a wrong verb is 405, an unknown action 404, and the call counts toward the rate limit', async () => {
    for (const name of names) {
      const [verb, path] = name.split(' ') as [string, string];
      const method = verb === 'GET' ? 'POST' : 'GET';
      assert.equal((await t.get(`/${path}`, { key, headers, method })).status, 405, name);
    }
    assert.equal((await t.get('/order/nothing', { key, headers })).body.error, 'unknown_method');
    const remaining = async () => Number((await call('GET order/get')).headers['x-ratelimit-remaining']);
    const before = await remaining();
    await call('GET order/get', { 'x-sandbox-error': 'order_read_failed' });
    assert.equal(await remaining(), before - 2);
  });

  test("purchase/buy's own 400s: product, key, scenario, usage", async () => {
    for (const [form, code] of [
      ['', 'product_id_required'],
      ['product_id=esc_00000000000000ff', 'invalid_product'],
      [`product_id=${product}&idempotency_key=a<b`, 'invalid_idempotency_key'],
      [`product_id=${product}&idempotency_key=${'a'.repeat(192)}`, 'idempotency_key_too_long'],
      [`product_id=${product}&sandbox_scenario=lost`, 'invalid_sandbox_scenario'],
      [`product_id=${product}&sandbox_usage=some`, 'invalid_sandbox_usage'],
    ] as const) {
      const { status, body } = await t.post('/purchase/buy', form, { key, headers });
      assert.deepEqual([status, body.error, body.sandbox_simulated], [400, code, undefined]);
    }
  });
});

test('live keys ignore it wherever it is sent', async () => {
  const liveKey = await t.key(await t.partner());
  const headers = { 'x-sandbox-error': 'rate_limited' };
  const answer = await t.get('/order/get?sandbox_error=order_read_failed', { key: liveKey, headers });
  assert.deepEqual([answer.status, answer.body.order], [200, []]);
  const posted = await t.post('/webhook/test', 'sandbox_error=nonsense', { key: liveKey });
  assert.equal(posted.body.error, 'no_subscription');
});
