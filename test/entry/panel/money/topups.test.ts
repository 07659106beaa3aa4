import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, test } from 'node:test';
import { Stripe } from 'stripe';
import { receiptOf } from '../../../../src/domains/billing/invoices/details.ts';
import { receiptFor } from '../../../../src/domains/billing/topups/topups.ts';
import { toCents } from '../../../../src/platform/amounts/cents.ts';
import { DAY, MINUTE } from '../../../../src/platform/clock.ts';
import { record } from '../../../support/program/app.ts';
import { signedInOperator } from '../../../support/program/console.ts';
import { run } from '../../../support/program/operator.ts';
import { type Browser, browser, signedIn, signedInAs } from '../../../support/program/panel.ts';
import { invoicing } from '../../../support/sales/invoices.ts';
import { stripeApp } from '../../../support/sales/topups.ts';

const app = await stripeApp({ role: 'all' });
after(() => app[Symbol.asyncDispose]());
const { t, stripe, partnerId } = app;
const ana = await signedIn(t, partnerId);
const resume = async (paymentKey: string, by = ana) => {
  const answer = await by.post(`/api/live/topups/${paymentKey}/resume`);
  if (answer.body.client_secret) record('secrets', `${answer.body.client_secret}\n`);
  return answer;
};
const listed = async (paymentKey: string) =>
  (await ana.get('/api/live/topups')).body.topups.find(
    (one: { payment_key: string }) => one.payment_key === paymentKey,
  );

test('the range, the provider and the balance limit are known before anything is asked for', async () => {
  const live = (await ana.get('/api/live/topups')).body;
  assert.deepEqual(live, {
    offer: { provider: 'stripe', has_card_form: true, min: '10.00', max: '10000.00', max_balance: null },
    topups: [],
  });
  const { offer } = (await ana.get('/api/sandbox/topups')).body;
  assert.deepEqual([offer.provider, offer.min, offer.has_card_form], ['sandbox', '10.00', false]);
  assert.match(offer.max_balance, /^\d+\.\d{2}$/);
});

test('an open payment is found again and can be paid with the same secret, at the same intent', async () => {
  const { paymentKey, intentId } = await app.start('50');
  const row = await listed(paymentKey);
  assert.deepEqual([row.status, row.amount, row.provider], ['requires_payment', '50.00', 'stripe']);
  assert.equal(Date.parse(row.expires_at) - Date.parse(row.created_at), DAY);
  const { body } = await resume(paymentKey);
  assert.deepEqual(body, {
    state: 'open',
    amount: '50.00',
    provider: 'stripe',
    client_secret: stripe.intents.get(intentId)?.client_secret,
    publishable_key: 'pk_test_shown',
  });
  assert.equal(stripe.intentOf(paymentKey), intentId, 'no second intent was opened');
});

test('a payment shows what its provider says: being processed, then succeeded and credited once', async () => {
  const { paymentKey, intentId } = await app.start('60');
  stripe.process(intentId);
  assert.deepEqual((await resume(paymentKey)).body.state, 'processing');
  stripe.pay(intentId);
  const { body } = await resume(paymentKey);
  assert.deepEqual([body.state, body.client_secret], ['succeeded', null]);
  assert.equal((await resume(paymentKey)).body.state, 'succeeded');
  assert.equal((await listed(paymentKey)).status, 'succeeded');
  assert.equal((await ana.v3('live', '/account/balance')).body.balance, 60);
});

test('a payment that was closed, or paid in another amount, says so and cannot be paid', async () => {
  const closed = await app.start('70');
  stripe.abandon(closed.intentId);
  assert.deepEqual((await resume(closed.paymentKey)).body.state, 'failed');
  const other = await app.start('70');
  stripe.pay(other.intentId, 10_00);
  const { body } = await resume(other.paymentKey);
  assert.deepEqual([body.state, body.client_secret], ['failed', null]);
  assert.equal((await listed(other.paymentKey)).mismatch, 'paid 10.00 USD, asked for 70.00 USD');
});

test('a provider that does not answer leaves the payment as it was', async () => {
  const { paymentKey } = await app.start('80');
  stripe.meet('server_error', /GET /, 2);
  assert.deepEqual((await resume(paymentKey)).body.state, 'unanswered');
  assert.equal((await listed(paymentKey)).status, 'requires_payment');
});

test('a provider that forgot the payment key must not take a second payment: what it opened is closed', async () => {
  const { paymentKey } = await app.start('90');
  stripe.forget();
  const { body } = await resume(paymentKey);
  assert.deepEqual([body.state, body.client_secret], ['unanswered', null]);
  const states = [...stripe.intents.values()].filter(({ metadata }) => metadata.payment_key === paymentKey);
  assert.deepEqual(
    states.map(({ status }) => status),
    ['requires_payment_method', 'canceled'],
  );
});

test('another partner’s payment is answered like one that does not exist; only those who may spend can pay', async () => {
  const { paymentKey } = await app.start('50');
  const stranger = await signedIn(t, await t.partner());
  const [theirs, none] = [await resume(paymentKey, stranger), await resume(`topup_${'0'.repeat(32)}`, stranger)];
  assert.deepEqual([theirs.status, theirs.text], [404, none.text]);
  assert.deepEqual((await stranger.get('/api/live/topups')).body.topups, []);
  assert.equal((await resume(paymentKey, browser(t))).body.error.code, 'sign_in_required');
  assert.equal((await resume(paymentKey, await signedInAs(t, partnerId, 'read-only'))).status, 403);
  const readOnly = await signedInAs(t, partnerId, 'read-only');
  assert.equal((await readOnly.get('/api/live/topups')).body.topups[0].payment_key, paymentKey);
  assert.equal((await (await signedInAs(t, partnerId, 'developer')).get('/api/live/topups')).status, 403);
});

