import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, suite, test } from 'node:test';
import { askApplicant } from '../../../src/actions/partners/applications.ts';
import { memberAccess } from '../../../src/domains/partners/people/people.ts';
import { stepAt, totpCode } from '../../../src/domains/partners/people/second-factor.ts';
import type { Services } from '../../../src/entry/api/endpoint.ts';
import { endpoints } from '../../../src/entry/api/endpoints.ts';
import type { AnswerParts } from '../../../src/entry/api/gates/answer.ts';
import { panelActions } from '../../../src/entry/panel/api.ts';
import { purchaseActions } from '../../../src/entry/panel/orders/purchases.ts';
import { severalActions } from '../../../src/entry/panel/orders/several.ts';
import { tryActions } from '../../../src/entry/panel/sandbox.ts';
import { v3Permissions } from '../../../src/entry/panel/v3-permissions.ts';
import { raw, sql } from '../../../src/platform/db/query/sql.ts';
import { LIVE_FORM } from '../../domains/partners/applications/stage.ts';
import { refusedWithoutKey, twice, type Wish } from '../../support/browser/twice.ts';
import { eventually } from '../../support/eventually.ts';
import { testApp } from '../../support/program/app.ts';
import { run } from '../../support/program/operator.ts';
import { accepted, type Browser, PASSWORD, signedIn } from '../../support/program/panel.ts';
import { SoftPasskey } from '../../support/program/passkeys.ts';
import { withSecondFactor } from '../../support/program/second-factor.ts';
import { invoicing, sell } from '../../support/sales/invoices.ts';
import { testPlan } from '../../support/sales/paid-order.ts';
import { askForHelp } from '../../support/sales/shared-order.ts';
import { buy, pausedSubscription } from '../../support/sales/shop.ts';
import { receiver } from '../../support/servers/receiver.ts';
import { settingsFor } from '../../support/servers/smtp.ts';
import { refundShop, withdrawals } from '../../support/suppliers/withdrawals.ts';

const hook = await receiver();
after(() => hook[Symbol.asyncDispose]());
const t = await testApp({ config: { webhookTrustedHosts: [hook.host], mail: settingsFor(9), invoicing } });
after(() => t[Symbol.asyncDispose]());
const other = await t.another();
after(() => other[Symbol.asyncDispose]());
const { db, worlds } = t.base;
const shop = await refundShop(t);
const { product_id: alias } = (
  await t.get(`/order/detail/${(await shop.order(shop.sandbox)).id}`, { key: shop.sandbox })
).body.order;
await withdrawals(t, { outcome: 'withdrawn' });

const rows = async (table: string, mode?: 'live' | 'sandbox'): Promise<number> =>
  Number((await (mode ? worlds[mode].db : db).query(sql`select 1 from ${raw(table)}`)).length);
const member = async () => {
  const partnerId = await t.partner();
  return { partnerId, who: await signedIn(t, partnerId) };
};
const idOf = async (who: Browser) => (await who.get('/api/me')).body.member.id as number;
const colleague = async (who: Browser) =>
  (await who.post('/api/members', { email: `${randomUUID()}@example.com`, role: 'finance' })).body.id;
const savedView = async (who: Browser): Promise<string> =>
  (await who.post('/api/views', { list: 'orders', name: 'Failed', filters: { status: 'failed' } })).body.id;
