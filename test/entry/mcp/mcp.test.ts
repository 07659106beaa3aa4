import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { openapiAt } from '../../../src/entry/api/gates/description.ts';
import { withoutActivation } from '../../../src/entry/mcp/read-tools.ts';
import { DAY, MINUTE } from '../../../src/platform/clock.ts';
import { sql } from '../../../src/platform/db/query/sql.ts';
import { PATIENCE_MS } from '../../support/eventually.ts';
import {
  agentAt,
  agentBeside,
  allowSpending,
  type Era,
  keyIdOf,
  type McpProgram,
  type TestAgent,
} from '../../support/program/agent.ts';
import { wayfare } from '../../support/program/cli.ts';
import { run } from '../../support/program/operator.ts';
import { freePort } from '../../support/program/ports.ts';
import { batchOf, entry, eventually, type StockedApp, stockedApp } from '../../support/sales/catalog.ts';
import { credit, pausedSubscription } from '../../support/sales/shop.ts';

const READING = [
  'find_destinations',
  'search_catalog',
  'list_devices',
  'quote',
  'list_orders',
  'get_order',
  'list_esims',
  'get_usage',
  'list_refills',
  'get_balance',
  'get_limits',
  'list_deliveries',
];
/** About 6,000 tokens. */
const MAX_LIST_BYTES = 20_000;
const WRITING = [
  ...['buy_esim', 'buy_esims', 'refill_esim', 'refund_order', 'cancel_order'],
  ...['suspend_esim', 'resume_esim', 'replace_esim', 'set_autorefill'],
];

let t: StockedApp;
let panel: string;
let product: string;
before(async () => {
  const port = await freePort();
  panel = `http://localhost:${port}`;
  const plans = [
    entry({ code: 'tr-1', title: 'Türkiye 1 GB', price: '10.00', cost: '1.000000' }),
    entry({ code: 'tr-2', title: 'Türkiye 2 GB', price: '4.00', amount: 2048 }),
    entry({ code: 'moving', title: 'Moving price', price: '6.00', amount: 4096 }),
    entry({ code: 'more', title: 'More', amount: 2048, price: '3.00', refills: ['tr-1'] }),
  ];
  t = await stockedApp([batchOf(plans)], {
    config: { listenPorts: [port], panelUrl: new URL(panel), sandboxBaseUrl: new URL(`${panel}/v3`) },
  });
  product = await t.alias('tr-1');
});
after(() => t[Symbol.asyncDispose]());

interface Traveller {
  readonly partnerId: number;
  readonly key: string;
  readonly agent: TestAgent;
}

/** A new account whose key has this limit. */
async function account(limit?: string, mode: 'sandbox' | 'live' = 'sandbox'): Promise<Traveller> {
  const partnerId = await t.partner();
  const key = await t.key(partnerId, mode);
  if (limit) await allowSpending(t, key, limit);
  const path = mode === 'live' ? '/mcp/live' : '/mcp';
  return { partnerId, key, agent: await agentAt(panel + path, { 'x-api-key': key }) };
}

const refusalAt = (path: string, headers: Record<string, string>) =>
  agentAt(panel + path, headers).then(
    () => 'connected',
    (error: Error) => error.message,
  );
const ordersOf = async (partnerId: number, mode: 'live' | 'sandbox' = 'sandbox') =>
  (
    await t.base.worlds[mode].db.one<{ count: number }>(
      sql`select count(*)::int as count from orders where partner_id = ${partnerId} and status <> 4`,
    )
  ).count;
/** What counts towards the limit of a key, in cents and orders. */
const counted = async (key: string) => {
  const [limit] = (await t.get('/account/limits', { key })).body.limits;
  return [Math.round(limit.used_amount * 100), limit.used_count];
};