test('a paid top-up has a receipt, the same each time; what is not paid, not theirs or unknown is one answer', async () => {
  const ofUnpaid = (await app.start('50')).paymentKey;
  const { paymentKey, intentId } = await app.start('55');
  const receipt = (by: Browser, key: string, mode = 'live') => by.get(`/api/${mode}/topups/${key}/receipt`);
  const notYet = await receipt(ana, paymentKey);
  assert.deepEqual([notYet.status, notYet.body.error.code], [404, 'topup_not_found']);
  stripe.pay(intentId);
  assert.equal((await resume(paymentKey)).body.state, 'succeeded');
  const pdf = await receipt(ana, paymentKey);
  assert.equal(pdf.status, 200);
  assert.equal(pdf.headers['content-type'], 'application/pdf');
  assert.match(String(pdf.headers['content-disposition']), /^attachment; filename="receipt-topup-[0-9a-f]{32}\.pdf"$/);
  assert.ok(pdf.text.startsWith('%PDF-') && pdf.text.includes(`(Receipt ${paymentKey})`));
  t.clock.advance(10 * MINUTE);
  assert.equal((await receipt(ana, paymentKey)).text, pdf.text);
  const stranger = await signedIn(t, await t.partner());
  for (const [by, key, mode] of [
    [stranger, paymentKey, 'live'],
    [stranger, ofUnpaid, 'live'],
    [ana, ofUnpaid, 'live'],
    [ana, paymentKey, 'sandbox'],
    [ana, `topup_${'0'.repeat(32)}`, 'live'],
  ] as const) {
    const answer = await receipt(by, key, mode);
    assert.deepEqual([answer.status, answer.text], [404, notYet.text]);
  }
  assert.equal((await receipt(browser(t), paymentKey)).body.error.code, 'sign_in_required');
  for (const [role, status] of [
    ['read-only', 200],
    ['finance', 200],
    ['developer', 403],
    ['support', 403],
  ] as const)
    assert.equal((await receipt(await signedInAs(t, partnerId, role), paymentKey)).status, status, role);
  const view = Object.assign(browser(t), { cookie: (await signedInOperator(t)).cookie });
  await view.post(`/operator/api/partners/${partnerId}/view`);
  assert.equal((await view.get('/api/live/topups')).body.topups[0].payment_key, paymentKey, 'the view is open');
  assert.equal((await receipt(view, paymentKey)).status, 200);
});

test('a receipt of the sandbox says that it is a test', async () => {
  const started = await ana.v3('sandbox', '/account/topup', { amount: '25' });
  const { payment_key } = started.body;
  record('secrets', `${started.body.client_secret}\n`);
  assert.equal((await ana.get(`/api/sandbox/topups/${payment_key}/receipt`)).status, 404);
  assert.equal((await ana.v3('sandbox', '/account/topupConfirm', { payment_key })).status, 200);
  const pdf = await ana.get(`/api/sandbox/topups/${payment_key}/receipt`);
  assert.ok(pdf.status === 200 && pdf.text.includes(`(Receipt ${payment_key})`));
});

test('a receipt has the payment, its day, and both names and addresses: the seller’s once it is set', async () => {
  const { paymentKey, intentId } = await app.start('65');
  stripe.pay(intentId);
  await resume(paymentKey);
  await run(t.operator(), [
    ...['partner', 'set', String(partnerId), '--legal-name', 'Ana GmbH', '--billing-address', 'Weg 1'],
    ...['--billing-country', 'DE'],
  ]);
  const topup = (await t.base.worlds.live.topups.find(paymentKey)) ?? assert.fail();
  const payment = receiptFor(topup) ?? assert.fail();
  const unnamed = await receiptOf(t.base.db, payment, { mode: 'live', seller: undefined, name: 'Shop' });
  assert.deepEqual(
    [unnamed.paymentKey, unnamed.amount, unnamed.currency, unnamed.paidAt, unnamed.seller.name],
    [paymentKey, toCents(65_00n), 'USD', topup.closedAt, 'Shop'],
  );
  const { payer } = unnamed;
  assert.deepEqual([payer.name, payer.address, payer.country], ['Ana GmbH', ['Weg 1'], 'DE']);
  const { seller } = await receiptOf(t.base.db, payment, { mode: 'live', seller: invoicing.seller, name: 'Shop' });
  assert.deepEqual(seller, invoicing.seller);
});

test('only the page with the card form names Stripe in its content policy', async () => {
  const policyOf = async (path: string) => {
    const { headers } = await t.ask(path, { host: 'panel', headers: { accept: 'text/html' } });
    return String(headers['content-security-policy']);
  };
  assert.match(await policyOf('/live/money/pay?payment=x'), /script-src 'self' [^;]*https:\/\/js\.stripe\.com/);
  for (const path of ['/live/money', '/sandbox/money/pay', '/live/money/pay/x', '/', '/pay/x'])
    assert.doesNotMatch(await policyOf(path), /stripe/, path);
});

test('the card form loads the release of Stripe’s script whose API the server speaks', async () => {
  const source = await readFile(new URL('../../../../web/src/panel/pages/money/stripe.ts', import.meta.url), 'utf8');
  assert.equal(/js\.stripe\.com\/(\w+)\//.exec(source)?.[1], Stripe.API_VERSION.split('.')[1]);
});
