import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { Wayfare, WayfareError } from '../../sdk/src/wayfare.ts';
import { endpoints } from '../../src/entry/api/endpoints.ts';
import { Router } from '../../src/entry/api/gates/route.ts';
import { tourPlans } from '../support/browser/tour.ts';
import { record } from '../support/program/app.ts';
import { run } from '../support/program/operator.ts';
import { batchOf, type StockedApp, stockedApp } from '../support/sales/catalog.ts';
import { invoicing } from '../support/sales/invoices.ts';
import { charge, delivered, posted } from '../support/sales/sales.ts';
import { credit } from '../support/sales/shop.ts';
import { type Receiver, receiver } from '../support/servers/receiver.ts';

suite('the SDK on the real server', () => {
  const opened = new AsyncDisposableStack();
  const called = new Set<string>();
  let t: StockedApp;
  let hook: Receiver;
  let wayfare: Wayfare;
  let product_id = '';
  const router = new Router(endpoints);

  /** A client of the server under test, which knows its hosts by name and every answer by the contract. */
  function client(key: string): Wayfare {
    return new Wayfare({
      key,
      baseUrl: 'http://wayfare.test/v3/',
      async fetch(input, init = {}) {
        const { pathname, search } = new URL(String(input));
        const path = pathname.replace('/v3', '');
        const { endpoint } = router.find(path);
        called.add(`${init.method} ${endpoint?.path}`);
        const { method = '', headers, body } = new Request(input, init);
        const {
          status,
          headers: answered,
          text,
        } = await t.ask(pathname + search, {
          key,
          method,
          headers: Object.fromEntries(headers),
          ...(body ? { body: String(init.body) } : {}),
        });
        return new Response(text, { status, headers: answered as Record<string, string> });
      },
    });
  }

  before(async () => {
    hook = opened.use(await receiver());
    t = opened.use(
      await stockedApp([batchOf(tourPlans())], { config: { webhookTrustedHosts: [hook.host], invoicing } }),
    );
    const create = `webhook create --partner ${t.partner1} --mode sandbox --url ${hook.url} --events order.test`;
    record('secrets', `${(await run(t.operator(), create)).secret}\n`);
    wayfare = client(await t.key(t.partner1, 'sandbox'));
    product_id = await t.alias('jp-1');
  });
  after(() => opened.disposeAsync());

  test('the catalog is read', async () => {
    assert.ok((await wayfare.catalog.countries()).countries.some(({ country_code }) => country_code === 'JP'));
    const { products } = await wayfare.catalog.products({ country: 'JP', sort: 'price' });
    assert.deepEqual(
      products.map(({ id }) => id),
      [product_id, await t.alias('jp-10')],
    );
    const all = await Array.fromAsync(wayfare.catalog.allProducts({ country: 'JP', limit: 1 }));
    assert.deepEqual(all, products);
    assert.deepEqual((await wayfare.catalog.product(product_id)).product, products[0]);
    const { version } = await wayfare.catalog.export();
    assert.equal((await wayfare.catalog.changes({ since: version })).complete, true);
    assert.equal((await wayfare.catalog.devices({ search: 'pixel 8 pro' })).count, 1);
  });

  test('an eSIM is bought, read, refilled and handed back', async () => {
    assert.equal((await wayfare.purchase.quote({ product_id })).product_id, product_id);
    const bought = await wayfare.purchase.buy({ product_id, reference: 'booking-1' });
    assert.equal(bought.delivery, 'delivered');
    const { esim } = await wayfare.order.detail(bought.order_id);
    const iccid = esim.iccid ?? '';
    assert.equal((await wayfare.order.usage(iccid)).usage.iccid, iccid);
    assert.equal((await wayfare.order.get({ reference: 'booking-1' })).order[0]?.id, bought.id);
    assert.equal((await wayfare.esim.detail(iccid)).esim.iccid, iccid);
    assert.equal((await wayfare.esim.list()).esims[0]?.iccid, iccid);
    const { products } = await wayfare.esim.refills(iccid);
    const refilled = await wayfare.purchase.refill({ iccid, product_id: products[0]?.id ?? '' });
    assert.equal(refilled.delivery, 'delivered');
    const unused = await wayfare.purchase.buy({ product_id });
    assert.equal((await wayfare.order.refund({ order_id: unused.order_id, reason: 'Cancelled' })).result, 'ok');
    const waiting = await wayfare.purchase.buy({ product_id, sandbox_scenario: 'deferred' });
    const { cancel } = await wayfare.order.cancel({ order_id: waiting.order_id });
    assert.equal(cancel.status, 'cancelled');
  });

  test('a purchase has a key of its own, so two calls are two orders; with the same key they are one', async () => {
    const [one, two] = [await wayfare.purchase.buy({ product_id }), await wayfare.purchase.buy({ product_id })];
    assert.notEqual(one.id, two.id);
    const mine = { product_id, idempotency_key: 'booking-7' };
    const [three, four] = [await wayfare.purchase.buy(mine), await wayfare.purchase.buy(mine)];
    assert.equal(three.id, four.id);
  });

  test('a batch is bought with one charge and read again', async () => {
    const items = [{ product_id, quantity: 2, reference: 'group' }, { product_id }];
    const placed = await wayfare.purchase.batch({ items });
    assert.deepEqual([placed.code, placed.count, placed.orders[1]?.reference], ['202', 3, 'group']);
    assert.equal((await wayfare.purchase.getBatch(placed.batch_id)).delivered, 3);
    const mine = { items, idempotency_key: 'group-7' };
    const [one, two] = [await wayfare.purchase.batch(mine), await wayfare.purchase.batch(mine)];
    assert.equal(one.batch_id, two.batch_id);
  });

  test('pages are walked to the end, each row once', async () => {
    await wayfare.account.sandboxReset();
    const ids: string[] = [];
    for (let i = 0; i < 5; i += 1) ids.unshift((await wayfare.purchase.buy({ product_id, reference: 'walk' })).id);
    const seen: string[] = [];
    for await (const order of wayfare.order.all({ limit: 2, reference: 'walk' })) {
      seen.push(order.id);
      // What arrives meanwhile is newer, and shifts nothing.
      if (seen.length === 2) await wayfare.purchase.buy({ product_id, reference: 'walk' });
    }
    assert.deepEqual(seen, ids);
    const esims = await Array.fromAsync(wayfare.esim.all({ limit: 2 }));
    assert.equal(new Set(esims.map(({ iccid }) => iccid)).size, 6);
    const since = await Array.fromAsync(wayfare.order.all({ before_id: Number(ids[2]) }));
    assert.deepEqual(
      since.map(({ id }) => id),
      ids.slice(3),
    );
  });

  test('money is read and moved', async () => {
    await wayfare.account.sandboxBalance({ operation: 'set', amount: 100 });
    const { payment_key } = await wayfare.account.topup({ amount: 50 });
    await wayfare.account.topupConfirm({ payment_key });
    assert.equal((await wayfare.account.balance()).balance, 150);
    assert.equal((await wayfare.account.pricing()).pricing.currency, 'USD');
    assert.deepEqual((await wayfare.account.limits()).limits, []);

    const live = client(t.key1);
    await credit(t, t.partner1, '20.00');
    await credit(t, t.partner1, '30.00');
    assert.equal((await live.account.history({ limit: 1 })).ledger.length, 1);
    const movements = await Array.fromAsync(live.account.allHistory());
    assert.deepEqual(
      movements.map(({ amount }) => amount),
      [30, 20],
    );
    const paged = await Array.fromAsync(live.account.allHistory({ limit: 1, to: '2100-01-01 00:00:00' }));
    assert.deepEqual(paged, movements);
    assert.deepEqual(await Array.fromAsync(live.account.allHistory({ reference: 'none' })), []);
    assert.deepEqual(await live.account.allHistory({ limit: 1 }).autoPagingToArray({ limit: 1 }), [movements[0]]);
    assert.equal((await live.account.profitshare()).count, 0);
    assert.deepEqual(await Array.fromAsync(live.account.allProfitshare({ status: 'settled' })), []);

    const postpaid = await t.partner({ billing: 'postpaid' });
    await run(t.operator(), `partner set ${postpaid} --credit-limit 500`);
    const { orderId } = await delivered(t, postpaid);
    await posted(t, postpaid, [charge(2450n, orderId)]);
    const owing = client(await t.key(postpaid));
    assert.equal((await owing.account.statement()).outstanding, '24.50');
    assert.equal((await Array.fromAsync(owing.account.allStatement({ type: 'charge' }))).length, 1);
  });

  test('webhooks are tested and looked up', async () => {
    const { subscriptions } = await wayfare.webhook.list();
    assert.equal(subscriptions[0]?.url, hook.url);
    await wayfare.webhook.test();
    await hook.got(1);
    const { deliveries } = await wayfare.webhook.deliveries({ event: 'order.test', limit: 1 });
    const { payload } = await wayfare.webhook.delivery(deliveries[0]?.id ?? '');
    assert.equal(payload, hook.received[0]?.body);
    assert.equal((await wayfare.webhook.probe({ url: hook.url })).accepted, true);
  });

  test('webhooks are made and changed with a key that may, and the clock is turned', async () => {
    const partnerId = await t.partner();
    const manager = client(await t.key(partnerId, 'sandbox', { permissions: ['webhooks'] }));
    const { subscription, secret } = await manager.webhook.create({ url: `${hook.url}/own`, events: ['order.paid'] });
    const id = Number(subscription.id);
    assert.equal(
      (await manager.webhook.update({ id, events: ['order.failed'] })).subscription.events_list[0],
      'order.failed',
    );
    const empty = await manager.webhook.update({ id, events: [] }).catch((thrown) => thrown);
    assert.equal(empty.code, 'invalid_event', 'an empty list is not the same as no list');
    assert.equal((await manager.webhook.pause({ id })).subscription.status, '2');
    assert.equal((await manager.webhook.resume({ id })).subscription.status, '1');
    const rotated = await manager.webhook.rotate({ id });
    assert.ok(rotated.secret && rotated.secret !== secret);
    record('secrets', `${secret}\n${rotated.secret}\n`);
    assert.equal((await manager.webhook.rotate({ id, finish: '1' })).secret, undefined);
    assert.equal((await manager.webhook.delete({ id })).deleted, true);
    const error = await manager.webhook.list().catch((thrown) => thrown);
    assert.ok(error instanceof WayfareError && error.code === 'key_not_permitted');
    assert.equal(error.permission, 'read');
    const [{ iccid } = { iccid: '' }] = (await wayfare.esim.list({ limit: 1 })).esims;
    const { esim } = await wayfare.sandbox.profile({ iccid, state: 'installed', country: 'FR' });
    assert.deepEqual([esim.profile.state, esim.profile.country], ['installed', 'FR']);
    assert.equal((await wayfare.esim.suspend({ iccid })).esim.state, 'suspended');
    assert.notEqual((await wayfare.esim.resume({ iccid })).esim.state, 'suspended');
    const { autorefill } = await wayfare.esim.autorefill({ iccid, off: '1' });
    assert.equal(autorefill, null);
    const { replacement } = await wayfare.esim.replace({ iccid, idempotency_key: 'new phone' });
    assert.deepEqual([replacement.status, replacement.old_iccid], ['requested', iccid]);
    assert.equal((await wayfare.sandbox.clock({ advance: 60 })).ahead_seconds, 60);
    assert.equal((await wayfare.sandbox.clock({ reset: '1' })).ahead_seconds, 0);
  });

  test('a call that the SDK has no method for is sent like any other', async () => {
    const { balance } = await wayfare.request<{ balance: number }>('GET', 'account/balance');
    assert.equal(balance, (await wayfare.account.balance()).balance);
    const { count } = await wayfare.request<{ count: number }>('POST', '/purchase/batch', { items: [{ product_id }] });
    assert.equal(count, 1, 'with a key of its own, and the list as JSON');
    const error = await wayfare.request('GET', 'order/detail/999999').catch((thrown) => thrown);
    assert.ok(error instanceof WayfareError && error.code === 'order_not_found', String(error));
  });

  test('a refusal is an error whose code tells which fields it has', async () => {
    await wayfare.account.sandboxBalance({ operation: 'set', amount: 1 });
    const error = await wayfare.purchase.buy({ product_id, idempotency_key: 'too-dear' }).catch((thrown) => thrown);
    assert.ok(error instanceof WayfareError);
    assert.equal(error.httpStatus, 402);
    assert.equal(error.idempotencyKey, 'too-dear');
    assert.match(error.requestId ?? '', /./);
    assert.match(error.message, /^purchase\/buy was refused with 402 insufficient_balance: Top up the wallet/);
    // @ts-expect-error: not every error has it.
    error.required;
    if (error.code !== 'insufficient_balance') assert.fail(error.code);
    const missing: number = error.required - error.balance;
    assert.ok(missing > 0);
    // @ts-expect-error: this one has no credit limit.
    error.credit_limit;
    // @ts-expect-error: no error has this code.
    if (error.code === 'insufficent_balance') assert.fail();
  });

  test('a field the API ignored is warned of once, and not in production', async () => {
    const warned: unknown[] = [];
    const { warn } = console;
    const { NODE_ENV } = process.env;
    console.warn = (text) => warned.push(text);
    try {
      const misspelt = (name: string) => wayfare.order.get({ [name]: 'x' } as object);
      process.env.NODE_ENV = 'production';
      await misspelt('refrence');
      process.env.NODE_ENV = 'test';
      for (const name of ['refrence', 'refrence', 'icid']) await misspelt(name);
    } finally {
      console.warn = warn;
      if (NODE_ENV === undefined) delete process.env.NODE_ENV;
      else process.env.NODE_ENV = NODE_ENV;
    }
    assert.deepEqual(
      warned,
      ['refrence', 'icid'].map((name) => `Wayfare: order/get does not know the field "${name}" and ignored it.`),
    );
  });

  test('any error can be simulated, and is not repeated', async () => {
    for (const code of ['rate_limited', 'order_read_failed'] as const) {
      const error = await wayfare.order.get({}, { sandboxError: code }).catch((thrown) => thrown);
      assert.ok(error instanceof WayfareError && error.code === code, String(error));
      assert.equal(error.sandbox_simulated, true);
    }
    const error = await wayfare.order.get({ sandbox_error: 'ip_not_allowed' }).catch((thrown) => thrown);
    assert.ok(error instanceof WayfareError && error.code === 'ip_not_allowed');
  });

  test('an invoice is listed, read and downloaded', async () => {
    await wayfare.account.sandboxBalance({ operation: 'set', amount: 100 });
    await wayfare.purchase.buy({ product_id });
    await wayfare.sandbox.clock({ advance: 32 * 86_400 });
    const [row] = await Array.fromAsync(wayfare.invoice.all({ status: 'paid' }));
    assert.ok(row);
    const { number } = row;
    assert.equal((await wayfare.invoice.list({ limit: 1 })).count, 1);
    assert.equal((await wayfare.invoice.detail(number)).invoice.total, row.total);
    const text = async (file: Promise<Uint8Array>) => new TextDecoder('latin1').decode(await file);
    assert.match(await text(wayfare.invoice.pdf(number)), /^%PDF/);
    assert.match(await text(wayfare.invoice.xml(number)), /^<\?xml/);
    assert.equal((await wayfare.sandbox.invoice({ number, event: 'invoice.voided' })).invoice.status, 'void');
    await wayfare.sandbox.clock({ reset: 1 });
  });

  test('every endpoint has been called', () => {
    assert.deepEqual([...called].sort(), endpoints.map(({ verb, path }) => `${verb} ${path}`).sort());
  });
});