const webhook = async (status: 'active' | 'paused' = 'active') => {
  const { partnerId, who } = await member();
  const url = `http://${hook.host}/${partnerId}`;
  const { subscription } = (await who.post('/api/sandbox/webhooks', { url, events: [] })).body;
  if (status === 'paused') await who.post(`/api/sandbox/webhooks/${subscription.id}/pause`);
  return { partnerId, who, url, at: `/api/sandbox/webhooks/${subscription.id}` };
};
const delivered = async () => {
  const { partnerId, who } = await member();
  const id = await pausedSubscription(t, partnerId);
  const bought = await buy(t, await t.key(partnerId, 'sandbox'), alias);
  await worlds.sandbox.db.run(sql`delete from webhook_queue where subscription_id = ${id}`);
  await worlds.sandbox.db.run(sql`
    update webhook_deliveries set status = 'dead', died_at = created_at where subscription_id = ${id}`);
  const { last } = await worlds.sandbox.db.one<{ last: bigint }>(sql`
    select max(id) as last from webhook_deliveries where subscription_id = ${id}`);
  return { who, id, last, orderId: bought.body.id, as_of: new Date(t.clock.now()).toISOString() };
};
const withKey = async () => {
  const { who } = await member();
  const { key } = (await who.post('/api/keys', { mode: 'sandbox', allow_list: '' })).body;
  return { who, at: `/api/keys/${key.id}` };
};
const open = async () => (await shop.order(shop.sandbox, { sandbox_scenario: 'deferred' })).id;
const sold = async () => ({ who: await signedIn(t, shop.partnerId), id: (await shop.order(shop.live)).id });
const refillPlan = async (iccid: string) => {
  const { code } = await db.one<{ code: string }>(
    sql`select supplier_plan as code from plans where refills is null limit 1`,
  );
  const { alias } = await testPlan(t, { refills: [code] });
  await eventually('the refill is on sale', async () => {
    const { products } = (await t.get(`/esim/refills/${iccid}`, { key: shop.sandbox })).body;
    return products.length > 0;
  });
  return alias;
};
const testEsim = async (more: Record<string, string> = {}) => {
  const { id } = await shop.order(shop.sandbox, more);
  const { iccid } = (await t.get(`/order/detail/${id}`, { key: shop.sandbox })).body.esim;
  return { who: await signedIn(t, shop.partnerId), iccid: String(iccid) };
};
const eventsOf = (iccid: string) => async (): Promise<number> =>
  Number((await worlds.sandbox.db.query(sql`select 1 from esim_events where iccid = ${iccid}`)).length);
const LAST_MONTH = new Date(new Date().setUTCDate(0));
const personOf = async () => accepted(t, await t.partner());

const setUp = async (who: Browser) =>
  totpCode((await who.post('/api/second-factor/start')).body.key, stepAt(t.clock.now()));
const withFactor = async () => {
  const who = await personOf();
  await withSecondFactor(t, who);
  return who;
};

const withSso = async () => {
  const who = await personOf();
  const body = { issuer: 'https://93.184.216.34', client_id: 'x', client_secret: 'y', domains: [] };
  assert.equal((await who.post('/api/sso', body)).status, 200);
  return who;
};

