import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { listChanges } from '../../../../src/platform/audit/audit-log.ts';
import { MINUTE } from '../../../../src/platform/clock.ts';
import { sql } from '../../../../src/platform/db/query/sql.ts';
import { whyNoRequest } from '../../../../web/src/console/pages/orders/reasons.ts';
import { eventually } from '../../../support/eventually.ts';
import { testApp } from '../../../support/program/app.ts';
import { runAs, signedInOperator } from '../../../support/program/console.ts';
import { run } from '../../../support/program/operator.ts';
import { type Browser, browser, signedIn } from '../../../support/program/panel.ts';
import { paidOrder, testPlan } from '../../../support/sales/paid-order.ts';
import { credit, pausedSubscription } from '../../../support/sales/shop.ts';
import { refundShop, withdrawals } from '../../../support/suppliers/withdrawals.ts';

const t = await testApp();
after(() => t[Symbol.asyncDispose]());
const admin = await signedInOperator(t);
const support = await signedInOperator(t, 'support');
const finance = await signedInOperator(t, 'finance');
const reader = await signedInOperator(t, 'read-only');
const shop = await refundShop(t);
const plan = await testPlan(t);
await withdrawals(t, { outcome: 'refused', reason: 'installed' });

const get = async (who: Browser, path: string) => {
  const { status, body, text } = await who.get(`/operator/api/${path}`);
  assert.equal(status, 200, text);
  return body;
};
const listed = async (query = '', mode = 'live') =>
  (await get(reader, `${mode}/orders?${query}`)).orders as Record<string, string>[];
const ids = (orders: readonly Record<string, unknown>[]) => orders.map(({ id }) => id);
const detail = (id: string, mode = 'live') => get(reader, `${mode}/orders/${id}`);
const flush = () =>
  Promise.all(Object.values(t.base.worlds).flatMap((world) => [world.supplierLog.flush(), world.requestLog.flush()]));
const changesOf = (target: string) => listChanges(t.base.db, { target, who: undefined, limit: 10 });

test('orders of all partners are listed newest first, a world at a time, and every filter is one of the address', async () => {
  const other = await t.partner({ name: 'Alpine Lines' });
  await credit(t, other, '100.00');
  const first = await shop.order(shop.live, { reference: 'cart-7' });
  const second = await shop.order(shop.live);
  const sandbox = await shop.order(shop.sandbox);
  const waiting = String((await paidOrder(t, { partnerId: other, plan })).id);
  assert.deepEqual(ids(await listed()).slice(0, 3), [waiting, second.id, first.id]);
  assert.deepEqual(ids(await listed('', 'sandbox')), [sandbox.id]);
  const today = new Date(t.clock.now()).toISOString().slice(0, 10);
  for (const [query, expected] of [
    ['partner=alpine', [waiting]],
    [`partner=${shop.partnerId}&before=${second.id}`, [first.id]],
    ['status=open', [waiting]],
    ['status=overdue', []],
    ['status=failed', []],
    ['reference=cart-7', [first.id]],
    [`iccid=${second.iccid}`, [second.id]],
    ['supplier=aurora', [waiting, second.id, first.id]],
    ['supplier=borealis', []],
    ['destination=france', [waiting, second.id, first.id]],
    ['destination=JP', []],
    [`product_id=${plan.alias}`, [waiting]],
    [`from=${today}&to=${today}`, [waiting, second.id, first.id]],
    ['to=2020-01-01', []],
  ] as const)
    assert.deepEqual(ids(await listed(query)), expected, query);
  const [one] = await listed(`iccid=${first.iccid}`);
  assert.deepEqual(
    [one?.partner, one?.state, one?.price],
    [{ id: shop.partnerId, name: 'Test' }, 'delivered', '10.00'],
  );
  const { cost } = (await detail(first.id)).order;
  assert.deepEqual(
    [Number(one?.bought), one?.margin],
    Number(cost) > 0 ? [Number(cost), (10 - Number(cost)).toFixed(2)] : [0, null],
  );
  const [unpaid] = await listed('status=open');
  assert.deepEqual([unpaid?.bought, unpaid?.margin], [null, null]);
  await run(t.operator(), ['order', 'fail', waiting]);
  assert.deepEqual(ids(await listed('status=failed&partner=Alpine')), [waiting]);
});

