import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { openPartnerV3 } from '../../../src/domains/supply/adapters/partner-v3/partner-v3.ts';
import { toMicros } from '../../../src/platform/amounts/cents.ts';
import { MINUTE, SECOND, timestamp } from '../../../src/platform/clock.ts';
import { createLog } from '../../../src/platform/log.ts';
import { TestClock } from '../../support/clock.ts';
import { record } from '../../support/program/app.ts';
import { type FakeRequest, fakeHttp, type Reply } from '../../support/suppliers/fake-http.ts';
import { orderForSupplier } from '../../support/suppliers/order-for-supplier.ts';

const LIMIT_MS = 5 * SECOND;
const PLAN = 'esc_0123456789abcdef';
const KEY = `esk_${'0a'.repeat(20)}`;

const ok = (body: object, status = 200): Reply => ({
  status,
  body: { result: 'ok', code: String(status), title: 'Successful', api_version: 3, ...body },
});
const refused = (status: number, error: string, more: object = {}): Reply => ({
  status,
  body: { result: 'fail', code: String(status), error, title: 'Unsuccessful', api_version: 3, ...more },
});
const bought = (delivery: string, delivery_reason = '', order_id = 17) =>
  ok({
    order_id,
    id: String(order_id),
    billing_mode: 'prepaid',
    delivery,
    delivery_reason,
    order: { id: String(order_id), product_id: PLAN, sale_price: '1.80' },
  });
const esim = { iccid: '8944500102198301234', lpa: 'smdp.example', activationCode: 'K2-1', matching_id: null };
const detail = (status: string) => ok({ order: { id: '17', product_id: PLAN, status, sale_price: '1.80' }, esim });
const keyOf = ({ body }: FakeRequest) => new URLSearchParams(body).get('idempotency_key') ?? '';

/** A service that speaks the contract and no more, answering as the test says, by path below `/v3`. */
async function open(answers: Record<string, Reply | ((request: FakeRequest) => Reply)>) {
  const clock = new TestClock();
  const fake = await fakeHttp(
    (asked) => {
      const path = Object.keys(answers).find((one) => asked.path.startsWith(`/v3/${one}`));
      const answer = path === undefined ? refused(404, 'unknown_endpoint') : answers[path];
      return typeof answer === 'function' ? answer(asked) : (answer as Reply);
    },
    refused(429, 'rate_limited'),
  );
  const logged: string[] = [];
  const log = createLog('debug', (line) => {
    logged.push(line);
    record('logs', line);
  });
  record('secrets', `${KEY}\n`);
  const { supplier, close } = openPartnerV3({ slug: 'acme', url: new URL('/v3', fake.url), key: KEY }, { clock, log });
  return {
    ...fake,
    clock,
    logged,
    supplier,
    asked: (special = {}) => orderForSupplier(clock, { plan: PLAN, ...special }),
    alarms: () => logged.filter((line) => line.includes('a partner API needs the operator')),
    async [Symbol.asyncDispose]() {
      await close();
      await fake[Symbol.asyncDispose]();
    },
  };
}