suite('reading', () => {
  test('without a limit on spending there are only tools that read, and the others refuse', async () => {
    const { agent } = await account();
    assert.deepEqual(await agent.tools(), READING);
    const { isError, body } = await agent.call('buy_esim', { product_id: product });
    assert.ok(isError);
    assert.equal(body.error, 'spending_limit_required');
  });

  test('a restricted key has the tools for what it may do, and the others refuse', async () => {
    const restricted = async (...permissions: string[]) => {
      const key = await t.key(await t.partner(), 'sandbox', { permissions });
      await allowSpending(t, key, 'day=50');
      return agentAt(`${panel}/mcp`, { 'x-api-key': key });
    };
    assert.deepEqual(await (await restricted('read')).tools(), READING);
    assert.deepEqual(await (await restricted('read', 'buy')).tools(), [
      ...READING,
      'buy_esim',
      'buy_esims',
      'refill_esim',
      'replace_esim',
      'set_autorefill',
    ]);
    const agent = await restricted('buy');
    assert.deepEqual(await agent.tools(), []);
    const { isError, body } = await agent.call('buy_esim', { product_id: product });
    assert.deepEqual([isError, body.error, body.permission], [true, 'key_not_permitted', 'read']);
  });

  for (const era of ['legacy', 'modern'] as const satisfies Era[])
    test(`over HTTP in the ${era} revision: the tools, and what the API answers`, async () => {
      const { key, partnerId } = await account('day=50');
      await using agent = await agentAt(`${panel}/mcp`, { authorization: `Bearer ${key}` }, era);
      assert.deepEqual(await agent.tools(), [...READING, ...WRITING]);
      await t.post('/purchase/buy', { product_id: product, reference: 'trip-1' }, { key });
      await pausedSubscription(t, partnerId);

      const found = await agent.call('find_destinations', { name: 'rkiy' });
      assert.deepEqual([found.body.matched, found.body.countries[0].country_code], [1, 'TR']);
      const plans = await agent.call('search_catalog', { country: 'tr', max_price: 5, limit: 500 });
      assert.deepEqual(
        [plans.body.products.map((row: { title: string }) => row.title), plans.body.limit],
        [['Türkiye 2 GB'], 50],
      );
      assert.equal((await agent.call('quote', { product_id: product })).body.partner_price, 10);
      const [order] = (await agent.call('list_orders', { reference: 'trip-1', status: null })).body.order;
      const { iccid } = order.esim;
      const { order_id } = (await agent.call('list_esims')).body.esims[0];
      assert.equal(String(order_id), order.id);
      assert.equal((await agent.call('get_usage', { iccid })).body.usage.iccid ?? iccid, iccid);
      assert.equal((await agent.call('list_refills', { iccid })).isError, false);
      assert.equal((await agent.call('get_balance')).body.balance, 990);
      assert.equal((await agent.call('list_deliveries', { limit: '5' })).body.limit, 5);
      assert.match((await agent.call('get_order', { order_id: order.id })).body.esim.qrcode, /^LPA:1/);
    });

  test('each tool says what it answers, and names only what it takes and tools that lead to it', async () => {
    const { agent } = await account('day=50');
    const tools = await agent.listed();
    const text = (name: string) => JSON.stringify(tools.find((one) => one.name === name));
    for (const { name, description = '', outputSchema } of tools) {
      const { type } = outputSchema as { type?: string };
      assert.equal(type, 'object', name);
      assert.doesNotMatch(JSON.stringify(outputSchema), /"examples"|x-enum/, name);
      for (const [word] of description.matchAll(/\b[a-z]+_[a-z_]+\b/g))
        assert.ok(
          tools.some((one) => one.name === word),
          `${name} names ${word}`,
        );
    }
    assert.doesNotMatch(text('buy_esim'), /list_refills/);
    assert.match(text('buy_esim'), /search_catalog/);
    assert.doesNotMatch(text('refill_esim'), /search_catalog/);
    const refund = tools.find(({ name }) => name === 'refund_order');
    assert.doesNotMatch(JSON.stringify([refund?.description, refund?.inputSchema]), /price/i);
  });

  test('the list of tools is short: an agent reads it before its first call', async () => {
    const { agent } = await account('day=50');
    assert.ok(Buffer.byteLength(JSON.stringify(await agent.listed())) < MAX_LIST_BYTES);
  });

  test('an order is named alike by all tools that take one', async () => {
    const { agent } = await account('day=50');
    const takes = (await agent.listed()).filter(({ inputSchema }) =>
      Object.keys(inputSchema.properties ?? {}).some((field) => field === 'id' || field === 'order_id'),
    );
    assert.deepEqual(
      takes.map(({ name, inputSchema }) => [name, Object.keys(inputSchema.properties ?? {})[0]]),
      [
        ['get_order', 'order_id'],
        ['refund_order', 'order_id'],
        ['cancel_order', 'order_id'],
      ],
    );
  });

  test('activation data is in get_order and nowhere else', async () => {
    const { agent, key } = await account('day=50');
    const { body: bought } = await t.post('/purchase/buy', { product_id: product }, { key });
    const whole = await agent.call('get_order', { order_id: bought.order_id });
    const { qrcode, matching_id, share_url } = whole.body.esim;
    const { iccid } = whole.body.esim;
    for (const [name, args] of [
      ['list_orders', {}],
      ['list_esims', {}],
      ['get_usage', { iccid }],
      ['list_refills', { iccid }],
      ['refund_order', { order_id: bought.order_id }],
    ] as const) {
      const text = JSON.stringify((await agent.call(name, args)).body);
      for (const secret of [qrcode, matching_id, share_url, '/qr/', '/e/wft_'])
        assert.ok(!text.includes(secret), `${name} shows ${secret}`);
    }
  });

  test('what operators note about an order or its partner is in no tool', async () => {
    const { agent, key, partnerId } = await account('day=50');
    const { body: bought } = await t.post('/purchase/buy', { product_id: product }, { key });
    const { iccid } = (await agent.call('get_order', { order_id: bought.order_id })).body.esim;
    const text = 'Only operators know this';
    const about = key.startsWith('esk_test_') ? ['--mode', 'sandbox'] : [];
    await run(t.operator(), ['note', 'add', '--order', String(bought.order_id), ...about, '--text', text]);
    await run(t.operator(), ['note', 'add', '--partner', String(partnerId), '--text', text]);
    for (const name of READING) {
      const args =
        { get_order: { order_id: bought.order_id }, get_usage: { iccid }, list_refills: { iccid } }[name] ?? {};
      const { body } = await agent.call(name, args);
      assert.ok(!JSON.stringify(body).includes(text), name);
    }
  });

  test('every field of an eSIM in the description is either hidden or harmless', () => {
    const { components } = JSON.parse(openapiAt({ servers: [], website: '', siteName: '' }));
    const harmless = ['iccid', 'erased', 'apn', 'apn_type', 'apn_value', 'is_roaming'];
    for (const name of ['EsimProfile', 'OrderEsim']) {
      const fields = Object.keys(components.schemas[name].properties);
      assert.ok(fields.length > 5);
      const shown = withoutActivation(Object.fromEntries(fields.map((field) => [field, ''])));
      assert.deepEqual(
        Object.keys(shown).filter((field) => !harmless.includes(field)),
        [],
      );
    }
  });

  test("an error of the API is an error of the tool, in the API's words", async () => {
    const { agent } = await account();
    assert.deepEqual(
      await Promise.all([
        agent.call('search_catalog', { country: 'XX' }),
        agent.call('search_catalog', {}),
        agent.call('get_order', { order_id: 1 }),
        agent.call('get_order', {}),
        agent.call('list_orders', { status: 'lost' }),
        agent.call('list_orders', { sandbox_error: 'internal_error' }),
        agent.call('get_balance', { deep: { er: 1 } }),
        agent.call('no_such_tool'),
      ]).then((answers) => answers.map(({ isError, body }) => [isError, body.error])),
      [
        [true, 'country_not_found'],
        [true, 'country_required'],
        [true, 'order_not_found'],
        [true, 'order_id_required'],
        [true, 'invalid_status'],
        [true, 'invalid_arguments'],
        [true, 'invalid_arguments'],
        [true, 'unknown_tool'],
      ],
    );
  });

  test("a call counts towards the key's limits, and is in its request log", async () => {
    const { agent, key, partnerId } = await account();
    await run(t.operator(), `key set ${await keyIdOf(t, key)} --ceilings catalog=2`);
    await eventually(async () => {
      const answers = await Promise.all([1, 2, 3, 4].map(() => agent.call('find_destinations', { name: 'rkiy' })));
      assert.ok(answers.some(({ body }) => body.error === 'rate_limited'));
    });
    const { requestLog } = t.base.worlds.sandbox;
    await requestLog.flush();
    const logged = await t.base.worlds.sandbox.db.query<{ endpoint: string }>(
      sql`select endpoint from request_log where partner_id = ${partnerId}`,
    );
    assert.ok(logged.some(({ endpoint }) => endpoint === '/catalog/countries'));
  });
});

