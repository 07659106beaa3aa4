import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { openZendit, type ZenditSettings } from '../../../../../src/domains/supply/adapters/zendit/zendit.ts';
import type { EsimReference, SupplierOrder } from '../../../../../src/domains/supply/port/port.ts';
import { toMicros } from '../../../../../src/platform/amounts/cents.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../../../../../src/platform/clock.ts';
import { createLog } from '../../../../../src/platform/log.ts';
import { type SupplierRig, supplierSuite } from '../../../../suites/supplier.ts';
import { TestClock } from '../../../../support/clock.ts';
import { record } from '../../../../support/program/app.ts';
import type { Mishap } from '../../../../support/suppliers/fake-http.ts';
import { fakeZendit } from '../../../../support/suppliers/fake-zendit.ts';
import { ZENDIT_REFILL } from '../../../../support/suppliers/fake-zendit-offers.ts';
import { orderForSupplier } from '../../../../support/suppliers/order-for-supplier.ts';

const LIMIT_MS = 60 * SECOND;
/** Enough for the calls of an order that is then polled to no avail. */
const PENDING_MS = 2 * SECOND;
const SHORT_MS = 400;
const ALWAYS = 1_000_000;
const BUY = /^POST .*purchases$/;
const LOOK = /^GET .*purchases\//;

async function open(special: Partial<ZenditSettings> = {}) {
  const clock = new TestClock();
  const fake = await fakeZendit(clock);
  const logged: string[] = [];
  const log = createLog('debug', (line) => {
    logged.push(line);
    record('logs', line);
  });
  const zendit = openZendit({ ...fake.settings, ...special }, { clock, log, pollMs: 20 });
  return {
    clock,
    fake,
    logged,
    supplier: zendit.supplier('zendit'),
    ids: () => [...fake.transactions.values()].map(({ transactionId, status }) => [transactionId, status]),
    async [Symbol.asyncDispose]() {
      await zendit.close();
      await fake[Symbol.asyncDispose]();
    },
  };
}

const mishaps: Partial<Record<string, Mishap>> = { timeout: 'hang', break: 'break', duplicate: 'duplicate' };

supplierSuite(
  'zendit',
  ['deliver', 'delay', 'refuse', 'timeout', 'duplicate', 'break', 'away'],
  async (): Promise<SupplierRig> => {
    const { fake, supplier, clock, ...rig } = await open();
    return {
      supplier,
      async behave(fault) {
        fake.behaveAgain();
        fake.state.readyAfterMs = fault === 'delay' ? MINUTE : 0;
        fake.state.refuseWith = fault === 'refuse' ? 400 : undefined;
        const mishap = mishaps[fault];
        if (mishap) fake.meet(mishap, /^POST .*(purchases|refund)$/, fault === 'break' ? 1 : ALWAYS);
        if (fault === 'away') {
          await fake[Symbol.asyncDispose]();
          // A call that meets the end of a kept connection may have arrived. This one meets it, so that later ones do not.
          await supplier.balance?.(LIMIT_MS);
        }
      },
      passDelay: () => clock.advance(MINUTE),
      // Long enough ago to be certain.
      orderFields: () => ({ cost: toMicros(1_800_000n), orderedAt: new Date(clock.now() - HOUR) }),
      refillFields: () => ({ plan: ZENDIT_REFILL, cost: toMicros(3_000_000n) }),
      timesOrdered: async (reference) =>
        fake.requests.filter(
          ({ method, path, body }) => BUY.test(`${method} ${path}`) && body.includes(`"${reference}-`),
        ).length,
      use: async (iccid) => fake.use(iccid),
      calls: () => fake.requests.length,
      [Symbol.asyncDispose]: () => rig[Symbol.asyncDispose](),
    };
  },
  {
    refills: ['deliver', 'delay', 'refuse', 'timeout', 'duplicate', 'break', 'away'],
    withdrawals: ['deliver', 'timeout', 'break', 'away'],
    profiles: { used: 'installed' },
    callsPerReading: { fresh: 1, used: 1 },
    idempotent: true,
  },
);

