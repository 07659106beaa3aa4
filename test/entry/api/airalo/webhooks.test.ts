import assert from 'node:assert/strict';
import { after, before, beforeEach, suite, test } from 'node:test';
import { balanceLow, type NewEvent } from '../../../../src/domains/messages/events/events.ts';
import { proveBooks } from '../../../../src/domains/money/proof/prove.ts';
import { toCents } from '../../../../src/platform/amounts/cents.ts';
import { MINUTE, SECOND } from '../../../../src/platform/clock.ts';
import type { Mode } from '../../../../src/platform/contract/mode.ts';
import { sql } from '../../../../src/platform/db/query/sql.ts';
import { eventually } from '../../../support/eventually.ts';
import { airaloKey, doorClient, signed } from '../../../support/program/airalo-client.ts';
import { type Answer, type TestApp, testApp } from '../../../support/program/app.ts';
import { run } from '../../../support/program/operator.ts';
import { signedIn } from '../../../support/program/panel.ts';
import { testPlan } from '../../../support/sales/paid-order.ts';
import { catalogKnows, credit } from '../../../support/sales/shop.ts';
import { type Receiver, receiver } from '../../../support/servers/receiver.ts';

/** What delivers orders and sends their webhooks. All the others, many times, are most of what these tests would wait for. */
const JOBS = ['provision live', 'airalo notices live', 'airalo notices sandbox'];

let t: TestApp;
let hook: Receiver;
let product: string;

before(async () => {
  hook = await receiver();
  t = await testApp({ config: { airaloDoor: true, requestMs: 4 * SECOND, webhookTrustedHosts: [hook.host] } });
  product = (await testPlan(t, { price: 10, cost: 4 })).alias;
  await catalogKnows(t, product);
});
beforeEach(() => {
  hook.received.length = 0;
  hook.answer = 200;
});
after(async () => {
  for (const mode of ['live', 'sandbox'] as const)
    assert.deepEqual((await proveBooks(t.base.worlds[mode].db, () => {})).drift, []);
  await t[Symbol.asyncDispose]();
  await hook[Symbol.asyncDispose]();
});

async function client(mode: Mode = 'live', options = '') {
  const partnerId = await t.partner();
  if (mode === 'live') await credit(t, partnerId, '500.00', 'promo');
  const credentials = await airaloKey(t, partnerId, mode, options);
  return { partnerId, ...credentials, ...doorClient(t, credentials) };
}
type Client = Awaited<ReturnType<typeof client>>;

const order = (more: Record<string, unknown> = {}) => ({ package_id: product, quantity: 1, type: 'sim', ...more });
const optIn = (c: Client, type: string, webhook_url = hook.url) =>
  c.post('/notifications/opt-in', { type, webhook_url });
/** POSTs only: Airalo asks with HEAD first. */
const posted = () => hook.received.filter(({ body }) => body !== '');
async function delivered(count = 1) {
  await eventually(`${count} webhooks came`, async () => {
    await t.work(...JOBS);
    if (posted().length >= count) return true;
    // An order that was still open when its webhook was due is looked at again after a quarter of its age.
    t.clock.advance(MINUTE);
    return false;
  });
  return posted().map(({ body, headers }) => ({
    body,
    sent: JSON.parse(body),
    signature: headers['airalo-signature'],
  }));
}
/** How the supplier of the plan behaves from now on. */
const behave = (behaviour: string) => run(t.operator(), `supplier simulate ${product} --behaviour ${behaviour}`);
const publish = (events: NewEvent[]) =>
  t.base.worlds.live.db.tx((tx) => t.base.worlds.live.webhooks.publish(tx, events));

