import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, test } from 'node:test';
import { readConfig } from '../../../../src/platform/settings/config.ts';
import { eventually } from '../../../support/eventually.ts';
import { type Answer, type TestApp, testApp } from '../../../support/program/app.ts';
import { signedIn } from '../../../support/program/panel.ts';
import { cashOf, stripeApp, topupOf } from '../../../support/sales/topups.ts';

let t: TestApp;
let partnerId: number;
let key: string;
before(async () => {
  t = await testApp();
  partnerId = await t.partner();
  key = await t.key(partnerId);
});
after(() => t[Symbol.asyncDispose]());

const start = async (amount: string): Promise<{ paymentKey: string; page: string }> => {
  const { body } = await t.post('/account/topup', { amount }, { key });
  return { paymentKey: body.payment_key, page: `/pay/${body.client_secret}` };
};
const press = (page: string, button: string): Promise<Answer> => t.post(page, { do: button }, { host: 'panel' });
const confirm = (payment_key: string) => t.post('/account/topupConfirm', { payment_key }, { key });

test('the page shows what is to be paid, runs and loads nothing, and cannot be framed or cached', async () => {
  const { page, paymentKey } = await start('1250.5');
  const { status, text, headers } = await t.get(page, { host: 'panel' });
  assert.equal(status, 200);
  assert.match(text, /1250\.50 USD/);
  assert.match(text, new RegExp(paymentKey));
  assert.doesNotMatch(text, /<script|https?:\/\/|src=|href=/);
  assert.match(String(headers['content-security-policy']), /default-src 'none'.*frame-ancestors 'none'/);
  assert.equal(headers['cache-control'], 'private, no-store');
  assert.equal(headers['referrer-policy'], 'no-referrer');
});

test('the page has the operator’s name, colour and logo, and nothing of ours', async () => {
  const logo = { type: 'image/png', bytes: Buffer.from('a picture') };
  const { site } = readConfig({ SITE_NAME: 'Nomad & <b>Co</b>', SITE_COLOR: '#ffee00' });
  await using named = await testApp({ config: { site } });
  await using drawn = await testApp({ config: { site: { ...site, logo } } });
  const pageIn = async (app: TestApp) => {
    const key = await app.key(await app.partner());
    const { body } = await app.post('/account/topup', { amount: '40' }, { key });
    return app.get(`/pay/${body.client_secret}`, { host: 'panel' });
  };
  const { text, headers } = await pageIn(named);
  assert.match(text, /<p class="brand">Nomad &#38; &#60;b&#62;Co&#60;\/b&#62;<\/p>/);
  assert.match(text, /<title>Pay 40\.00 USD · Nomad &#38; /);
  assert.match(text, /--brand:#ffee00;--on-brand:#000000/);
  assert.doesNotMatch(text, /wayfare|<img/i);
  const [, style = ''] = /<style>([\s\S]*)<\/style>/.exec(text) ?? [];
  const hash = createHash('sha256').update(style).digest('base64');
  assert.ok(String(headers['content-security-policy']).includes(`'sha256-${hash}'`));
  const [, address = ''] = /<img src="(\/site\/logo-\w+)" alt="Nomad /.exec((await pageIn(drawn)).text) ?? [];
  assert.deepEqual((await drawn.get(address, { host: 'panel' })).headers['content-type'], 'image/png');
  assert.match((await named.get('/pay/nothing', { host: 'panel' })).text, /Nomad &#38; .*There is no payment/s);
});

test('Pay pays: the wallet is credited with or without the confirm call', async () => {
  const { page, paymentKey } = await start('40');
  const before = await cashOf(t.base.worlds.live, partnerId);
  const pressed = await press(page, 'pay');
  assert.deepEqual([pressed.status, pressed.headers.location], [303, page]);
  await eventually('the job credits', async () => (await cashOf(t.base.worlds.live, partnerId)) === before + 4000);
  assert.match((await t.get(page, { host: 'panel' })).text, /Paid\./);
  assert.equal((await confirm(paymentKey)).body.status, 'succeeded');
  await press(page, 'pay');
  await press(page, 'decline');
  assert.equal(await cashOf(t.base.worlds.live, partnerId), before + 4000);
});

test('the page leads back to the panel, to its payment, whatever its outcome', async () => {
  const { page, paymentKey } = await start('40');
  const back = new RegExp(`<form action="/live/money">\\s*<input type="hidden" name="payment" value="${paymentKey}">`);
  assert.match((await t.get(page, { host: 'panel' })).text, back);
  await press(page, 'decline');
  assert.match((await t.get(page, { host: 'panel' })).text, back);
});

test('a payment that was left is found again in the panel, with the address of its page', async () => {
  const { page, paymentKey } = await start('40');
  const ana = await signedIn(t, partnerId);
  const resumed = await ana.post(`/api/live/topups/${paymentKey}/resume`);
  assert.deepEqual([resumed.body.state, `/pay/${resumed.body.client_secret}`], ['open', page]);
  await press(page, 'decline');
  assert.equal((await ana.post(`/api/live/topups/${paymentKey}/resume`)).body.state, 'failed');
});

test('Decline closes the payment for good', async () => {
  const { page, paymentKey } = await start('40');
  assert.equal((await press(page, 'decline')).status, 303);
  assert.match((await t.get(page, { host: 'panel' })).text, /Not paid\./);
  await press(page, 'pay');
  assert.equal((await confirm(paymentKey)).body.error, 'topup_confirm_failed');
  assert.equal((await topupOf(t.base.worlds.live, paymentKey)).status, 'failed');
});

test('any other button is refused and changes nothing; an unknown address is 404', async () => {
  const { page, paymentKey } = await start('40');
  assert.equal((await press(page, 'refund')).status, 400);
  assert.equal((await confirm(paymentKey)).body.error, 'topup_confirm_failed');
  for (const path of ['/pay/sim_0_secret_0', `/pay/${paymentKey}`, '/pay/']) {
    assert.equal((await t.get(path, { host: 'panel' })).status, 404, path);
    assert.equal((await press(path, 'pay')).status, 404, path);
  }
});

test('with a real provider there is no such page', async () => {
  await using app = await stripeApp();
  assert.equal((await app.t.get('/pay/x', { host: 'panel' })).status, 404);
});