suite('partner v3: what an answer to a purchase means', () => {
  const outcomes: readonly (readonly [Reply, string, boolean])[] = [
    [refused(400, 'invalid_product'), 'refused', false],
    [refused(404, 'product_not_found'), 'refused', false],
    [refused(400, 'invalid_price'), 'refused', false],
    [refused(402, 'insufficient_balance', { balance: 0, required: 2, order_id: 16 }), 'unavailable', true],
    [refused(403, 'credit_limit_exceeded'), 'unavailable', true],
    [refused(402, 'credit_charge_failed'), 'unavailable', true],
    [refused(403, 'partner_account_suspended'), 'unavailable', true],
    [refused(401, 'invalid_api_key'), 'unavailable', true],
    [refused(403, 'ip_not_allowed'), 'unavailable', true],
    [refused(404, 'unknown_endpoint'), 'unavailable', true],
    [refused(409, 'idempotency_key_conflict'), 'unavailable', true],
    [refused(400, 'something_new'), 'unavailable', true],
    [refused(429, 'rate_limited', { retry_after: 1 }), 'unavailable', false],
    [refused(500, 'sale_insert_failed'), 'unavailable', false],
    [refused(409, 'charge_in_progress', { order_id: 17 }), 'unknown', false],
    [refused(500, 'internal_error'), 'unknown', false],
    [refused(503, 'service_unavailable'), 'unknown', false],
    [refused(409, 'something_new'), 'unknown', false],
    [{ status: 502, body: 'Bad gateway' }, 'unknown', false],
    [bought('failed', 'provider_rejected'), 'refused', false],
    [bought('deferred', 'awaiting_profile'), 'pending', false],
    [ok({ order_id: 17, delivery: 'delivered', order: { product_id: 'esc_ffffffffffffffff' } }), 'unknown', false],
    [ok({}), 'unknown', false],
  ];
  test('decided by its code, and an operator is notified of what only an operator can fix', async () => {
    for (const [reply, outcome, isAlarm] of outcomes) {
      await using t = await open({ 'purchase/buy': reply });
      const answer = await t.supplier.order(t.asked(), LIMIT_MS);
      assert.equal(answer.outcome, outcome, JSON.stringify(reply));
      assert.equal(t.alarms().length > 0, isAlarm, JSON.stringify(reply));
      assert.ok(!t.logged.join('').includes(KEY));
    }
  });

  test('a charge that stopped half-way there: the order waits under its number, and an operator is notified', async () => {
    await using t = await open({
      'purchase/buy': refused(409, 'charge_incomplete', { order_id: 17 }),
      'order/detail/17': detail('3'),
    });
    const order = t.asked();
    assert.deepEqual(await t.supplier.order(order, LIMIT_MS), { outcome: 'pending', supplierOrder: '17' });
    assert.equal((await t.supplier.find({ ...order, supplierOrder: '17' }, LIMIT_MS)).outcome, 'pending');
    assert.equal(t.alarms().length, 1);
  });

  test('a charge still being written is asked about under the same key', async () => {
    let isDone = false;
    await using t = await open({
      'purchase/buy': () => (isDone ? bought('delivered') : refused(409, 'charge_in_progress')),
      'order/detail/17': detail('1'),
    });
    const order = t.asked();
    assert.equal((await t.supplier.order(order, LIMIT_MS)).outcome, 'unknown');
    isDone = true;
    const found = await t.supplier.find(order, LIMIT_MS);
    assert.ok(found.outcome === 'delivered');
    assert.equal(found.esim.activationCode, 'LPA:1$smdp.example$K2-1');
    const keys = t.requests.filter(({ path }) => path.endsWith('/buy')).map(keyOf);
    assert.deepEqual([keys.length, new Set(keys).size], [2, 1]);
  });

  test('delivered, but its data cannot be read now: it is pending under its number, whatever was answered', async () => {
    for (const reply of [refused(500, 'order_read_failed'), refused(404, 'order_not_found'), detail('4')]) {
      await using t = await open({ 'purchase/buy': bought('delivered'), 'order/detail': reply });
      assert.deepEqual(await t.supplier.order(t.asked(), LIMIT_MS), { outcome: 'pending', supplierOrder: '17' });
      const known = t.asked({ supplierOrder: '17' });
      assert.notEqual((await t.supplier.find(known, LIMIT_MS)).outcome, 'absent');
    }
  });
});