test('a page of the list has as many orders as asked for, and knows the whole batch of each', async () => {
  const items = JSON.stringify([{ product_id: plan.alias, quantity: 3 }]);
  const bought = await t.post('/purchase/batch', { items, idempotency_key: 'of three' }, { key: shop.live });
  const { batch_id } = bought.body;
  const page = await get(reader, 'live/orders?limit=2');
  assert.deepEqual([page.orders.length, page.has_more], [2, true]);
  assert.deepEqual(
    page.orders.map((order: Record<string, unknown>) => order.batch_id),
    [String(batch_id), String(batch_id)],
  );
  const [{ states, ...sum }, ...others] = page.batches;
  assert.deepEqual([sum, others], [{ id: String(batch_id), orders: 3, plans: 1, price: '30.00' }, []]);
  assert.equal(
    Object.values<number>(states).reduce((all, some) => all + some),
    3,
  );
  assert.equal((await listed(`batch=${batch_id}`)).length, 3);
  assert.equal((await get(reader, 'live/refunds?limit=1')).has_more, false);
  assert.deepEqual([(await get(reader, 'partners?limit=1')).partners.length], [1]);
  assert.equal((await reader.get('/operator/api/live/orders?limit=101')).body.error.code, 'invalid_limit');
});

test('a filter that cannot be meant is refused by name', async () => {
  await t.partner({ name: 'Same Name' });
  await t.partner({ name: 'Same Name' });
  for (const [query, code] of [
    ['status=lost', 'invalid_status'],
    ['partner=nobody', 'invalid_partner'],
    ['partner=same', 'invalid_partner'],
    ['iccid=abc', 'invalid_iccid'],
    ['product_id=1', 'invalid_product_id'],
    ['before=x', 'invalid_before'],
    ['from=2026-02-30', 'invalid_date'],
    [`destination=${encodeURIComponent("';--")}`, 'invalid_destination'],
    [`reference=${'x'.repeat(201)}`, 'invalid_reference'],
  ] as const) {
    const { status, body } = await reader.get(`/operator/api/live/orders?${query}`);
    assert.deepEqual([status, body.error.code], [400, code], query);
  }
  assert.equal((await reader.get('/operator/api/other/orders')).status, 404);
  assert.equal((await reader.get('/operator/api/live/refunds?status=lost')).body.error.code, 'invalid_status');
});

test('an order shows its request, its ledger entries, every call to its supplier and its events, and no activation data', async () => {
  const { id, iccid } = await shop.order(shop.live, { reference: 'whole trail', idempotency_key: 'trail-1' });
  await flush();
  const { text, body } = await reader.get(`/operator/api/live/orders/${id}`);
  assert.equal(body.order.iccid, iccid);
  assert.equal(body.order.our_reference, `wf-live-${id}`);
  assert.equal(body.request.endpoint, '/purchase/buy');
  assert.ok(body.request.fields.some((field: { value: string }) => field.value === 'whole trail'));
  assert.deepEqual(
    body.money.map((line: Record<string, unknown>) => [line.type, line.amount, line.entries]),
    [['purchase', '-10.00', [{ debit: 'cash', credit: 'revenue', amount: '10.00' }]]],
  );
  assert.deepEqual(
    body.supplier_calls.map((call: Record<string, unknown>) => [call.operation, call.outcome]),
    [['order', 'delivered']],
  );
  assert.deepEqual(
    body.steps.map(({ kind }: { kind: string }) => kind),
    ['placed', 'money', 'sent_to_supplier', 'delivered'],
  );
  const cannot = { fail: false, cancel: false, retry: false, resend: false, decide: false };
  assert.deepEqual(body.can, { ...cannot, refund: true, reveal: true });
  const { esim } = (await t.get(`/order/detail/${id}`, { key: shop.live })).body;
  for (const secret of [esim.qrcode, esim.matching_id, esim.qrcode_url]) assert.ok(!text.includes(secret), secret);
});