suite('opting in', () => {
  test('asks the address with HEAD first, shows what is noted, and ends with opting out', async () => {
    const c = await client();
    const answer = await optIn(c, 'async_orders');
    assert.deepEqual(
      [answer.status, answer.body],
      [
        200,
        {
          data: { notification: { type: 'async_orders', contact_point: hook.url } },
          meta: { message: 'success' },
        },
      ],
    );
    assert.deepEqual(
      hook.received.map(({ body }) => body),
      [''],
    );
    const { notification } = (await c.get('/notifications/opt-in')).body.data;
    assert.deepEqual(notification, { type: 'async_orders', contact_point: hook.url });
    const out = await c.post('/notifications/opt-out', { type: 'async_orders' });
    assert.deepEqual([out.status, out.text], [204, '']);
    assert.deepEqual((await c.get('/notifications/opt-in')).body.data, []);
  });

  test('is refused where nobody answers HEAD with 200, at a private address, and for what we do not send', async () => {
    const c = await client();
    hook.answer = 405;
    assert.ok('webhook_url' in (await optIn(c, 'async_orders')).body.data);
    for (const url of ['http://10.0.0.1/x', 'https://127.0.0.1/x', 'ftp://example.com', 'nonsense'])
      assert.deepEqual((await optIn(c, 'async_orders', url)).body.data, { webhook_url: 'The webhook url is invalid.' });
    assert.deepEqual((await optIn(c, 'email_low_data')).body.data, { type: 'The selected type is invalid.' });
    assert.deepEqual((await c.get('/notifications/opt-in')).body.data, []);
  });

  test('needs the permission for webhooks on a restricted key only', async () => {
    const c = await client('live', ' --permissions read,buy');
    assert.equal((await optIn(c, 'async_orders')).status, 403);
    const may = await client('live', ' --permissions webhooks');
    assert.equal((await optIn(may, 'async_orders')).status, 200);
  });

  test('one client does not see or end what another has noted', async () => {
    const [c, other] = [await client(), await client()];
    await optIn(c, 'async_orders');
    await other.post('/notifications/opt-out', { type: 'async_orders' });
    assert.deepEqual((await other.get('/notifications/opt-in')).body.data, []);
    assert.notDeepEqual((await c.get('/notifications/opt-in')).body.data, []);
  });
});