suite('partner v3: money', () => {
  /** Refuses for lack of money while `balance` is too low, records that under the key, and replays it. */
  function shop(state: { balance: number }, reason = 'insufficient_balance') {
    const recorded = new Map<string, number>();
    let last = 100;
    return {
      recorded,
      answers: {
        'purchase/buy': (request: FakeRequest): Reply => {
          const key = keyOf(request);
          const before = recorded.get(key);
          if (before !== undefined)
            return before < 0 ? bought('failed', reason, -before) : bought('delivered', '', before);
          last += 1;
          recorded.set(key, state.balance < 1.8 ? -last : last);
          if (state.balance < 1.8) return refused(402, 'insufficient_balance', { order_id: last });
          state.balance -= 1.8;
          return bought('delivered', '', last);
        },
        'order/detail': (request: FakeRequest): Reply =>
          ok({
            order: { product_id: PLAN, status: '1', sale_price: '1.80' },
            esim: { ...esim, iccid: `89${request.path.slice(-3)}` },
          }),
        'account/balance': () => ok({ balance: state.balance }),
        'account/statement': refused(404, 'partner_account_not_found'),
      },
    };
  }

  for (const reason of ['insufficient_balance', ''])
    test(`a purchase refused for money uses up its key; with money there the next key buys it, once (reason "${reason}")`, async () => {
      const state = { balance: 0 };
      const { answers, recorded } = shop(state, reason);
      await using t = await open(answers);
      const order = t.asked({ cost: toMicros(1_800_000n) });
      const first = { ...order, orderedAt: null };
      for (let tries = 0; tries < 4; tries++)
        assert.equal((await t.supplier.order(order, LIMIT_MS)).outcome, 'unavailable');
      assert.equal(recorded.size, 1, 'no key is wasted while there is no money');
      assert.deepEqual(await t.supplier.find(order, LIMIT_MS), { outcome: 'absent' }, 'the whole chain failed');
      assert.ok(t.alarms().length > 0);

      state.balance = 5;
      const placed = await t.supplier.order(first, LIMIT_MS);
      assert.ok(placed.outcome === 'delivered');
      assert.deepEqual(
        [...recorded.keys()].map((key) => key.replace(/^wf-live-\d+-\d+/, '')),
        ['', '.2'],
      );
      for (const again of [await t.supplier.find(order, LIMIT_MS), await t.supplier.order(order, LIMIT_MS)])
        assert.deepEqual(again, placed);
      assert.deepEqual([recorded.size, state.balance], [2, 3.2]);
    });

  test('on invoice terms, what is left of the credit line decides, and is the balance', async () => {
    await using t = await open({
      'purchase/buy': bought('failed', 'credit_limit_exceeded'),
      'account/balance': ok({ balance: 0 }),
      'account/statement': ok({ billing_mode: 'postpaid', available: '-12.50', credit_limit: '10.00' }),
    });
    assert.deepEqual(await t.supplier.balance?.(LIMIT_MS), { outcome: 'balance', balance: -12_500_000n });
    assert.equal((await t.supplier.order(t.asked(), LIMIT_MS)).outcome, 'unavailable');
    assert.equal(t.timesCalled(/buy$/), 1);
  });

  test('an order that always fails without a reason is refused in the end', async () => {
    const keys = new Set<string>();
    await using t = await open({
      'purchase/buy': (asked) => bought('failed', '', 100 + keys.add(keyOf(asked)).size),
      'account/balance': ok({ balance: 100 }),
      'account/statement': refused(404, 'partner_account_not_found'),
    });
    assert.equal((await t.supplier.order(t.asked(), LIMIT_MS)).outcome, 'refused');
    assert.equal(keys.size, 12);
  });
});

