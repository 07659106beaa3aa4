import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { suite, test } from 'node:test';
import { openAiralo } from '../../../../../src/domains/supply/adapters/airalo/airalo.ts';
import { signedBody } from '../../../../../src/domains/supply/adapters/airalo/client.ts';
import { DAY, HOUR, MINUTE, SECOND, timestamp } from '../../../../../src/platform/clock.ts';
import { createLog } from '../../../../../src/platform/log.ts';
import { type SupplierRig, supplierSuite } from '../../../../suites/supplier.ts';
import { TestClock } from '../../../../support/clock.ts';
import { runTime } from '../../../../support/eventually.ts';
import { record } from '../../../../support/program/app.ts';
import { fakeAiralo } from '../../../../support/suppliers/fake-airalo.ts';
import { AIRALO_REFILL } from '../../../../support/suppliers/fake-airalo-packages.ts';
import type { Mishap } from '../../../../support/suppliers/fake-http.ts';
import { orderForSupplier } from '../../../../support/suppliers/order-for-supplier.ts';

const LIMIT_MS = 60 * SECOND;
const NEVER_AGAIN = 1_000_000;

async function open(credentials: { clientSecret?: string } = {}) {
  const clock = new TestClock();
  const fake = await fakeAiralo(clock);
  const logged: string[] = [];
  const log = createLog('debug', (line) => {
    logged.push(line);
    record('logs', line);
  });
  const airalo = openAiralo({ ...fake.settings, ...credentials, url: fake.url }, { clock, log });
  return {
    clock,
    fake,
    logged,
    supplier: airalo.supplier('airalo'),
    async [Symbol.asyncDispose]() {
      await airalo.close();
      await fake[Symbol.asyncDispose]();
    },
  };
}

const mishaps: Partial<Record<string, Mishap>> = { timeout: 'hang', break: 'break', duplicate: 'duplicate' };

supplierSuite(
  'airalo',
  ['deliver', 'delay', 'refuse', 'timeout', 'duplicate', 'break', 'away'],
  async (): Promise<SupplierRig> => {
    const { fake, supplier, clock, ...rig } = await open();
    const longAgo = new Date(clock.now() - HOUR);
    return {
      supplier,
      async behave(fault) {
        fake.behaveAgain();
        fake.state.withoutSims = fault === 'delay';
        fake.state.refuseWith = fault === 'refuse' ? 34 : undefined;
        const mishap = mishaps[fault];
        if (mishap) fake.meet(mishap, /orders(\/topups)?$/, fault === 'break' ? 1 : NEVER_AGAIN);
        if (fault === 'away') {
          await fake[Symbol.asyncDispose]();
          // A call that meets the end of a kept connection may have arrived. This one meets it, so that later ones do not.
          await supplier.balance?.(LIMIT_MS);
        }
      },
      passDelay() {
        for (const order of fake.orders) order.hasSim = true;
      },
      orderFields: () => ({ paidAt: longAgo, orderedAt: longAgo }),
      refillFields: () => ({ plan: AIRALO_REFILL, amountMb: 1024, day: 7 }),
      async use(iccid) {
        const until = timestamp(clock.now() + 7 * DAY);
        Object.assign(fake.usages.get(iccid) ?? {}, { status: 'ACTIVE', remaining: 1000, expired_at: until });
      },
      calls: () => fake.requests.length,
      timesOrdered: async (reference) =>
        fake.orders.filter(({ description }) => description?.startsWith(`${reference}-`)).length,
      [Symbol.asyncDispose]: () => rig[Symbol.asyncDispose](),
    };
  },
  {
    refills: ['deliver', 'refuse', 'timeout', 'duplicate', 'break', 'away'],
    // The usage, and of one in use the time of its activation. Airalo tells nothing of the phone.
    callsPerReading: { fresh: 1, used: 2 },
  },
);

