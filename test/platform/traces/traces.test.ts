import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { sql } from '../../../src/platform/db/query/sql.ts';
import { readConfig } from '../../../src/platform/settings/config.ts';
import { stage } from '../../domains/messages/webhooks/stage.ts';
import { eventually } from '../../support/eventually.ts';
import { airaloKey, doorClient } from '../../support/program/airalo-client.ts';
import { testApp } from '../../support/program/app.ts';
import { run } from '../../support/program/operator.ts';
import { signedIn } from '../../support/program/panel.ts';
import { testPlan } from '../../support/sales/paid-order.ts';
import { buy, catalogKnows, credit } from '../../support/sales/shop.ts';
import { type Receiver, receiver } from '../../support/servers/receiver.ts';

interface Span {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly links?: readonly { readonly traceId: string }[];
  readonly attributes: Readonly<Record<string, unknown>>;
}

/** What a collector got, by the protocol's JSON. */
function spansIn(collector: Receiver): Span[] {
  return collector.received.flatMap(({ body }) =>
    JSON.parse(body)
      // biome-ignore lint/suspicious/noExplicitAny: the protocol's own shape
      .resourceSpans.flatMap((resource: any) => resource.scopeSpans.flatMap((scope: any) => scope.spans))
      // biome-ignore lint/suspicious/noExplicitAny: the protocol's own shape
      .map((span: any) => ({
        ...span,
        attributes: Object.fromEntries(
          // biome-ignore lint/suspicious/noExplicitAny: the protocol's own shape
          span.attributes.map(({ key, value }: any) => [key, value.stringValue ?? Number(value.intValue)]),
        ),
      })),
  );
}

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const traceparent = `00-${TRACE}-00f067aa0ba902b7-01`;

suite('with a collector', () => {
  let collector: Receiver;
  let spans: Span[];
  let hookHeaders: Record<string, unknown>[];
  let secrets: string[];
  let orderId: number;
  let partner: number;

  before(async () => {
    collector = await receiver();
    const { traces } = readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: `http://${collector.host}/` });
    const s = await stage({ config: { traces } });
    const { t, key } = s;
    partner = s.partnerId;
    await s.subscribe('sandbox', '/hook', 'order.created,order.delivered,order.deferred');
    const { alias: plan } = await testPlan(t);
    await catalogKnows(t, plan);
    const headers = { traceparent };
    const path = '/v3/purchase/buy';
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const ask = (fields: string, more = {}) =>
      t.ask(path, {
        key: key.sandbox,
        method: 'POST',
        body: `product_id=${plan}${fields}`,
        headers: { ...form, ...more },
      });
    const bought = await ask('&idempotency_key=traced', headers);
    orderId = bought.body.order_id;
    await s.hook.got(2);
    const several = await Promise.all([1, 2, 3, 4].map(() => ask('')));
    assert.deepEqual(
      several.map(({ status }) => status),
      [200, 200, 200, 200],
    );
    await ask('&sandbox_error=insufficient_balance');
    await credit(t, partner, '20.00');
    assert.equal((await buy(t, key.live, plan)).body.delivery, 'delivered');
    await s.hook.got(2 + 8);
    hookHeaders = s.hook.received.map((one) => one.headers);
    const detail = await t.get(`/order/detail/${orderId}`, { key: key.sandbox });
    const { iccid, activation_code: code } = detail.body.esim;
    await t.get(`/order/usage/${iccid}`, { key: key.sandbox });
    await t.work();
    secrets = [key.sandbox, key.live, iccid, code].filter(Boolean);
    // What is left is sent when the program stops.
    await s[Symbol.asyncDispose]();
    spans = spansIn(collector);
  });
  after(() => collector[Symbol.asyncDispose]());

  const ofTrace = (name: string) => spans.filter((span) => span.traceId === TRACE && span.name.startsWith(name));

  test('a request continues the trace of its sender, and says its route, partner, world, order and status', () => {
    const [request] = ofTrace('POST ');
    assert.equal(request?.parentSpanId, '00f067aa0ba902b7');
    assert.deepEqual(request?.attributes, {
      'http.request.method': 'POST',
      'http.route': '/v3/purchase/buy',
      'http.response.status_code': 200,
      'wayfare.partner_id': partner,
      'wayfare.mode': 'sandbox',
      'wayfare.order_id': orderId,
    });
  });

  test('its queries and its call to a supplier are parts of it', () => {
    assert.ok(
      ofTrace('database').some(({ attributes }) => /insert into orders/.test(String(attributes['db.query.text']))),
    );
    const call = spans.find(({ name }) => name === 'supplier order');
    assert.equal(call?.attributes['wayfare.outcome'], 'delivered');
    const live = spans.find(({ name, attributes }) => name.startsWith('POST') && attributes['wayfare.mode'] === 'live');
    assert.equal(call?.traceId, live?.traceId);
  });

  test('a delivery is sent in the trace of the request that caused it, and passes it on to its receiver', () => {
    const attempts = ofTrace('webhook attempt');
    assert.deepEqual(attempts.map(({ attributes }) => attributes['wayfare.event']).sort(), [
      'order.created',
      'order.delivered',
    ]);
    const sent = hookHeaders.map(({ traceparent: header }) => String(header)).filter((one) => one.includes(TRACE));
    assert.deepEqual(sent.sort(), attempts.map(({ spanId }) => `00-${TRACE}-${spanId}-01`).sort());
  });

  test('purchases charged together are linked from their batch, and each keeps its own deliveries', () => {
    const requests = spans.filter(
      ({ name, attributes }) =>
        name === 'POST /v3/purchase/buy' && !attributes['error.type'] && attributes['wayfare.mode'] === 'sandbox',
    );
    assert.equal(requests.length, 5);
    for (const { traceId } of requests) {
      const attempts = spans.filter((span) => span.traceId === traceId && span.name === 'webhook attempt');
      assert.equal(attempts.length, 2, traceId);
    }
  });

  test('a refusal has its code', () => {
    assert.ok(spans.some(({ attributes }) => attributes['error.type'] === 'insufficient_balance'));
  });

  test('no span of a batch that found nothing to do', () => {
    const jobs = spans.filter(({ attributes }) => 'wayfare.job' in attributes);
    assert.ok(jobs.length > 0);
    const idle = jobs.filter(
      ({ attributes, traceId, spanId }) =>
        attributes['wayfare.rows'] === 0 &&
        !spans.some((one) => one.traceId === traceId && one.spanId !== spanId && one.name !== 'database'),
    );
    assert.deepEqual(idle, []);
  });

  test('no key, ICCID or activation code is in a span', () => {
    const text = JSON.stringify(spans);
    for (const secret of secrets) assert.ok(!text.includes(secret), `…${secret.slice(-4)}`);
  });
});