/** What succeeds, for every address that changes something. */
const wishes: Readonly<Record<string, () => Promise<Wish>>> = {
  '/api/accounts/{id}/open': async () => {
    const { who } = await member();
    return { who, path: `/api/accounts/${await idOf(who)}/open`, entries: 0 };
  },
  '/api/password': async () => ({
    who: await personOf(),
    path: '/api/password',
    body: { current: PASSWORD, password: `${PASSWORD} new` },
  }),
  '/api/second-factor/start': async () => {
    const count = () => rows('second_factors');
    return { who: await personOf(), path: '/api/second-factor/start', entries: 0, count, isShownOnce: true };
  },
  '/api/second-factor/turn-on': async () => {
    const who = await personOf();
    return { who, path: '/api/second-factor/turn-on', body: { code: await setUp(who) }, isShownOnce: true };
  },
  '/api/second-factor/recovery-codes': async () => ({
    who: await withFactor(),
    path: '/api/second-factor/recovery-codes',
    isShownOnce: true,
  }),
  '/api/second-factor/turn-off': async () => ({ who: await withFactor(), path: '/api/second-factor/turn-off' }),
  '/api/passkeys': async () => {
    const who = await personOf();
    const { options } = (await who.post('/api/passkeys/start')).body;
    const body = { name: 'Phone', passkey: new SoftPasskey().create(options) };
    return { who, path: '/api/passkeys', body, count: () => rows('passkeys'), isShownOnce: true };
  },
  '/api/passkeys/{id}/remove': async () => {
    const who = await personOf();
    const { options } = (await who.post('/api/passkeys/start')).body;
    const made = { name: 'Phone', passkey: new SoftPasskey().create(options) };
    const { id } = (await who.post('/api/passkeys', made)).body.passkey;
    return { who, path: `/api/passkeys/${id}/remove`, count: async () => -(await rows('passkeys')) };
  },
  '/api/sso': async () => ({
    who: await personOf(),
    path: '/api/sso',
    body: { issuer: 'https://93.184.216.34', client_id: 'x', client_secret: 'y', domains: [] },
    count: () => rows('partner_sso'),
  }),
  '/api/sso/remove': async () => ({
    who: await withSso(),
    path: '/api/sso/remove',
    count: async () => -(await rows('partner_sso')),
  }),
  '/api/sso/require': async () => ({ who: await withSso(), path: '/api/sso/require', body: { break_glass: null } }),
  '/api/sessions/{id}/end': async () => {
    const { who } = await member();
    const memberId = await idOf(who);
    await db.tx((tx) => memberAccess.sessions.open(tx, memberId, t.clock.now()));
    const { sessions } = (await who.get('/api/sessions')).body;
    const { id } = sessions.find((one: { is_this: boolean }) => !one.is_this);
    return { who, path: `/api/sessions/${id}/end`, entries: 0, count: async () => -(await rows('sessions')) };
  },
  '/api/sessions/end-others': async () => {
    const { who } = await member();
    const memberId = await idOf(who);
    await db.tx((tx) => memberAccess.sessions.open(tx, memberId, t.clock.now()));
    return { who, path: '/api/sessions/end-others', entries: 0, count: async () => -(await rows('sessions')) };
  },
  '/api/views': async () => {
    const body = { list: 'orders', name: 'Failed', filters: { status: 'failed' } };
    return { ...(await member()), path: '/api/views', body, entries: 0, count: () => rows('saved_views') };
  },
  '/api/views/{id}': async () => {
    const { who } = await member();
    return { who, path: `/api/views/${await savedView(who)}`, body: { name: 'Lost' }, entries: 0 };
  },
  '/api/views/{id}/delete': async () => {
    const { who } = await member();
    const count = async () => -(await rows('saved_views'));
    return { who, path: `/api/views/${await savedView(who)}/delete`, entries: 0, count };
  },
  '/api/members': async () => {
    const body = { email: `${randomUUID()}@example.com`, role: 'finance' };
    return { ...(await member()), path: '/api/members', body, count: () => rows('members') };
  },
  '/api/members/{id}/invite-again': async () => {
    const { who } = await member();
    return { who, path: `/api/members/${await colleague(who)}/invite-again` };
  },
  '/api/members/{id}/role': async () => {
    const { who } = await member();
    return { who, path: `/api/members/${await colleague(who)}/role`, body: { role: 'developer' } };
  },
  '/api/members/{id}/remove': async () => {
    const { who } = await member();
    return { who, path: `/api/members/${await colleague(who)}/remove`, count: async () => -(await rows('members')) };
  },
  '/api/keys': async () => {
    const body = { mode: 'live', allow_list: '' };
    return { ...(await member()), path: '/api/keys', body, count: () => rows('api_keys'), isShownOnce: true };
  },
  '/api/keys/{id}': async () => {
    const { who, at } = await withKey();
    return { who, path: at, body: { name: 'shop' } };
  },
  '/api/keys/{id}/revoke': async () => {
    const { who, at } = await withKey();
    return { who, path: `${at}/revoke` };
  },
  '/api/live-application': async () => ({
    who: await signedIn(t, await t.partner({ isLive: false })),
    path: '/api/live-application',
    body: LIVE_FORM,
    count: () => rows('applications'),
  }),
  '/api/live-application/answer': async () => {
    const who = await signedIn(t, await t.partner({ isLive: false }));
    const { id } = (await who.post('/api/live-application', LIVE_FORM)).body.application;
    await askApplicant(t.operator(), { id, version: undefined }, 'Who?');
    return { who, path: '/api/live-application/answer', body: { version: 2, answer: 'We' } };
  },
  '/api/balance-alert': async () => ({ ...(await member()), path: '/api/balance-alert', body: { level: '50' } }),
  '/api/billing-details': async () => ({
    ...(await member()),
    path: '/api/billing-details',
    body: { legal_name: 'Alpine', billing_address: 'Road 1', billing_country: 'AT', vat_id: '', billing_email: '' },
    count: () => rows('billing_details'),
  }),
  '/api/retail/terms': async () => ({
    ...(await member()),
    path: '/api/retail/terms',
    body: { currency: 'EUR', rate: '0.92', markup: '40', ending: '.99' },
    count: () => rows('retail_terms'),
  }),
  '/api/retail/destination': async () => ({
    ...(await member()),
    path: '/api/retail/destination',
    body: { code: 'FR', markup: '40' },
    count: () => rows('retail_prices'),
  }),
  '/api/retail/plan': async () => ({
    ...(await member()),
    path: '/api/retail/plan',
    body: { plan: alias, price: '9.99' },
    count: () => rows('retail_prices'),
  }),
  '/api/brand': async () => ({
    ...(await member()),
    path: '/api/brand',
    body: { display_name: 'Alpine', color: '#0b5d7a', support_url: '' },
  }),
  '/api/sandbox/clock/advance': async () => {
    const { who } = await member();
    const hours = async () => (await who.get('/api/sandbox/clock')).body.test_clock.ahead_seconds / 3600;
    return { who, path: '/api/sandbox/clock/advance', body: { by: '1h' }, count: hours };
  },
  '/api/sandbox/clock/reset': async () => {
    const { who } = await member();
    await who.post('/api/sandbox/clock/advance', { by: '1h' });
    return { who, path: '/api/sandbox/clock/reset' };
  },
  '/api/sandbox/try': async () => {
    const { who, partnerId } = await member();
    const key = await t.key(partnerId, 'sandbox');
    const body = { key, path: '/purchase/buy', fields: { product_id: alias } };
    return { who, path: '/api/sandbox/try', body, entries: 0, movements: 1, count: () => rows('orders', 'sandbox') };
  },
  '/api/{mode}/purchases': async () => {
    const { who } = await member();
    const { partner_price } = (await who.v3('sandbox', `/purchase/quote?product_id=${alias}`)).body;
    const body = { product_id: alias, max_price: partner_price.toFixed(2) };
    return { who, path: '/api/sandbox/purchases', body, movements: 1, count: () => rows('orders', 'sandbox') };
  },
  '/api/sandbox/inbox': async () => ({
    ...(await member()),
    path: '/api/sandbox/inbox',
    count: () => rows('webhook_subscriptions', 'sandbox'),
  }),
  '/api/{mode}/orders/{id}/share/mail': async () => {
    const { who, id } = await sold();
    const body = { email: 'traveller@example.com' };
    // Other mails may be written meanwhile.
    const count = () => rows("mails where recipient = 'traveller@example.com'");
    return { who, path: `/api/live/orders/${id}/share/mail`, body, count };
  },
  '/api/{mode}/help-requests/{id}/answer': async () => {
    const { who, id } = await sold();
    const request = await askForHelp(t, t.base.worlds.live, BigInt(id), { email: 'asker@example.com' });
    const count = () => rows("mails where recipient = 'asker@example.com'");
    return { who, path: `/api/live/help-requests/${request}/answer`, body: { text: 'Turn on roaming.' }, count };
  },
  '/api/{mode}/help-requests/{id}/close': async () => {
    const { who, id } = await sold();
    return { who, path: `/api/live/help-requests/${await askForHelp(t, t.base.worlds.live, BigInt(id))}/close` };
  },
  '/api/{mode}/orders/{id}/resend': async () => {
    const { who, orderId, as_of } = await delivered();
    return { who, path: `/api/sandbox/orders/${orderId}/resend`, body: { as_of } };
  },
  '/api/{mode}/orders/cancel': async () => {
    const who = await signedIn(t, shop.partnerId);
    const ids = [await open(), await open()];
    return { who, path: '/api/sandbox/orders/cancel', body: { orders: ids }, entries: 2, movements: 2 };
  },
  '/api/{mode}/orders/refund': async () => {
    const [one, other] = [await sold(), await sold()];
    const body = { orders: [one.id, other.id], reason: 'rain' };
    return { who: one.who, path: '/api/live/orders/refund', body, entries: 0, movements: 2 };
  },
  '/api/{mode}/esims/suspend': async () => {
    const { who, iccid } = await testEsim();
    const other = await testEsim();
    const body = { esims: [iccid, other.iccid] };
    return { who, path: '/api/sandbox/esims/suspend', body, entries: 2, count: eventsOf(iccid) };
  },
  '/api/{mode}/esims/resume': async () => {
    const { who, iccid } = await testEsim();
    await who.v3('sandbox', '/esim/suspend', { iccid });
    return { who, path: '/api/sandbox/esims/resume', body: { esims: [iccid] }, count: eventsOf(iccid) };
  },
  '/api/{mode}/orders/{id}/share/revoke': async () => {
    const { who, id } = await sold();
    return { who, path: `/api/live/orders/${id}/share/revoke` };
  },
  '/api/{mode}/orders/{id}/share/renew': async () => {
    const { who, id } = await sold();
    return { who, path: `/api/live/orders/${id}/share/renew` };
  },
  '/api/{mode}/deliveries/{id}/resend': async () => {
    const { who, last, as_of } = await delivered();
    return { who, path: `/api/sandbox/deliveries/${last}/resend`, body: { as_of } };
  },
  '/api/{mode}/webhooks/{id}/resend': async () => {
    const { who, id, as_of } = await delivered();
    return { who, path: `/api/sandbox/webhooks/${id}/resend`, body: { as_of } };
  },
  '/api/{mode}/webhooks': async () => {
    const { who } = await member();
    const count = () => rows('webhook_subscriptions', 'live');
    return { who, path: '/api/live/webhooks', body: { url: hook.url, events: [] }, count, isShownOnce: true };
  },
  '/api/{mode}/webhooks/{id}': async () => {
    const { who, at } = await webhook();
    return { who, path: at, body: { events: ['order.paid'] } };
  },
  '/api/{mode}/webhooks/{id}/pause': async () => {
    const { who, at } = await webhook();
    return { who, path: `${at}/pause` };
  },
  '/api/{mode}/webhooks/{id}/resume': async () => {
    const { who, at } = await webhook('paused');
    return { who, path: `${at}/resume` };
  },
  '/api/{mode}/webhooks/{id}/rotate': async () => {
    const { who, at } = await webhook();
    return { who, path: `${at}/rotate`, isShownOnce: true };
  },
  '/api/{mode}/webhooks/{id}/finish-rotation': async () => {
    const { who, at } = await webhook();
    await who.post(`${at}/rotate`);
    return { who, path: `${at}/finish-rotation` };
  },
  '/api/{mode}/webhooks/{id}/delete': async () => {
    const { who, at } = await webhook();
    return { who, path: `${at}/delete` };
  },
};