suite('an asynchronous order', () => {
  for (const mode of ['live', 'sandbox'] as const)
    test(`needs an address, is accepted, and its result is sent to where its client has opted in (${mode})`, async () => {
      const c = await client(mode);
      if (mode === 'sandbox')
        await t.post(
          '/account/sandboxBalance',
          { operation: 'set', amount: '50.00' },
          { key: await t.key(c.partnerId, mode) },
        );
      const refused = await c.post('/orders-async', order());
      assert.deepEqual(
        [refused.status, refused.body],
        [422, { reason: 'User is not opted in and no webhook URL provided.' }],
      );
      await optIn(c, 'async_orders');
      const accepted = await c.post('/orders-async', order({ quantity: 2, description: 'later' }));
      assert.equal(accepted.status, 202, accepted.text);
      const { request_id, accepted_at } = accepted.body.data;
      assert.match(request_id, /^\w{25}$/);
      assert.match(accepted_at, /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
      const [{ body, sent, signature } = assert.fail()] = await delivered();
      assert.equal(signature, signed(c.clientSecret, body));
      // Airalo's clients for PHP and Node write other letters differently before they compare signatures.
      assert.match(body, /^[ -~]+$/);
      assert.deepEqual([sent.request_id, sent.data.sims.length, sent.meta.message], [request_id, 2, 'success']);
    });

  test('that fails is told with a reason and no eSIMs, and costs nothing', async () => {
    const c = await client();
    await behave('refuse');
    await c.post('/orders-async', order({ webhook_url: `${hook.url}/own` }));
    const [{ sent } = assert.fail()] = await delivered();
    await behave('deliver');
    assert.deepEqual(Object.keys(sent).sort(), ['reason', 'request_id']);
    assert.ok(posted()[0]?.path.endsWith('/own'));
    assert.equal((await c.get('/balance')).body.data.balances.availableBalance.amount, 500);
  });

  test('is sent again every 15 minutes, at most 20 times, and a status of 204 is a failure', async () => {
    const c = await client();
    hook.answer = 204;
    await c.post('/orders-async', order({ webhook_url: hook.url }));
    await delivered(1);
    for (let n = 2; n <= 21; n++) {
      t.clock.advance(15 * MINUTE);
      await delivered(n);
    }
    const waiting = () =>
      t.base.worlds.live.db.one<{ due: Date | null; attempts: number }>(sql`
        select due_at as due, attempts from airalo_notices where key_id = ${c.keyId}`);
    await eventually('it is given up', async () => (await waiting()).due === null);
    assert.equal((await waiting()).attempts, 21);
  });

  test('is not told to a client whose key was revoked', async () => {
    const c = await client();
    await behave('delay');
    await c.post('/orders-async', order({ webhook_url: hook.url }));
    await run(t.operator(), `key revoke ${c.keyId}`);
    await behave('deliver');
    t.clock.advance(2 * MINUTE);
    await eventually('the notice is given up', async () => {
      await t.work(...JOBS);
      const { due } = await t.base.worlds.live.db.one<{ due: Date | null }>(sql`
        select due_at as due from airalo_notices where key_id = ${c.keyId}`);
      return due === null;
    });
    assert.equal(posted().length, 0);
  });

  test('whose webhook was claimed by a process that died is sent by the next', async () => {
    const c = await client();
    await behave('delay');
    await c.post('/orders-async', order({ webhook_url: hook.url }));
    const { airaloNotices, db } = t.base.worlds.live;
    const now = t.clock.now();
    await db.run(sql`update airalo_notices set due_at = ${new Date(now - 1)} where key_id = ${c.keyId}`);
    await airaloNotices.claim(new Date(now), new Date(now + MINUTE), 100);
    await behave('deliver');
    t.clock.advance(2 * MINUTE);
    const [{ sent } = assert.fail()] = await delivered();
    assert.equal(sent.data.sims.length, 1);
  });
});

suite('a synchronous order that a supplier may have', () => {
  let c: Client;
  let answer: Answer;
  let unheard: Answer;

  // Both wait for as long as such an order may.
  before(async () => {
    const other = await client();
    c = await client();
    await optIn(c, 'async_orders');
    await behave('delay');
    [answer, unheard] = await Promise.all([
      c.post('/orders', order({ description: 'late' })),
      other.post('/orders', order()),
    ]);
  });

  test('is answered with the eSIMs there are, and the rest follows by the webhook', async () => {
    assert.deepEqual([answer.status, answer.body.data.sims], [200, []], answer.text);
    const { id } = answer.body.data;
    assert.equal((await c.get(`/orders/${id}?include=status`)).body.data.status.slug, 'pending');
    const notice = await t.base.worlds.live.airaloNotices.ofOrder([BigInt(id)]);
    assert.deepEqual([notice?.isRest, notice?.isWaiting, notice?.url], [true, true, hook.url]);
    const steps = async () => {
      const member = await signedIn(t, c.partnerId);
      const { body } = await member.get(`/api/live/orders/${id}/timeline`);
      return body.steps.filter(({ kind }: { kind: string }) => kind.startsWith('airalo'));
    };
    const [{ at, ...promised }] = await steps();
    assert.deepEqual(promised, { kind: 'airalo', is_rest: true, is_told: true });
    assert.match(at, /Z$/);
    assert.ok(t.logged.some((line) => line.includes('answered without all of its eSIMs') && line.includes(`${id}`)));
    await behave('deliver');
    t.clock.advance(2 * MINUTE);
    const [{ sent } = assert.fail()] = await delivered();
    assert.deepEqual([sent.data.id, sent.data.sims.length], [id, 1]);
    assert.equal((await c.get(`/orders/${id}?include=status`)).body.data.status.slug, 'completed');
    await eventually('the page of the order says that it was sent', async () =>
      (await steps()).some(({ kind }: { kind: string }) => kind === 'airalo_sent'),
    );
  });

  test('is noted as told to nobody if its client has not opted in', async () => {
    const notice = await t.base.worlds.live.airaloNotices.ofOrder([BigInt(unheard.body.data.id)]);
    assert.deepEqual([notice?.isRest, notice?.isWaiting, notice?.url], [true, false, null]);
  });
});

suite('warnings', () => {
  test('of low data and of a low balance are sent to clients that have opted in, and to nobody else', async () => {
    const [c, other] = [await client(), await client()];
    await optIn(c, 'webhook_low_data');
    await optIn(c, 'webhook_credit_limit');
    await optIn(other, 'webhook_low_data');
    const at = new Date(t.clock.now());
    const usage = {
      iccid: '8900000000000000001',
      orderId: 1n,
      productTitle: '1 GB 7 days',
      status: 'active',
      tone: 'warning',
      totalMb: 1000,
      usedMb: 850,
      remainingMb: 150,
      percentRemaining: 15,
      isUnlimited: false,
      fairUseText: '',
      activatedAt: at,
      expiresAt: null,
      daysLeft: null,
      fetchedAt: at,
    } as const;
    const esim = {
      partnerId: c.partnerId,
      orderId: 1n,
      reference: '',
      iccid: usage.iccid,
      n: 1,
      occurredAt: at.getTime(),
    };
    await publish([
      { ...esim, event: 'esim.usage_high', usage },
      { ...esim, event: 'esim.activated', usage },
      balanceLow({ partnerId: c.partnerId, balance: toCents(1_250n), level: toCents(2_000n), n: 1 }, at),
    ]);
    const came = await delivered(2);
    assert.deepEqual(
      came.map(({ sent }) => sent).sort((a, b) => Object.keys(a).length - Object.keys(b).length),
      [
        { message: 'The balance is below 20.00 USD', remaining: 12.5 },
        { level: '75%', package_name: '1 GB 7 days', remaining_percentage: 15, iccid: usage.iccid },
      ],
    );
    for (const { body, signature } of came) assert.equal(signature, signed(c.clientSecret, body));
    await t.work(...JOBS);
    assert.equal(posted().length, 2);
  });

  test('can be tried with the simulator', async () => {
    const c = await client();
    const low = { event: 'low_data_notification', type: 'data_90', iccid: '8900000000000000001' };
    const refused = await c.post('/simulator/webhook', low);
    assert.deepEqual([refused.status, refused.body], [400, { error: 'User is not opted in' }]);
    const sent = await c.post('/simulator/webhook', { ...low, webhook_url: hook.url });
    assert.deepEqual([sent.status, sent.body], [200, { success: 'Notification sent' }]);
    const [{ sent: body } = assert.fail()] = await delivered();
    assert.deepEqual([body.level, body.iccid], ['90%', low.iccid]);
    assert.deepEqual((await c.post('/simulator/webhook', { event: 'x' })).body.data, {
      event: 'The selected event is invalid.',
    });
  });
});

suite('the same order again', () => {
  test('is another order, unless AIRALO_DOOR_DEDUPE is on', async () => {
    const c = await client();
    const ids = [];
    for (let n = 0; n < 2; n++) ids.push((await c.post('/orders', order({ description: 'again' }))).body.data.id);
    assert.notEqual(ids[0], ids[1]);
  });

  test('within a minute is the same one with it, however many come at once, and never for what the clients send by themselves', async () => {
    await using own = await testApp({ config: { airaloDoor: true, airaloDedupes: true } });
    const plan = (await testPlan(own, { price: 10, cost: 4 })).alias;
    await catalogKnows(own, plan);
    const partnerId = await own.partner();
    await credit(own, partnerId, '500.00', 'promo');
    const c = doorClient(own, await airaloKey(own, partnerId, 'live'));
    await c.get('/balance');
    own.clock.freeze();
    const buy = async (more: Record<string, unknown> = {}): Promise<number> => {
      const answer = await c.post('/orders', {
        package_id: plan,
        quantity: 1,
        type: 'sim',
        description: 'mine',
        ...more,
      });
      assert.equal(answer.status, 200, answer.text);
      return answer.body.data.id;
    };
    const together = await Promise.all(Array.from({ length: 6 }, () => buy()));
    assert.equal(new Set(together).size, 1);
    own.clock.advance(59 * SECOND);
    assert.equal(await buy(), together[0]);
    assert.notEqual(await buy({ quantity: 2 }), together[0]);
    own.clock.advance(2 * SECOND);
    const later = await buy();
    assert.notEqual(later, together[0], 'a minute after the first of them, not after the last');
    assert.equal(await buy(), later);
    for (const description of [
      'Order placed via Airalo Node.js SDK',
      'Bulk async order placed via Airalo Python SDK',
      undefined,
    ])
      assert.notEqual(await buy({ description }), await buy({ description }));
  });
});
