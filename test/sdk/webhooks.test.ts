import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, suite, test } from 'node:test';
import { FakeWayfare, signedWebhook } from '../../sdk/src/testing.ts';
import {
  fetchReceiver,
  nodeReceiver,
  verifyWebhook,
  type WebhookEvent,
  WebhookRejected,
} from '../../sdk/src/wayfare.ts';
import { eventNames } from '../../src/domains/messages/events/events.ts';
import { tourPlans } from '../support/browser/tour.ts';
import { eventually } from '../support/eventually.ts';
import { record } from '../support/program/app.ts';
import { run } from '../support/program/operator.ts';
import { batchOf, type StockedApp, stockedApp } from '../support/sales/catalog.ts';
import { type Received, type Receiver, receiver } from '../support/servers/receiver.ts';

const rejected = (reason: WebhookRejected['reason']) => (error: unknown) =>
  error instanceof WebhookRejected && error.reason === reason;

const without = (headers: Received['headers'], ...names: string[]) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name)));
const own = (headers: Received['headers']) => without(headers, 'webhook-signature');
const standard = (headers: Received['headers']) => without(headers, 'x-signature');

suite('the SDK verifies what the server signs', () => {
  const opened = new AsyncDisposableStack();
  let t: StockedApp;
  let hook: Receiver;
  let secret = '';
  let subscription = '';
  let key = '';
  let now = 0;

  before(async () => {
    hook = opened.use(await receiver());
    t = opened.use(await stockedApp([batchOf(tourPlans())], { config: { webhookTrustedHosts: [hook.host] } }));
    const made = await run(t.operator(), `webhook create --partner ${t.partner1} --mode sandbox --url ${hook.url}`);
    secret = made.secret;
    subscription = String(made.subscription_id);
    record('secrets', `${secret}\n`);
    key = await t.key(t.partner1, 'sandbox');
    now = t.clock.now();
    await t.post('/purchase/buy', { product_id: await t.alias('jp-1'), reference: 'é' }, { key });
    await hook.got(3);
  });
  after(() => opened.disposeAsync());

  test('either signature is enough, on bytes and on text', async () => {
    for (const { headers, body } of hook.received) {
      for (const some of [headers, own(headers), standard(headers)])
        for (const raw of [body, Buffer.from(body), new TextEncoder().encode(body).buffer as ArrayBuffer]) {
          const event = await verifyWebhook(raw, some, { secret, now });
          assert.deepEqual(event, JSON.parse(body));
        }
      const event = await verifyWebhook(body, new Headers(own(headers) as Record<string, string>), { secret, now });
      if (event.event === 'order.delivered') assert.match(event.qr_code, /^LPA:/);
    }
  });

  test('a changed byte, another id or another secret is rejected', async () => {
    const [{ headers, body }] = hook.received as [Received];
    const wrong = rejected('wrong_signature');
    await assert.rejects(verifyWebhook(`${body} `, headers, { secret, now }), wrong);
    await assert.rejects(verifyWebhook(JSON.stringify(JSON.parse(body), null, 1), headers, { secret, now }), wrong);
    await assert.rejects(verifyWebhook(body, headers, { secret: `whsec_${'0'.repeat(64)}`, now }), wrong);
    const other = { ...standard(headers), 'webhook-id': 'order.paid:1:1' };
    await assert.rejects(verifyWebhook(body, other, { secret, now }), wrong);
    // What is no base64 has no key in the other style, and none must not verify.
    await assert.rejects(verifyWebhook(body, headers, { secret: `whsec_${'='.repeat(64)}`, now }), wrong);
  });

  test('a secret that anybody knows, or none, is a mistake that shows at once: also in a receiver, when it is made', async () => {
    const [{ body, headers }] = hook.received as [Received];
    const timestamp = String(headers['x-webhook-timestamp']);
    const forged = createHmac('sha256', 'whsec_').update(`${timestamp}.${body}`).digest('hex');
    const signed = { 'x-webhook-timestamp': timestamp, 'x-signature': `sha256=${forged}` };
    for (const none of ['', [], 'whsec_', ['whsec_', secret], 'whsec_0123', secret.replace('whsec_', '')]) {
      await assert.rejects(verifyWebhook(body, signed, { secret: none, now }), /needs the secret .* as it was shown/);
      for (const receiverOf of [nodeReceiver, fetchReceiver])
        assert.throws(() => receiverOf({ secret: none, onEvent() {} }), /needs the secret/);
    }
    // The second place is empty until a secret is rotated.
    await verifyWebhook(body, headers, { secret: [secret, ''], now });
  });

  test('300 seconds late or early are accepted, one more is not, and a changed time breaks the signature', async () => {
    const [{ headers, body }] = hook.received as [Received];
    const signedAt = Number(headers['x-webhook-timestamp']) * 1000;
    for (const some of [own(headers), standard(headers)]) {
      for (const ms of [300_000, -300_000]) await verifyWebhook(body, some, { secret, now: signedAt + ms });
      for (const ms of [300_001, -301_000])
        await assert.rejects(verifyWebhook(body, some, { secret, now: signedAt + ms }), rejected('too_old_or_early'));
    }
    const moved = String(signedAt / 1000 + 600);
    const later = { ...headers, 'x-webhook-timestamp': moved, 'webhook-timestamp': moved };
    await assert.rejects(verifyWebhook(body, later, { secret, now: signedAt + 600_000 }), rejected('wrong_signature'));
    for (const timestamp of ['', 'NaN', '0x10', '1e9', `${signedAt / 1000} `, '-1']) {
      const odd = { ...own(headers), 'x-webhook-timestamp': timestamp };
      await assert.rejects(verifyWebhook(body, odd, { secret, now }), rejected('too_old_or_early'));
    }
  });

  test('missing and malformed signatures are rejected', async () => {
    const [{ headers, body }] = hook.received as [Received];
    const none = without(headers, 'x-signature', 'webhook-signature');
    for (const more of [
      {},
      { 'x-signature': 'sha256=' },
      { 'x-signature': `sha256=${'é'.repeat(64)}` },
      { 'x-signature': String(headers['x-signature']).toUpperCase() },
      { 'x-signature': [String(headers['x-signature']), String(headers['x-signature'])] },
      { 'webhook-signature': 'v1,' },
      { 'webhook-signature': String(headers['webhook-signature']).replace('v1', 'v2') },
    ])
      await assert.rejects(verifyWebhook(body, { ...none, ...more }, { secret, now }), rejected('no_signature'));
  });

  test('while a secret is rotated, the old one, the new one and both verify; afterwards only the new one', async () => {
    const rotated = await run(t.operator(), `webhook rotate ${subscription}`);
    record('secrets', `${rotated.secret}\n`);
    const before = hook.received.length;
    await t.post('/webhook/test', {}, { key });
    const during = (await hook.got(before + 1)).at(-1) as Received;
    for (const held of [secret, rotated.secret, [rotated.secret, secret]])
      await verifyWebhook(during.body, during.headers, { secret: held, now });
    await assert.rejects(
      verifyWebhook(during.body, own(during.headers), { secret: rotated.secret, now }),
      rejected('wrong_signature'),
    );
    await run(t.operator(), `webhook rotate ${subscription} --finish`);
    await t.post('/webhook/test', {}, { key });
    const afterwards = (await hook.got(before + 2)).at(-1) as Received;
    await verifyWebhook(afterwards.body, afterwards.headers, { secret: [secret, rotated.secret], now });
    await assert.rejects(
      verifyWebhook(afterwards.body, afterwards.headers, { secret, now }),
      rejected('wrong_signature'),
    );
  });
});