suite('airalo: the token', () => {
  test('all calls share one, even concurrent ones', async () => {
    await using t = await open();
    await Promise.all(Array.from({ length: 8 }, () => t.supplier.order(orderForSupplier(t.clock), LIMIT_MS)));
    await t.supplier.order(orderForSupplier(t.clock), LIMIT_MS);
    assert.equal(t.fake.timesCalled(/token/), 1);
    assert.equal(t.fake.orders.length, 9);
  });

  test('is used for a day at most, although the answer says a year', async () => {
    await using t = await open();
    await t.supplier.order(orderForSupplier(t.clock), LIMIT_MS);
    t.clock.advance(DAY - HOUR);
    assert.equal((await t.supplier.order(orderForSupplier(t.clock), LIMIT_MS)).outcome, 'delivered');
    assert.equal(t.fake.timesCalled(/token/), 2);
    assert.equal(t.fake.timesCalled(/POST .*orders/), 2, 'renewed before it was refused');
  });

  test('401: renewed once and the request sent again, one order', async () => {
    await using t = await open();
    await t.supplier.order(orderForSupplier(t.clock), LIMIT_MS);
    t.clock.advance(MINUTE);
    t.fake.revokeTokens();
    assert.equal((await t.supplier.order(orderForSupplier(t.clock), LIMIT_MS)).outcome, 'delivered');
    assert.deepEqual([t.fake.timesCalled(/token/), t.fake.orders.length], [2, 2]);
  });

  test('if a new token is rejected, too: certainly not ordered, the operator is told, and no more tokens are fetched', async () => {
    await using t = await open();
    t.fake.state.tokenLifeMs = 0;
    for (let n = 0; n < 5; n++) {
      const answer = await t.supplier.order(orderForSupplier(t.clock), LIMIT_MS);
      assert.deepEqual(answer, { outcome: 'unavailable', reason: 'HTTP 401: the token is refused' });
    }
    assert.equal(t.fake.timesCalled(/token/), 1);
    assert.ok(t.logged.some((line) => line.includes('"error"') && line.includes('the token is refused')));
  });

  test('wrong credentials: nothing is ordered, the next token request waits, and the secret is not logged', async () => {
    const clientSecret = 'not-the-secret/at-all';
    record('secrets', `${clientSecret}\n`);
    await using t = await open({ clientSecret });
    for (let n = 0; n < 5; n++) {
      const answer = await t.supplier.order(orderForSupplier(t.clock), LIMIT_MS);
      assert.deepEqual(answer, { outcome: 'unavailable', reason: 'no token: HTTP 422' });
    }
    assert.equal(t.fake.timesCalled(/token/), 1);
    assert.equal(t.logged.filter((line) => line.includes('the client id or secret is refused')).length, 1);
    assert.ok(!t.logged.join('').includes(clientSecret));
    t.clock.advance(20 * SECOND);
    await t.supplier.order(orderForSupplier(t.clock), LIMIT_MS);
    assert.equal(t.fake.timesCalled(/token/), 2);
  });

  test('a token that does not come in time: certainly not ordered, and answered within the limit', async () => {
    await using t = await open();
    t.fake.meet('hang', /token/);
    using run = runTime();
    const answer = await t.supplier.order(orderForSupplier(t.clock), 200);
    assert.deepEqual(answer, { outcome: 'unavailable', reason: 'no token: time-out', silent: true });
    assert.ok(run.ms < SECOND, `took ${run.ms} ms`);
  });
});

test('airalo: every request says that it takes JSON, as the documents ask', async () => {
  await using t = await open();
  await t.supplier.order(orderForSupplier(t.clock), LIMIT_MS);
  await t.supplier.find(orderForSupplier(t.clock), LIMIT_MS);
  assert.deepEqual(
    t.fake.requests.map(({ headers }) => headers.accept),
    ['application/json', 'application/json', 'application/json'],
  );
});

suite('airalo: signing', () => {
  test('the signature is over JSON with escaped slashes, and those bytes are sent', () => {
    const { body, signature } = signedBody({ package_id: 'a/b', description: 'é' }, 'secret');
    assert.equal(body, '{"package_id":"a\\/b","description":"é"}');
    assert.equal(signature, createHmac('sha512', 'secret').update(body).digest('hex'));
  });

  test('orders and token requests carry it, reads do not', async () => {
    await using t = await open();
    await t.supplier.find(orderForSupplier(t.clock), LIMIT_MS);
    await t.supplier.order(orderForSupplier(t.clock), LIMIT_MS);
    const signed = t.fake.requests.map(({ method, headers }) => [method, headers['airalo-signature'] !== undefined]);
    assert.deepEqual(signed, [
      ['POST', true],
      ['GET', false],
      ['POST', true],
    ]);
  });
});