suite('who may call', () => {
  const initialize = {
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
  };
  const post = (path: string, headers: Record<string, string>, body = JSON.stringify(initialize)) =>
    fetch(panel + path, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...headers,
      },
      body,
      signal: AbortSignal.timeout(PATIENCE_MS),
    });

  test('a stranger, an invented, a revoked and an expired key are all refused alike', async () => {
    const revoked = await account();
    await run(t.operator(), `key revoke ${await keyIdOf(t, revoked.key)}`);
    // A change reaches every process within a second.
    await eventually(async () => assert.equal((await post('/mcp', { 'x-api-key': revoked.key })).status, 401));
    const expired = await t.key(await t.partner(), 'sandbox', { expiresAt: new Date(t.clock.now() - 1) });
    const answers = await Promise.all(
      [{}, { 'x-api-key': `esk_test_${'0'.repeat(40)}` }, { 'x-api-key': revoked.key }, { 'x-api-key': expired }].map(
        async (headers) => {
          const answer = await post('/mcp', headers as Record<string, string>);
          return [answer.status, ((await answer.json()) as { error: { data: { error: string } } }).error.data.error];
        },
      ),
    );
    assert.deepEqual(answers, [
      [401, 'api_key_required'],
      [401, 'invalid_api_key'],
      [401, 'invalid_api_key'],
      [401, 'invalid_api_key'],
    ]);
    await assert.rejects(revoked.agent.call('get_balance'));
  });

  test('every request counts, not only calls of tools', async () => {
    const { key } = await account();
    await run(t.operator(), `key set ${await keyIdOf(t, key)} --ceilings read=5`);
    const list = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} });
    await eventually(async () => {
      const answers = await Promise.all(Array.from({ length: 7 }, () => post('/mcp', { 'x-api-key': key }, list)));
      const refused = answers.find(({ status }) => status === 429);
      assert.ok(refused);
      assert.match(refused.headers.get('retry-after') ?? '', /^[1-9]\d?$/);
      assert.match(await refused.text(), /"rate_limited"/);
    });
  });

  test('a live key is refused at /mcp and a sandbox key at /mcp/live', async () => {
    const live = await t.key(await t.partner(), 'live');
    const sandbox = await t.key(await t.partner(), 'sandbox');
    assert.match(await refusalAt('/mcp', { 'x-api-key': live }), /works at \/mcp\/live/);
    assert.match(await refusalAt('/mcp/live', { 'x-api-key': sandbox }), /works at \/mcp,/);
    assert.equal(await refusalAt('/mcp/live', { 'x-api-key': live }), 'connected');
  });

  test('a disabled partner and an address off the allow-list are refused', async () => {
    const disabled = await t.partner();
    const theirs = await t.key(disabled, 'sandbox');
    await run(t.operator(), `partner set ${disabled} --disabled true`);
    const elsewhere = await t.key(await t.partner(), 'sandbox', { allowList: ['203.0.113.7'] });
    await eventually(async () => assert.equal((await post('/mcp', { 'x-api-key': theirs })).status, 403));
    assert.equal((await post('/mcp', { 'x-api-key': elsewhere })).status, 403);
  });

  test('other sites, other verbs, bodies that are too long and bodies that are no request change nothing', async () => {
    const { key } = await account();
    const own = { 'x-api-key': key };
    assert.equal((await post('/mcp', { ...own, origin: 'https://elsewhere.example' })).status, 403);
    assert.equal((await post('/mcp', own, 'x'.repeat(70_000))).status, 400);
    for (const wrong of ['', 'nonsense', '{}', '[]', '{"jsonrpc":"2.0","id":1,"method":"tools/burn"}']) {
      const { status } = await post('/mcp', own, wrong);
      assert.ok(status === 200 || status === 400, `${wrong}: ${status}`);
    }
    for (const method of ['GET', 'DELETE'])
      assert.equal(
        (await fetch(`${panel}/mcp`, { method, headers: own, signal: AbortSignal.timeout(PATIENCE_MS) })).status,
        405,
      );
    // A stream of changes would stay open; nothing would arrive on it.
    const listening = { jsonrpc: '2.0', id: 7, method: 'subscriptions/listen', params: {} };
    assert.ok((await post('/mcp', own, JSON.stringify(listening))).status < 500);
  });

  test("another partner's order is answered like one that does not exist", async () => {
    const ana = await account('day=50');
    const { body } = await t.post('/purchase/buy', { product_id: product }, { key: ana.key });
    const bob = await account('day=50');
    for (const name of ['get_order', 'refund_order', 'cancel_order'])
      assert.deepEqual(
        await bob.agent.call(name, { order_id: body.order_id }),
        await bob.agent.call(name, { order_id: 999_999_999 }),
      );
  });
});