const reference = ({ reference: name, paidAt }: SupplierOrder) => `${name}-${Math.floor(paidAt.getTime() / SECOND)}`;
/** The same order, tried again now. */
const again = (order: SupplierOrder, now: number): SupplierOrder => ({ ...order, orderedAt: new Date(now) });

suite('zendit: ordering', () => {
  test('the reference is the transaction id, the first attempt does not look it up first, and the charge is reported', async () => {
    await using t = await open();
    const order = orderForSupplier(t.clock);
    const answer = await t.supplier.order(order, LIMIT_MS);
    assert.ok(answer.outcome === 'delivered');
    assert.deepEqual([answer.supplierOrder, answer.charged], [reference(order), 1_800_000n]);
    assert.deepEqual(
      t.fake.requests.map(({ method, path, body }) => [method, path, body && JSON.parse(body)]),
      [
        ['GET', '/v1/esim/offers/one-gb', ''],
        ['POST', '/v1/esim/purchases', { offerId: 'one-gb', transactionId: reference(order) }],
        ['GET', `/v1/esim/purchases/${reference(order)}`, ''],
      ],
    );
  });

  test('an offer that is gone, disabled, dearer than expected or not in dollars is not bought', async () => {
    await using t = await open();
    const [offer] = t.fake.state.offers;
    assert.ok(offer);
    const refused = async (special: Partial<SupplierOrder> = {}) => {
      assert.equal((await t.supplier.order(orderForSupplier(t.clock, special), LIMIT_MS)).outcome, 'refused');
      assert.equal(t.fake.timesCalled(BUY), 0);
    };
    await refused({ plan: 'gone' });
    await refused({ cost: toMicros(1_799_999n) });
    assert.ok(t.logged.some((line) => line.includes('"error"') && line.includes('the price has changed')));
    offer.enabled = false;
    await refused();
    Object.assign(offer, { enabled: true, cost: { ...offer.cost, currency: 'EUR' } });
    await refused();
  });

  test('an offer that became cheaper, or whose cost we do not know, is bought', async () => {
    await using t = await open();
    for (const cost of [0n, 1_900_000n])
      assert.equal(
        (await t.supplier.order(orderForSupplier(t.clock, { cost: toMicros(cost) }), LIMIT_MS)).outcome,
        'delivered',
      );
  });

  test('it is polled while there is time, and then pending under its id', async () => {
    await using t = await open();
    t.fake.state.readyAfterMs = 200;
    assert.equal((await t.supplier.order(orderForSupplier(t.clock), LIMIT_MS)).outcome, 'delivered');
    t.fake.state.readyAfterMs = MINUTE;
    const order = orderForSupplier(t.clock);
    const pending = { outcome: 'pending', supplierOrder: reference(order) };
    assert.deepEqual(await t.supplier.order(order, PENDING_MS), pending);
    assert.deepEqual(await t.supplier.find(order, LIMIT_MS), pending);
  });

  for (const mishap of ['server_error', 'hang', 'garbage'] as const)
    test(`accepted, then ${mishap} at every look: pending`, async () => {
      await using t = await open();
      t.fake.meet(mishap, LOOK, ALWAYS);
      assert.equal((await t.supplier.order(orderForSupplier(t.clock), PENDING_MS)).outcome, 'pending');
    });

  for (const failed of ['FAILED', 'FAIL'] as const)
    test(`a transaction that is ${failed} is refused, whatever its code, and stays so`, async () => {
      await using t = await open();
      Object.assign(t.fake.state, { failWith: 'PROVIDER_ERROR', failed });
      const order = orderForSupplier(t.clock);
      const refused = { outcome: 'refused', reason: 'the transaction failed: PROVIDER_ERROR' };
      assert.deepEqual(await t.supplier.order(order, LIMIT_MS), refused);
      assert.deepEqual(await t.supplier.find(order, LIMIT_MS), refused);
    });

  const statuses = {
    400: 'refused',
    401: 'unavailable',
    403: 'unavailable',
    404: 'refused',
    429: 'unavailable',
    500: 'unknown',
    503: 'unknown',
    504: 'unknown',
  };
  for (const [status, outcome] of Object.entries(statuses))
    test(`a purchase answered with ${status} is ${outcome}`, async () => {
      await using t = await open();
      t.fake.state.refuseWith = Number(status);
      assert.equal((await t.supplier.order(orderForSupplier(t.clock), LIMIT_MS)).outcome, outcome);
      assert.equal(t.fake.timesCalled(BUY), 1);
    });

  test('a refused purchase whose look-up brings nothing is unknown', async () => {
    await using t = await open();
    t.fake.state.refuseWith = 400;
    t.fake.meet('server_error', LOOK);
    assert.equal((await t.supplier.order(orderForSupplier(t.clock), LIMIT_MS)).outcome, 'unknown');
  });

  for (const mishap of ['rate_limit', 'server_error', 'garbage', 'hang'] as const)
    test(`${mishap} at the offer: certainly not bought`, async () => {
      await using t = await open();
      t.fake.meet(mishap, /offers/);
      assert.equal((await t.supplier.order(orderForSupplier(t.clock), SHORT_MS)).outcome, 'unavailable');
      assert.equal(t.fake.timesCalled(BUY), 0);
    });

  test('a wrong key: certainly not bought, reported to the operator, and not logged', async () => {
    const apiKey = 'sand_f00df00df00df00df00d';
    record('secrets', `${apiKey}\n`);
    await using t = await open({ apiKey });
    const answer = await t.supplier.order(orderForSupplier(t.clock), LIMIT_MS);
    assert.deepEqual(answer, { outcome: 'unavailable', reason: 'HTTP 401: the key is refused' });
    assert.ok(t.logged.some((line) => line.includes('"error"') && line.includes('the key is refused')));
    assert.ok(!t.logged.join('').includes(apiKey));
  });
});