suite('partner v3: their limits', () => {
  test('after a 429 no purchase is sent until its time, and readings go on', async () => {
    await using t = await open({
      'purchase/buy': { ...refused(429, 'rate_limited'), headers: { 'retry-after': '30' } },
      'order/usage': refused(404, 'usage_not_available'),
    });
    for (let tries = 0; tries < 3; tries++)
      assert.equal((await t.supplier.order(t.asked(), SECOND)).outcome, 'unavailable');
    assert.equal(t.timesCalled(/buy$/), 1);
    const sold = { iccid: '8944', supplierOrder: null, day: 7, deliveredAt: new Date(), script: null };
    assert.equal((await t.supplier.usage(sold, SECOND)).outcome, 'none');
  });

  test('the last call of a minute is followed by a wait until the next', async () => {
    const headers = { 'x-ratelimit-limit': '150', 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1' };
    await using t = await open({ 'purchase/buy': { ...bought('deferred'), headers } });
    const started = performance.now();
    await t.supplier.order(t.asked(), LIMIT_MS);
    await t.supplier.order(t.asked(), LIMIT_MS);
    assert.ok(performance.now() - started >= SECOND - 50);
    assert.equal(t.timesCalled(/buy$/), 2);
  });
});

suite('partner v3: looking', () => {
  test('until we know what they offer, nothing is ordered and nothing is absent', async () => {
    await using t = await open({ 'openapi.json': { status: 503, body: '' }, 'purchase/buy': bought('deferred') });
    assert.equal((await t.supplier.order(t.asked(), LIMIT_MS)).outcome, 'unavailable');
    assert.equal((await t.supplier.find(t.asked(), LIMIT_MS)).outcome, 'unavailable');
    assert.equal(t.timesCalled(/buy$/), 0);
  });

  test('by reference: what is not listed is absent only once it cannot be on its way any more; it never buys', async () => {
    const reference = { properties: { reference: {} } };
    const content = { 'application/x-www-form-urlencoded': { schema: reference } };
    await using t = await open({
      'openapi.json': ok({
        paths: {
          '/purchase/buy': { post: { requestBody: { content } } },
          '/order/get': { get: { parameters: [{ name: 'reference' }] } },
        },
      }),
      'order/get': ok({ order: [], has_more: false }),
    });
    const order = t.asked();
    assert.equal((await t.supplier.find(order, LIMIT_MS)).outcome, 'unavailable');
    t.clock.advance(3 * MINUTE);
    assert.deepEqual(await t.supplier.find(order, LIMIT_MS), { outcome: 'absent' });
    assert.equal(t.timesCalled(/buy$/), 0);
  });
});

suite('partner v3: the eSIM on the phone', () => {
  const iccid = esim.iccid;
  const known = { iccid, supplierOrder: '17', day: 7, deliveredAt: new Date(0), script: null };
  const description = ok({
    openapi: '3.1.0',
    paths: { '/esim/detail/{iccid}': {}, '/esim/suspend': {}, '/esim/resume': {} },
  });
  const usage = (now: number, special: object = {}) => ({
    iccid,
    status: 'active',
    total_mb: 1024,
    used_mb: 300,
    is_unlimited: false,
    activated_at: null,
    expires_at: null,
    fetched_at: timestamp(now),
    ...special,
  });
  const profile = {
    state: 'enabled',
    device: { brand: 'Apple', model: 'iPhone 17' },
    country: 'FR',
    covered: true,
    seen_at: '2026-11-18 11:00:00',
  };
  const reading = { state: 'active', totalMb: 1024, usedMb: 300, activatedAt: null, expiresAt: null };

  /** A service that offers more than the contract. */
  const openMore = (answers: Parameters<typeof open>[0]) => open({ 'openapi.json': description, ...answers });

  test('comes with the usage, in one call, where the service has both', async () => {
    let now = 0;
    await using t = await openMore({
      'esim/detail': () => ok({ esim: { ...esim, state: 'active', profile, capabilities: [] }, usage: usage(now) }),
    });
    now = t.clock.now();
    const { covered: _, seen_at: __, ...rest } = profile;
    const whole = { ...rest, seenAt: new Date('2026-11-18T11:00:00Z') };
    for (let times = 0; times < 3; times++)
      assert.deepEqual(await t.supplier.usage(known, LIMIT_MS), { outcome: 'reading', reading, profile: whole });
    assert.deepEqual(
      t.requests.map(({ path }) => path.replace('/v3/', '')),
      ['openapi.json', ...Array.from({ length: 3 }, () => `esim/detail/${iccid}`)],
    );
  });

  test('a service of the contract alone tells nothing, and refuses to suspend without being asked', async () => {
    await using t = await open({ 'order/usage': ok({ usage: usage(0) }) });
    assert.deepEqual(await t.supplier.usage(known, LIMIT_MS), { outcome: 'reading', reading });
    for (const call of [t.supplier.suspend, t.supplier.resume])
      assert.deepEqual(await call?.(known, LIMIT_MS), { outcome: 'refused', reason: 'they suspend no eSIMs' });
    assert.equal(t.timesCalled(/POST/), 0);
  });

  test('while it is not known what the service offers, the contract is asked, and nothing is switched', async () => {
    await using t = await open({
      'openapi.json': { status: 500, body: '' },
      'order/usage': ok({ usage: usage(0) }),
    });
    assert.deepEqual(await t.supplier.usage(known, LIMIT_MS), { outcome: 'reading', reading });
    assert.equal((await t.supplier.suspend?.(known, LIMIT_MS))?.outcome, 'unavailable');
    assert.equal(t.timesCalled(/POST/), 0);
  });

  test('states and countries that we do not have are unknown, and what is not told is missing', async () => {
    let told: unknown;
    let now = 0;
    await using t = await openMore({
      'esim/detail': () => ok({ esim: { profile: told }, usage: usage(now) }),
    });
    now = t.clock.now();
    const read = async (given: unknown) => {
      told = given;
      const answer = await t.supplier.usage(known, LIMIT_MS);
      assert.ok(answer.outcome === 'reading');
      return answer.profile;
    };
    const nothing = { device: null, country: null, covered: null, seen_at: null };
    assert.deepEqual(await read({ state: 'released', ...nothing }), { state: 'released' });
    assert.deepEqual(await read({ state: 'asleep', ...nothing, country: 'FRA' }), { state: 'unknown' });
    assert.deepEqual(await read({ state: 'installed', country: 'JP' }), {
      state: 'installed',
      country: 'JP',
      seenAt: null,
    });
    for (const none of [undefined, null, {}, [], 7]) assert.equal(await read(none), undefined);
  });

  test('an old reading is none, and an eSIM without one has none', async () => {
    let answer: Reply = ok({});
    await using t = await openMore({ 'esim/detail': () => answer });
    const outcome = async (given: Reply) => {
      answer = given;
      return (await t.supplier.usage(known, LIMIT_MS)).outcome;
    };
    assert.equal(await outcome(ok({ esim: { profile }, usage: usage(t.clock.now() - 11 * MINUTE) })), 'unavailable');
    assert.equal(await outcome(ok({ esim: { profile }, usage: null })), 'none');
    assert.equal(await outcome(refused(404, 'esim_not_found')), 'none');
    assert.equal(await outcome(refused(503, 'service_unavailable')), 'unavailable');
    assert.equal(
      await outcome(ok({ esim: { profile }, usage: usage(t.clock.now(), { status: 'asleep' }) })),
      'unavailable',
    );
  });

  const answers: readonly (readonly [Reply, string])[] = [
    [ok({ esim: { iccid, state: 'suspended' }, message: '' }), 'done'],
    [ok({ esim: { iccid, state: 'active' } }), 'unavailable'],
    [ok({ esim: { iccid: '8944500102198301242', state: 'suspended' } }), 'unavailable'],
    [ok({}), 'unavailable'],
    [refused(404, 'esim_not_found'), 'refused'],
    [refused(404, 'unknown_method'), 'refused'],
    [refused(409, 'not_supported'), 'refused'],
    [refused(409, 'esim_not_active'), 'refused'],
    [refused(403, 'key_not_permitted'), 'unavailable'],
    [refused(401, 'invalid_api_key'), 'unavailable'],
    [refused(429, 'rate_limited', { retry_after: 1 }), 'unavailable'],
    [refused(503, 'service_unavailable'), 'unavailable'],
    [{ status: 502, body: 'Bad gateway' }, 'unavailable'],
    [{ status: 200, body: '<html>' }, 'unavailable'],
  ];
  for (const [answer, outcome] of answers)
    test(`${answer.status} ${JSON.stringify(answer.body).slice(0, 110)} to a suspension is ${outcome}`, async () => {
      await using t = await openMore({ 'esim/suspend': answer });
      assert.equal((await t.supplier.suspend?.(known, LIMIT_MS))?.outcome, outcome);
      const [sent] = t.requests.filter(({ method }) => method === 'POST');
      assert.deepEqual([sent?.path, sent?.body], ['/v3/esim/suspend', `iccid=${iccid}`]);
    });

  test('one is resumed when it is no longer suspended, whatever it is then', async () => {
    await using t = await openMore({ 'esim/resume': ok({ esim: { iccid, state: 'not_active' } }) });
    assert.deepEqual(await t.supplier.resume?.(known, LIMIT_MS), { outcome: 'done' });
  });
});