suite('buying', () => {
  test('the first call states the price and changes nothing, the second buys, and repeating it buys nothing more', async () => {
    const { agent, key, partnerId } = await account('day=50');
    const args = { product_id: product, reference: 'trip-9' };
    const offer = await agent.call('buy_esim', args);
    const { confirmation, confirm_before, ...told } = offer.body;
    assert.deepEqual(told, {
      status: 'confirmation_required',
      price_usd: '10.00',
      product_title: 'Türkiye 1 GB',
      livemode: false,
      spending_left_after_usd: '40.00',
      question: 'This buys the eSIM for 10.00 USD. Shall I?',
    });
    assert.equal(await ordersOf(partnerId), 0);
    assert.deepEqual(await counted(key), [0, 0]);

    const bought = await agent.call('buy_esim', { ...args, confirmation });
    assert.deepEqual(
      [bought.isError, bought.body.delivery, bought.body.order.reference],
      [false, 'delivered', 'trip-9'],
    );
    const again = await agent.call('buy_esim', { ...args, confirmation });
    assert.equal(again.body.order_id, bought.body.order_id);
    // Also long after it has expired.
    t.clock.advance(30 * MINUTE);
    assert.equal((await agent.call('buy_esim', { ...args, confirmation })).body.order_id, bought.body.order_id);
    assert.equal(await ordersOf(partnerId), 1);
    assert.deepEqual(await counted(key), [1000, 1]);
  });

  test('several eSIMs are one price, one confirmation and one charge, and their activation data stays out of the answer', async () => {
    const { agent, key, partnerId } = await account('day=50');
    const args = { product_id: product, quantity: 4, reference: 'group-9' };
    const { confirmation, price_usd, spending_left_after_usd } = (await agent.call('buy_esims', args)).body;
    assert.deepEqual([price_usd, spending_left_after_usd], ['40.00', '10.00']);
    assert.equal(await ordersOf(partnerId), 0);
    const bought = await agent.call('buy_esims', { ...args, confirmation });
    assert.deepEqual([bought.isError, bought.body.count, bought.body.charged], [false, 4, 40]);
    assert.deepEqual(Object.keys(bought.body.orders[0].esim), ['iccid']);
    const again = await agent.call('buy_esims', { ...args, confirmation });
    assert.equal(again.body.batch_id, bought.body.batch_id);
    assert.deepEqual([await ordersOf(partnerId), await counted(key)], [4, [4000, 4]]);
    assert.equal((await agent.call('buy_esims', { ...args, quantity: 2 })).body.error, 'limit_exceeded');
    for (const quantity of [0, 101, 1.5]) {
      const { isError, body } = await agent.call('buy_esims', { ...args, quantity });
      assert.deepEqual([isError, body.error], [true, 'invalid_items'], String(quantity));
    }
    await allowSpending(t, key, 'day=500');
    await t.post('/account/sandboxBalance', { operation: 'set', amount: '15' }, { key });
    assert.equal((await agent.call('buy_esims', { ...args, quantity: 2 })).body.error, 'insufficient_balance');
  });

  test('a confirmation is for one key, one tool, its arguments and ten minutes', async () => {
    const ana = await account('day=50');
    const sibling = await t.key(ana.partnerId, 'sandbox');
    await allowSpending(t, sibling, 'day=50');
    await using other = await agentAt(`${panel}/mcp`, { 'x-api-key': sibling });
    const { confirmation } = (await ana.agent.call('buy_esim', { product_id: product })).body;
    const cheaper = await t.alias('tr-2');
    const wrong = await Promise.all([
      other.call('buy_esim', { product_id: product, confirmation }),
      ana.agent.call('buy_esim', { product_id: cheaper, confirmation }),
      ana.agent.call('buy_esim', { product_id: product, reference: 'x', confirmation }),
      ana.agent.call('refill_esim', { product_id: product, confirmation }),
      ana.agent.call('buy_esim', { product_id: product, confirmation: `${confirmation}x` }),
      ana.agent.call('buy_esim', { product_id: product, confirmation: confirmation.replace('-1000-', '-1-') }),
      ana.agent.call('buy_esim', { product_id: product, confirmation: 'yes' }),
    ]);
    assert.deepEqual(
      wrong.map(({ body }) => body.error),
      wrong.map(() => 'invalid_confirmation'),
    );
    t.clock.advance(10 * MINUTE);
    const late = await ana.agent.call('buy_esim', { product_id: product, confirmation });
    assert.equal(late.body.error, 'confirmation_expired');
    assert.equal(await ordersOf(ana.partnerId), 0);
    assert.deepEqual(await counted(ana.key), [0, 0]);
  });

  test('at a higher price than the confirmed one nothing is bought, at a lower one it is, and what was bought before is still found', async () => {
    const { agent, key, partnerId } = await account('day=50');
    await run(t.operator(), `key set ${await keyIdOf(t, key)} --ceilings read=1000000`);
    const moving = await t.alias('moving');
    const setPrice = async (usd: string) => {
      await run(
        t.operator(),
        `pricing rule add --scope product --target ${moving} --partner ${partnerId} --price ${usd}`,
      );
      await eventually(async () =>
        assert.equal((await agent.call('quote', { product_id: moving })).body.partner_price, Number(usd)),
      );
    };
    await setPrice('5.40');
    const offers = await Promise.all([1, 2].map(() => agent.call('buy_esim', { product_id: moving })));
    const [first, second] = offers.map(({ body }) => ({ product_id: moving, confirmation: body.confirmation }));
    const bought = await agent.call('buy_esim', first);
    assert.equal(bought.body.order.sale_price, '5.40');
    await setPrice('5.80');
    const { body } = await agent.call('buy_esim', second);
    assert.deepEqual([body.error, body.agreed_usd, body.price_usd], ['price_changed', '5.40', '5.80']);
    assert.equal((await agent.call('buy_esim', first)).body.order_id, bought.body.order_id);
    assert.equal(await ordersOf(partnerId), 1);
    assert.deepEqual(await counted(key), [540, 1]);
    await setPrice('5.10');
    assert.equal((await agent.call('buy_esim', second)).body.order.sale_price, '5.10');
  });

  test('fifty confirmed purchases at once do not exceed the limit', async () => {
    const { agent, key, partnerId } = await account('day=35');
    const product_id = await t.alias('tr-2');
    const offers = await Promise.all(Array.from({ length: 50 }, () => agent.call('buy_esim', { product_id })));
    const answers = await Promise.all(
      offers.map(({ body }) => agent.call('buy_esim', { product_id, confirmation: body.confirmation })),
    );
    const bought = answers.filter(({ body }) => body.delivery === 'delivered');
    const refused = answers.filter(({ body }) => body.error === 'limit_exceeded');
    assert.deepEqual([bought.length, refused.length], [8, 42]);
    assert.equal(await ordersOf(partnerId), 8);
    const { amount, used_amount, per } = refused[0]?.body.limit ?? {};
    assert.deepEqual([amount, used_amount, per], [35, 32, 'day']);
    // Not even an offer is made for what cannot be bought any more, and the API has the same limit.
    const { body } = await agent.call('buy_esim', { product_id });
    assert.deepEqual([body.error, body.limit, body.price_usd], ['limit_exceeded', refused[0]?.body.limit, '4.00']);
    assert.equal((await t.post('/purchase/buy', { product_id }, { key })).body.error, 'limit_exceeded');
  });

  test('fifty calls with the same confirmation buy once', async () => {
    const { agent, key, partnerId } = await account('day=50');
    const args = { product_id: product, ...(await confirmed(agent, 'buy_esim', { product_id: product })) };
    const answers = await Promise.all(Array.from({ length: 50 }, () => agent.call('buy_esim', args)));
    assert.deepEqual([...new Set(answers.map(({ body }) => body.error ?? body.delivery))], ['delivered']);
    assert.equal(await ordersOf(partnerId), 1);
    assert.deepEqual(await counted(key), [1000, 1]);
  });

  test('a limit per day begins again with the day in UTC', async () => {
    const { agent } = await account('day=10');
    await buyOne(agent);
    assert.equal((await agent.call('buy_esim', { product_id: product })).body.error, 'limit_exceeded');
    t.clock.advance(DAY);
    assert.equal((await buyOne(agent)).body.delivery, 'delivered');
  });

  test('a limit that is lowered or removed applies at once, also to what was confirmed', async () => {
    const { agent, key } = await account('day=10');
    const args = { product_id: product, ...(await confirmed(agent, 'buy_esim', { product_id: product })) };
    await allowSpending(t, key, 'month=9.99');
    assert.equal((await agent.call('buy_esim', args)).body.error, 'limit_exceeded');
    await allowSpending(t, key, 'none');
    assert.equal((await agent.call('buy_esim', args)).body.error, 'spending_limit_required');
    await eventually(async () => assert.deepEqual(await agent.tools(), READING));
  });

  test('what is not charged does not count', async () => {
    const { agent, key } = await account('day=5000');
    await t.post('/account/sandboxBalance', { operation: 'set', amount: '12' }, { key });
    const first = await confirmed(agent, 'buy_esim', { product_id: product });
    const second = await confirmed(agent, 'buy_esim', { product_id: product });
    await agent.call('buy_esim', { product_id: product, ...first });
    const { body } = await agent.call('buy_esim', { product_id: product, ...second });
    assert.equal(body.error, 'insufficient_balance');
    assert.deepEqual(await counted(key), [1000, 1]);
    const blocked = await agent.call('buy_esim', { product_id: product });
    assert.deepEqual([blocked.isError, blocked.body.error], [true, 'insufficient_balance']);
  });

  test('internal errors are logged, and the agent gets no internal details', async () => {
    const { agent, partnerId } = await account('day=50');
    const args = { product_id: product, ...(await confirmed(agent, 'buy_esim', { product_id: product })) };
    // Of an expired one the tool itself looks for what it bought.
    t.clock.advance(11 * MINUTE);
    await t.base.db.run(sql`alter table sandbox.orders rename to orders_away`);
    const { isError, body } = await agent.call('buy_esim', args);
    await t.base.db.run(sql`alter table sandbox.orders_away rename to orders`);
    assert.deepEqual([isError, body.error], [true, 'internal_error']);
    assert.doesNotMatch(JSON.stringify(body), /orders|relation/);
    assert.ok(t.logged.some((line) => line.includes('tool failed') && line.includes('buy_esim')));
    assert.equal(await ordersOf(partnerId), 0);
    assert.equal((await agent.call('buy_esim', args)).body.error, 'confirmation_expired');
  });

  test('in the sandbox every outcome of a purchase can be rehearsed', async () => {
    const { agent, key } = await account('day=100');
    const rehearse = async (tool: string, args: Record<string, unknown>) =>
      (await agent.call(tool, { ...args, ...(await confirmed(agent, tool, args)) })).body;
    const deferred = await rehearse('buy_esim', { product_id: product, sandbox_scenario: 'deferred' });
    assert.deepEqual([deferred.delivery, deferred.delivery_reason], ['deferred', 'awaiting_profile']);
    t.clock.advance(MINUTE);
    const { order } = (await agent.call('get_order', { order_id: deferred.order_id })).body;
    assert.equal(order.status, '1');

    const used = await rehearse('buy_esim', { product_id: product, sandbox_usage: 'depleted' });
    const { iccid } = (await agent.call('get_order', { order_id: used.order_id })).body.esim;
    assert.equal((await agent.call('get_usage', { iccid })).body.usage.status, 'depleted');
    const refill = { iccid, product_id: await t.alias('more'), sandbox_scenario: 'deferred' };
    assert.equal((await rehearse('refill_esim', refill)).delivery, 'deferred');
    const group = await rehearse('buy_esims', { product_id: product, quantity: 2, sandbox_scenario: 'deferred' });
    assert.deepEqual(
      group.orders.map(({ status }: { status: string }) => status),
      ['4', '4'],
    );
    const countedSoFar = await counted(key);
    assert.equal(countedSoFar[1], 5);

    // Nothing is charged, so nothing counts.
    assert.equal((await rehearse('buy_esim', { product_id: product, sandbox_scenario: 'failed' })).delivery, 'failed');
    const failed = await rehearse('buy_esims', { product_id: product, quantity: 2, sandbox_scenario: 'failed' });
    assert.deepEqual(
      failed.orders.map(({ status }: { status: string }) => status),
      ['2', '2'],
    );
    assert.deepEqual(await counted(key), countedSoFar);
    const success = { product_id: product, sandbox_scenario: 'success' };
    const other = await confirmed(agent, 'buy_esim', { product_id: product });
    assert.equal((await agent.call('buy_esim', { ...success, ...other })).body.error, 'invalid_confirmation');
  });

  test('a live key cannot rehearse: its tools have no such argument, and refuse it before anything is bought', async () => {
    const { agent, key, partnerId } = await account('day=50', 'live');
    await credit(t, partnerId, '100.00');
    const listed = JSON.stringify(await agent.listed());
    assert.ok(listed.includes('"buy_esims"') && !listed.includes('sandbox_'));
    const offer = await confirmed(agent, 'buy_esim', { product_id: product });
    for (const more of [{}, offer]) {
      const { isError, body } = await agent.call('buy_esim', {
        product_id: product,
        sandbox_scenario: 'deferred',
        ...more,
      });
      assert.deepEqual([isError, body.error], [true, 'invalid_arguments']);
      assert.equal(body.message, 'buy_esim takes: product_id, reference, confirmation.');
    }
    assert.equal(await ordersOf(partnerId, 'live'), 0);
    assert.deepEqual(await counted(key), [0, 0]);
  });

  test('a live key with a limit buys at /mcp/live with real money, and says so', async () => {
    const { agent, partnerId } = await account('day=10', 'live');
    await credit(t, partnerId, '100.00');
    const offer = await agent.call('buy_esim', { product_id: product });
    assert.equal(offer.body.livemode, true);
    const { body } = await agent.call('buy_esim', { product_id: product, confirmation: offer.body.confirmation });
    assert.deepEqual([body.livemode, body.balance], [undefined, 90]);
    assert.equal(await ordersOf(partnerId, 'live'), 1);
  });
});

