import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { HOUR } from '../../../../src/platform/clock.ts';
import { sql } from '../../../../src/platform/db/query/sql.ts';
import { type Browser, browser, signedIn, signedInAs } from '../../../support/program/panel.ts';
import { clockSeen } from '../../../support/sales/account-clock.ts';
import { ownEsim, refill, refillShop, shopperIn } from '../../../support/sales/refills.ts';
import { buy, pausedSubscription } from '../../../support/sales/shop.ts';

const t = await refillShop();
after(() => t[Symbol.asyncDispose]());
const flush = (mode: 'live' | 'sandbox' = 'sandbox') => t.base.worlds[mode].requestLog.flush();
const list = async (ana: Browser, query = '', mode = 'sandbox') => {
  await flush();
  const { status, body } = await ana.get(`/api/${mode}/requests?${query}`);
  assert.equal(status, 200, JSON.stringify(body));
  return body.requests as Record<string, string>[];
};

test('a call is in the log of its account and world, with all that was asked of it', async () => {
  const { partnerId, key } = await shopperIn(t, 'sandbox');
  const ana = await signedIn(t, partnerId);
  const began = t.clock.now();
  const bought = await buy(t, key, await t.alias('tr-1'), { idempotency_key: 'cart-1', reference: 'booking' });
  const [one] = await list(ana);
  const { id, at, duration_ms, key: shownKey, ...rest } = one as Record<string, string>;
  assert.deepEqual(rest, {
    request_id: bought.headers['x-request-id'],
    method: 'POST',
    endpoint: '/purchase/buy',
    status: 200,
    error: '',
    is_simulated: false,
    address: '127.0.0.1',
    order_id: String(bought.body.order_id),
  });
  assert.match(String(id), /^\d+$/);
  assert.ok(Date.parse(String(at)) >= began - 1 && Number(duration_ms) >= 0);
  assert.equal((shownKey as unknown as { mask: string }).mask, `esk_test_…${key.slice(-4)}`);
  const { body } = await ana.get(`/api/sandbox/requests/${rest.request_id}`);
  assert.deepEqual(body.request.fields, [
    { in: 'body', name: 'product_id', value: await t.alias('tr-1'), note: null },
    { in: 'body', name: 'idempotency_key', value: 'cart-1', note: null },
    { in: 'body', name: 'reference', value: 'booking', note: null },
  ]);
  assert.deepEqual(await list(ana, '', 'live'), []);
});

test('a call shows what was answered, without what opens an eSIM; a repeated read has no answer', async () => {
  const { partnerId, key } = await shopperIn(t, 'sandbox');
  const ana = await signedIn(t, partnerId);
  const { orderId } = await ownEsim(t, { partnerId, key });
  const answerOf = async ({ headers }: { headers: Record<string, unknown> }) => {
    await flush();
    return (await ana.get(`/api/sandbox/requests/${headers['x-request-id']}`)).body.request.answer;
  };
  const detail = await t.get(`/order/detail/${orderId}`, { key });
  const { text, length } = await answerOf(detail);
  const shown = JSON.parse(text);
  assert.equal(shown.esim.iccid, detail.body.esim.iccid);
  assert.ok(detail.body.esim.activationCode);
  assert.deepEqual([shown.esim.activationCode, shown.esim.matching_id], ['[hidden]', '[hidden]']);
  assert.ok(length > 500);
  const refused = await t.get('/order/detail/999999', { key });
  assert.deepEqual(JSON.parse((await answerOf(refused)).text), refused.body);
  const countries = await t.get('/catalog/countries', { key });
  assert.deepEqual(JSON.parse((await answerOf(countries)).text).count, countries.body.count);
  const again = await t.get('/catalog/countries', {
    key,
    headers: { 'if-none-match': String(countries.headers.etag) },
  });
  assert.deepEqual([again.status, await answerOf(again)], [304, { text: null, length: 0 }]);
});