suite('zendit: the chain of transactions', () => {
  test('a transaction that failed for lack of funds has used its id up: the next try buys under the next one', async () => {
    await using t = await open();
    const order = orderForSupplier(t.clock);
    t.fake.state.balance = 100;
    const first = await t.supplier.order(order, LIMIT_MS);
    assert.deepEqual(first, { outcome: 'unavailable', reason: 'no credit left at Zendit' });
    assert.ok(t.logged.some((line) => line.includes('"error"') && line.includes('no credit left')));
    assert.deepEqual(await t.supplier.find({ ...order, orderedAt: null }, LIMIT_MS), { outcome: 'absent' });

    const retry = again(order, t.clock.now() + MINUTE);
    assert.equal((await t.supplier.order(retry, LIMIT_MS)).outcome, 'unavailable');
    assert.equal(t.fake.transactions.size, 1, 'while the wallet is too low, no id is used up');

    t.fake.state.balance = 100_000;
    const bought = await t.supplier.order(retry, LIMIT_MS);
    assert.equal(bought.outcome === 'delivered' && bought.supplierOrder, `${reference(order)}-2`);
    assert.deepEqual(await t.supplier.find(order, LIMIT_MS), bought);
    assert.deepEqual(await t.supplier.find({ ...order, supplierOrder: `${reference(order)}-2` }, LIMIT_MS), bought);
    assert.deepEqual(t.ids(), [
      [reference(order), 'FAILED'],
      [`${reference(order)}-2`, 'DONE'],
    ]);
  });

  test('after twenty such failures the order waits for the operator', async () => {
    await using t = await open();
    t.fake.state.isShort = true;
    const order = orderForSupplier(t.clock);
    for (let n = 0; n < 22; n++) {
      const answer = await t.supplier.order(again(order, t.clock.now() + MINUTE), LIMIT_MS);
      assert.equal(answer.outcome, 'unavailable');
    }
    assert.equal(t.fake.transactions.size, 20);
    assert.equal((await t.supplier.find(order, LIMIT_MS)).outcome, 'unavailable');
    assert.ok(t.logged.some((line) => line.includes('"error"') && line.includes('waits for the operator')));
  });

  for (const repeated of ['refused', 'existing'] as const)
    test(`an id that was used before is ${repeated}: what it bought is the answer, once`, async () => {
      await using t = await open();
      t.fake.state.repeated = repeated;
      const order = orderForSupplier(t.clock);
      const [one, two] = [await t.supplier.order(order, LIMIT_MS), await t.supplier.order(order, LIMIT_MS)];
      assert.equal(one.outcome, 'delivered');
      assert.deepEqual(one, two);
      assert.deepEqual([t.fake.transactions.size, t.fake.esims.size], [1, 1]);
    });

  for (const repeated of ['refused', 'existing'] as const)
    test(`an id that another order used (${repeated}) is passed over`, async () => {
      await using t = await open();
      t.fake.state.repeated = repeated;
      const other = orderForSupplier(t.clock);
      await t.supplier.order(other, LIMIT_MS);
      const order = { ...other, plan: 'two-gb', cost: toMicros(3_000_000n) };
      assert.equal((await t.supplier.order(order, LIMIT_MS)).outcome, 'unavailable');
      assert.deepEqual(await t.supplier.find({ ...order, orderedAt: null }, LIMIT_MS), { outcome: 'absent' });
      const bought = await t.supplier.order(again(order, t.clock.now() + MINUTE), LIMIT_MS);
      assert.equal(bought.outcome === 'delivered' && bought.supplierOrder, `${reference(order)}-2`);
    });

  test('orders lost, killed and refused in any order are bought once at most, and in the end exactly once', async () => {
    await using t = await open();
    let seed = 20_261_116;
    const chance = (percent: number) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return seed / 2_147_483_648 < percent / 100;
    };
    const faults = ['hang', 'break', 'duplicate', 'garbage', 'redirect', 'server_error', 'rate_limit'] as const;
    const bought = (order: SupplierOrder) =>
      [...t.fake.transactions.values()].filter(
        ({ transactionId, status }) => transactionId.startsWith(reference(order)) && status === 'DONE',
      );
    for (let n = 0; n < 25; n++) {
      let order = orderForSupplier(t.clock);
      let isDelivered = false;
      for (let round = 0; !isDelivered; round++) {
        assert.ok(round < 60, 'it is delivered in the end');
        t.fake.behaveAgain();
        for (const fault of faults) if (round < 8 && chance(12)) t.fake.meet(fault, chance(60) ? BUY : LOOK);
        t.fake.state.isShort = round < 8 && chance(40);
        t.fake.state.readyAfterMs = round < 8 && chance(20) ? MINUTE : 0;
        t.fake.state.knownAfterMs = round < 8 && chance(20) ? MINUTE : 0;
        t.fake.state.repeated = chance(50) ? 'existing' : 'refused';
        // As provisioning does it: the first try buys, every later one looks first.
        const limitMs = round < 8 ? 150 : LIMIT_MS;
        const found = round === 0 ? ({ outcome: 'absent' } as const) : await t.supplier.find(order, limitMs);
        let answer = found;
        if (found.outcome === 'absent') {
          if (round > 0) order = again(order, t.clock.now());
          const placed = await t.supplier.order(order, limitMs);
          // The process dies: the answer is lost.
          answer = chance(25) ? found : placed;
          if (answer.outcome === 'unavailable') order = { ...order, orderedAt: null };
        }
        if (answer.outcome === 'pending') order = { ...order, supplierOrder: answer.supplierOrder };
        assert.ok(bought(order).length <= 1, 'never twice');
        assert.notEqual(answer.outcome, 'refused');
        isDelivered = answer.outcome === 'delivered';
        if (answer.outcome === 'delivered')
          assert.deepEqual(
            [answer.supplierOrder],
            bought(order).map(({ transactionId }) => transactionId),
          );
        t.clock.advance(chance(50) ? 5 * SECOND : 3 * MINUTE);
      }
    }
  });
});