suite('receivers', () => {
  const secret = `whsec_${'a1'.repeat(32)}`;

  /** What each receiver answers to the same requests. */
  async function outcomes(send: (body: string, headers: Record<string, string>) => Promise<number>) {
    const good = await signedWebhook({ event: 'order.delivered', order_id: 7 }, secret);
    const late = await signedWebhook({ event: 'order.paid' }, secret, Date.now() - 400_000);
    const poison = await signedWebhook({ event: 'order.failed' }, secret);
    return [
      await send(good.body, good.headers),
      await send(`${good.body} `, good.headers),
      await send(late.body, late.headers),
      await send(good.body, {}),
      await send(poison.body, poison.headers),
      await send('x'.repeat(1024 * 1024 + 1), good.headers),
    ];
  }
  const wanted = [204, 401, 401, 401, 500, 413];

  function recorder() {
    const events: WebhookEvent[] = [];
    const onEvent = async (event: WebhookEvent) => {
      if (event.event === 'order.failed') throw new Error('the shop’s database is down');
      events.push(event);
    };
    return { events, onEvent };
  }
  const onlyGood = (events: WebhookEvent[]) =>
    assert.deepEqual(
      events.map((one) => one.event === 'order.delivered' && one.order_id),
      [7],
    );

  test('Fetch-style', async (t) => {
    t.mock.method(console, 'error', () => {});
    const { events, onEvent } = recorder();
    const receive = fetchReceiver({ secret, onEvent });
    const send = async (body: string, headers: Record<string, string>) =>
      (await receive(new Request('https://shop.example.com/hook', { method: 'POST', body, headers }))).status;
    assert.deepEqual(await outcomes(send), wanted);
    onlyGood(events);
  });

  test('node:http', async (t) => {
    t.mock.method(console, 'error', () => {});
    const { events, onEvent } = recorder();
    const server = createServer(nodeReceiver({ secret, onEvent })).listen(0);
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
    try {
      assert.deepEqual(
        await outcomes(async (body, headers) => (await fetch(url, { method: 'POST', body, headers })).status),
        wanted,
      );
      onlyGood(events);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });

  const MB = 1024 * 1024;

  test('Fetch-style: what is too long is not read, neither what says so nor what does not', async () => {
    const { events, onEvent } = recorder();
    const receive = fetchReceiver({ secret, onEvent });
    const sent = async (headers: Record<string, string>) => {
      const seen = { chunks: 0, isCancelled: false };
      const body = new ReadableStream(
        {
          pull: (controller) => {
            seen.chunks += 1;
            controller.enqueue(new Uint8Array(64 * 1024));
          },
          cancel: () => {
            seen.isCancelled = true;
          },
        },
        { highWaterMark: 0 },
      );
      const init = { method: 'POST', body, headers, duplex: 'half' } as RequestInit;
      const { status } = await receive(new Request('https://shop.example.com/hook', init));
      return { status, ...seen };
    };
    assert.deepEqual(await sent({ 'content-length': String(300 * MB) }), {
      status: 413,
      chunks: 0,
      isCancelled: false,
    });
    assert.deepEqual(await sent({}), { status: 413, chunks: 17, isCancelled: true });
    assert.deepEqual(events, []);
  });

  test('node:http: the same, and the sender gets its answer', async () => {
    const { events, onEvent } = recorder();
    let read = 0;
    const receive = nodeReceiver({ secret, onEvent });
    const server = createServer((incoming, outgoing) => {
      outgoing.on('finish', () => {
        read = incoming.socket.bytesRead;
      });
      void receive(incoming, outgoing);
    }).listen(0);
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    /** A sender that still writes when the connection closes may be told only that: then it tries again. */
    const sent = (headers: Record<string, string>) =>
      eventually('an answer', () => tried(headers).catch(() => false as const));
    const tried = async (headers: Record<string, string>) => {
      const outgoing = request({ port, method: 'POST', headers });
      outgoing.on('error', () => {});
      const chunk = Buffer.alloc(64 * 1024);
      const more = () => {
        while (!outgoing.destroyed && outgoing.write(chunk));
      };
      outgoing.on('drain', more);
      more();
      const [answer] = (await once(outgoing, 'response')) as [IncomingMessage];
      outgoing.destroy();
      return [answer.statusCode, answer.headers.connection];
    };
    try {
      assert.deepEqual(await sent({ 'content-length': String(300 * MB) }), [413, 'close']);
      assert.ok(read < MB, `${read} bytes were read`);
      assert.deepEqual(await sent({ 'transfer-encoding': 'chunked' }), [413, 'close']);
      assert.ok(read < 3 * MB, `${read} bytes were read`);
      assert.deepEqual(events, []);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });

  test('Express: a raw body is used, a parsed one is refused with the reason', async () => {
    const { events, onEvent } = recorder();
    const receive = nodeReceiver({ secret, onEvent });
    const { body, headers } = await signedWebhook({ event: 'order.delivered', order_id: 7 }, secret);
    const passed: unknown[] = [];
    const given = async (parsed: unknown) => {
      const response = { statusCode: 0, end() {} };
      const request = { headers, body: parsed, async *[Symbol.asyncIterator]() {} };
      await receive(request, response, (error) => passed.push(error));
      return response.statusCode;
    };
    assert.equal(await given(Buffer.from(body)), 204);
    onlyGood(events);
    assert.equal(await given(JSON.parse(body)), 0);
    assert.match(String(passed[0]), /before express\.json\(\)/);
  });
});

suite('the fake', () => {
  test('answers every endpoint with an example until told otherwise, and keeps what it was asked', async () => {
    const fake = new FakeWayfare();
    const { client } = fake;
    assert.equal((await client.purchase.buy({ product_id: 'esc_1' })).delivery, 'delivered');
    fake.answer('purchase_buy', { delivery: 'deferred' });
    assert.equal((await client.purchase.buy({ product_id: 'esc_1' })).delivery, 'deferred');
    fake.answer('account_balance', () => ({ balance: fake.calls.length }));
    assert.equal((await client.account.balance()).balance, 3);
    fake.refuse('order_detail', 'order_not_found', {});
    await assert.rejects(client.order.detail(1001), { code: 'order_not_found', httpStatus: 404 });
    const { operation, param } = fake.calls.at(-1) ?? {};
    assert.deepEqual([operation, param], ['order_detail', '1001']);
    assert.equal(fake.calls[0]?.fields.product_id, 'esc_1');
    // @ts-expect-error: this code comes with fields.
    fake.refuse('purchase_buy', 'insufficient_balance', {});
  });

  test('a program reads back what it sent', async () => {
    const { client } = new FakeWayfare();
    const { order, delivery } = await client.purchase.buy({ product_id: 'esc_1', reference: 'booking-9' });
    assert.deepEqual([order.product_id, order.reference, delivery], ['esc_1', 'booking-9', 'delivered']);
    const deferred = await client.purchase.buy({ product_id: 'esc_1', sandbox_scenario: 'deferred' }).withResponse();
    assert.deepEqual([deferred.data.delivery, deferred.httpStatus], ['deferred', 202]);
    const refill = await client.purchase.refill({ iccid: '8900', product_id: 'esc_2' });
    assert.deepEqual([refill.iccid, refill.order.product_id], ['8900', 'esc_2']);
    assert.equal((await client.order.detail(77)).order.id, '77');
    assert.equal((await client.order.usage('8901')).usage.iccid, '8901');
    assert.equal((await client.esim.detail('8902')).esim.iccid, '8902');
    assert.equal((await client.catalog.product('esc_3')).product.id, 'esc_3');
    const [row] = (await client.order.get({ status: 'delivered', reference: 'b-1' })).order;
    assert.deepEqual([row?.reference, row?.status], ['b-1', '1']);
    assert.equal((await client.account.topup({ amount: 75 })).amount, 75);
    assert.equal((await client.account.sandboxBalance({ operation: 'subtract', amount: 75 })).balance, 925);
    assert.equal((await client.order.refund({ order_id: 1, reason: 'late' })).refund.reason, 'late');
    assert.equal((await client.webhook.delivery(99)).delivery.id, '99');
    const found = await client.catalog.products({ country: 'FR', all_variants: true, max_day: 9, limit: 3 });
    assert.deepEqual(
      [found.country_code, found.all_variants, found.filters, found.limit],
      ['FR', true, { max_day: 9 }, 3],
    );
  });

  test('its lists have one page, of at most as many rows as were asked for', async () => {
    const { client } = new FakeWayfare();
    assert.equal((await Array.fromAsync(client.esim.all())).length, 2);
    assert.equal((await client.esim.list({ limit: 1 })).esims.length, 1);
  });

  test('signs every event as the server does', async () => {
    const secret = `whsec_${'b2'.repeat(32)}`;
    for (const event of eventNames) {
      const { body, headers } = await signedWebhook({ event } as Parameters<typeof signedWebhook>[0], secret);
      for (const some of [own(headers), standard(headers)])
        assert.equal((await verifyWebhook(body, some, { secret })).event, event);
    }
  });
});