test('refusals have their code, simulated ones are marked, and a refusal before the key is known belongs to no account', async () => {
  const { partnerId, key } = await shopperIn(t, 'sandbox');
  const ana = await signedIn(t, partnerId);
  await t.get('/order/detail/999999', { key });
  await t.get('/account/balance', { key, headers: { 'x-sandbox-error': 'rate_limited' } });
  await t.get('/orders/list', { key });
  await t.post('/account/balance', {}, { key });
  await t.get(`/account/balance?api_key=${key}`, { key });
  await t.get('/account/balance', { host: 'sandbox' });
  const shown = (await list(ana)).map(({ endpoint, status, error, is_simulated, order_id }) => [
    endpoint,
    status,
    error,
    is_simulated,
    order_id,
  ]);
  assert.deepEqual(shown, [
    ['/account/balance', 405, 'method_not_allowed', false, null],
    ['/orders/list', 404, 'unknown_endpoint', false, null],
    ['/account/balance', 429, 'rate_limited', true, null],
    ['/order/detail/{id}', 404, 'order_not_found', false, null],
  ]);
});

test('what a member does in the panel is no API call', async () => {
  const { partnerId } = await shopperIn(t, 'sandbox');
  const ana = await signedIn(t, partnerId);
  assert.equal((await ana.v3('sandbox', '/account/balance')).status, 200);
  assert.deepEqual(await list(ana), []);
});

test('each filter alone and together, newest first, page by page', async () => {
  const { partnerId, key } = await shopperIn(t, 'sandbox');
  const ana = await signedIn(t, partnerId);
  const second = await t.key(partnerId, 'sandbox');
  for (let i = 0; i < 52; i++) await t.get('/account/balance', { key });
  await t.get('/order/detail/999999', { key: second });
  const { order_id } = (await buy(t, second, await t.alias('tr-1'))).body;
  const detail = await t.get(`/order/detail/${order_id}`, { key });
  await flush();
  const first = (await ana.get('/api/sandbox/requests')).body;
  assert.deepEqual([first.requests.length, first.has_more], [50, true]);
  const older = (await ana.get(`/api/sandbox/requests?before=${first.requests[49].id}`)).body;
  assert.deepEqual([older.requests.length, older.has_more], [5, false]);
  assert.ok(BigInt(older.requests[0].id) < BigInt(first.requests[49].id));
  const keyId = first.requests[1].key.id;
  const endpointsOf = async (query: string) => (await list(ana, query)).map(({ endpoint }) => endpoint);
  assert.deepEqual(await endpointsOf(`key=${keyId}`), ['/purchase/buy', '/order/detail/{id}']);
  assert.deepEqual(await endpointsOf('status=4xx'), ['/order/detail/{id}']);
  assert.deepEqual(await endpointsOf('status=refused&error=order_not_found'), ['/order/detail/{id}']);
  assert.deepEqual(await endpointsOf('error=rate_limited'), []);
  assert.deepEqual(await endpointsOf(`order=${order_id}`), ['/order/detail/{id}', '/purchase/buy']);
  assert.deepEqual(await endpointsOf(`endpoint=${encodeURIComponent('/purchase/buy')}&status=2xx`), ['/purchase/buy']);
  const id = String(detail.headers['x-request-id']);
  assert.deepEqual(await endpointsOf(`request_id=${id.toUpperCase()}`), ['/order/detail/{id}']);
  const minute = (ms: number) => new Date(t.clock.now() + ms).toISOString().slice(0, 16);
  assert.equal((await list(ana, `from=${minute(HOUR)}`)).length, 0);
  assert.equal((await list(ana, `from=${minute(-HOUR)}&to=${minute(HOUR)}`)).length, 50);
  assert.equal((await list(ana, `to=${minute(-HOUR)}`)).length, 0);
  assert.ok(first.endpoints.includes('/order/detail/{id}'));
  assert.equal(first.keys.length, 2);
});

