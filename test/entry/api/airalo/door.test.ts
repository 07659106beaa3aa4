import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { orderEndpoints } from '../../../../src/entry/api/airalo/orders.ts';
import { packageEndpoints } from '../../../../src/entry/api/airalo/packages.ts';
import { simEndpoints } from '../../../../src/entry/api/airalo/sims.ts';
import { webhookEndpoints } from '../../../../src/entry/api/airalo/webhooks.ts';
import { DAY, MINUTE } from '../../../../src/platform/clock.ts';
import type { Mode } from '../../../../src/platform/contract/mode.ts';
import { sql } from '../../../../src/platform/db/query/sql.ts';
import { eventually } from '../../../support/eventually.ts';
import { airaloKey, doorClient, phpText, signed } from '../../../support/program/airalo-client.ts';
import { type TestApp, testApp } from '../../../support/program/app.ts';
import { run } from '../../../support/program/operator.ts';
import { testPlan } from '../../../support/sales/paid-order.ts';
import { catalogKnows, credit } from '../../../support/sales/shop.ts';

let t: TestApp;
let product: string;
let refill: string;
let regional: string;

before(async () => {
  t = await testApp({ config: { airaloDoor: true } });
  const plan = await testPlan(t, { price: 10, cost: 4 });
  product = plan.alias;
  refill = (await testPlan(t, { refills: [plan.code], title: '1 GB more' })).alias;
  regional = (await testPlan(t, { destination: 'europe', title: 'Europe 1 GB', coverage: ['FR', 'DE'] })).alias;
  await catalogKnows(t, product);
  await catalogKnows(t, regional);
});
after(() => t[Symbol.asyncDispose]());

async function client(mode: Mode = 'live', options = '') {
  const partnerId = await t.partner();
  if (mode === 'live') await credit(t, partnerId, '500.00', 'promo');
  const credentials = await airaloKey(t, partnerId, mode, options);
  return { partnerId, ...credentials, ...doorClient(t, credentials) };
}

const UNAUTHENTICATED = { data: [], meta: { message: 'Unauthenticated.' } };
const order = (more: Record<string, unknown> = {}) => ({ package_id: product, quantity: 1, type: 'sim', ...more });