test('a deferred order is provisioned in the trace of the purchase that was answered long before', async () => {
  await using collector = await receiver();
  const { traces } = readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: `http://${collector.host}` });
  {
    await using s = await stage({ config: { traces } });
    const { t, key } = s;
    const { alias } = await testPlan(t);
    await catalogKnows(t, alias);
    await credit(t, s.partnerId, '20.00');
    await run(t.operator(), `supplier simulate ${alias} --behaviour delay`);
    const bought = await t.ask('/v3/purchase/buy', {
      key: key.live,
      method: 'POST',
      body: `product_id=${alias}`,
      headers: { 'content-type': 'application/x-www-form-urlencoded', traceparent },
    });
    assert.equal(bought.body.delivery, 'deferred');
    await run(t.operator(), `supplier simulate ${alias} --behaviour deliver`);
    await eventually('it is delivered', async () => {
      t.clock.advance(60_000);
      await t.work();
      return t.base.worlds.live.db.maybe(sql`
        select id from orders where id = ${BigInt(bought.body.order_id)} and delivery = 'delivered'`);
    });
  }
  const later = spansIn(collector).filter(({ traceId }) => traceId === TRACE);
  assert.ok(later.some(({ name }) => name === 'provision order'));
});

test('a webhook in Airalo’s form belongs to the trace of its order, and its receiver gets that', async () => {
  await using collector = await receiver();
  await using hook = await receiver();
  const { traces } = readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: `http://${collector.host}` });
  {
    await using t = await testApp({ config: { traces, airaloDoor: true, webhookTrustedHosts: [hook.host] } });
    const partner = await t.partner();
    await credit(t, partner, '20.00');
    const { alias } = await testPlan(t);
    await catalogKnows(t, alias);
    const door = doorClient(t, await airaloKey(t, partner, 'live'));
    await door.post('/notifications/opt-in', { type: 'async_orders', webhook_url: hook.url });
    const order = { package_id: alias, quantity: 1, type: 'sim' };
    assert.equal((await door.post('/orders-async', order, { headers: { traceparent } })).status, 202);
    await eventually('it is sent', async () => {
      t.clock.advance(60_000);
      await t.work();
      return hook.received.some(({ body }) => body !== '');
    });
  }
  const attempt = spansIn(collector).find(({ name }) => name === 'webhook attempt');
  assert.equal(attempt?.traceId, TRACE);
  assert.deepEqual(attempt?.attributes, {
    'wayfare.event': 'async_orders',
    'wayfare.attempt': 1,
    'http.request.method': 'POST',
    'http.response.status_code': 200,
  });
  const sent = hook.received.find(({ body }) => body !== '');
  assert.equal(sent?.headers.traceparent, `00-${TRACE}-${attempt?.spanId}-01`);
});