test('a refill states its price first, a refund its amount, as their output schemas say', async () => {
  const { agent, key } = await account('day=50');
  await agent.listed();
  const bought = await buyOne(agent);
  const { iccid } = (await agent.call('get_order', { order_id: bought.body.order_id })).body.esim;
  const refill = { iccid, product_id: await t.alias('more') };
  const offered = await agent.call('refill_esim', refill);
  assert.equal(offered.body.question, 'This refills the eSIM for 3.00 USD. Shall I?');
  const refilled = await agent.call('refill_esim', { ...refill, confirmation: offered.body.confirmation });
  assert.deepEqual([refilled.body.iccid, refilled.body.order.product_type], [iccid, 'refill']);
  assert.deepEqual(await counted(key), [1300, 2]);

  const second = await buyOne(agent);
  const order = { order_id: second.body.order_id, reason: 'trip cancelled' };
  const asked = await agent.call('refund_order', order);
  assert.match(asked.body.question, /10\.00 USD return at once/);
  assert.deepEqual([asked.body.refund_usd, asked.body.price_usd], ['10.00', undefined]);
  const refunded = await agent.call('refund_order', { ...order, confirmation: asked.body.confirmation });
  assert.equal(refunded.body.refund.status, 'refunded');
  assert.equal((await agent.call('refund_order', order)).body.error, 'already_asked');
  // It was delivered, so there is nothing to cancel any more.
  const late = { order_id: second.body.order_id };
  const question = await agent.call('cancel_order', late);
  assert.match(question.body.question, /^This cancels the order\. 10\.00 USD return unless/);
  const told = await agent.call('cancel_order', { ...late, confirmation: question.body.confirmation });
  assert.equal(told.body.cancel.status, 'too_late');
  assert.equal((await agent.call('cancel_order', late)).body.error, 'already_asked');
  assert.deepEqual(await counted(key), [2300, 3], 'a refund gives no room back');
});