suite('zendit: finding an order', () => {
  test('one that is not there may still appear for two minutes; then it is absent, and is sent under the same id', async () => {
    await using t = await open();
    t.fake.meet('break', BUY);
    t.fake.state.knownAfterMs = 3 * MINUTE;
    const order = orderForSupplier(t.clock);
    assert.equal((await t.supplier.order(order, LIMIT_MS)).outcome, 'unknown');
    assert.equal((await t.supplier.find(order, LIMIT_MS)).outcome, 'unavailable');
    t.clock.advance(2 * MINUTE);
    assert.deepEqual(await t.supplier.find(order, LIMIT_MS), { outcome: 'absent' });
    const sentAgain = await t.supplier.order(again(order, t.clock.now()), LIMIT_MS);
    assert.equal(sentAgain.outcome, 'unknown', 'even if it appears later than that, it is not given up');
    t.clock.advance(MINUTE);
    assert.equal((await t.supplier.find(order, LIMIT_MS)).outcome, 'delivered');
    assert.equal(t.fake.transactions.size, 1);
  });

  test('one that was accepted and is not there is never bought again: it waits for the operator', async () => {
    await using t = await open();
    const order = orderForSupplier(t.clock);
    const known = { ...order, supplierOrder: reference(order) };
    t.clock.advance(DAY);
    assert.equal((await t.supplier.find(known, LIMIT_MS)).outcome, 'unavailable');
    assert.equal((await t.supplier.order(again(known, t.clock.now()), LIMIT_MS)).outcome, 'unavailable');
    assert.equal(t.fake.timesCalled(BUY), 0);
    assert.ok(t.logged.some((line) => line.includes('"error"') && line.includes('waits for the operator')));
  });

  test('a 404 that is not Zendit’s own says nothing', async () => {
    await using t = await open({});
    await using elsewhere = await open({ url: new URL('/v2', t.fake.settings.url), apiKey: t.fake.settings.apiKey });
    const order = { ...orderForSupplier(t.clock), orderedAt: null };
    assert.equal((await elsewhere.supplier.find(order, LIMIT_MS)).outcome, 'unavailable');
  });

  for (const mishap of ['rate_limit', 'server_error', 'garbage', 'hang'] as const)
    test(`${mishap} says nothing about the order`, async () => {
      await using t = await open();
      t.fake.meet(mishap, LOOK);
      const order = { ...orderForSupplier(t.clock), orderedAt: null };
      assert.equal((await t.supplier.find(order, SHORT_MS)).outcome, 'unavailable');
    });
});