test('an order without a call in the request log says why: bought in the panel and by whom, not recorded, or not kept', async () => {
  const partnerId = await t.partner();
  await credit(t, partnerId, '100.00');
  const ana = await signedIn(t, partnerId);
  const { email } = (await ana.get('/api/me')).body.member;
  for (const mode of ['live', 'sandbox']) {
    const bought = await ana.post(`/api/${mode}/purchases`, { product_id: plan.alias, max_price: '10.00' });
    assert.equal(bought.status, 200, bought.text);
    const { request, placed, changes } = await detail(bought.body.order_id, mode);
    assert.deepEqual([request, placed.in_panel, placed.by], [null, true, email]);
    assert.equal(whyNoRequest(placed), `${email} bought this order in the panel, so there is no API call.`);
    assert.deepEqual(
      changes.map(({ what, who }: Record<string, string>) => [what, who]),
      [['order buy', `member:${email}`]],
    );
    const { steps } = (await ana.get(`/api/${mode}/orders/${bought.body.order_id}/timeline`)).body;
    assert.deepEqual([steps[0].in_panel, steps[0].by], [true, email]);
  }
  const { id } = await shop.order(shop.live);
  await flush();
  await t.base.db.run(sql`delete from live.request_log where partner_id = ${shop.partnerId}`);
  const pruned = await detail(id);
  assert.deepEqual([pruned.request, pruned.placed.in_panel, pruned.placed.by], [null, false, null]);
  assert.match(whyNoRequest(pruned.placed), /is not in the request log, which keeps 7 days and some 10,000 calls/);
  await t.base.db.run(sql`update live.orders set request_id = null where id = ${BigInt(id)}`);
  assert.match(whyNoRequest((await detail(id)).placed), /placed before its call was recorded/);
});

test('what members did to an order of one world is not shown at the order of the other with the same number', async () => {
  const partnerId = await t.partner();
  await credit(t, partnerId, '100.00');
  const ana = await signedIn(t, partnerId);
  const ids: Record<string, string> = {};
  while (ids.live !== ids.sandbox || ids.live === undefined)
    for (const mode of ['live', 'sandbox']) {
      if (Number(ids[mode] ?? 0) > Number(ids[mode === 'live' ? 'sandbox' : 'live'] ?? 0)) continue;
      const bought = await ana.post(`/api/${mode}/purchases`, { product_id: plan.alias, max_price: '10.00' });
      ids[mode] = bought.body.order_id;
    }
  const id = ids.live;
  await ana.post(`/api/sandbox/orders/${id}/share/revoke`);
  const { as_of } = (await ana.get(`/api/sandbox/orders/${id}/timeline`)).body;
  await ana.post(`/api/sandbox/orders/${id}/resend`, { as_of });
  const kinds = async (mode: string) => (await detail(id, mode)).changes.map(({ what }: { what: string }) => what);
  assert.deepEqual(
    [await kinds('live'), (await kinds('sandbox')).toSorted()],
    [['order buy'], ['order buy', 'order resend', 'share revoke']],
  );
});

test('activation data is offered only where there is some: not of an eSIM that was withdrawn', async () => {
  const { id } = await shop.order(shop.live);
  assert.equal((await detail(id)).can.reveal, true);
  await t.base.db.run(sql`update live.orders set withdrawn_at = now() where id = ${BigInt(id)}`);
  const { can, order } = await detail(id);
  assert.equal(can.reveal, false);
  assert.notEqual(order.withdrawn_at, null);
  const { code, message } = (await runAs(support, 'order reveal', { id })).body.error;
  assert.deepEqual(
    [code, message],
    ['no_activation_data', `Order ${id} has no activation data: its eSIM was withdrawn.`],
  );
});

test('an order that does not exist, and one of the other world, are answered alike', async () => {
  const { id } = await shop.order(shop.live);
  const missing = await reader.get('/operator/api/live/orders/999999999');
  assert.deepEqual([missing.status, missing.body.error.code], [404, 'order_not_found']);
  for (const path of [`sandbox/orders/${id}`, 'live/orders/x', 'live/orders/99999999999999999999'])
    assert.equal((await reader.get(`/operator/api/${path}`)).text, missing.text, path);
});