test('a request of the panel says its partner, its world and why it was refused', async () => {
  await using collector = await receiver();
  const { traces } = readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: `http://${collector.host}` });
  let partner: number;
  {
    await using t = await testApp({ config: { traces } });
    partner = await t.partner();
    const member = await signedIn(t, partner);
    assert.equal((await member.get('/api/live/orders/999/money')).status, 404);
  }
  const request = spansIn(collector).find(({ attributes }) => attributes['http.response.status_code'] === 404);
  assert.deepEqual(request?.attributes, {
    'http.request.method': 'GET',
    'http.route': '/api/{mode}/orders/{id}/money',
    'http.response.status_code': 404,
    'wayfare.partner_id': partner,
    'wayfare.mode': 'live',
    'error.type': 'order_not_found',
  });
});

test('a supplier gets the trace of the purchase, from the span of its call', async () => {
  await using collector = await receiver();
  await using supplier = await receiver();
  supplier.answer = 503;
  const { traces } = readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: `http://${collector.host}` });
  {
    const simulatedSupplierUrl = new URL(`http://${supplier.host}`);
    await using t = await testApp({ config: { traces, simulatedSupplierUrl } });
    const partner = await t.partner();
    const key = await t.key(partner, 'live');
    const { alias } = await testPlan(t);
    await catalogKnows(t, alias);
    await credit(t, partner, '20.00');
    assert.equal((await buy(t, key, alias)).body.delivery, 'deferred');
  }
  const spans = spansIn(collector);
  const { traceId } = spans.find(({ name }) => name === 'POST /v3/purchase/buy') ?? {};
  const calls = spans.filter((span) => span.traceId === traceId && span.name === 'supplier order');
  assert.equal(calls.length, 1);
  const sent = supplier.received.map(({ headers }) => headers.traceparent);
  assert.ok(sent.includes(`00-${traceId}-${calls[0]?.spanId}-01`), String(sent));
});

test('the sender of a request decides whether it is recorded; without one, the share does', async () => {
  const unwanted = '5bf92f3577b34da6a3ce929d0e0e4736';
  const recorded = async (share: string) => {
    await using collector = await receiver();
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: `http://${collector.host}`, OTEL_TRACES_SAMPLER_ARG: share };
    {
      await using t = await testApp({ config: { traces: readConfig(env).traces } });
      const key = await t.key(await t.partner());
      const not = `00-${unwanted}-00f067aa0ba902b7-00`;
      for (const headers of [{ traceparent }, { traceparent: not }, {}])
        assert.equal((await t.ask('/v3/account/balance', { key, headers })).status, 200);
    }
    const requests = spansIn(collector).filter(({ name }) => name === 'GET /v3/account/balance');
    return requests.map(({ traceId }) => traceId);
  };
  assert.deepEqual(await recorded('0'), [TRACE]);
  const [first, second, ...more] = await recorded('1');
  assert.deepEqual([first, more], [TRACE, []]);
  assert.ok(second && second !== unwanted);
});

test('a collector that is away changes nothing for requests', async () => {
  const { traces } = readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' });
  await using t = await testApp({ config: { traces } });
  const key = await t.key(await t.partner(), 'sandbox');
  const { alias } = await testPlan(t);
  await catalogKnows(t, alias);
  assert.equal((await buy(t, key, alias)).status, 200);
});

test('the share of traces is a number from 0 to 1, and the address one of http', () => {
  const of = (env: NodeJS.ProcessEnv) => () => readConfig(env);
  assert.throws(of({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://a', OTEL_TRACES_SAMPLER_ARG: '2' }), /from 0 to 1/);
  assert.throws(of({ OTEL_EXPORTER_OTLP_ENDPOINT: 'grpc://a' }), /OTEL_EXPORTER_OTLP_ENDPOINT/);
  assert.equal(readConfig({}).traces, undefined);
});