suite('zendit: activation data', () => {
  const whole = { activationCode: 'LPA:1$rsp.other.invalid$WHOLE-CODE', externalReferenceId: '' };
  const cases = [
    ['activationCode', { activationCode: 'ONE', externalReferenceId: 'TWO' }, ['rsp.zendit.invalid', 'ONE']],
    ['externalReferenceId', { activationCode: 'ONE', externalReferenceId: 'TWO' }, ['rsp.zendit.invalid', 'TWO']],
    ['externalReferenceId', { activationCode: 'ONE', externalReferenceId: '' }, ['rsp.zendit.invalid', 'ONE']],
    ['activationCode', whole, ['rsp.other.invalid', 'WHOLE-CODE']],
    ['externalReferenceId', whole, ['rsp.other.invalid', 'WHOLE-CODE']],
  ] as const;
  for (const [matchingIdField, confirmation, [host, id]] of cases)
    test(`with ${matchingIdField}, ${JSON.stringify(confirmation)} is ${id}`, async () => {
      await using t = await open({ matchingIdField });
      t.fake.state.confirmation = confirmation;
      const answer = await t.supplier.order(orderForSupplier(t.clock), LIMIT_MS);
      assert.ok(answer.outcome === 'delivered');
      const { smdpAddress, matchingId, activationCode } = answer.esim;
      assert.deepEqual([smdpAddress, matchingId, activationCode], [host, id, `LPA:1$${host}$${id}`]);
    });

  test('incomplete data keep the order pending', async () => {
    await using t = await open();
    const order = orderForSupplier(t.clock);
    await t.supplier.order(order, LIMIT_MS);
    const [made] = t.fake.transactions.values();
    assert.ok(made);
    const { confirmation } = made;
    for (const missing of [{ smdpAddress: '' }, { activationCode: '' }, { iccid: '' }]) {
      made.confirmation = { ...confirmation, ...missing };
      assert.equal((await t.supplier.find(order, LIMIT_MS)).outcome, 'pending');
    }
  });
});

