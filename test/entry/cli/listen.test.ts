import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { after, before, test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { Wayfare } from '../../../sdk/src/client.ts';
import { type Given, requireSandboxClient, type Terminal } from '../../../sdk/src/commands/command.ts';
import { DeliveryWindow } from '../../../sdk/src/commands/delivery-window.ts';
import { forwardEvents, listenCommand, secretOf } from '../../../sdk/src/commands/listen.ts';
import { trigger, triggerCommand } from '../../../sdk/src/commands/trigger.ts';
import { eventNames } from '../../../src/domains/messages/events/events.ts';
import { sql } from '../../../src/platform/db/query/sql.ts';
import { record, type TestApp, testApp } from '../../support/program/app.ts';
import { run } from '../../support/program/operator.ts';
import { freePort } from '../../support/program/ports.ts';
import { invoicing } from '../../support/sales/invoices.ts';
import { testPlan } from '../../support/sales/paid-order.ts';
import { buy, catalogKnows, pausedSubscription } from '../../support/sales/shop.ts';
import { type Receiver, receiver, until } from '../../support/servers/receiver.ts';

let t: TestApp;
let hook: Receiver;
let product: string;
let url: string;
let nobody: string;
before(async () => {
  const port = await freePort();
  nobody = `127.0.0.1:${await freePort()}`;
  url = `http://127.0.0.1:${port}/v3`;
  hook = await receiver();
  t = await testApp({
    config: { sandboxBaseUrl: new URL(url), listenPorts: [port], webhookTrustedHosts: [nobody], invoicing },
  });
  product = (await testPlan(t)).alias;
  await catalogKnows(t, product);
});
after(async () => {
  await t[Symbol.asyncDispose]();
  await hook[Symbol.asyncDispose]();
});

/** A client of one account's own, with what it wrote. */
async function developer() {
  const partnerId = await t.partner();
  const key = await t.key(partnerId, 'sandbox');
  const written: string[] = [];
  const stop = new AbortController();
  const terminal: Terminal = {
    key,
    url,
    now: () => t.clock.now(),
    write: (text) => void written.push(text),
    stop: stop.signal,
  };
  const get = async (path: string) => (await t.get(path, { key })).body;
  return { partnerId, key, written, stop, terminal, get, wayfare: new Wayfare({ key, baseUrl: url }) };
}

test('each event once, oldest first, body as logged, signed by the rule with the secret shown; its own delivery need not work', async () => {
  const { partnerId, key, written, stop, terminal, get, wayfare } = await developer();
  const subscribe = `webhook create --partner ${partnerId} --mode sandbox --url http://${nobody}/`;
  for (const path of ['a', 'b']) record('secrets', `${(await run(t.operator(), subscribe + path)).secret}\n`);
  await buy(t, key, product);
  const secret = await secretOf(key);
  const listening = forwardEvents({ wayfare, forward: hook.url, secret, terminal, pollMs: 150 });
  await until(() => written.length > 0);
  hook.received.length = 0;
  hook.answer = ({ body }, response) => response.writeHead(JSON.parse(body).event === 'order.paid' ? 500 : 204).end();

  const { order_id } = await trigger(wayfare, 'order.delivered', product);
  const got = await hook.got(3);
  const ids = ['created', 'paid', 'delivered'].map((name) => `sbx_order.${name}:${order_id}:1`);
  assert.deepEqual(
    got.map(({ body }) => JSON.parse(body).event_id),
    ids,
    'what was logged before is not new, and two subscriptions are one event',
  );
  for (const { headers, body } of got) {
    const timestamp = String(headers['x-webhook-timestamp']);
    const signature = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex');
    assert.equal(headers['x-signature'], `sha256=${signature}`);
    new Webhook(secret).verify(body, headers as Record<string, string>);
    assert.equal(headers['x-webhook-event'], JSON.parse(body).event);
    const logged = await get(`/webhook/deliveries?id=${headers['x-webhook-id']}`);
    assert.equal(logged.payload, body);
  }
  await until(() => written.length >= 4);
  stop.abort();
  assert.deepEqual(await listening, { forwarded: 3, accepted: 2 });
  const rows = written.map((line) => line.trim().split(/\s+/));
  assert.deepEqual(rows[0], ['time', 'event', 'order', 'answer', 'ms']);
  assert.deepEqual(
    rows.slice(1, 4).map(([, event, order, answer]) => [event, order, answer]),
    [
      ['order.created', String(order_id), '204'],
      ['order.paid', String(order_id), '500'],
      ['order.delivered', String(order_id), '204'],
    ],
  );
});

test('a receiver that is not there is a row, not the end; a disabled subscription still logs what is forwarded', async () => {
  const { partnerId, written, stop, terminal, wayfare } = await developer();
  const id = await pausedSubscription(t, partnerId);
  const listening = forwardEvents({
    wayfare,
    forward: `http://${nobody}/`,
    secret: await secretOf('x'),
    terminal,
    pollMs: 150,
  });
  await until(() => written.length > 0);
  await trigger(wayfare, 'order.failed', product);
  await until(() => written.length >= 3);
  assert.match(written.join(''), /order\.failed +\d+ +ECONNREFUSED/);
  stop.abort();
  assert.deepEqual(await listening, { forwarded: 2, accepted: 0 });

  await t.base.worlds.sandbox.db.run(sql`update webhook_subscriptions set status = 3 where id = ${id}`);
  const again = await developer();
  const mine = { wayfare, secret: await secretOf('x'), terminal: again.terminal, pollMs: 150 };
  const forwarding = forwardEvents({ ...mine, forward: hook.url });
  await until(() => again.written.length > 0);
  await trigger(wayfare, 'order.failed', product);
  await until(() => again.written.some((line) => line.includes('order.failed')));
  again.stop.abort();
  assert.equal((await forwarding).forwarded, 2);
});

test('refused: no subscription, a live key, an unknown key, an address that is not the API', async () => {
  const { terminal, key, wayfare } = await developer();
  await assert.rejects(forwardEvents({ wayfare, forward: hook.url, secret: 'x', terminal }), {
    code: 'no_subscription',
  });
  const live = { ...terminal, key: `esk_${'0'.repeat(40)}` };
  assert.throws(() => requireSandboxClient(live, {}), { code: 'sandbox_key_needed' });
  const unknown = { ...terminal, key: `${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}` };
  await assert.rejects(triggerCommand.run(unknown, { event: 'order.test' }), { code: 'invalid_api_key' });
  hook.answer = 200;
  for (const elsewhere of [`http://${nobody}/v3`, `http://${hook.host}/v3`]) {
    const given = { url: elsewhere, event: 'order.test' };
    await assert.rejects(triggerCommand.run(terminal, given), { name: 'WayfareConnectionError' });
  }
});

test('what is wrong in the command line is refused before anything is sent: no key, an empty one, no web address', async () => {
  const { terminal } = await developer();
  const refused = (given: Given, over: Partial<Terminal> = {}) =>
    listenCommand.run({ ...terminal, ...over }, { forward: hook.url, ...given }).catch((error: Error) => error.message);
  for (const key of [undefined, ''])
    assert.equal(await refused({}, { key }), 'there is no API key: set WAYFARE_KEY, or give --key');
  for (const forward of ['ftp://x', 'localhost:3000', '/hook'])
    assert.equal(await refused({ forward }), `--forward: "${forward}" is not an http or https address`);
  assert.equal(await refused({ url: 'ftp://x' }), '--url: "ftp://x" is not an http or https address');
  assert.equal(await refused({}, { url: 'x' }), 'WAYFARE_URL: "x" is not an http or https address');
});

test('trigger: each order event by the purchase that sends it, and what it did', async () => {
  const { partnerId, key, get, wayfare } = await developer();
  await pausedSubscription(t, partnerId);
  const log = async () =>
    (await get('/webhook/deliveries')).deliveries.map(({ event_type }: { event_type: string }) => event_type);
  for (const event of ['order.created', 'order.paid', 'order.delivered', 'order.deferred', 'order.failed'] as const) {
    const before = await log();
    const done = await trigger(wayfare, event);
    const sent = (await log()).slice(0, -before.length || undefined).reverse();
    assert.ok(sent.includes(event));
    assert.deepEqual(done.events, sent);
    assert.equal(done.subscriptions_notified, 1);
    assert.match(String(done.did), new RegExp(`^bought ${product} with sandbox_scenario=`));
    assert.equal((await t.get(`/order/detail/${done.order_id}`, { key })).status, 200);
  }
  await assert.rejects(trigger(wayfare, 'order.test'), { code: 'no_active_subscription' });
});

test('trigger order.refunded: it buys an eSIM and returns it', async () => {
  const { partnerId, key, get, wayfare } = await developer();
  await pausedSubscription(t, partnerId, 'order.delivered,order.refunded');
  const done = await trigger(wayfare, 'order.refunded', product);
  assert.match(String(done.did), / and refunded it$/);
  assert.equal(done.balance, (await get('/account/balance')).balance, 'the balance is the one after the refund');
  assert.equal(done.balance, 1000);
  assert.deepEqual(
    (await get('/webhook/deliveries')).deliveries.map(({ event_type }: { event_type: string }) => event_type),
    ['order.refunded', 'order.delivered'],
  );
  assert.equal((await t.get(`/order/detail/${done.order_id}`, { key })).body.refund.status, 'refunded');
});

test('trigger: events of eSIMs by the usage that sends them, those of money by moving play money', async () => {
  const { partnerId, get, wayfare } = await developer();
  const named = [
    'esim.activated',
    'esim.usage_high',
    'esim.depleted',
    'esim.expired',
    'account.balance_low',
    'topup.succeeded',
  ];
  await pausedSubscription(t, partnerId, named.join());
  await run(t.operator(), `partner set ${partnerId} --balance-alert 5`);
  const had = (await get('/account/balance')).balance;
  for (const event of [
    'esim.activated',
    'esim.depleted',
    'esim.expired',
    'account.balance_low',
    'topup.succeeded',
  ] as const) {
    const { did, subscriptions_notified } = await trigger(wayfare, event, product);
    assert.ok(did);
    assert.equal(subscriptions_notified, 1);
    // Not by the API, whose rate limit a wait on a busy machine would reach.
    await until(async () => {
      const sent = await t.base.worlds.sandbox.db.query(sql`
        select from webhook_deliveries where partner_id = ${partnerId} and event_type = ${event} limit 1`);
      return sent.length > 0;
    });
  }
  assert.ok((await get('/account/balance')).balance < had, 'emptying the wallet left nothing behind');
});

test('trigger: every event is sent at once by a plan that is chosen for it; a plan you name may send it later', async () => {
  const { partnerId, key, get, wayfare } = await developer();
  // It asks more often than a key may in a minute.
  await t.base.db.run(sql`
    update api_keys set tier_ceilings = '{"money": 1000000, "purchase": 1000000, "read": 1000000}'
    where partner_id = ${partnerId}`);
  const id = await pausedSubscription(t, partnerId, eventNames.join());
  await run(t.operator(), `partner set ${partnerId} --balance-alert 5`);
  const logged = async (event: string) => (await get(`/webhook/deliveries?event=${event}`)).deliveries;
  assert.match(
    String((await trigger(wayfare, 'esim.expiring')).next),
    /24 hours before the end/,
    'there is none of one day',
  );
  const daily = (await testPlan(t, { day: 1, amount: 500, title: '500 MB 1 day', price: 30 })).alias;
  await catalogKnows(t, daily);
  // Only the operator can reject a refund.
  assert.match(
    String((await trigger(wayfare, 'order.refund_rejected')).next),
    /^order\.refund_rejected is sent when the operator/,
  );
  // Only the operator changes the catalog, and what a key may spend.
  assert.match(String((await trigger(wayfare, 'catalog.changed')).next), /after the operator has changed/);
  assert.match(String((await trigger(wayfare, 'account.limit_reached')).next), /set one in the panel/);
  assert.match(String((await trigger(wayfare, 'esim.help_requested')).next), /on the traveller’s page/);
  // The operator pays for replacements.
  await run(t.operator(), `partner set ${partnerId} --replacements 100`);
  assert.match(String((await trigger(wayfare, 'esim.replaced')).next), /at once if your operator has set a budget/);
  await until(async () => (await logged('esim.replaced')).length > 0);
  // In the sandbox every refill of a country fits.
  const { code } = await t.base.db.one<{ code: string }>(sql`
    select supplier_plan as code from plans where alias = ${product}`);
  await testPlan(t, { refills: [code] });
  const others = [
    'order.test',
    'esim.replaced',
    'esim.help_requested',
    'order.refund_rejected',
    'catalog.changed',
    'account.limit_reached',
  ];
  for (const event of eventNames.filter((name) => !others.includes(name))) {
    const { next, events } = await trigger(wayfare, event);
    if (event !== 'account.balance_low' && event !== 'order.deferred') assert.equal(next, undefined, event);
    if (event !== 'account.balance_low') assert.ok((events as string[]).includes(event), event);
    await until(
      async () => (await logged(event)).length > 0,
      () => `${event} was not sent`,
    );
  }
  const [{ sale_id }] = await logged('esim.expiring');
  const { order } = (await t.get(`/order/detail/${sale_id}`, { key })).body;
  assert.equal(order.product_id, daily);
  const named = await trigger(wayfare, 'esim.expiring', product);
  assert.match(String(named.next), /24 hours before the end/);
  assert.equal((named.events as string[]).includes('esim.expiring'), false);
  assert.equal((await trigger(wayfare, 'esim.expiring', daily)).next, undefined);
  await run(t.operator(), `webhook delete ${id}`);
});

test('from the command line, with no database anywhere: trigger answers, listen forwards until Ctrl-C', async () => {
  const { partnerId, key } = await developer();
  await pausedSubscription(t, partnerId);
  const env = { ...process.env, DATABASE_URL: 'postgres://127.0.0.1:1/none', WAYFARE_URL: url, WAYFARE_KEY: key };
  const wayfare = (...words: string[]) => {
    const child = spawn(process.execPath, ['src/main.ts', ...words], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    const said = { out: '', err: '' };
    child.stdout.on('data', (text) => (said.out += text));
    child.stderr.on('data', (text) => (said.err += text));
    return { child, said, exit: once(child, 'close').then(([code]) => code as number) };
  };
  const listening = wayfare('listen', '--forward', hook.url, '--json');
  await until(
    () => listening.said.err.includes('answer'),
    () => JSON.stringify(listening.said),
  );
  hook.received.length = 0;
  hook.answer = 200;
  const triggered = wayfare('trigger', 'order.deferred', '--json');
  assert.equal(await triggered.exit, 0, triggered.said.err);
  const { delivery, next, order_id } = JSON.parse(triggered.said.out);
  assert.deepEqual([delivery, String(next).includes(`/order/detail/${order_id}`)], ['deferred', true]);
  await hook.got(3);
  await until(() => listening.said.err.includes('order.deferred'));
  listening.child.kill('SIGINT');
  assert.equal(await listening.exit, 0, listening.said.err);
  assert.deepEqual(JSON.parse(listening.said.out), { forwarded: 3, accepted: 3 });
  const refused = wayfare('listen', '--forward', 'ftp://x', '--json');
  assert.notEqual(await refused.exit, 0);
  assert.equal(JSON.parse(refused.said.out).error, 'usage');
  assert.ok(listening.said.err.includes(await secretOf(key)), 'the secret to verify with is shown');
});

test('the window over the log: out of order, deleted, overflowing', () => {
  const page = (...ids: number[]) =>
    ids.map((id) => ({ id: String(id), event_id: `e${id}`, event_type: 'order.paid', sale_id: '1' }));
  const seen = (window: DeliveryWindow, ...ids: number[]) => {
    const { deliveries, missed } = window.fresh(page(...ids));
    window.done(page(...ids));
    return [deliveries.map(({ id }) => Number(id)), missed];
  };
  const window = new DeliveryWindow(page(4, 2));
  assert.deepEqual(seen(window, 8, 4, 2), [[8], false]);
  assert.deepEqual(seen(window, 10, 8, 6, 4, 2), [[6, 10], false], 'one that was committed late is new all the same');
  assert.deepEqual(seen(window), [[], false]);
  const [first] = page(12);
  if (first) window.forwarded(first);
  assert.deepEqual(seen(window, 14, 12), [[14], false], 'what was forwarded before a look failed is not sent again');
  const many = Array.from({ length: 200 }, (_, i) => 1000 - 2 * i);
  const full = new DeliveryWindow(page(...many));
  assert.deepEqual(seen(full, 1002, ...many.slice(0, 199)), [[1002], false]);
  assert.deepEqual(seen(full, 600, 598), [[], false], 'what only comes into view again is old');
  const flood = Array.from({ length: 200 }, (_, i) => 5000 - 2 * i);
  assert.equal(seen(full, ...flood)[1], true);
});