/** The same for the endpoints of the API that members use. */
const v3Wishes: Readonly<Record<string, () => Promise<Wish>>> = {
  '/order/refund': async () => {
    const { who, id } = await sold();
    return { who, path: '/api/live/v3/order/refund', form: { order_id: id }, entries: 0, movements: 1 };
  },
  '/order/cancel': async () => {
    const who = await signedIn(t, shop.partnerId);
    return { who, path: '/api/sandbox/v3/order/cancel', form: { order_id: await open() }, movements: 1 };
  },
  '/esim/suspend': async () => {
    const { who, iccid } = await testEsim();
    return { who, path: '/api/sandbox/v3/esim/suspend', form: { iccid }, count: eventsOf(iccid) };
  },
  '/esim/resume': async () => {
    const { who, iccid } = await testEsim();
    await who.v3('sandbox', '/esim/suspend', { iccid });
    return { who, path: '/api/sandbox/v3/esim/resume', form: { iccid }, count: eventsOf(iccid) };
  },
  '/esim/replace': async () => {
    const { who, iccid } = await testEsim();
    const count = () => rows('esim_replacements', 'sandbox');
    const form = { iccid, idempotency_key: `panel-${iccid}` };
    return { who, path: '/api/sandbox/v3/esim/replace', form, count };
  },
  '/esim/autorefill': async () => {
    const { who, iccid } = await testEsim({ sandbox_usage: 'depleted' });
    const count = () => rows('orders', 'sandbox');
    const form = { iccid, product_id: await refillPlan(iccid), at_percent: '50', times: '1', max_price: '20' };
    return { who, path: '/api/sandbox/v3/esim/autorefill', form, count, movements: 1 };
  },
  '/sandbox/invoice': async () => {
    const { partnerId, who } = await member();
    await sell(t, partnerId, { price: 450n, at: LAST_MONTH }, 'sandbox');
    const month = LAST_MONTH.toISOString().slice(0, 7);
    const issued = await run(t.operator(), `invoice issue --partner ${partnerId} --month ${month} --mode sandbox`);
    const form = { number: issued.numbers[0], event: 'invoice.voided' };
    const count = () => rows('invoices', 'sandbox');
    return { who, path: '/api/sandbox/v3/sandbox/invoice', form, entries: 0, count };
  },
  '/sandbox/profile': async () => {
    const { who, iccid } = await testEsim();
    const form = { iccid, state: 'installed' };
    return { who, path: '/api/sandbox/v3/sandbox/profile', form, entries: 0, count: eventsOf(iccid) };
  },
  '/account/topup': async () => {
    const { who } = await member();
    const count = () => rows('topups', 'live');
    return { who, path: '/api/live/v3/account/topup', form: { amount: '50.00' }, entries: 0, count, isShownOnce: true };
  },
  '/account/topupConfirm': async () => {
    const { who } = await member();
    const { payment_key } = (await who.v3('sandbox', '/account/topup', { amount: '50.00' })).body;
    return { who, path: '/api/sandbox/v3/account/topupConfirm', form: { payment_key }, entries: 0, movements: 1 };
  },
  '/account/sandboxBalance': async () => {
    const { who } = await member();
    const count = async () => (await who.v3('sandbox', '/account/balance')).body.balance / 7;
    const form = { operation: 'add', amount: '7.00' };
    return { who, path: '/api/sandbox/v3/account/sandboxBalance', form, entries: 0, movements: 1, count };
  },
  '/account/sandboxReset': async () => {
    const { who } = await member();
    return { who, path: '/api/sandbox/v3/account/sandboxReset', form: {}, entries: 0 };
  },
  '/webhook/test': async () => {
    const { who, at } = await webhook();
    const form = { subscription_id: at.split('/').at(-1) ?? '' };
    const count = async () => hook.received.length;
    return { who, path: '/api/sandbox/v3/webhook/test', form, entries: 0, count };
  },
  '/webhook/probe': async () => {
    const { who } = await member();
    const count = async () => hook.received.length;
    return { who, path: '/api/sandbox/v3/webhook/probe', form: { url: hook.url }, entries: 0, count };
  },
};

// Only listed here: none of them is handled.
const parts = {} as AnswerParts;
const ofParts = [...tryActions(parts), ...purchaseActions(parts), ...severalActions(parts)];
const actions = [...panelActions(t.base, {} as Services), ...ofParts]
  .filter((action) => action.signedIn)
  .filter(({ verb }) => verb === 'POST');
const keyed = actions.filter(({ keyless }) => keyless === undefined);
const changing = endpoints.filter(({ path, verb }) => verb === 'POST' && path in v3Permissions);

test('every action that changes something is tried here, and one without a key says why', () => {
  assert.deepEqual(Object.keys(wishes).sort(), keyed.map(({ path }) => path).sort());
  assert.deepEqual(Object.keys(v3Wishes).sort(), changing.map(({ path }) => path).sort());
  for (const { path, keyless = 'it has a key' } of actions) assert.ok(keyless.length > 10, path);
});

suite('asked for twice at once, at two processes, it happens once and all get one answer', () => {
  for (const [path, prepare] of Object.entries({ ...wishes, ...v3Wishes }))
    test(path, async () => {
      const wish = await prepare();
      await refusedWithoutKey(wish);
      await twice(t, other, wish);
    });
});