test('activation data takes a click of somebody who may, and the log names them', async () => {
  const { id, iccid } = await shop.order(shop.live);
  for (const who of [finance, reader])
    assert.equal((await runAs(who, 'order reveal', { id })).body.error.code, 'role_forbids');
  assert.deepEqual(await changesOf(`order ${id}`), []);
  const shown = await runAs(support, 'order reveal', { id });
  const { esim } = (await t.get(`/order/detail/${id}`, { key: shop.live })).body;
  assert.equal(shown.body.result.activation_code, esim.qrcode);
  const [change] = await changesOf(`order ${id}`);
  assert.deepEqual(
    [change?.who, change?.what, change?.after],
    [`operator:${support.email}`, 'order reveal', { iccid }],
  );
  const waiting = await paidOrder(t, { partnerId: shop.partnerId, plan });
  assert.equal(
    (await runAs(support, 'order reveal', { id: String(waiting.id) })).body.error.code,
    'no_activation_data',
  );
  await run(t.operator(), ['order', 'fail', String(waiting.id)]);
});

test('each time activation data is shown has its entry, also when one key is sent three times', async () => {
  const { id, iccid } = await shop.order(shop.live);
  const headers = { 'idempotency-key': 'one-key' };
  const reveal = () => support.post('/operator/api/run/order/reveal', { input: { id } }, { headers });
  const shown = [await reveal(), ...(await Promise.all([reveal(), reveal()]))];
  assert.deepEqual(
    shown.map(({ body }) => body.result.iccid),
    [iccid, iccid, iccid],
  );
  assert.deepEqual(
    (await changesOf(`order ${id}`)).map(({ what }) => what),
    ['order reveal', 'order reveal', 'order reveal'],
  );
  assert.deepEqual(await t.base.db.query(sql`select 1 from action_keys where key = 'one-key'`), [], 'nothing is kept');
});

test('an open order is tried now, unless a process may be trying it', async () => {
  const order = await paidOrder(t, { partnerId: shop.partnerId, plan });
  const id = String(order.id);
  const leased = await runAs(support, 'order retry', { id });
  assert.equal(leased.body.result.brought_forward, false, 'the purchase may still be at it');
  await t.base.db.run(sql`
    update live.orders set provision_due_at = ${new Date(t.clock.now() + 30 * MINUTE)} where id = ${order.id}`);
  assert.equal((await detail(id)).can.retry, true);
  const expedited = await runAs(support, 'order retry', { id });
  assert.equal(expedited.body.result.brought_forward, true, expedited.text);
  await eventually('the job delivers it', async () => (await detail(id)).order.state === 'delivered');
  await flush();
  const { supplier_calls: calls } = await detail(id);
  assert.deepEqual(
    calls.map((call: Record<string, unknown>) => [call.operation, call.outcome]),
    [
      ['find', 'absent'],
      ['order', 'delivered'],
    ],
  );
  const again = await runAs(support, 'order retry', { id });
  assert.deepEqual(again.body.error.code, 'order_not_open');
  assert.equal((await runAs(support, 'order retry', { id: '999999999' })).body.error.code, 'order_not_found');
  assert.equal((await runAs(finance, 'order retry', { id })).body.error.code, 'role_forbids');
});

test('events are sent again once per click', async () => {
  const partnerId = await t.partner();
  const key = await t.key(partnerId, 'sandbox');
  await pausedSubscription(t, partnerId);
  const bought = await t.post('/purchase/buy', { product_id: plan.alias }, { key });
  const id = String(bought.body.order_id);
  await t.base.db.run(sql`
    with ended as (delete from sandbox.webhook_queue where delivery_id in
      (select id from sandbox.webhook_deliveries where order_id = ${BigInt(id)}) returning delivery_id)
    update sandbox.webhook_deliveries set status = 'dead', died_at = now() from ended where id = delivery_id`);
  const { as_of, steps } = await detail(id, 'sandbox');
  assert.ok(steps.some(({ kind }: { kind: string }) => kind === 'event'));
  const click = { id, mode: 'sandbox', 'as-of': as_of };
  const sent = await runAs(support, 'order resend', click);
  assert.equal(sent.body.result.resent, 3, sent.text);
  assert.equal((await runAs(support, 'order resend', click)).body.result.resent, 0, 'the same click again');
  assert.equal((await runAs(finance, 'order resend', click)).body.error.code, 'role_forbids');
  assert.deepEqual(
    (await changesOf(`sandbox order ${id}`)).map(({ what, after }) => [what, after]),
    [
      ['order resend', { resent: 0 }],
      ['order resend', { resent: 3 }],
    ],
  );
});