suite('the eSIM on the phone', () => {
  const bought = async ({ agent, key }: Traveller, usage?: string): Promise<{ iccid: string; order_id: string }> => {
    const { body } = await t.post(
      '/purchase/buy',
      { product_id: product, ...(usage && { sandbox_usage: usage }) },
      { key },
    );
    return {
      iccid: (await agent.call('get_order', { order_id: body.order_id })).body.esim.iccid,
      order_id: body.order_id,
    };
  };
  const stateOf = async ({ key }: Traveller, iccid: string): Promise<string> =>
    (await t.get(`/esim/detail/${iccid}`, { key })).body.esim.state;

  test('an eSIM is suspended and resumed in two steps: the first changes nothing, and repeating the second changes nothing more', async () => {
    const ana = await account('day=50');
    const { iccid } = await bought(ana);
    for (const [name, before, after] of [
      ['suspend_esim', 'not_active', 'suspended'],
      ['resume_esim', 'suspended', 'not_active'],
    ] as const) {
      const { confirmation, confirm_before, ...told } = (await ana.agent.call(name, { iccid })).body;
      assert.deepEqual(Object.keys(told), ['status', 'product_title', 'state', 'profile', 'question']);
      assert.deepEqual([told.product_title, told.state, told.profile.state], ['Türkiye 1 GB', before, 'released']);
      assert.equal(await stateOf(ana, iccid), before);
      for (let time = 0; time < 2; time++) {
        const { isError, body } = await ana.agent.call(name, { iccid, confirmation });
        assert.deepEqual([isError, body.esim.state, body.esim.share_url], [false, after, undefined]);
      }
    }
  });

  test('an eSIM is replaced once, under the confirmation as its key', async () => {
    const ana = await account('day=50');
    await run(t.operator(), `partner set ${ana.partnerId} --replacements 100.00`);
    const { iccid } = await bought(ana);
    const args = { iccid, reason: 'it cannot be installed' };
    const { confirmation } = (await ana.agent.call('replace_esim', args)).body;
    assert.equal(await ordersOf(ana.partnerId), 1);
    const first = await ana.agent.call('replace_esim', { ...args, confirmation });
    assert.deepEqual([first.isError, first.body.replacement.status], [false, 'replaced']);
    const again = await ana.agent.call('replace_esim', { ...args, confirmation });
    assert.deepEqual(again.body.replacement, first.body.replacement);
    assert.equal(await ordersOf(ana.partnerId), 2);
    assert.equal((await ana.agent.call('replace_esim', { iccid })).body.error, 'not_replaceable');
  });

  test('what would be refused is refused before anyone is asked', async () => {
    const ana = await account('day=50');
    const refusalOf = async (name: string, iccid: string) => (await ana.agent.call(name, { iccid })).body.error;
    assert.equal(await refusalOf('suspend_esim', (await bought(ana, 'expired')).iccid), 'esim_not_active');
    assert.equal(await refusalOf('replace_esim', (await bought(ana, 'active')).iccid), 'not_replaceable');
    const bob = await account('day=50');
    const { iccid } = await bought(bob);
    for (const name of ['suspend_esim', 'resume_esim', 'replace_esim', 'set_autorefill'])
      assert.deepEqual(
        (await ana.agent.call(name, { iccid })).body,
        (await ana.agent.call(name, { iccid: '8900000000000999999' })).body,
      );
  });

  test('an eSIM is set to refill itself, and that is ended, each in two steps', async () => {
    const ana = await account('day=50');
    const { iccid } = await bought(ana, 'depleted');
    const ruleOf = async () => (await t.get(`/esim/detail/${iccid}`, { key: ana.key })).body.autorefill;
    const rule = { iccid, product_id: await t.alias('more'), at_percent: 80, times: 2, max_price: '4.00' };
    const asked = (await ana.agent.call('set_autorefill', rule)).body;
    assert.equal(
      asked.question,
      'This buys a refill for up to 4.00 USD whenever 80 % of the data is used, at most 2. Shall I?',
    );
    assert.deepEqual([asked.state, await ruleOf(), await ordersOf(ana.partnerId)], ['depleted', null, 1]);
    for (let time = 0; time < 2; time++) {
      const { isError, body } = await ana.agent.call('set_autorefill', { ...rule, confirmation: asked.confirmation });
      assert.deepEqual([isError, body.autorefill.done, body.autorefill.stopped], [false, 1, null]);
    }
    assert.deepEqual((await ruleOf()).max_price, '4.00');
    assert.equal(await ordersOf(ana.partnerId), 2);
    const ending = (await ana.agent.call('set_autorefill', { iccid, off: 1 })).body;
    assert.match(ending.question, /^This ends the automatic refills/);
    assert.equal((await ruleOf()).done, 1);
    await ana.agent.call('set_autorefill', { iccid, off: 1, confirmation: ending.confirmation });
    assert.equal(await ruleOf(), null);
    for (const [more, error] of [
      [{ product_id: product }, 'invalid_refill'],
      [{ product_id: undefined }, 'product_id_required'],
      [{ at_percent: 40 }, 'invalid_at_percent'],
      [{ times: 21 }, 'invalid_times'],
      [{ max_price: undefined }, 'invalid_max_price'],
    ] as const)
      assert.equal((await ana.agent.call('set_autorefill', { ...rule, ...more })).body.error, error);
    assert.equal(
      (await ana.agent.call('set_autorefill', { ...rule, iccid: (await bought(ana, 'expired')).iccid })).body.error,
      'invalid_refill',
    );
  });

  test('a confirmation that has expired changes nothing', async () => {
    const ana = await account('day=50');
    const { iccid } = await bought(ana);
    const { confirmation } = (await ana.agent.call('suspend_esim', { iccid })).body;
    t.clock.advance(11 * 60_000);
    const late = await ana.agent.call('suspend_esim', { iccid, confirmation });
    assert.deepEqual([late.body.error, await stateOf(ana, iccid)], ['confirmation_expired', 'not_active']);
  });
});

