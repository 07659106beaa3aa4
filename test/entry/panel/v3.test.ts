import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { endpoints } from '../../../src/entry/api/endpoints.ts';
import { sql } from '../../../src/platform/db/query/sql.ts';
import { testApp } from '../../support/program/app.ts';
import { run } from '../../support/program/operator.ts';
import { browser, signedIn, signedInAs } from '../../support/program/panel.ts';
import { testPlan } from '../../support/sales/paid-order.ts';
import { buy, catalogKnows, credit } from '../../support/sales/shop.ts';

const t = await testApp();
after(() => t[Symbol.asyncDispose]());
const { alias, code } = await testPlan(t);
const { alias: more } = await testPlan(t, { refills: [code] });
await catalogKnows(t, alias);
const MODES = ['live', 'sandbox'] as const;

test('a member reads exactly what a key of their partner reads, in either world', async () => {
  const partner = await t.partner();
  const ana = await signedIn(t, partner);
  await credit(t, partner, '100');
  for (const mode of MODES) {
    const key = await t.key(partner, mode);
    const { id } = (await buy(t, key, alias)).body;
    for (const path of [
      '/order/get?limit=5',
      `/order/detail/${id}`,
      '/esim/list',
      '/esim/detail/8900000000000000000',
      '/account/balance',
      '/account/history',
      '/account/pricing',
      '/account/statement',
      '/webhook/list',
      '/webhook/deliveries',
      '/catalog/countries',
      `/catalog/product/${alias}`,
      '/order/detail/999999',
      '/order/get?limit=x',
      '/order/nothing',
      '/nothing/get',
    ]) {
      const both = async () => [await ana.v3(mode, path), await t.get(path, { key })] as const;
      let [byMember, byKey] = await both();
      // Where an answer tells the time, a second may have passed between the two.
      if (byMember.text !== byKey.text) [byMember, byKey] = await both();
      assert.deepEqual([byMember.status, byMember.text], [byKey.status, byKey.text], `${mode} ${path}`);
      assert.equal(byMember.headers['x-ratelimit-limit'], byKey.headers['x-ratelimit-limit']);
      assert.equal(byMember.headers['cache-control'], 'private, no-store');
    }
  }
});

test('members can use the sandbox tools and send a test event', async () => {
  const ana = await signedIn(t, await t.partner());
  const added = await ana.v3('sandbox', '/account/sandboxBalance', { operation: 'add', amount: '5' });
  assert.equal(added.body.balance, 1005);
  assert.equal((await ana.v3('sandbox', '/account/sandboxReset', {})).body.balance, 1000);
  assert.equal((await ana.v3('live', '/account/sandboxReset', {})).body.error, 'sandbox_only_action');
  assert.equal((await ana.v3('sandbox', '/webhook/test', {})).body.error, 'no_subscription');
  assert.equal((await ana.v3('sandbox', '/webhook/probe', { url: 'https://10.0.0.1/' })).body.error, 'probe_blocked');
  const topup = await ana.v3('sandbox', '/account/topup', { amount: '20' });
  assert.equal(topup.status, 200);
  const { payment_key } = topup.body;
  assert.equal((await ana.v3('sandbox', '/account/topupConfirm', { payment_key })).status, 200);
});

test('money is spent by keys only: purchase/buy does not exist in the panel, and nothing else that posts was forgotten', async () => {
  const partner = await t.partner();
  const ana = await signedIn(t, partner);
  await credit(t, partner, '100');
  for (const mode of MODES) {
    const { status, body } = await ana.v3(mode, '/purchase/buy', { product_id: alias });
    assert.deepEqual([status, body.error], [404, 'unknown_method']);
    assert.deepEqual((await ana.v3(mode, '/order/get')).body.order, []);
  }
  const refused = [];
  for (const { path } of endpoints.filter(({ verb }) => verb === 'POST'))
    if ((await ana.v3('sandbox', path, {})).body.error === 'unknown_method') refused.push(path);
  // The panel has actions of its own for what keys do with webhooks and the test clock.
  const instead = ['create', 'update', 'pause', 'resume', 'rotate', 'delete'].map((action) => `/webhook/${action}`);
  assert.deepEqual(refused, ['/purchase/buy', '/purchase/refill', '/purchase/batch', ...instead, '/sandbox/clock']);
});

