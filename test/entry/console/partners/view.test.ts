import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { listChanges } from '../../../../src/platform/audit/audit-log.ts';
import { HOUR, MINUTE } from '../../../../src/platform/clock.ts';
import { sql } from '../../../../src/platform/db/query/sql.ts';
import { type Answer, testApp } from '../../../support/program/app.ts';
import { signedInOperator } from '../../../support/program/console.ts';
import { type Browser, browser, signedIn } from '../../../support/program/panel.ts';
import { testPlan } from '../../../support/sales/paid-order.ts';
import { buy, catalogKnows, pausedSubscription } from '../../../support/sales/shop.ts';

const t = await testApp();
after(() => t[Symbol.asyncDispose]());
const partner = await t.partner({ name: 'Island Hopper' });
const said = ({ status, body }: Answer) => [status, body.error?.code];

/** The panel as the operator's browser shows it then. */
async function viewOf(operator: Browser, partnerId = partner): Promise<Browser> {
  const view = Object.assign(browser(t), { cookie: operator.cookie });
  const opened = await view.post(`/operator/api/partners/${partnerId}/view`);
  assert.deepEqual([opened.status, opened.body], [200, {}], 'the token is in the cookie only');
  return view;
}

test('an operator sees the panel of a partner, and the log says so', async () => {
  const kim = await signedInOperator(t, 'read-only');
  const view = await viewOf(kim);
  const { body } = await view.get('/api/me');
  assert.deepEqual([body.partner.name, body.viewed_by, body.member.role], ['Island Hopper', kim.email, 'read-only']);
  const [entry] = await listChanges(t.base.db, {
    target: `partner ${partner}`,
    who: `operator:${kim.email}`,
    limit: 1,
  });
  assert.equal(entry?.what, 'partner view');
  const member = await signedIn(t, partner);
  assert.equal((await member.get('/api/me')).body.viewed_by, null);
});

test('each view has its entry, also when one key is sent three times, and each has a token of its own', async () => {
  const kim = await signedInOperator(t, 'support');
  const headers = { 'idempotency-key': 'one-key' };
  const open = async () => {
    const view = Object.assign(browser(t), { cookie: kim.cookie });
    await view.post(`/operator/api/partners/${partner}/view`, {}, { headers });
    return view.cookie;
  };
  const tokens = new Set([await open(), ...(await Promise.all([open(), open()]))]);
  assert.equal(tokens.size, 3);
  const entries = await listChanges(t.base.db, {
    target: `partner ${partner}`,
    who: `operator:${kim.email}`,
    limit: 9,
  });
  assert.equal(entries.length, 3);
  assert.deepEqual(await t.base.db.query(sql`select 1 from action_keys where key = 'one-key'`), [], 'nothing is kept');
});

test('activation data and the traveller’s link are hidden, in every answer there is', async () => {
  const { alias } = await testPlan(t);
  await catalogKnows(t, alias);
  const key = await t.key(partner, 'sandbox');
  const subscription = await pausedSubscription(t, partner);
  const order = String((await buy(t, key, alias)).body.order_id);
  const member = await signedIn(t, partner);
  const shown = (await member.v3('sandbox', `/order/detail/${order}`)).body.esim;
  assert.match(shown.qrcode, /^LPA:1\$/);
  const link = (await member.get(`/api/sandbox/orders/${order}/share`)).body.share.url;
  assert.match(link, /\/e\//);
  const secrets = [shown.qrcode, shown.qrcode_url, shown.matching_id, shown.smdpAddress, shown.share_url, link];
  const view = await viewOf(await signedInOperator(t, 'support'));
  for (const path of ['/order/get', `/order/detail/${order}`, `/esim/detail/${shown.iccid}`, '/esim/list']) {
    const [seen, hidden] = [await member.v3('sandbox', path), await view.v3('sandbox', path)];
    assert.equal(hidden.status, 200, hidden.text);
    assert.ok(hidden.text.includes(shown.iccid), path);
    for (const secret of secrets) assert.ok(!hidden.text.includes(secret), `${path}: ${secret}`);
    assert.deepEqual(Object.keys(hidden.body), Object.keys(seen.body));
  }
  const { id } = await t.base.worlds.sandbox.db.one<{ id: bigint }>(sql`
    select id from webhook_deliveries where subscription_id = ${subscription} and event_type = 'order.delivered'`);
  const delivery = `/api/sandbox/deliveries/${id}`;
  assert.ok((await member.get(delivery)).text.includes(shown.matching_id), 'a member reads what was sent');
  for (const path of [
    delivery,
    ...['share', 'timeline', 'money'].map((part) => `/api/sandbox/orders/${order}/${part}`),
  ]) {
    const { text } = await view.get(path);
    for (const secret of secrets) assert.ok(!text.includes(secret), `${path}: ${secret}`);
  }
});

test('it ends after an hour, with the operator’s session, and when they leave; each time 401', async () => {
  const kim = await signedInOperator(t, 'support');
  const [first, second] = [await viewOf(kim), await viewOf(kim)];
  assert.equal((await first.post('/api/sign-out')).status, 200);
  assert.deepEqual(
    [
      (await first.get('/api/me')).status,
      (await second.get('/api/me')).status,
      (await kim.get('/operator/api/me')).status,
    ],
    [401, 200, 200],
  );
  t.clock.advance(HOUR - MINUTE);
  assert.equal((await second.get('/api/me')).status, 200);
  t.clock.advance(MINUTE);
  assert.equal((await second.get('/api/me')).status, 401);
  const lea = await signedInOperator(t, 'support');
  const view = await viewOf(lea);
  await lea.post('/operator/api/sign-out');
  assert.deepEqual(said(await view.get('/api/me')), [401, 'sign_in_required']);
});

test('a disabled partner can be viewed, a closed or unknown one not', async () => {
  const kim = await signedInOperator(t, 'support');
  const other = await t.partner();
  await t.base.db.run(sql`update partners set disabled = true where id = ${other}`);
  const view = await viewOf(kim, other);
  assert.equal((await view.get('/api/me')).status, 200);
  await t.base.db.run(sql`update partners set deleted_at = now() where id = ${other}`);
  assert.equal((await view.get('/api/me')).status, 401);
  assert.deepEqual(said(await kim.post(`/operator/api/partners/${other}/view`)), [409, 'partner_closed']);
  assert.deepEqual(said(await kim.post('/operator/api/partners/999999/view')), [404, 'partner_not_found']);
});

test('it shows one partner only', async () => {
  const mine = await t.partner();
  const view = await viewOf(await signedInOperator(t, 'support'), mine);
  const member = await signedIn(t, partner);
  const { orders } = (await member.get('/api/sandbox/orders')).body;
  assert.ok(orders.length > 0);
  assert.deepEqual((await view.get('/api/sandbox/orders')).body.orders, []);
  assert.equal((await view.get(`/api/sandbox/orders/${orders[0].id}/timeline`)).status, 404);
});