test('wrong input is refused by name and finds nothing', async () => {
  const ana = await signedIn(t, await t.partner());
  for (const [query, code] of [
    ['key=abc', 'invalid_key'],
    ['key=0', 'invalid_key'],
    ['status=9xx', 'invalid_status'],
    ['status=constructor', 'invalid_status'],
    ['error=toString', 'invalid_error'],
    ["error='; drop table orders", 'invalid_error'],
    ['request_id=1', 'invalid_request_id'],
    ['order=-1', 'invalid_order'],
    ['from=2026-02-30', 'invalid_from'],
    ['from=0000-01-01', 'invalid_from'],
    ['to=yesterday', 'invalid_to'],
    ['before=9999999999999999999', 'invalid_before'],
    [`endpoint=${'x'.repeat(101)}`, 'invalid_endpoint'],
    ['key=1&key=2', 'malformed_request'],
    ['key=%00', 'malformed_request'],
    ['key=%zz', 'malformed_request'],
  ]) {
    const { status, body } = await ana.get(`/api/live/requests?${query}`);
    assert.deepEqual([status, body.error.code], [400, code], query);
  }
  assert.equal((await ana.get('/api/elsewhere/requests')).status, 404);
});

test('strangers are turned away, and another account’s request is answered as if it did not exist', async () => {
  const { partnerId, key } = await shopperIn(t, 'sandbox');
  const esim = await ownEsim(t, { partnerId, key });
  await flush();
  const { request_id } = await t.base.worlds.sandbox.db.one<{ request_id: string }>(
    sql`select request_id from request_log where partner_id = ${partnerId} order by id limit 1`,
  );
  const eve = await signedIn(t, await t.partner());
  const nowhere = '00000000-0000-4000-8000-000000000000';
  for (const [theirs, none] of [
    [`/api/sandbox/requests/${request_id}`, `/api/sandbox/requests/${nowhere}`],
    [`/api/sandbox/orders/${esim.orderId}/timeline`, '/api/sandbox/orders/999999999/timeline'],
  ]) {
    const [a, b] = [await eve.get(theirs ?? ''), await eve.get(none ?? '')];
    assert.deepEqual([a.status, a.text], [404, b.text]);
    assert.equal((await browser(t).get(theirs ?? '')).status, 401);
  }
  assert.deepEqual(await list(eve, `request_id=${request_id}`), []);
  assert.deepEqual(await list(eve, `order=${esim.orderId}`), []);
  assert.equal((await browser(t).get('/api/sandbox/requests')).status, 401);
  for (const id of ['1', '..', 'x'.repeat(36), `${request_id}'`])
    assert.equal((await eve.get(`/api/sandbox/requests/${encodeURIComponent(id)}`)).status, 404);
  for (const id of ['0', 'abc', '-1', '9'.repeat(30)])
    assert.equal((await eve.get(`/api/sandbox/orders/${id}/timeline`)).body.error.code, 'order_not_found');
});

test('no row of the log holds a key, a payment key, or the credentials of a URL', async () => {
  const { partnerId, key } = await shopperIn(t, 'sandbox');
  const secret = 'c0ffee00c0ffee00';
  await t.post('/webhook/probe', { url: `https://u:${secret}@192.0.2.1/hook?token=${secret}` }, { key });
  await t.post('/account/topupConfirm', { payment_key: secret }, { key });
  await t.post('/purchase/buy', { product_id: key, client_secret: secret, reference: `key ${key}` }, { key });
  await t.get(`/order/detail/${key}?secret=${secret}`, { key });
  await t.get(`/${key}/${secret}${secret}`, { key });
  await flush();
  const rows = await t.base.worlds.sandbox.db.query<{ text: string }>(
    sql`select request_log::text as text from request_log where partner_id = ${partnerId}`,
  );
  assert.equal(rows.length, 5);
  for (const { text } of rows) assert.ok(!text.includes(secret) && !text.includes(key.slice(9)), text);
});

const kinds = (steps: readonly { kind: string; type?: string; event?: string }[]) =>
  steps.map(({ kind, type, event }) => [kind, type ?? event].filter(Boolean).join(' '));