test('the wrong verb, a body that is not a form and a simulated error', async () => {
  const ana = await signedIn(t, await t.partner());
  assert.equal((await ana.v3('sandbox', '/account/balance', {})).body.error, 'method_not_allowed');
  const json = await ana.post('/api/sandbox/v3/account/sandboxBalance', { operation: 'add', amount: 5 });
  assert.equal(json.body.error, 'unsupported_media_type');
  const simulated = await ana.get('/api/sandbox/v3/account/balance?sandbox_error=rate_limited', {
    headers: { 'x-sandbox-error': 'rate_limited' },
  });
  assert.equal(simulated.status, 200);
  const head = await ana.get('/api/sandbox/v3/account/balance', { method: 'HEAD' });
  assert.deepEqual([head.status, head.text], [200, '']);
  assert.equal((await ana.get('/api/elsewhere/v3/account/balance')).status, 404);
});

test("another partner's order is answered as one that does not exist", async () => {
  const [ana, other] = [await signedIn(t, await t.partner()), await t.partner()];
  const { id } = (await buy(t, await t.key(other, 'sandbox'), alias)).body;
  const [foreign, missing] = [
    await ana.v3('sandbox', `/order/detail/${id}`),
    await ana.v3('sandbox', '/order/detail/999999'),
  ];
  assert.deepEqual([foreign.status, foreign.text], [404, missing.text]);
});

test("a member may ask for their partner's money back, as for a top-up; strangers, other partners and other sites cannot", async () => {
  const partner = await t.partner();
  const [ana, stranger] = [await signedIn(t, partner), await signedIn(t, await t.partner())];
  const key = await t.key(partner, 'sandbox');
  const { id } = (await buy(t, key, alias)).body;
  const refundOf = async () => (await t.get(`/order/detail/${id}`, { key })).body.refund;
  const ask = (order_id: string) => ({ order_id, reason: 'Trip cancelled' });

  const [foreign, missing] = [
    await stranger.v3('sandbox', '/order/refund', ask(id)),
    await stranger.v3('sandbox', '/order/refund', ask('999999')),
  ];
  assert.deepEqual([foreign.status, foreign.text], [404, missing.text]);
  assert.equal(foreign.body.error, 'order_not_found');
  // The order is in the sandbox, and live knows nothing of it.
  assert.equal((await ana.v3('live', '/order/refund', ask(id))).body.error, 'order_not_found');
  const elsewhere = await ana.get('/api/sandbox/v3/order/refund', {
    method: 'POST',
    body: new URLSearchParams(ask(id)).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', origin: 'https://elsewhere.example' },
  });
  assert.deepEqual([elsewhere.status, elsewhere.body.error.code], [403, 'cross_origin']);
  const signedOut = await browser(t).v3('sandbox', '/order/refund', ask(id));
  assert.deepEqual([signedOut.status, signedOut.body.error.code], [401, 'sign_in_required']);
  const tooLong = await ana.v3('sandbox', '/order/refund', { order_id: id, reason: 'x'.repeat(201) });
  assert.equal(tooLong.body.error, 'reason_too_long');
  assert.equal(await refundOf(), null, 'nothing of this left a mark');

  const { status, body } = await ana.v3('sandbox', '/order/refund', ask(id));
  assert.deepEqual([status, body.refund.status, body.refund.reason], [200, 'refunded', 'Trip cancelled']);
  assert.deepEqual(await refundOf(), body.refund);
});