async function sold() {
  const t = await open();
  const answer = await t.supplier.order(orderForSupplier(t.clock), LIMIT_MS);
  assert.ok(answer.outcome === 'delivered');
  const { iccid } = answer.esim;
  const esim: EsimReference = {
    iccid,
    supplierOrder: answer.supplierOrder,
    day: 7,
    amountMb: 1_024,
    deliveredAt: new Date(t.clock.now()),
    script: null,
  };
  const made = t.fake.esims.get(iccid);
  assert.ok(made);
  return {
    ...t,
    esim,
    made,
    async read(special: Partial<EsimReference> = {}) {
      const found = await t.supplier.usage({ ...esim, ...special }, LIMIT_MS);
      assert.ok(found.outcome === 'reading');
      return found.reading;
    },
    withdraw: () => t.supplier.withdraw?.(esim, LIMIT_MS),
    refill: () => orderForSupplier(t.clock, { plan: ZENDIT_REFILL, cost: toMicros(3_000_000n), refillOf: esim }),
  };
}

test('zendit: a refill is a purchase of the offer for the eSIM', async () => {
  await using t = await sold();
  const refill = t.refill();
  const answer = await t.supplier.order(refill, LIMIT_MS);
  assert.deepEqual(answer, { outcome: 'refilled', supplierOrder: reference(refill), charged: 3_000_000n });
  const asked = t.fake.requests.filter(({ method }) => method === 'POST').at(-1);
  assert.deepEqual(JSON.parse(asked?.body ?? ''), {
    offerId: 'two-gb',
    transactionId: reference(refill),
    iccid: t.esim.iccid,
  });
});

suite('zendit: withdrawing', () => {
  test('an eSIM that was installed is not even asked for', async () => {
    await using t = await sold();
    t.fake.use(t.esim.iccid);
    assert.equal((await t.withdraw())?.outcome, 'refused');
    assert.equal(t.fake.timesCalled(/^POST .*refund$/), 0);
  });

  test('a refund that fails is refused; one under way is asked for again, and only once', async () => {
    await using t = await sold();
    t.fake.state.refunds = 'PENDING';
    for (const limitMs of [PENDING_MS, SHORT_MS])
      assert.equal((await t.supplier.withdraw?.(t.esim, limitMs))?.outcome, 'unavailable');
    if (t.made.purchase.refund) t.made.purchase.refund.status = 'DONE';
    assert.deepEqual(await t.withdraw(), { outcome: 'withdrawn' });
    assert.equal(t.fake.timesCalled(/^POST .*refund$/), 1);
    await using other = await sold();
    other.fake.state.refunds = 'FAILED';
    assert.deepEqual(await other.withdraw(), { outcome: 'refused', reason: 'the refund failed: NOT_REFUNDABLE' });
  });

  for (const mishap of ['rate_limit', 'server_error', 'garbage'] as const)
    for (const call of [/^GET .*refund$/, /^GET .*plans$/, /^POST .*refund$/])
      test(`${mishap} at ${call.source} says nothing`, async () => {
        await using t = await sold();
        t.fake.meet(mishap, call);
        const outcome = (await t.withdraw())?.outcome;
        // Their answer to the request does not count: the refund is read.
        assert.equal(outcome, mishap === 'garbage' && call.source.includes('POST') ? 'withdrawn' : 'unavailable');
      });
});