test('the timeline of an order: the call, its charge, the supplier, its events and its refills', async () => {
  const shopper = await shopperIn(t, 'sandbox');
  const ana = await signedIn(t, shopper.partnerId);
  const hook = await pausedSubscription(t, shopper.partnerId);
  const esim = await ownEsim(t, shopper);
  const more = (await refill(t, shopper, esim)).body;
  await flush();
  const { status, body } = await ana.get(`/api/sandbox/orders/${esim.orderId}/timeline`);
  assert.equal(status, 200);
  const { steps, waiting, refill_of } = body;
  assert.deepEqual([waiting, refill_of], [null, null]);
  assert.deepEqual(kinds(steps).toSorted(), [
    'delivered',
    'event order.created',
    'event order.delivered',
    'event order.paid',
    'money purchase',
    'placed',
    'refill',
    'sent_to_supplier',
  ]);
  const [call, charge] = steps;
  assert.deepEqual([call.kind, call.is_logged, charge.type], ['placed', true, 'purchase']);
  assert.equal(call.key.mask, `esk_test_…${shopper.key.slice(-4)}`);
  const { request } = (await ana.get(`/api/sandbox/requests/${call.request_id}`)).body;
  assert.deepEqual([request.endpoint, request.order_id], ['/purchase/buy', String(esim.orderId)]);
  const event = steps.find(({ event }: { event?: string }) => event === 'order.paid');
  assert.deepEqual(
    event.deliveries.map(({ subscription_id, status, held }: Record<string, unknown>) => [
      subscription_id,
      status,
      held,
    ]),
    [[String(hook), 'pending', true]],
  );
  assert.equal(steps.at(-1).order_id, String(more.order_id));
  const times = steps.map(({ at }: { at: string }) => Date.parse(at));
  assert.deepEqual(times, times.toSorted());
  const refilled = (await ana.get(`/api/sandbox/orders/${more.order_id}/timeline`)).body;
  assert.equal(refilled.refill_of, String(esim.orderId));
  assert.ok(!JSON.stringify(body).includes('aurora'), 'the supplier is the operator’s business');
});

test('the timeline of an order: what happened to its eSIM on the phone, in the order it happened, with no subscription', async () => {
  const shopper = await shopperIn(t, 'sandbox');
  const ana = await signedIn(t, shopper.partnerId);
  const { orderId, iccid } = await ownEsim(t, shopper);
  const post = async (path: string, fields: Record<string, string> = {}) => {
    const { status, body } = await t.post(path, { iccid, ...fields }, { key: shopper.key });
    assert.equal(status, 200, JSON.stringify(body));
  };
  await post('/sandbox/profile', { state: 'enabled', country: 'JP', brand: 'Apple', model: 'iPhone 17' });
  t.clock.advance(60_000);
  await post('/esim/suspend');
  t.clock.advance(60_000);
  await post('/esim/resume');
  t.clock.advance(60_000);
  await post('/sandbox/profile', { state: 'deleted' });
  const { steps } = (await ana.get(`/api/sandbox/orders/${orderId}/timeline`)).body;
  const phone = steps.filter(({ kind }: { kind: string }) => kind === 'phone');
  assert.deepEqual(
    phone.map(({ event, country, covered }: Record<string, unknown>) => [event, country, covered]),
    [
      ['esim.installed', null, null],
      ['esim.country_changed', 'JP', false],
      ['esim.suspended', null, null],
      ['esim.resumed', null, null],
      ['esim.removed', null, null],
    ],
  );
  const times = steps.map(({ at }: { at: string }) => Date.parse(at));
  assert.deepEqual(times, times.toSorted());
});