test('a member suspends, resumes and replaces eSIMs, has them refill themselves and plays their phones; strangers, other roles and other sites cannot', async () => {
  const partner = await t.partner();
  const [ana, stranger] = [await signedIn(t, partner), await signedIn(t, await t.partner())];
  const key = await t.key(partner, 'sandbox');
  const { id } = (await buy(t, key, alias)).body;
  const { iccid } = (await t.get(`/order/detail/${id}`, { key })).body.esim;
  const esim = async () => (await t.get(`/esim/detail/${iccid}`, { key })).body.esim;
  const untouched = await esim();
  const rule = async () => (await t.get(`/esim/detail/${iccid}`, { key })).body.autorefill;
  const posts = {
    '/esim/suspend': {},
    '/esim/resume': {},
    '/esim/replace': { idempotency_key: 'panel' },
    '/esim/autorefill': { product_id: more, at_percent: '80', times: '5', max_price: '20' },
    '/sandbox/profile': { state: 'installed' },
  };
  for (const [path, fields] of Object.entries(posts)) {
    const at = `/api/sandbox/v3${path}`;
    const [foreign, missing] = [
      await stranger.v3('sandbox', path, { iccid, ...fields }),
      await stranger.v3('sandbox', path, { iccid: '8900000000000999999', ...fields }),
    ];
    assert.deepEqual([foreign.status, foreign.body.error, foreign.text], [404, 'esim_not_found', missing.text], path);
    const headers = { 'content-type': 'application/x-www-form-urlencoded', origin: 'https://elsewhere.example' };
    const sent = { method: 'POST', body: new URLSearchParams({ iccid, ...fields }).toString(), headers };
    assert.equal((await ana.get(at, sent)).body.error.code, 'cross_origin', path);
    assert.equal(
      (await browser(t).v3('sandbox', path, { iccid, ...fields })).body.error.code,
      'sign_in_required',
      path,
    );
    const reader = await signedInAs(t, partner, 'read-only');
    assert.equal((await reader.v3('sandbox', path, { iccid, ...fields })).status, 403, path);
  }
  assert.deepEqual(await esim(), untouched, 'nothing of this left a mark');
  assert.equal(await rule(), null);
  const change = async (path: keyof typeof posts) => {
    const { status, body } = await ana.v3('sandbox', path, { iccid, ...posts[path] });
    assert.equal(status, 200, JSON.stringify(body));
    return body;
  };
  assert.equal((await change('/sandbox/profile')).esim.profile.state, 'installed');
  assert.equal((await change('/esim/suspend')).esim.state, 'suspended');
  assert.equal((await change('/esim/resume')).esim.state, 'not_active');
  assert.deepEqual((await change('/esim/autorefill')).autorefill, await rule());
  // Without a budget, the operator decides.
  assert.equal((await change('/esim/replace')).replacement.status, 'requested');
  assert.equal((await ana.v3('sandbox', '/esim/autorefill', { iccid, off: '1' })).body.autorefill, null);
  const { entries } = (await ana.get('/api/activity')).body;
  assert.deepEqual(
    entries.map(({ kind, sentence }: { kind: string; sentence: string }) => [kind, sentence]),
    [
      ['esim autorefill', `Ended the automatic refills of the eSIM ${iccid}`],
      ['esim replace', `Asked for a new eSIM in place of the eSIM ${iccid}`],
      [
        'esim autorefill',
        `Had the eSIM ${iccid} refill itself at 80 % of its data, at most 5 times, for up to $20 each`,
      ],
      ['esim resume', `Switched the eSIM ${iccid} on again`],
      ['esim suspend', `Suspended the eSIM ${iccid}`],
    ],
    'what was refused is not in the activity',
  );
});

test('the limits of a key, counted by member: neither a key of the same number nor a colleague shares them', async () => {
  await using fresh = await testApp();
  fresh.clock.freeze();
  const partner = await fresh.partner();
  const [ana, colleague] = [await signedIn(fresh, partner), await signedIn(fresh, partner)];
  const key = await fresh.key(partner, 'sandbox');
  const { key_id } = await fresh.base.db.one<{ key_id: number }>(sql`select id as key_id from api_keys`);
  assert.equal((await ana.get('/api/me')).body.member.id, key_id);
  const url = 'https://10.0.0.1/';
  for (let i = 0; i < 18; i += 1) assert.equal((await ana.v3('sandbox', '/webhook/probe', { url })).status, 400);
  const { status, body } = await ana.v3('sandbox', '/webhook/probe', { url });
  assert.deepEqual([status, body.error, body.tier], [429, 'rate_limited', 'outbound']);
  assert.equal((await colleague.v3('sandbox', '/webhook/probe', { url })).status, 400);
  assert.equal((await fresh.post('/webhook/probe', { url }, { key })).headers['x-ratelimit-remaining'], '17');
});

test('members of a disabled partner can read nothing', async () => {
  const partner = await t.partner();
  const ana = await signedIn(t, partner);
  assert.equal((await ana.v3('live', '/account/balance')).status, 200);
  await run(t.operator(), `partner set ${partner} --disabled true`);
  const { status, body } = await ana.v3('live', '/account/balance');
  assert.deepEqual([status, body.error.code], [401, 'sign_in_required']);
});
