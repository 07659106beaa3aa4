import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { after, before, mock, test } from 'node:test';
import { promisify } from 'node:util';
import { shopApp } from '../../../examples/shop/app.ts';
import { Catalog, type Plan } from '../../../examples/shop/catalog.ts';
import { reconcile } from '../../../examples/shop/nightly.ts';
import { type OpenShop, openShop } from '../../../examples/shop/open.ts';
import { placeOrder, proceed, sweep } from '../../../examples/shop/orders.ts';
import { readSettings } from '../../../examples/shop/settings.ts';
import type { Order } from '../../../examples/shop/store.ts';
import { signedWebhook } from '../../../sdk/src/testing.ts';
import { Wayfare } from '../../../sdk/src/wayfare.ts';
import { ADMIN, type ExampleShop, exampleShop } from '../../support/debian/example-shop.ts';
import { eventually } from '../../support/eventually.ts';
import { run } from '../../support/program/operator.ts';

const AS_ADMIN = { authorization: `Basic ${btoa(`admin:${ADMIN.password}`)}` };
const GOOD_CARD = '4242 4242 4242 4242';
let own: ExampleShop;
let shop: OpenShop;
let plan: Plan;
before(async () => {
  own = await exampleShop();
  shop = own.shop;
  plan = (await shop.catalog.destinations()).get('fr')?.plans.find(({ data }) => data === '1 GB') as Plan;
});
after(() => own[Symbol.asyncDispose]());

const asked = (path: string, init: RequestInit = {}) => fetch(own.url + path, { redirect: 'manual', ...init });
const post = (path: string, form: Record<string, string>, headers = {}) =>
  asked(path, { method: 'POST', body: new URLSearchParams(form), headers: { origin: own.url, ...headers } });