test('money goes back wholly or in part, and a refund that is asked for is decided with the facts beside it', async () => {
  const { id } = await shop.order(shop.live);
  assert.equal((await runAs(support, 'order refund', { id })).body.error.code, 'role_forbids');
  assert.equal(
    (await runAs(finance, 'order refund', { id, amount: '4.00', version: 'none' })).body.result.refunded,
    '4.00',
  );
  const { refundable, order, refund_version: version } = await detail(id);
  assert.deepEqual([refundable, order.refunded], ['6.00', '4.00']);
  const tooMuch = await runAs(finance, 'order refund', { id, amount: '6.01', version });
  assert.deepEqual([tooMuch.status, tooMuch.body.error.code], [409, 'refund_too_large']);

  const asked = await shop.order(shop.live);
  await t.post('/order/refund', { order_id: asked.id, reason: 'never arrived' }, { key: shop.live });
  const waiting = (await get(reader, 'live/refunds?status=requested')).refunds;
  assert.deepEqual([waiting[0].order.id, waiting[0].reason, waiting[0].left], [asked.id, 'never arrived', '10.00']);
  assert.equal((await detail(asked.id)).can.decide, true);
  const rejected = await runAs(finance, 'refund reject', {
    id: asked.id,
    note: 'it was used',
    version: waiting[0].version,
  });
  assert.equal(rejected.status, 200, rejected.text);
  assert.deepEqual((await get(reader, 'live/refunds?status=requested')).refunds, []);
  const [note] = (await get(reader, 'live/refunds?status=rejected')).refunds;
  assert.equal(note.note, 'it was used');
  const approved = await runAs(finance, 'refund approve', { id: asked.id, amount: '2.50', version: note.version });
  assert.equal(approved.body.result.refunded, '2.50');
  await flush();
  const { supplier_calls: calls } = await detail(asked.id);
  assert.deepEqual(calls.map((call: Record<string, unknown>) => [call.operation, call.outcome, call.reason]).at(-1), [
    'withdraw',
    'refused',
    'installed',
  ]);
});

test('two operators on one refund: the second is refused and reads who decided what, and nothing is paid on top', async () => {
  const { id } = await shop.order(shop.live);
  await t.post('/order/refund', { order_id: id }, { key: shop.live });
  const [{ version }] = (await get(reader, 'live/refunds?status=requested')).refunds;
  assert.equal((await detail(id)).refund_version, version);
  const kim = await signedInOperator(t, 'finance', 'kim@example.com');
  assert.equal((await runAs(kim, 'refund approve', { id, amount: '1.00', version })).body.result.refunded, '1.00');
  for (const [command, more] of [
    ['refund approve', { amount: '1.00' }],
    ['refund reject', { note: 'no' }],
    ['order refund', {}],
  ] as const) {
    const late = await runAs(finance, command, { id, version, ...more });
    assert.deepEqual([late.status, late.body.error.code], [409, 'refund_changed'], command);
    assert.match(late.body.error.message, /kim@example\.com approved it at [\d: -]+ UTC, and 1\.00 USD went back/);
  }
  assert.equal((await detail(id)).order.refunded, '1.00');
  const fresh = (await detail(id)).refund_version;
  assert.equal((await runAs(finance, 'refund approve', { id, amount: '2.00', version: fresh })).status, 200);
});

test('two decisions at the same moment: one of them is made', async () => {
  const { id } = await shop.order(shop.live);
  await t.post('/order/refund', { order_id: id }, { key: shop.live });
  const { refund_version: version } = await detail(id);
  const both = await Promise.all([
    runAs(finance, 'refund approve', { id, amount: '1.00', version }),
    runAs(finance, 'refund reject', { id, note: 'no', version }),
  ]);
  assert.deepEqual(both.map(({ status }) => status).sort(), [200, 409]);
});

test('a decision in the console says what it decides on; at the command line it may', async () => {
  const { id } = await shop.order(shop.live);
  const unsaid = await runAs(finance, 'order refund', { id, amount: '1.00' });
  assert.deepEqual([unsaid.status, unsaid.body.error.code], [400, 'invalid_input']);
  await run(t.operator(), `order refund ${id} --amount 1.00`);
  await assert.rejects(run(t.operator(), `order refund ${id} --amount 1.00 --version none`), {
    code: 'refund_changed',
  });
});