suite('airalo: what an answer to an order means', () => {
  const outcomes = {
    'test-insufficient-balance-7days-1gb': 'unavailable',
    'test-maintenance-mode-7days-1gb': 'unavailable',
    'test-disabled-top-up-7days-1gb': 'refused',
    'test-not-enough-7days-1gb': 'unavailable',
    'test-out-of-stock-7days-1gb': 'refused',
    'no-such-package': 'refused',
  };
  for (const [plan, outcome] of Object.entries(outcomes))
    test(`${plan} is ${outcome}, and nothing was ordered`, async () => {
      await using t = await open();
      assert.equal((await t.supplier.order(orderForSupplier(t.clock, { plan }), LIMIT_MS)).outcome, outcome);
      assert.equal(t.fake.orders.length, 0);
    });

  const byCode = { 14: 'unavailable', 43: 'refused', 53: 'unknown', 73: 'refused', 99: 'unknown' };
  for (const [code, outcome] of Object.entries(byCode))
    test(`code ${code} is ${outcome}`, async () => {
      await using t = await open();
      t.fake.state.refuseWith = Number(code);
      assert.equal((await t.supplier.order(orderForSupplier(t.clock), LIMIT_MS)).outcome, outcome);
    });

  test('no credit and an address that is not allowed are logged for the operator, once for all orders of a while', async () => {
    await using t = await open();
    for (let i = 0; i < 3; i++)
      await t.supplier.order(orderForSupplier(t.clock, { plan: 'test-insufficient-balance-7days-1gb' }), LIMIT_MS);
    t.fake.state.addressBlocked = true;
    const blocked = await t.supplier.order(orderForSupplier(t.clock), LIMIT_MS);
    assert.equal(blocked.outcome, 'unavailable');
    const alarms = t.logged.filter((line) => line.includes('"level":"error"'));
    assert.equal(alarms.length, 2);
    assert.match(alarms.join(''), /no credit left.*our address is not on/s);
  });

  const mishaps = {
    rate_limit: 'unavailable',
    server_error: 'unknown',
    garbage: 'unknown',
    redirect: 'unknown',
    too_long: 'unknown',
  } as const;
  for (const [mishap, outcome] of Object.entries(mishaps))
    test(`${mishap} is ${outcome}, and it is not sent again`, async () => {
      await using t = await open();
      t.fake.meet(mishap as Mishap, /orders$/);
      assert.equal((await t.supplier.order(orderForSupplier(t.clock), LIMIT_MS)).outcome, outcome);
      assert.equal(t.fake.timesCalled(/POST .*orders/), 1);
    });

  test('an order with the same number from another installation on the account is not ours', async () => {
    await using t = await open();
    const before = orderForSupplier(t.clock, { reference: 'wf-live-1001', paidAt: new Date(t.clock.now() - DAY) });
    await t.supplier.order(before, LIMIT_MS);
    const after = orderForSupplier(t.clock, { reference: 'wf-live-1001', orderedAt: null });
    assert.deepEqual(await t.supplier.find(after, LIMIT_MS), { outcome: 'absent' });
  });
});

suite('airalo: finding an order', () => {
  test('an unlisted order counts as absent only when enough time has passed since it may have been placed', async () => {
    await using t = await open();
    const order = orderForSupplier(t.clock);
    assert.equal((await t.supplier.find(order, LIMIT_MS)).outcome, 'unavailable');
    t.clock.advance(5 * MINUTE);
    assert.equal((await t.supplier.find(order, LIMIT_MS)).outcome, 'absent');
    const again = { ...order, orderedAt: new Date(t.clock.now()) };
    assert.equal((await t.supplier.find(again, LIMIT_MS)).outcome, 'unavailable', 'counted from the last try');
    assert.equal(
      (await t.supplier.find({ ...order, orderedAt: null }, LIMIT_MS)).outcome,
      'absent',
      'certainly never sent',
    );
  });

  test('an order that is listed late is found once it is listed', async () => {
    await using t = await open();
    t.fake.state.listedAfterMs = MINUTE;
    t.fake.meet('break', /orders$/);
    const order = orderForSupplier(t.clock);
    assert.equal((await t.supplier.order(order, LIMIT_MS)).outcome, 'unknown');
    assert.equal((await t.supplier.find(order, LIMIT_MS)).outcome, 'unavailable');
    t.clock.advance(MINUTE);
    assert.equal((await t.supplier.find(order, LIMIT_MS)).outcome, 'delivered');
  });

  test('the search matches descriptions that merely contain the reference; only an exact match counts', async () => {
    await using t = await open();
    const order = orderForSupplier(t.clock, { orderedAt: null });
    await t.supplier.order({ ...order, reference: `x${order.reference}` }, LIMIT_MS);
    assert.equal((await t.supplier.find(order, LIMIT_MS)).outcome, 'absent');
  });

  for (const status of ['failed', 'refunded'])
    test(`one that is ${status} at Airalo is refused`, async () => {
      await using t = await open();
      const order = orderForSupplier(t.clock);
      await t.supplier.order(order, LIMIT_MS);
      for (const made of t.fake.orders) made.status = status;
      assert.equal((await t.supplier.find(order, LIMIT_MS)).outcome, 'refused');
    });

  test('of two orders under one reference one is delivered, and the operator is told of the other', async () => {
    await using t = await open();
    const order = orderForSupplier(t.clock);
    await t.supplier.order(order, LIMIT_MS);
    await t.supplier.order(order, LIMIT_MS);
    assert.equal((await t.supplier.find(order, LIMIT_MS)).outcome, 'delivered');
    assert.ok(t.logged.some((line) => line.includes('2 orders under wf-live-')));
  });

  for (const mishap of ['rate_limit', 'server_error', 'garbage', 'hang'] as const)
    test(`${mishap} says nothing about the order`, async () => {
      await using t = await open();
      t.fake.meet(mishap, /orders$/);
      assert.equal((await t.supplier.find(orderForSupplier(t.clock, { orderedAt: null }), 300)).outcome, 'unavailable');
    });
});