suite('the token of the door', () => {
  test('is given for a client id and its secret, as JSON, as a form and as a multipart form, for a day', async () => {
    const c = await client();
    const json = await c.askToken(c.tokenRequest);
    assert.equal(json.status, 200);
    const { access_token, ...data } = json.body.data;
    assert.deepEqual(data, { token_type: 'Bearer', expires_in: 86_400 });
    assert.deepEqual(json.body.meta, { message: 'success' });
    assert.match(access_token, /^wfb_/);
    const form = await c.ask('/token', {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(c.tokenRequest).toString(),
    });
    assert.equal(form.status, 200);
    const parts = new FormData();
    for (const [name, value] of Object.entries(c.tokenRequest)) parts.set(name, value);
    const multipart = new Response(parts);
    const answer = await c.ask('/token', {
      method: 'POST',
      headers: { 'content-type': String(multipart.headers.get('content-type')) },
      body: await multipart.text(),
    });
    assert.equal(answer.status, 200, answer.text);
  });

  test('is refused to an unknown client with 422, to a wrong secret with 401', async () => {
    const c = await client();
    const unknown = await c.askToken({ ...c.tokenRequest, client_id: '0'.repeat(32) });
    assert.deepEqual(
      [unknown.status, unknown.body],
      [
        422,
        {
          data: { client_id: 'The selected client id is invalid.' },
          meta: { message: 'the parameter is invalid' },
        },
      ],
    );
    const wrong = await c.askToken({ ...c.tokenRequest, client_secret: `${c.clientSecret}0` });
    assert.deepEqual(
      [wrong.status, wrong.body],
      [401, { data: [], meta: { message: 'Client authentication failed' } }],
    );
    assert.equal((await c.askToken({ ...c.tokenRequest, grant_type: 'password' })).status, 401);
  });

  test('is given three times a minute', async () => {
    const c = await client();
    for (let n = 0; n < 3; n++) assert.equal((await c.askToken(c.tokenRequest)).status, 200);
    const fourth = await c.askToken(c.tokenRequest);
    assert.deepEqual([fourth.status, fourth.body], [429, { message: 'Too Many Attempts.' }]);
    assert.deepEqual([fourth.headers['x-ratelimit-limit'], fourth.headers['x-ratelimit-remaining']], ['3', '0']);
    assert.ok(Number(fourth.headers['retry-after']) > 0);
  });

  test('is over after a day', async () => {
    const c = await client();
    assert.equal((await c.get('/balance')).status, 200);
    t.clock.advance(DAY - MINUTE);
    assert.equal((await c.get('/balance')).status, 200);
    t.clock.advance(MINUTE);
    const answer = await c.get('/balance');
    assert.deepEqual([answer.status, answer.body], [401, UNAUTHENTICATED]);
  });

  test('dies with its key in the middle of its life', async () => {
    const c = await client();
    assert.equal((await c.get('/balance')).status, 200);
    await run(t.operator(), `key revoke ${c.keyId}`);
    await eventually('the token is refused', async () => (await c.get('/balance')).status === 401);
    assert.deepEqual((await c.post('/orders', order())).body, UNAUTHENTICATED);
    assert.equal((await c.askToken(c.tokenRequest)).status, 422);
    const row = await t.base.db.one<{ secret: Buffer | null }>(
      sql`select client_secret as secret from api_keys where id = ${c.keyId}`,
    );
    assert.equal(row.secret, null);
  });

  test('is nothing to another world, to the API itself, or when it is changed', async () => {
    const [live, play] = [await client('live'), await client('sandbox')];
    const token = (await live.askToken(live.tokenRequest)).body.data.access_token;
    const authorization = `Bearer ${token}`;
    assert.equal((await live.ask('/balance', { headers: { authorization } })).status, 200);
    const elsewhere = await live.ask('/balance', { host: 'sandbox', headers: { authorization } });
    assert.deepEqual([elsewhere.status, elsewhere.body], [401, UNAUTHENTICATED]);
    assert.equal((await play.ask('/token', { host: 'live', method: 'POST' })).status, 422);
    assert.equal(
      (
        await play.ask('/token', {
          host: 'live',
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(play.tokenRequest),
        })
      ).status,
      401,
    );
    assert.equal((await t.get('/account/balance', { key: token })).status, 401);
    assert.equal((await t.get('/account/balance', { key: live.clientId })).status, 401);
    for (const changed of [token.slice(0, -1), `${token}0`, token.replace('wfb_', 'wfb_0'), '', 'x'])
      assert.equal((await live.ask('/balance', { headers: { authorization: `Bearer ${changed}` } })).status, 401);
    const key = await t.key(live.partnerId);
    assert.equal((await live.ask('/balance', { headers: { 'x-api-key': key } })).status, 401);
  });

  test('carries the permissions, the addresses and the quota of its key', async () => {
    const reader = await client('live', ' --permissions read');
    assert.equal((await reader.get('/packages')).status, 200);
    const refused = await reader.post('/orders', order());
    assert.deepEqual(
      [refused.status, refused.body],
      [403, { data: [], meta: { message: 'This action is unauthorized.' } }],
    );
    assert.equal((await reader.post('/notifications/opt-out', { type: 'async_orders' })).status, 403);
    const buyer = await client('live', ' --permissions buy');
    assert.equal((await buyer.post('/orders', order())).status, 200);
    assert.equal((await buyer.get('/orders')).status, 403);
    const confined = await client('live');
    assert.equal((await confined.get('/balance')).status, 200);
    await run(t.operator(), `key set ${confined.keyId} --allow 198.51.100.7`);
    await eventually('the address is refused', async () => (await confined.get('/balance')).status === 403);
    assert.equal((await confined.get('/balance')).body.code, 89);
    assert.equal((await confined.askToken(confined.tokenRequest)).body.code, 89);
    const slow = await client('live');
    await run(t.operator(), `key set ${slow.keyId} --ceilings read=1`);
    await eventually(
      'the quota is known',
      async () => (await slow.get('/balance')).headers['x-ratelimit-limit'] === '1',
    );
    assert.equal((await slow.get('/balance')).status, 429);
  });
});