test('one search finds an order by any of its numbers, and partners, people, keys, payments and requests', async () => {
  const partnerId = await t.partner({ name: 'Zephyr Travel', email: 'office@zephyr.example' });
  const key = await t.key(partnerId);
  await credit(t, partnerId, '50.00');
  await signedIn(t, partnerId, 'zoe@zephyr.example');
  const bought = await t.post('/purchase/buy', { product_id: plan.alias, reference: 'zephyr-1' }, { key });
  const id = String(bought.body.order_id);
  const topup = await t.post('/account/topup', { amount: '25' }, { key: await t.key(partnerId, 'sandbox') });
  await flush();
  const { order } = await detail(id);
  const found = async (q: string) =>
    (await get(reader, `search?q=${encodeURIComponent(q)}`)).results as Record<string, unknown>[];
  for (const q of [
    id,
    `#${id}`,
    'ZEPHYR-',
    `wf-live-${id}`,
    order.iccid.slice(0, -1),
    order.supplier_order.toLowerCase(),
  ]) {
    const hit = (await found(q)).find((one) => one.kind === 'order' && one.id === id);
    assert.deepEqual([hit?.mode, hit?.partner, hit?.state], ['live', 'Zephyr Travel', 'delivered'], q);
  }
  const kinds = async (q: string) => (await found(q)).map(({ kind, partner_id, id: its }) => [kind, partner_id ?? its]);
  const listed = await get(reader, 'live/orders?reference=Zephyr-1');
  assert.deepEqual(
    listed.orders.map((one: { id: string }) => one.id),
    [id],
  );
  assert.ok((await found(plan.alias.toUpperCase())).some((one) => one.kind === 'plan' && one.id === plan.alias));
  assert.ok((await found('franc')).some((one) => one.kind === 'destination' && one.id === 'FR'));
  assert.deepEqual(await kinds('zephyr t'), [['partner', partnerId]]);
  assert.deepEqual(await kinds('office@zephyr.example'), [['partner', partnerId]]);
  assert.deepEqual(await kinds('zoe@zeph'), [['member', partnerId]]);
  assert.deepEqual((await kinds(admin.email)).at(-1)?.[0], 'operator');
  assert.ok((await kinds(String(partnerId))).some(([kind, its]) => kind === 'partner' && its === partnerId));
  for (const q of [`esk_…${key.slice(-4)}`, `…${key.slice(-4)}`, key.slice(-4)])
    assert.ok(
      (await found(q)).some((one) => one.kind === 'key' && one.partner_id === partnerId),
      q,
    );
  assert.deepEqual(await kinds(topup.body.payment_key), [['payment', partnerId]]);
  const [request] = await found(String(bought.headers['x-request-id']).toUpperCase());
  assert.deepEqual([request?.kind, request?.order_id, request?.call], ['request', id, 'POST /purchase/buy']);
  for (const q of ['', ' ', '%', '_', 'no such thing', `esk_test_…${key.slice(-4)}x`])
    assert.deepEqual(await found(q), [], q);
  const { text } = await reader.get(`/operator/api/search?q=${key.slice(-4)}`);
  assert.ok(!text.includes(key));
  await run(t.operator(), ['partner', 'delete', String(partnerId)]);
  for (const q of [String(partnerId), 'zephyr t'])
    assert.equal(
      (await found(q)).find(({ kind, id: its }) => kind === 'partner' && its === partnerId)?.is_closed,
      true,
    );
});

test('partners, strangers and foreign pages are turned away from every address', async () => {
  const { id } = await shop.order(shop.live);
  const member = await signedIn(t, shop.partnerId);
  for (const path of ['live/orders', `live/orders/${id}`, 'live/refunds', `search?q=${id}`]) {
    for (const who of [browser(t), member])
      assert.equal((await who.get(`/operator/api/${path}`)).body.error.code, 'sign_in_required', path);
  }
  for (const command of ['order retry', 'order resend', 'order reveal', 'order fail', 'refund approve']) {
    assert.equal((await runAs(member, command, { id })).body.error.code, 'sign_in_required', command);
    assert.equal((await runAs(reader, command, { id })).body.error.code, 'role_forbids', command);
    const foreign = await admin.post(
      `/operator/api/run/${command.replace(' ', '/')}`,
      { input: { id } },
      {
        headers: { origin: 'https://elsewhere.example' },
      },
    );
    assert.equal(foreign.body.error.code, 'cross_origin', command);
  }
});