suite('airalo: refills', () => {
  async function sold() {
    const t = await open();
    const answer = await t.supplier.order(orderForSupplier(t.clock), LIMIT_MS);
    assert.ok(answer.outcome === 'delivered');
    const refillOf = { iccid: answer.esim.iccid, supplierOrder: answer.supplierOrder };
    return {
      ...t,
      iccid: answer.esim.iccid,
      asked: (special: object = {}) => orderForSupplier(t.clock, { plan: AIRALO_REFILL, refillOf, ...special }),
      /** Orders that Airalo has beyond the first. */
      made: () => t.fake.orders.slice(1),
    };
  }

  test('a refill is an order of its own, with our reference as its description and the price it was charged at', async () => {
    await using t = await sold();
    const refill = t.asked();
    const answer = await t.supplier.order(refill, LIMIT_MS);
    const [made] = t.made();
    assert.deepEqual(answer, {
      outcome: 'refilled',
      supplierOrder: String(made?.id),
      charged: 1_800_000n,
    });
    assert.deepEqual([made?.type, made?.iccid], ['topup', t.iccid]);
    assert.ok(made?.description?.startsWith(`${refill.reference}-`));
    assert.deepEqual(await t.supplier.find(refill, LIMIT_MS), answer);
  });

  const outcomes = {
    'test-insufficient-balance-7days-1gb': 'unavailable',
    'test-maintenance-mode-7days-1gb': 'unavailable',
    'test-disabled-top-up-7days-1gb': 'refused',
    'test-not-enough-7days-1gb': 'unavailable',
    'test-out-of-stock-7days-1gb': 'refused',
    'discover-7days-1gb': 'refused',
    'no-such-package': 'refused',
  };
  for (const [plan, outcome] of Object.entries(outcomes))
    test(`${plan} is ${outcome}, and nothing was added`, async () => {
      await using t = await sold();
      assert.equal((await t.supplier.order(t.asked({ plan }), LIMIT_MS)).outcome, outcome);
      assert.deepEqual([t.made().length, t.fake.usages.get(t.iccid)?.total], [0, 1024]);
    });

  test('an eSIM that was recycled, or that Airalo does not know, is refused', async () => {
    await using t = await sold();
    const stranger = { iccid: '8910009999999999999', supplierOrder: '1' };
    assert.equal((await t.supplier.order(t.asked({ refillOf: stranger }), LIMIT_MS)).outcome, 'refused');
    Object.assign(t.fake.usages.get(t.iccid) ?? {}, { status: 'RECYCLED' });
    assert.deepEqual(await t.supplier.order(t.asked(), LIMIT_MS), {
      outcome: 'refused',
      reason: 'HTTP 422, code 73: eSIM recycled',
    });
  });

  test('one whose reply was lost and that is listed late is not taken for absent', async () => {
    await using t = await sold();
    t.fake.state.listedAfterMs = MINUTE;
    t.fake.meet('break', /topups$/);
    const refill = t.asked();
    assert.equal((await t.supplier.order(refill, LIMIT_MS)).outcome, 'unknown');
    assert.equal((await t.supplier.find(refill, LIMIT_MS)).outcome, 'unavailable');
    t.clock.advance(MINUTE);
    assert.equal((await t.supplier.find(refill, LIMIT_MS)).outcome, 'refilled');
    assert.equal(t.made().length, 1);
  });

  const statuses = {
    completed: 'refilled',
    partially_refunded: 'refilled',
    failed: 'refused',
    refunded: 'refused',
    processing: 'pending',
  };
  for (const [status, outcome] of Object.entries(statuses))
    test(`one that is ${status} at Airalo is ${outcome}`, async () => {
      await using t = await sold();
      const refill = t.asked();
      await t.supplier.order(refill, LIMIT_MS);
      for (const made of t.fake.orders) made.status = status;
      assert.equal((await t.supplier.find(refill, LIMIT_MS)).outcome, outcome);
    });

  test('one that comes back without our reference is never sent again and waits for the operator', async () => {
    await using t = await sold();
    t.fake.state.withoutDescription = true;
    const refill = t.asked();
    const placed = await t.supplier.order(refill, LIMIT_MS);
    assert.ok(placed.outcome === 'pending');
    t.clock.advance(DAY);
    const known = { ...refill, supplierOrder: placed.supplierOrder };
    assert.equal((await t.supplier.find(known, LIMIT_MS)).outcome, 'unavailable');
    assert.ok(t.logged.some((line) => /"level":"error".*came back without our reference/.test(line)));
  });
});