suite('zendit: usage', () => {
  test('of an eSIM in use, with its times', async () => {
    await using t = await sold();
    t.clock.freeze(Date.parse('2026-01-01T10:30:45Z'));
    t.fake.use(t.esim.iccid);
    assert.deepEqual(await t.read(), {
      state: 'active',
      totalMb: 1_024,
      usedMb: 24,
      activatedAt: new Date('2026-01-01T10:30:45Z'),
      expiresAt: new Date('2026-01-08T10:30:45Z'),
    });
  });

  test('a plan that waits without times leaves the end open', async () => {
    await using t = await sold();
    t.fake.use(t.esim.iccid);
    t.fake.state.queuedWithoutTimes = true;
    await t.supplier.order(t.refill(), LIMIT_MS);
    const { state, totalMb, usedMb, expiresAt } = await t.read({ amountMb: 3_072, day: 17 });
    assert.deepEqual([state, totalMb, usedMb, expiresAt], ['active', 3_072, 24, null]);
  });

  test('a plan that is no longer listed beside another is used up', async () => {
    await using t = await sold();
    await t.supplier.order(t.refill(), LIMIT_MS);
    t.made.plans.shift();
    const { state, totalMb, usedMb } = await t.read({ amountMb: 3_072, day: 17 });
    assert.deepEqual([state, totalMb, usedMb], ['active', 3_072, 1_024]);
  });

  test('without any plan a new eSIM waits, one within its days is used up, and a later one has expired', async () => {
    await using t = await sold();
    t.made.plans = [];
    assert.equal((await t.read()).state, 'not_active');
    t.clock.advance(HOUR);
    const usedUp = await t.read();
    assert.deepEqual([usedUp.state, usedUp.totalMb, usedUp.usedMb], ['depleted', 1_024, 1_024]);
    t.clock.advance(7 * DAY);
    const never = await t.read();
    assert.deepEqual([never.state, never.usedMb, never.expiresAt], ['expired', 1_024, null], 'never read');
    const expiresAt = new Date(t.clock.now() - HOUR);
    const last = { state: 'active' as const, totalMb: 1_024, usedMb: 300, activatedAt: null, expiresAt };
    const fetchedAt = new Date(t.clock.now() - DAY);
    const read = await t.read({ last: { ...last, fetchedAt } });
    assert.deepEqual([read.state, read.usedMb, read.expiresAt], ['expired', 300, expiresAt]);
    const early = { ...last, expiresAt: new Date(t.clock.now() + HOUR), fetchedAt };
    assert.deepEqual([(await t.read({ last: early })).state], ['depleted'], 'before its end it can only be used up');
    const stale = { ...last, fetchedAt: new Date(t.esim.deliveredAt.getTime() - DAY) };
    assert.equal((await t.read({ last: stale })).usedMb, 1_024, 'a reading of an earlier eSIM does not count');
  });

  test('an unlimited plan has no figure', async () => {
    await using t = await open();
    const order = orderForSupplier(t.clock, { plan: 'ESIM-GL-1D-UNL', amountMb: 0 });
    const answer = await t.supplier.order(order, LIMIT_MS);
    assert.ok(answer.outcome === 'delivered');
    const { iccid } = answer.esim;
    t.fake.use(iccid);
    const esim = {
      iccid,
      supplierOrder: answer.supplierOrder,
      day: 1,
      amountMb: 0,
      deliveredAt: new Date(),
      script: null,
    };
    const found = await t.supplier.usage(esim, LIMIT_MS);
    assert.ok(found.outcome === 'reading');
    assert.deepEqual([found.reading.state, found.reading.totalMb, found.reading.usedMb], ['active', null, 0]);
  });
});

test('zendit: the balance is reported in dollars', async () => {
  await using t = await open();
  t.fake.state.balance = 12_345;
  assert.deepEqual(await t.supplier.balance?.(LIMIT_MS), { outcome: 'balance', balance: 123_450_000n });
  t.fake.meet('server_error', /balance/);
  assert.deepEqual(await t.supplier.balance?.(LIMIT_MS), { outcome: 'unavailable', reason: 'HTTP 500' });
});