test('the timelines of a replaced order and of the order that replaces it name each other', async () => {
  const shopper = await shopperIn(t, 'sandbox');
  const ana = await signedIn(t, shopper.partnerId);
  await t.base.db.run(sql`update partners set replacement_budget = 10000 where id = ${shopper.partnerId}`);
  await t.base.db.run(sql`update plans set cost = 1000000 where alias = ${await t.alias('fr-1')}`);
  const { orderId, iccid } = await ownEsim(t, shopper, {}, 'fr-1');
  const fields = { iccid, idempotency_key: 'timeline', reason: 'not installable' };
  const { replacement } = (await t.post('/esim/replace', fields, { key: shopper.key })).body;
  assert.equal(replacement.status, 'replaced');
  const old = (await ana.get(`/api/sandbox/orders/${orderId}/timeline`)).body;
  const given = (await ana.get(`/api/sandbox/orders/${replacement.order_id}/timeline`)).body;
  const new_order = String(replacement.order_id);
  assert.deepEqual(old.replacement, { status: 'replaced', order_id: new_order, iccid: replacement.iccid });
  const [requested, replaced] = old.steps.filter(({ kind }: { kind: string }) => kind.startsWith('repl'));
  assert.deepEqual([requested.kind, requested.reason], ['replacement_requested', 'not installable']);
  assert.deepEqual([replaced.kind, replaced.order_id, replaced.iccid], ['replaced', new_order, replacement.iccid]);
  assert.deepEqual([given.steps[0].replaces, given.replacement], [String(orderId), null]);
  assert.equal(old.steps[0].replaces, null);
});

test('members who may not see keys see the order’s timeline without the key, and no request log', async () => {
  const shopper = await shopperIn(t, 'sandbox');
  const { orderId } = await ownEsim(t, shopper);
  await flush();
  for (const role of ['owner', 'developer', 'finance', 'read-only'] as const) {
    const ana = await signedInAs(t, shopper.partnerId, role);
    const [placed] = (await ana.get(`/api/sandbox/orders/${orderId}/timeline`)).body.steps;
    const seesKeys = role !== 'finance';
    assert.deepEqual([placed.key !== null, placed.is_logged], [seesKeys, seesKeys], role);
    for (const path of ['/api/sandbox/requests', `/api/sandbox/requests/${placed.request_id}`])
      assert.equal((await ana.get(path)).status, seesKeys ? 200 : 403, `${role} ${path}`);
  }
});

test('a live order that was refunded, and one that failed', async () => {
  const shopper = await shopperIn(t, 'live');
  const ana = await signedIn(t, shopper.partnerId);
  const esim = await ownEsim(t, shopper);
  await t.post('/order/refund', { order_id: String(esim.orderId), reason: 'Trip cancelled' }, { key: shopper.key });
  const { steps } = (await ana.get(`/api/live/orders/${esim.orderId}/timeline`)).body;
  const asked = steps.find(({ kind }: { kind: string }) => kind === 'refund_requested');
  assert.equal(asked.reason, 'Trip cancelled');
  const poor = await t.partner();
  const failed = await buy(t, await t.key(poor), await t.alias('tr-1'));
  assert.equal(failed.body.error, 'insufficient_balance');
  const eve = await signedIn(t, poor);
  await flush('live');
  const shown = (await eve.get(`/api/live/orders/${failed.body.order_id}/timeline`)).body;
  assert.deepEqual(kinds(shown.steps), ['placed', 'failed']);
  assert.equal(shown.steps[1].reason, 'insufficient_balance');
  const [row] = await list(eve, '', 'live');
  assert.deepEqual([row?.error, row?.order_id], ['insufficient_balance', String(failed.body.order_id)]);
});

test('the log is in real time, an order in its account’s own', async () => {
  const shopper = await shopperIn(t, 'sandbox');
  const ana = await signedIn(t, shopper.partnerId);
  assert.equal((await ana.post('/api/sandbox/clock/advance', { by: '2d' })).status, 200);
  await clockSeen(t, shopper.key, 'ahead');
  const { orderId } = await ownEsim(t, shopper);
  const [row] = await list(ana, `order=${orderId}`);
  assert.ok(Math.abs(Date.parse(row?.at ?? '') - t.clock.now()) < HOUR);
  const { steps } = (await ana.get(`/api/sandbox/orders/${orderId}/timeline`)).body;
  assert.equal(steps[0].kind, 'placed');
  assert.ok(Date.parse(steps[0].at) > t.clock.now() + 24 * HOUR);
});