suite('airalo: usage', () => {
  async function sold() {
    const t = await open();
    const answer = await t.supplier.order(orderForSupplier(t.clock), LIMIT_MS);
    assert.ok(answer.outcome === 'delivered');
    const { iccid } = answer.esim;
    const esim = { iccid, supplierOrder: answer.supplierOrder, day: 7, deliveredAt: new Date(), script: null };
    const set = (special: object) => Object.assign(t.fake.usages.get(iccid) ?? {}, special);
    return { ...t, set, read: () => t.supplier.usage(esim, LIMIT_MS) };
  }

  test('is the total less what remains, with the time of activation from the eSIM’s packages', async () => {
    await using t = await sold();
    t.set({
      status: 'ACTIVE',
      remaining: 767,
      total: 2048,
      expired_at: '2026-01-08 10:30:45',
      activated_at: '2026-01-01T10:30:45+00:00',
    });
    assert.deepEqual(await t.read(), {
      outcome: 'reading',
      reading: {
        state: 'active',
        totalMb: 2048,
        usedMb: 1281,
        activatedAt: new Date('2026-01-01T10:30:45Z'),
        expiresAt: new Date('2026-01-08T10:30:45Z'),
      },
    });
  });

  const states = { FINISHED: 'depleted', EXPIRED: 'expired', RECYCLED: 'expired' };
  for (const [status, state] of Object.entries(states))
    test(`${status} is ${state}`, async () => {
      await using t = await sold();
      t.set({ status, ...(status === 'RECYCLED' ? { expired_at: null, is_unlimited: null } : {}) });
      const answer = await t.read();
      assert.equal(answer.outcome === 'reading' && answer.reading.state, state);
    });

  test('an unlimited plan has no count', async () => {
    await using t = await sold();
    t.set({ status: 'ACTIVE', remaining: 0, total: 0, is_unlimited: true });
    const answer = await t.read();
    assert.deepEqual(answer.outcome === 'reading' && [answer.reading.totalMb, answer.reading.usedMb], [null, 0]);
  });

  test('UNKNOWN means that there is no reading', async () => {
    await using t = await sold();
    t.set({ status: 'UNKNOWN' });
    assert.deepEqual(await t.read(), { outcome: 'none' });
  });

  test('too many calls: unavailable', async () => {
    await using t = await sold();
    t.fake.meet('rate_limit', /usage$/);
    assert.deepEqual(await t.read(), { outcome: 'unavailable', reason: 'HTTP 429' });
  });

  test('if the packages cannot be read, only the time of activation is missing', async () => {
    await using t = await sold();
    t.set({ status: 'ACTIVE', remaining: 24 });
    t.fake.meet('server_error', /packages$/);
    const answer = await t.read();
    assert.deepEqual(answer.outcome === 'reading' && [answer.reading.usedMb, answer.reading.activatedAt], [1000, null]);
  });
});