suite('wayfare mcp, and wayfare-dev mcp of the SDK', () => {
  const programs = ['wayfare', 'wayfare-dev'] as const satisfies McpProgram[];
  for (const program of programs)
    for (const era of ['legacy', 'modern'] as const satisfies Era[])
      test(`${program} over stdio in the ${era} revision: the same tools, and a purchase in two steps`, async () => {
        const { key, partnerId } = await account('day=50');
        const env = { WAYFARE_URL: `${panel}/v3`, WAYFARE_KEY: key };
        await using agent = await agentBeside(env, [], era, program);
        assert.deepEqual(await agent.tools(), [...READING, ...WRITING]);
        assert.equal((await buyOne(agent)).body.delivery, 'delivered');
        assert.equal(await ordersOf(partnerId), 1);
        await assert.rejects(agent.call('no_such_tool', {}).then(({ isError }) => assert.equal(isError, false)));
      });

  test('a live key needs --live, a sandbox key must not have it, and a wrong key ends it with the reason', async () => {
    const live = await t.key(await t.partner(), 'live');
    const sandbox = await t.key(await t.partner(), 'sandbox');
    const env = { WAYFARE_URL: `${panel}/v3` };
    const refusals = await Promise.all([
      wayfare({ ...env, WAYFARE_KEY: live }, 'mcp', '--json'),
      wayfare({ ...env, WAYFARE_KEY: sandbox }, 'mcp', '--live', '--json'),
      wayfare({ ...env, WAYFARE_KEY: `esk_test_${'0'.repeat(40)}` }, 'mcp', '--json'),
    ]);
    assert.deepEqual(
      refusals.map(({ code, json }) => [code, json?.error]),
      [
        [1, 'live_key'],
        [1, 'sandbox_key'],
        [1, 'invalid_api_key'],
      ],
    );
    await using agent = await agentBeside({ ...env, WAYFARE_KEY: live }, ['--live']);
    assert.deepEqual(await agent.tools(), READING);
  });
});

async function confirmed(agent: TestAgent, tool: string, args: Record<string, unknown>) {
  const { body } = await agent.call(tool, args);
  assert.equal(body.status, 'confirmation_required', JSON.stringify(body));
  return { confirmation: body.confirmation as string };
}

async function buyOne(agent: TestAgent) {
  return agent.call('buy_esim', {
    product_id: product,
    ...(await confirmed(agent, 'buy_esim', { product_id: product })),
  });
}