const text = async (path: string) => (await asked(path)).text();
const hidden = (html: string, name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(html)?.[1] ?? '';

/** Fills in the checkout at this address and pays. Answers with the order's id. */
async function checkOut(path: string, more: Record<string, string> = {}, card = GOOD_CARD): Promise<string> {
  const page = await text(path);
  const order = hidden(page, 'order');
  const form = { order, cents: hidden(page, 'cents'), email: 'ana@example.com', scenario: '', ...more };
  const placed = await post(path, form);
  assert.equal(placed.headers.get('location'), `/pay/${order}`);
  // Sent twice, it is the same order.
  assert.equal((await post(path, form)).headers.get('location'), `/pay/${order}`);
  await post(`/pay/${order}`, { card });
  return order;
}
const orderOf = (id: string) => shop.store.order(id) as Order;

test('a customer finds a destination, pays and gets the page to install from', async () => {
  assert.match(await text('/?q=franc'), /href="\/to\/fr"/);
  assert.match(await text('/to/fr'), new RegExp(`/buy/${plan.id}`));
  const declined = await checkOut(`/buy/${plan.id}`, {}, '4000 0000 0000 0002');
  assert.match(await text(`/o/${declined}`), /Not paid yet/);
  const id = await checkOut(`/buy/${plan.id}`);
  const page = await text(`/o/${id}`);
  assert.match(page, /Your eSIM is ready/);
  const traveller = /href="(http[^"]+\/e\/[^"]+)"/.exec(page)?.[1] ?? '';
  assert.equal((await fetch(traveller)).status, 200);
  const order = orderOf(id);
  assert.deepEqual([order.status, order.retail_cents], ['delivered', plan.retailCents]);
  const { order: there } = await shop.wayfare.order.get({ reference: id });
  assert.equal(there.length, 1, 'bought once, with our id as its reference');
  assert.equal(Number(there[0]?.sale_price) * 100, order.cost_cents);
});

test('refills are bought like plans, and a refund returns the customer’s money', async () => {
  const id = await checkOut(`/buy/${plan.id}`);
  const [, refill = ''] = /href="(\/o\/[^"]+\/refill\/[^"]+)"/.exec(await text(`/o/${id}`)) ?? [];
  const added = await checkOut(refill);
  assert.match(await text(`/o/${added}`), /Data added/);
  assert.match(await text(`/o/${id}`), new RegExp(`/o/${added}`));

  const unused = await checkOut(`/buy/${plan.id}`);
  await text(`/o/${unused}`);
  await post(`/o/${unused}/refund`, {});
  const { refund, returned_cents, retail_cents } = orderOf(unused);
  assert.deepEqual([refund, returned_cents], ['refunded', retail_cents]);
  assert.equal(shop.payments.find(unused)?.returned_cents, retail_cents);
  assert.match(await text(`/o/${unused}`), /Refunded/);
  assert.doesNotMatch(await text(`/o/${unused}`), /Install your eSIM/);
});

test('a late order is noticed by its webhook, with no one on its page', async () => {
  const id = await checkOut(`/buy/${plan.id}`, { scenario: 'deferred' });
  assert.match(await text(`/o/${id}`), /On its way/);
  await shop.wayfare.sandbox.clock({ advance: 61 });
  await shop.wayfare.order.detail(orderOf(id).wayfare_id);
  await eventually('the shop knows', async () => orderOf(id).status === 'delivered');
  await eventually('with its eSIM', async () => orderOf(id).iccid !== '');
  await shop.wayfare.sandbox.clock({ reset: 1 });
});

test('a refund by the operator reaches the customer, wholly or in part', async () => {
  const id = await checkOut(`/buy/${plan.id}`);
  await text(`/o/${id}`);
  const { wayfare_id, cost_cents, retail_cents } = orderOf(id);
  const half = Math.floor(cost_cents / 2);
  await run(own.t.operator(), `order refund ${wayfare_id} --mode sandbox --amount ${half / 100}`);
  await eventually('the shop gave back its share', async () => orderOf(id).returned_cents > 0);
  assert.equal(orderOf(id).returned_cents, Math.round((retail_cents * half) / cost_cents));
});

test('an order that is on its way can be cancelled, and the money comes back', async () => {
  const id = await checkOut(`/buy/${plan.id}`, { scenario: 'deferred' });
  assert.match(await text(`/o/${id}`), /Cancel the order/);
  await post(`/o/${id}/cancel`, {});
  assert.match(await text(`/o/${id}`), /Cancelled/);
  const { status, returned_cents, retail_cents } = orderOf(id);
  assert.deepEqual([status, returned_cents], ['failed', retail_cents]);
});

test('the admin buys for a group: once, all or nothing, and each is an order with a page of its own', async () => {
  const batch = randomUUID();
  const form = { plan: plan.id, quantity: '20', email: 'office@example.com', batch };
  for (const _ of [1, 2]) assert.equal((await post('/admin/group', form, AS_ADMIN)).status, 303);
  await sweep(shop);
  const ours = shop.store.batch(batch);
  assert.deepEqual([ours.length, new Set(ours.map(({ wayfare_id }) => wayfare_id)).size], [20, 20]);
  assert.ok(ours.every(({ status }) => status === 'delivered'));
  assert.match(await text(`/o/${ours[7]?.id}`), /Install your eSIM/);

  const { balance } = await shop.wayfare.account.balance();
  await shop.wayfare.account.sandboxBalance({ operation: 'set', amount: 5 });
  const poor = { ...form, batch: randomUUID() };
  await post('/admin/group', poor, AS_ADMIN);
  assert.ok(
    shop.store.batch(poor.batch).every(({ status, note }) => status === 'failed' && note === 'insufficient_balance'),
  );
  await shop.wayfare.account.sandboxBalance({ operation: 'set', amount: balance });
});

test('a webhook that is forged, altered or old changes nothing', async () => {
  const id = await checkOut(`/buy/${plan.id}`, { scenario: 'deferred' });
  await text(`/o/${id}`);
  const secret = shop.store.kept(`webhook secret of ${own.url}/hook`) ?? '';
  const about = { event: 'order.delivered', reference: id } as const;
  const send = async (body: string, headers: Record<string, string>) =>
    (await asked('/hook', { method: 'POST', body, headers })).status;
  const forged = await signedWebhook(about, `whsec_${'0'.repeat(64)}`);
  const good = await signedWebhook(about, secret);
  const old = await signedWebhook(about, secret, Date.now() - 400_000);
  assert.equal(await send(forged.body, forged.headers), 401);
  assert.equal(await send(`${good.body} `, good.headers), 401);
  assert.equal(await send(old.body, old.headers), 401);
  assert.equal(await send('{}', {}), 401);
  // A genuine one that is not true changes nothing either: the shop asks the API.
  for (const _ of [1, 2]) assert.equal(await send(good.body, good.headers), 204);
  assert.equal(orderOf(id).status, 'waiting');
});

test('an order that fails gives the money back', async () => {
  const id = await checkOut(`/buy/${plan.id}`, { scenario: 'failed' });
  assert.match(await text(`/o/${id}`), /This did not work/);
  assert.equal(shop.payments.find(id)?.returned_cents, orderOf(id).retail_cents);
  await shop.wayfare.account.sandboxBalance({ operation: 'set', amount: 0.01 });
  const poor = await checkOut(`/buy/${plan.id}`);
  assert.match(await text(`/o/${poor}`), /This did not work/);
  assert.deepEqual(
    [orderOf(poor).note, orderOf(poor).returned_cents],
    ['insufficient_balance', orderOf(poor).retail_cents],
  );
  // Its webhook can come before the answer; then the purchase is asked for again, with the same key.
  const again = await checkOut(`/buy/${plan.id}`);
  const sale = { product_id: plan.id, idempotency_key: again, reference: again };
  await assert.rejects(shop.wayfare.purchase.buy(sale), { code: 'insufficient_balance' });
  const { status, note } = await proceed(shop, again);
  assert.deepEqual([status, note], ['failed', 'insufficient_balance']);
  await shop.wayfare.account.sandboxBalance({ operation: 'set', amount: 5000 });
});

test('a plan that costs more than the customer paid is not bought, and the money comes back', async () => {
  const page = await text(`/buy/${plan.id}`);
  const id = hidden(page, 'order');
  await post(`/buy/${plan.id}`, { order: id, cents: hidden(page, 'cents'), email: 'ana@example.com', scenario: '' });
  // As if the customer had been shown a price of one cent, and it has risen since.
  shop.store.change(id, () => ({ retail_cents: 1 }));
  await post(`/pay/${id}`, { card: GOOD_CARD });
  assert.match(await text(`/o/${id}`), /This did not work/);
  const { status, note, returned_cents } = orderOf(id);
  assert.deepEqual([status, note, returned_cents], ['failed', 'price_changed', 1]);
  assert.deepEqual((await shop.wayfare.order.get({ reference: id })).order, []);
  // The next customer is shown the price of now, and buys.
  assert.match(await text(`/o/${await checkOut(`/buy/${plan.id}`)}`), /Your eSIM is ready/);
});

test('killed between payment and purchase, or after it, the next start finishes it once', async () => {
  const ids = Array.from({ length: 3 }, () => randomUUID());
  for (const id of ids) {
    placeOrder(shop, { id, plan, email: 'ana@example.com' });
    await shop.payments.start(id, plan.retailCents);
  }
  for (const id of ids.slice(1)) shop.payments.pay(id, GOOD_CARD);
  // The third was even bought, and its answer lost.
  const [unpaid = '', paid = '', bought = ''] = ids;
  await shop.wayfare.purchase.buy({ product_id: plan.id, idempotency_key: bought, reference: bought });
  const again = await openShop(readSettings(own.settings));
  await sweep(again);
  again.store[Symbol.dispose]();
  assert.deepEqual(
    ids.map((id) => orderOf(id).status),
    ['unpaid', 'delivered', 'delivered'],
  );
  for (const id of [paid, bought]) assert.equal((await shop.wayfare.order.get({ reference: id })).order.length, 1);
  assert.equal((await shop.wayfare.order.get({ reference: unpaid })).order.length, 0);
});

test('while Wayfare is unreachable the shop says so, loses nothing and recovers by itself', async () => {
  const said = [mock.method(console, 'warn', () => {}), mock.method(console, 'error', () => {})];
  const away = new Wayfare({ key: own.settings.WAYFARE_KEY, baseUrl: 'http://localhost:1/v3', maxRetries: 0 });
  const id = await checkOut(`/buy/${plan.id}`);
  const lonely = { ...shop, wayfare: away, catalog: new Catalog(away) };
  const app = await shopApp(lonely, { name: 'Away', adminPassword: ADMIN.password, webhookSecret: undefined });
  const [home, page, admin] = await Promise.all([
    app.request('/'),
    app.request(`/o/${id}`),
    app.request('/admin', { headers: AS_ADMIN }),
  ]);
  assert.equal(home.status, 503);
  assert.match(await page.text(), /Getting your eSIM.*We cannot reach our network/s);
  assert.match(await admin.text(), /Wayfare does not answer/);
  assert.equal(orderOf(id).status, 'paid');
  assert.equal(await sweep(lonely), lonely.store.open(100).filter(({ status }) => status !== 'unpaid').length);
  await sweep(shop);
  assert.equal(orderOf(id).status, 'delivered');
  for (const one of said) one.mock.restore();
});

test('no one gets in without the password, and other sites cannot send forms', async () => {
  for (const path of ['/admin', '/admin/group']) assert.equal((await asked(path)).status, 401);
  for (const path of ['/admin/nightly', '/admin/group']) assert.equal((await post(path, {})).status, 401);
  assert.equal((await post(`/buy/${plan.id}`, {}, { origin: 'https://evil.example' })).status, 403);
  for (const path of [
    '/o/1',
    `/o/${randomUUID()}`,
    '/to/atlantis',
    '/buy/esc_0000000000000000',
    `/pay/${randomUUID()}`,
  ])
    assert.equal((await asked(path)).status, 404, path);
});

test('a form with a wrong price, email or number leads back to it with what was typed, and nothing is recorded', async () => {
  const form = { order: randomUUID(), cents: String(plan.retailCents), email: 'ana@example.com', scenario: '' };
  for (const [wrong, says] of [
    [{ cents: '1' }, 'The price has just changed'],
    [{ email: 'nobody' }, 'That is not an email address'],
    [{ order: "1' or 1=1" }, 'Please try once more'],
  ] as const) {
    const { status, headers } = await post(`/buy/${plan.id}`, { ...form, ...wrong });
    assert.equal(status, 303);
    const page = await asked(headers.get('location') ?? '', { headers: { cookie: headers.get('set-cookie') ?? '' } });
    const again = await page.text();
    assert.ok(again.includes(says) && again.includes(`value="${{ ...form, ...wrong }.email}"`), says);
  }
  assert.doesNotMatch(await text(`/buy/${plan.id}?problem=constructor`), /role="alert"/);
  assert.equal(shop.store.order(form.order), undefined);
});

test('every form that is sent ends in a redirect, so that reloading sends nothing again', async () => {
  const order = await checkOut(`/buy/${plan.id}`, { scenario: 'deferred' });
  for (const [path, form] of [
    [`/pay/${order}`, { card: GOOD_CARD }],
    [`/pay/${order}`, { card: '4000 0000 0000 0002' }],
    [`/pay/${order}`, { card: '1' }],
    [`/o/${order}/cancel`, {}],
    [`/o/${order}/refund`, {}],
    [`/buy/${plan.id}`, {}],
  ] as const)
    assert.equal((await post(path, form)).status, 303, path);
});

test('a customer can ask whether their phone takes eSIMs, and is promised no mail', async () => {
  assert.match(await text('/to/fr'), /href="\/phone"/);
  assert.match(await text('/phone?model=iphone+15'), /<li>Apple iPhone 15<\/li>/);
  assert.match(await text('/phone?model=Nokia+3310'), /Not on our list/);
  assert.match(await text('/phone?model=%3Cb%3E'), /value="&lt;b&gt;"/);
  const id = await checkOut(`/buy/${plan.id}`);
  assert.match(await text(`/buy/${plan.id}`), /Only in case we have to reach you/);
  assert.match(await text(`/o/${id}`), /This page is your receipt/);
});

test('what people type is shown as text', async () => {
  assert.match(await text('/?q=%3Cscript%3Ealert(1)%3C/script%3E'), /&lt;script&gt;alert/);
});

test('the nightly job finds no difference, and finds every planted one', async () => {
  await post('/admin/nightly', {}, AS_ADMIN);
  assert.match(await (await asked('/admin', { headers: AS_ADMIN })).text(), /No differences/);

  // Bought past the shop, changed in its records, and gone from them.
  const { order_id } = await shop.wayfare.purchase.buy({ product_id: plan.id, reference: 'past-the-shop' });
  const [changed, gone] = shop.store.latest(100).filter(({ status }) => status === 'delivered');
  shop.store.change(changed?.id ?? '', ({ cost_cents }) => ({ cost_cents: cost_cents + 1 }));
  shop.store.db.prepare('delete from orders where id = ?').run(gone?.id ?? '');
  const day = new Date().toISOString().slice(0, 10);
  const job = promisify(execFile)(process.execPath, ['examples/shop/nightly.ts', day], {
    env: { PATH: process.env.PATH, ...own.settings },
  });
  const ended = await job.then(
    () => assert.fail('it ends with 1'),
    (error: { code: number; stdout: string }) => error,
  );
  assert.equal(ended.code, 1);
  assert.match(ended.stdout, /3 differences:/);
  assert.match(ended.stdout, /past-the-shop: Wayfare charged us/);
  assert.ok(ended.stdout.includes(`${changed?.id}: cost `));
  assert.ok(ended.stdout.includes(`${gone?.id}: Wayfare charged us`));
  assert.ok(order_id > 0);
  const { differences } = await reconcile(shop, `${day}T00:00:00Z`, new Date(Date.now() + 60_000).toISOString());
  assert.equal(differences.length, 3);
  await proceed(shop, changed?.id ?? '', true);
});