suite('the signature of a request', () => {
  const post = (c: Awaited<ReturnType<typeof client>>, body: string, signature: string, type = 'application/json') =>
    c.post('/orders', {}, { body, headers: { 'content-type': type, 'airalo-signature': signature } });

  test('is checked when it is sent, in the forms of the three clients', async () => {
    const c = await client();
    const payload = order({ description: 'Österreich/1' });
    const php = phpText(payload).replace(
      /[\u0080-\uffff]/g,
      (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`,
    );
    const fits = [
      await post(c, phpText(payload), signed(c.clientSecret, phpText(payload))),
      await post(c, JSON.stringify(payload), signed(c.clientSecret, phpText(payload))),
      await post(c, JSON.stringify(payload, null, 1), signed(c.clientSecret, php)),
    ];
    for (const { status, text } of fits) assert.equal(status, 200, text);
    const form = { package_id: product, quantity: '1', description: 'a/b' };
    const sent = new URLSearchParams(form).toString();
    const type = 'application/x-www-form-urlencoded';
    assert.equal((await post(c, sent, signed(c.clientSecret, phpText(form)), type)).status, 200);
  });

  test('that does not fit is code 14, for an order and for a token', async () => {
    const c = await client();
    for (const signature of [signed('another', phpText(order())), 'x', 'é'.normalize('NFD')]) {
      const answer = await post(c, phpText(order()), encodeURI(signature));
      assert.deepEqual([answer.status, answer.body.code], [422, 14]);
    }
    const token = await c.askToken(c.tokenRequest, { 'airalo-signature': signed('another', phpText(c.tokenRequest)) });
    assert.deepEqual([token.status, token.body.code], [422, 14]);
    assert.equal((await c.get('/orders')).body.meta.total, 0);
  });
});

suite('the packages of the door', () => {
  test('are those of the catalog, with list prices and the prices of the partner', async () => {
    const c = await client();
    await run(
      t.operator(),
      `price set --partner ${c.partnerId} --scope product --target ${product} --price 7.50`,
    ).catch(() => {});
    const { body, headers } = await c.get('/packages?include=topup');
    assert.equal(headers.vary, 'accept-encoding, authorization');
    assert.deepEqual(body.pricing, { model: 'net_pricing', discount_percentage: 0 });
    assert.deepEqual([body.meta.current_page, body.meta.last_page, body.meta.message], [1, 1, 'success']);
    const france = body.data.find((place: { country_code: string }) => place.country_code === 'FR');
    assert.deepEqual([france.slug, france.title], ['france', 'France']);
    const operator = france.operators.find(({ packages }: { packages: { id: string }[] }) =>
      packages.some(({ id }) => id === product),
    );
    assert.deepEqual([operator.type, operator.rechargeability], ['local', true]);
    const [sim, topup] = operator.packages;
    const ours = (await t.get(`/catalog/product/${product}`, { key: await t.key(c.partnerId) })).body.product;
    assert.deepEqual(
      [sim.id, sim.type, sim.price, sim.net_price, sim.amount, sim.day, sim.is_unlimited, sim.prices],
      [
        product,
        'sim',
        ours.price,
        ours.partner_price,
        1024,
        7,
        false,
        { net_price: { USD: ours.partner_price }, recommended_retail_price: { USD: ours.price } },
      ],
    );
    assert.deepEqual([topup.id, topup.type], [refill, 'topup']);
  });

  test('are filtered, and a country that is not sold is an empty list', async () => {
    const c = await client();
    const ids = async (query: string): Promise<string[]> => {
      const { body } = await c.get(`/packages?${query}`);
      return body.data.flatMap((place: { operators: { packages: { id: string }[] }[] }) =>
        place.operators.flatMap(({ packages }) => packages.map(({ id }) => id)),
      );
    };
    assert.ok((await ids('filter[type]=local')).includes(product));
    assert.deepEqual(await ids('filter[type]=global'), [regional]);
    assert.ok((await ids('filter%5Bcountry%5D=fr')).includes(product));
    assert.ok(!(await ids('filter[country]=FR')).includes(refill));
    assert.deepEqual(await ids('filter[country]=ZZ'), []);
    const wrong = await c.get('/packages?limit=many');
    assert.deepEqual([wrong.status, wrong.body.data], [422, { limit: 'The limit must be an integer.' }]);
  });

  test('change their shape from the second page on', async () => {
    const c = await client();
    const first = await c.get('/packages?limit=1&page=1');
    assert.deepEqual(
      [Array.isArray(first.body.data), first.body.meta.last_page, first.body.meta.per_page, first.body.data[0].slug],
      [true, 2, '1', 'europe'],
    );
    const second = await c.get('/packages?limit=1&page=2');
    assert.deepEqual(Object.keys(second.body.data), ['1']);
    assert.equal(second.body.data['1'].slug, 'france');
  });
});

suite('every address of the door', () => {
  const all = [
    ...packageEndpoints,
    ...orderEndpoints({} as never),
    ...simEndpoints,
    ...webhookEndpoints({} as never),
  ].map(({ verb, path, permission = 'read' }) => {
    return { verb, permission, path: path.replace('/airalo/v2', '').replace(/\{\w+\}/, '8999999999999999999') };
  });
  const call = (c: Awaited<ReturnType<typeof client>>, { verb, path }: (typeof all)[number]) =>
    verb === 'GET' ? c.get(path) : c.post(path, {});

  test('is closed to strangers, and to whoever sends anything but a token', async () => {
    const c = await client();
    for (const { verb, path } of all)
      for (const headers of [{}, { authorization: 'Bearer x' }, { authorization: `Basic ${c.clientId}` }]) {
        const answer = await c.ask(path, { method: verb, headers });
        assert.deepEqual([answer.status, answer.body], [401, UNAUTHENTICATED], path);
      }
  });

  test('is closed to keys without the permission for it, and open to those with it', async () => {
    for (const one of ['read', 'buy', 'webhooks']) {
      const c = await client('sandbox', ` --permissions ${one}`);
      for (const endpoint of all) {
        const { status } = await call(c, endpoint);
        const isOpen = endpoint.permission === one;
        assert.equal(status === 403, !isOpen, `${endpoint.verb} ${endpoint.path} with ${one}: ${status}`);
      }
    }
  });

  test('is closed to a disabled partner', async () => {
    const c = await client();
    assert.equal((await c.get('/balance')).status, 200);
    await run(t.operator(), `partner set ${c.partnerId} --disabled true`);
    await eventually('it is refused', async () => (await c.get('/balance')).status === 401);
    for (const endpoint of all) assert.equal((await call(c, endpoint)).status, 401, endpoint.path);
  });
});

suite('the rest of the door', () => {
  test('what is not offered, and what does not exist, is 404 with an empty list', async () => {
    const c = await client();
    for (const path of [
      '/voucher/esim',
      '/voucher/airmoney',
      '/future-orders',
      '/cancel-future-orders',
      '/nothing',
      '',
    ])
      for (const answer of [await c.get(path), await c.post(path, {})])
        assert.deepEqual(
          [answer.status, answer.body],
          [404, { data: [], meta: { message: 'messages.resource_not_found' } }],
          path,
        );
    assert.equal((await c.get('/packages/overrides')).status, 404);
    assert.equal((await c.post('/balance', {})).status, 405);
  });

  test('balance, devices and exchange rates', async () => {
    const c = await client();
    assert.deepEqual((await c.get('/balance')).body.data, {
      balances: { name: 'balance', availableBalance: { amount: 500, currency: 'USD' } },
    });
    const [device] = (await c.get('/compatible-devices-lite')).body.data;
    assert.deepEqual(Object.keys(device), ['os', 'brand', 'name']);
    const rates = (await c.get('/finance/exchange-rates?date=2025-01-31')).body.data;
    assert.deepEqual(rates, { date: '2025-01-31', rates: [{ from: 'USD', mid: '1', to: 'USD' }] });
  });

  test('instructions come in the language of the header', async () => {
    const c = await client();
    const { data } = (await c.post('/orders', order())).body;
    const { iccid, qrcode } = data.sims[0];
    const german = await c.get(`/sims/${iccid}/instructions`, { headers: { 'accept-language': 'de-AT,en;q=0.5' } });
    const { instructions } = german.body.data;
    assert.deepEqual([instructions.language, instructions.ios.length, instructions.android.length], ['de', 1, 1]);
    assert.equal(instructions.ios[0].installation_via_qr_code.qr_code_data, qrcode);
    assert.ok('1' in instructions.android[0].network_setup.steps);
    assert.equal((await c.get(`/sims/${iccid}/instructions`)).body.data.instructions.language, 'en');
  });

  test('is closed unless it was opened, and not there on the legacy address', async () => {
    const c = await client();
    const legacy = await c.ask('/packages', { host: 'legacy' });
    assert.equal(legacy.body.api_version, 3);
    await using closed = await testApp();
    const answer = await closed.ask('/v3/airalo/v2/packages', { host: 'live' });
    assert.deepEqual([answer.status, answer.body.api_version], [401, 3]);
    await assert.rejects(
      run(closed.operator(), `key create --partner ${await closed.partner()} --mode live --airalo`),
      /AIRALO_DOOR/,
    );
  });

  test('calls are in the request log of the account, without secrets', async () => {
    const c = await client();
    await c.askToken(c.tokenRequest);
    const { data } = (await c.post('/orders', order({ description: 'logged', card: '4111' }))).body;
    await c.post('/orders', order({ quantity: 60 }));
    const { world } = { world: t.base.worlds.live };
    const read = () =>
      world.db.query<{ endpoint: string; status: number; error: string; fields: unknown; orderId: bigint | null }>(sql`
        select endpoint, status, error, fields, order_id as "orderId" from request_log
        where partner_id = ${c.partnerId} order by id`);
    await eventually('the calls are written', async () => (await read()).length >= 3);
    const calls = await read();
    const bought = calls.find(({ orderId }) => orderId === BigInt(data.id));
    assert.equal(bought?.endpoint, '/airalo/v2/orders');
    const text = JSON.stringify(calls, (_, value) => (typeof value === 'bigint' ? String(value) : value));
    assert.ok(text.includes('logged') && text.includes('/airalo/v2/token'));
    assert.ok(!text.includes(c.clientSecret) && !text.includes('4111'));
  });
});
