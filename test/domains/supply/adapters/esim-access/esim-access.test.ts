import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { signedHeaders } from '../../../../../src/domains/supply/adapters/esim-access/client.ts';
import { openEsimAccess } from '../../../../../src/domains/supply/adapters/esim-access/esim-access.ts';
import { toMicros } from '../../../../../src/platform/amounts/cents.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../../../../../src/platform/clock.ts';
import { createLog } from '../../../../../src/platform/log.ts';
import { type SupplierRig, supplierSuite } from '../../../../suites/supplier.ts';
import { TestClock } from '../../../../support/clock.ts';
import { runTime } from '../../../../support/eventually.ts';
import { record } from '../../../../support/program/app.ts';
import { fakeEsimAccess } from '../../../../support/suppliers/fake-esim-access.ts';
import { ESIM_ACCESS_REFILL } from '../../../../support/suppliers/fake-esim-access-packages.ts';
import type { Mishap } from '../../../../support/suppliers/fake-http.ts';
import { orderForSupplier } from '../../../../support/suppliers/order-for-supplier.ts';

const LIMIT_MS = 60 * SECOND;
const SHORT_MS = 1_000;
const ALWAYS = 1_000_000;

async function open(special: { secret?: string; perSecond?: number } = {}) {
  const clock = new TestClock();
  const fake = await fakeEsimAccess(clock);
  const logged: string[] = [];
  const log = createLog('debug', (line) => {
    logged.push(line);
    record('logs', line);
  });
  const { perSecond = 1_000, ...credentials } = special;
  const settings = { ...fake.settings, ...credentials };
  const esimAccess = openEsimAccess(settings, { clock, log, perSecond, pollMs: 50 });
  return {
    clock,
    fake,
    logged,
    supplier: esimAccess.supplier('esim-access'),
    async [Symbol.asyncDispose]() {
      await esimAccess.close();
      await fake[Symbol.asyncDispose]();
    },
  };
}

/** A profile that was installed and has used some of its data. */
const inUse = (clock: TestClock) => ({
  esimStatus: 'IN_USE',
  smdpStatus: 'ENABLED',
  activateTime: new Date(clock.now()).toISOString(),
  expiredTime: new Date(clock.now() + 7 * DAY).toISOString(),
  dataUsage: 24 * 1_048_576,
});

const mishaps: Partial<Record<string, Mishap>> = { timeout: 'hang', break: 'break', duplicate: 'duplicate' };

supplierSuite(
  'esim access',
  ['deliver', 'delay', 'refuse', 'timeout', 'duplicate', 'break', 'away'],
  async (): Promise<SupplierRig> => {
    const { fake, supplier, clock, ...rig } = await open();
    return {
      supplier,
      async behave(fault) {
        fake.behaveAgain();
        fake.state.readyAfterMs = fault === 'delay' ? MINUTE : 0;
        fake.state.refuseWith = fault === 'refuse' ? '310241' : undefined;
        const mishap = mishaps[fault];
        if (mishap) fake.meet(mishap, /(order|topup|cancel|suspend)$/, fault === 'break' ? 1 : ALWAYS);
        if (fault === 'away') {
          await fake[Symbol.asyncDispose]();
          // A call that meets the end of a kept connection may have arrived. This one meets it, so that later ones do not.
          await supplier.balance?.(LIMIT_MS);
        }
      },
      passDelay: () => clock.advance(MINUTE),
      orderFields: () => ({ cost: toMicros(1_800_000n) }),
      refillFields: () => ({ plan: ESIM_ACCESS_REFILL, cost: toMicros(3_000_000n) }),
      timesOrdered: async (reference) =>
        [...fake.orders, ...fake.refills]
          .filter(([id]) => id.startsWith(`${reference}-`))
          .reduce((sum, [, { times }]) => sum + times, 0),
      async use(iccid) {
        const profile = [...fake.orders.values()].find((one) => one.profile.iccid === iccid)?.profile;
        Object.assign(profile ?? {}, inUse(clock));
      },
      isSuspended: (iccid) =>
        [...fake.orders.values()].some(({ profile }) => profile.iccid === iccid && profile.esimStatus === 'SUSPENDED'),
      calls: () => fake.requests.length,
      [Symbol.asyncDispose]: () => rig[Symbol.asyncDispose](),
    };
  },
  {
    refills: ['deliver', 'refuse', 'timeout', 'duplicate', 'break', 'away'],
    withdrawals: ['deliver', 'timeout', 'break', 'away'],
    suspensions: ['deliver', 'timeout', 'break', 'away'],
    profiles: { fresh: 'released', used: 'enabled' },
    // The profile, and once it is in use its data.
    callsPerReading: { fresh: 1, used: 2 },
    idempotent: true,
  },
);

suite('esim access: signing', () => {
  test('the signature equals that of the example in the documents', () => {
    const sent = {
      timestamp: '1628670421',
      requestId: '4ce9d9cdac9e4e17b3a2c66c358c1ce2',
      body: '{"imsi":"326543826"}',
    };
    assert.equal(
      signedHeaders({ accessCode: '11111', secret: '1111' }, sent)['rt-signature'],
      '7eb765e27df5373dea2dbc8c41a7d9557743e46c8054750f3d851b3fd01d0835',
    );
  });

  test('a wrong secret: certainly not ordered, reported to the operator, and not logged', async () => {
    const secret = 'f00df00df00df00df00d';
    record('secrets', `${secret}\n`);
    await using t = await open({ secret });
    const answer = await t.supplier.order(orderForSupplier(t.clock), LIMIT_MS);
    assert.deepEqual(answer, { outcome: 'unavailable', reason: 'code 101003: the signature is refused' });
    assert.ok(t.logged.some((line) => line.includes('"error"') && line.includes('the signature is refused')));
    assert.ok(!t.logged.join('').includes(secret));
  });
});

suite('esim access: ordering', () => {
  test('one transaction id is one order, however often it is sent', async () => {
    await using t = await open();
    const order = orderForSupplier(t.clock);
    const [first, second] = [await t.supplier.order(order, LIMIT_MS), await t.supplier.order(order, LIMIT_MS)];
    assert.deepEqual(first, second);
    assert.deepEqual([t.fake.orders.size, [...t.fake.orders.values()][0]?.times], [1, 2]);
  });

  test('the expected cost is sent; at any other the order is rejected, and the operator is told', async () => {
    await using t = await open();
    const changed = orderForSupplier(t.clock, { cost: toMicros(1_700_000n) });
    assert.equal((await t.supplier.order(changed, LIMIT_MS)).outcome, 'refused');
    assert.ok(t.logged.some((line) => line.includes('the price has changed')));
    const payload = JSON.parse(t.fake.requests[0]?.body ?? '');
    assert.deepEqual(
      [payload.amount, payload.packageInfoList],
      [17_000, [{ packageCode: 'one-gb', count: 1, price: 17_000 }]],
    );
  });

  test('a plan by the day is ordered as its package with the number of days, at the total we expect', async () => {
    await using t = await open();
    const order = orderForSupplier(t.clock, { plan: 'DAILY@7d', amountMb: 7_168, cost: toMicros(12_600_000n) });
    const answer = await t.supplier.order(order, LIMIT_MS);
    assert.ok(answer.outcome === 'delivered');
    assert.equal(answer.charged, 12_600_000n);
    const payload = JSON.parse(t.fake.requests[0]?.body ?? '');
    assert.deepEqual(
      [payload.amount, payload.packageInfoList],
      [126_000, [{ packageCode: 'DAILY', count: 1, periodNum: 7 }]],
    );
    const { iccid } = answer.esim;
    const esim = { iccid, supplierOrder: answer.supplierOrder, day: 7, deliveredAt: new Date(), script: null };
    const usage = await t.supplier.usage(esim, LIMIT_MS);
    assert.equal(usage.outcome === 'reading' && usage.reading.totalMb, null, "the total is the plan's own");
    const dearer = { ...order, reference: 'wf-live-by-day', cost: toMicros(12_500_000n) };
    assert.equal((await t.supplier.order(dearer, LIMIT_MS)).outcome, 'refused');
  });

  test('a cost that is unknown, or finer than their unit, is not sent', async () => {
    await using t = await open();
    for (const cost of [0n, 1_800_001n])
      assert.equal(
        (await t.supplier.order(orderForSupplier(t.clock, { cost: toMicros(cost) }), LIMIT_MS)).outcome,
        'delivered',
      );
  });

  test('the profile is polled until it is there, while there is time', async () => {
    await using t = await open();
    t.fake.state.readyAfterMs = 200;
    assert.equal((await t.supplier.order(orderForSupplier(t.clock), LIMIT_MS)).outcome, 'delivered');
    assert.ok(t.fake.timesCalled(/query/) > 1);
  });

  test('a profile that is not there in time: pending under its number, within the limit', async () => {
    await using t = await open();
    t.fake.state.readyAfterMs = MINUTE;
    using run = runTime();
    const answer = await t.supplier.order(orderForSupplier(t.clock), SHORT_MS);
    assert.ok(run.ms < SHORT_MS + SECOND, `took ${run.ms} ms`);
    assert.deepEqual(answer, { outcome: 'pending', supplierOrder: [...t.fake.orders.values()][0]?.orderNo });
  });

  for (const mishap of ['rate_limit', 'server_error', 'hang', 'garbage'] as const)
    test(`accepted, then ${mishap} at every look: pending under its number`, async () => {
      await using t = await open();
      t.fake.meet(mishap, /query$/, ALWAYS);
      assert.equal((await t.supplier.order(orderForSupplier(t.clock), SHORT_MS)).outcome, 'pending');
    });

  const outcomes = {
    '000001': 'unknown',
    '000105': 'refused',
    '101002': 'unavailable',
    '200005': 'refused',
    '200006': 'refused',
    '200007': 'unavailable',
    '200008': 'refused',
    '200009': 'unknown',
    '200011': 'unavailable',
    '310201': 'refused',
    '310243': 'refused',
    '900001': 'unavailable',
    '999999': 'unknown',
  };
  for (const [code, outcome] of Object.entries(outcomes))
    test(`code ${code}, as text or as a number, is ${outcome}`, async () => {
      await using t = await open();
      for (const given of [code, Number(code)]) {
        t.fake.state.refuseWith = given;
        assert.equal((await t.supplier.order(orderForSupplier(t.clock), LIMIT_MS)).outcome, outcome);
      }
    });

  const mishaps = {
    rate_limit: 'unavailable',
    server_error: 'unknown',
    garbage: 'unknown',
    redirect: 'unknown',
  } as const;
  for (const [mishap, outcome] of Object.entries(mishaps))
    test(`${mishap} is ${outcome}`, async () => {
      await using t = await open();
      t.fake.meet(mishap as Mishap, /order$/);
      assert.equal((await t.supplier.order(orderForSupplier(t.clock), LIMIT_MS)).outcome, outcome);
      assert.equal(t.fake.timesCalled(/order$/), 1);
    });

  test('stays below their limit: a call that gets no turn in time is certainly not sent', async () => {
    await using t = await open({ perSecond: 2 });
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => t.supplier.order(orderForSupplier(t.clock), 300)),
    );
    const outcomes = answers.map(({ outcome }) => outcome).sort();
    assert.deepEqual(outcomes, ['pending', 'pending', 'unavailable', 'unavailable']);
    assert.equal(t.fake.requests.length, 2);
  });
});

suite('esim access: finding an order', () => {
  test('after a lost reply it is found by its profile’s transaction id, among all profiles of that period', async () => {
    await using t = await open();
    t.fake.meet('break', /order$/);
    const order = orderForSupplier(t.clock);
    assert.equal((await t.supplier.order(order, LIMIT_MS)).outcome, 'unknown');
    for (let n = 0; n < 3; n++) await t.supplier.order(orderForSupplier(t.clock), LIMIT_MS);
    const found = await t.supplier.find(order, LIMIT_MS);
    assert.equal(found.outcome === 'delivered' && found.supplierOrder, [...t.fake.orders.values()][0]?.orderNo);
  });

  test('after a lost reply without a profile, ordering again returns the same order', async () => {
    await using t = await open();
    t.fake.state.readyAfterMs = MINUTE;
    t.fake.meet('break', /order$/);
    const order = orderForSupplier(t.clock);
    await t.supplier.order(order, SHORT_MS);
    assert.deepEqual(await t.supplier.find(order, LIMIT_MS), { outcome: 'absent' });
    t.clock.advance(MINUTE);
    assert.equal((await t.supplier.order(order, LIMIT_MS)).outcome, 'delivered');
    assert.equal(t.fake.orders.size, 1);
  });

  test('a number it does not know yet counts as pending', async () => {
    await using t = await open();
    t.fake.state.knownAfterMs = MINUTE;
    const order = orderForSupplier(t.clock);
    const answer = await t.supplier.order(order, SHORT_MS);
    assert.ok(answer.outcome === 'pending');
    const known = { ...order, supplierOrder: answer.supplierOrder };
    assert.equal((await t.supplier.find(known, LIMIT_MS)).outcome, 'pending');
    t.clock.advance(MINUTE);
    assert.equal((await t.supplier.find(known, LIMIT_MS)).outcome, 'delivered');
  });

  test('a number that belongs to another order is not trusted', async () => {
    await using t = await open();
    const [one, other] = [orderForSupplier(t.clock), orderForSupplier(t.clock)];
    await t.supplier.order(one, LIMIT_MS);
    const theirs = await t.supplier.order(other, LIMIT_MS);
    assert.ok(theirs.outcome === 'delivered');
    const found = await t.supplier.find({ ...one, supplierOrder: theirs.supplierOrder }, LIMIT_MS);
    assert.ok(found.outcome === 'delivered');
    assert.notEqual(found.esim.iccid, theirs.esim.iccid);
  });

  for (const esimStatus of ['CANCEL', 'REVOKED'])
    test(`one that is ${esimStatus} is refused`, async () => {
      await using t = await open();
      const order = orderForSupplier(t.clock);
      await t.supplier.order(order, LIMIT_MS);
      for (const { profile } of t.fake.orders.values()) profile.esimStatus = esimStatus;
      assert.equal((await t.supplier.find(order, LIMIT_MS)).outcome, 'refused');
    });

  for (const mishap of ['rate_limit', 'server_error', 'garbage', 'hang'] as const)
    test(`${mishap} says nothing about the order`, async () => {
      await using t = await open();
      t.fake.meet(mishap, /query$/);
      assert.equal((await t.supplier.find(orderForSupplier(t.clock), SHORT_MS)).outcome, 'unavailable');
    });
});

async function sold() {
  const t = await open();
  const answer = await t.supplier.order(orderForSupplier(t.clock), LIMIT_MS);
  assert.ok(answer.outcome === 'delivered');
  const { iccid } = answer.esim;
  const esim = { iccid, supplierOrder: answer.supplierOrder, day: 7, deliveredAt: new Date(), script: null };
  const [made] = t.fake.orders.values();
  assert.ok(made);
  return {
    ...t,
    esim,
    profile: made.profile,
    set: (special: object) => Object.assign(made.profile, special),
    read: () => t.supplier.usage(esim, LIMIT_MS),
    withdraw: () => t.supplier.withdraw?.(esim, LIMIT_MS),
    refill: (special: object = {}) => {
      const cost = toMicros(3_000_000n);
      return orderForSupplier(t.clock, { plan: ESIM_ACCESS_REFILL, cost, refillOf: esim, ...special });
    },
  };
}

suite('esim access: refills', () => {
  test('name the profile by its own number and the cost we expect; the reference is the transaction', async () => {
    await using t = await sold();
    const refill = t.refill();
    const answer = await t.supplier.order(refill, LIMIT_MS);
    assert.ok(answer.outcome === 'refilled');
    assert.ok(answer.supplierOrder.startsWith(`${refill.reference}-`));
    assert.deepEqual(JSON.parse(t.fake.requests.at(-1)?.body ?? ''), {
      esimTranNo: t.profile.esimTranNo,
      packageCode: ESIM_ACCESS_REFILL,
      transactionId: answer.supplierOrder,
      amount: 30_000,
    });
    assert.ok(
      t.fake.requests.every(({ body }) => !body.includes('iccid')),
      'ICCIDs are reused',
    );
  });

  test('an answer about another transaction is not trusted, and the refill is found', async () => {
    await using t = await sold();
    t.fake.state.answersAs = 'wf-live-1-1';
    const refill = t.refill();
    assert.equal((await t.supplier.order(refill, LIMIT_MS)).outcome, 'unknown');
    assert.equal((await t.supplier.find(refill, LIMIT_MS)).outcome, 'refilled');
  });

  test('another refill of the eSIM with the same plan is not ours', async () => {
    await using t = await sold();
    await t.supplier.order(t.refill(), LIMIT_MS);
    assert.deepEqual(await t.supplier.find(t.refill(), LIMIT_MS), { outcome: 'absent' });
  });

  test('a lost one that the profile does not show yet is sent again under the same id, and there is only one', async () => {
    await using t = await sold();
    t.fake.meet('break', /topup$/);
    const refill = t.refill();
    assert.equal((await t.supplier.order(refill, LIMIT_MS)).outcome, 'unknown');
    const shown = t.profile.packageList.pop();
    assert.deepEqual(await t.supplier.find(refill, LIMIT_MS), { outcome: 'absent' });
    t.profile.packageList.push(shown ?? {});
    assert.equal((await t.supplier.order(refill, LIMIT_MS)).outcome, 'refilled');
    assert.deepEqual([t.fake.refills.size, t.profile.totalVolume], [1, 3 * 1_073_741_824]);
  });

  const outcomes = {
    '000001': 'unknown',
    '200002': 'refused',
    '200005': 'refused',
    '200006': 'refused',
    '200007': 'unavailable',
    '200011': 'unavailable',
    '310241': 'refused',
    '310242': 'refused',
    '310403': 'refused',
    '900001': 'unavailable',
    '999999': 'unknown',
  };
  for (const [code, outcome] of Object.entries(outcomes))
    test(`code ${code} is ${outcome}`, async () => {
      await using t = await sold();
      t.fake.state.refuseWith = code;
      assert.equal((await t.supplier.order(t.refill(), LIMIT_MS)).outcome, outcome);
    });

  test('at another cost than expected it is rejected, and the operator is told', async () => {
    await using t = await sold();
    assert.equal((await t.supplier.order(t.refill({ cost: toMicros(1_000_000n) }), LIMIT_MS)).outcome, 'refused');
    assert.ok(t.logged.some((line) => line.includes('"error"') && line.includes('the total has changed')));
    assert.equal(t.fake.refills.size, 0);
  });

  test('a plan for new eSIMs is not a refill, and an eSIM that is over or unknown cannot be refilled', async () => {
    await using t = await sold();
    const refused = async (special: object) =>
      assert.equal((await t.supplier.order(t.refill(special), LIMIT_MS)).outcome, 'refused');
    await refused({ plan: 'one-gb' });
    await refused({ refillOf: { iccid: '8985000000000000017', supplierOrder: 'B1' } });
    for (const esimStatus of ['USED_EXPIRED', 'CANCEL', 'REVOKED']) {
      t.set({ esimStatus });
      await refused({});
    }
    assert.equal(t.fake.refills.size, 0);
  });

  for (const mishap of ['rate_limit', 'server_error', 'garbage', 'hang'] as const)
    test(`${mishap} when the profile is looked up: certainly not ordered`, async () => {
      await using t = await sold();
      t.fake.meet(mishap, /query$/);
      assert.equal((await t.supplier.order(t.refill(), SHORT_MS)).outcome, 'unavailable');
      assert.equal(t.fake.timesCalled(/topup$/), 0);
    });

  const mishaps = { rate_limit: 'unavailable', server_error: 'unknown', garbage: 'unknown', redirect: 'unknown' };
  for (const [mishap, outcome] of Object.entries(mishaps))
    test(`${mishap} is ${outcome}, and it is not sent again`, async () => {
      await using t = await sold();
      t.fake.meet(mishap as Mishap, /topup$/);
      assert.equal((await t.supplier.order(t.refill(), LIMIT_MS)).outcome, outcome);
      assert.equal(t.fake.timesCalled(/topup$/), 1);
    });
});

suite('esim access: withdrawing', () => {
  test('only a profile that was allocated and never downloaded is cancelled', async () => {
    await using t = await sold();
    const touched = [
      { smdpStatus: 'DOWNLOAD' },
      { smdpStatus: 'INSTALLATION' },
      { smdpStatus: 'DELETED' },
      { esimStatus: 'IN_USE' },
      { esimStatus: 'UNUSED_EXPIRED' },
      { esimStatus: 'REVOKED' },
    ];
    for (const special of touched) {
      t.set({ smdpStatus: 'RELEASED', esimStatus: 'GOT_RESOURCE', ...special });
      assert.equal((await t.withdraw())?.outcome, 'refused', JSON.stringify(special));
    }
    assert.equal(t.fake.timesCalled(/cancel$/), 0);
    t.set({ smdpStatus: 'RELEASED', esimStatus: 'GOT_RESOURCE' });
    assert.deepEqual(await t.withdraw(), { outcome: 'withdrawn' });
    assert.deepEqual([t.profile.esimStatus, t.fake.timesCalled(/cancel$/)], ['CANCEL', 1]);
  });

  test('one that is installed while it is being cancelled is refused', async () => {
    await using t = await sold();
    t.fake.meet('break', /cancel$/);
    assert.equal((await t.withdraw())?.outcome, 'unavailable');
    t.set({ esimStatus: 'IN_USE', smdpStatus: 'ENABLED' });
    assert.equal((await t.withdraw())?.outcome, 'refused');
  });

  test('an answer is believed only when the profile shows it', async () => {
    await using t = await sold();
    t.fake.state.cancelsLate = true;
    assert.equal((await t.supplier.withdraw?.(t.esim, SHORT_MS))?.outcome, 'unavailable');
    t.set({ esimStatus: 'CANCEL' });
    assert.deepEqual(await t.withdraw(), { outcome: 'withdrawn' });
  });

  for (const mishap of ['rate_limit', 'server_error', 'garbage'] as const)
    for (const call of [/query$/, /cancel$/])
      test(`${mishap} at ${call.source} says nothing: unavailable`, async () => {
        await using t = await sold();
        t.fake.meet(mishap, call);
        assert.equal((await t.withdraw())?.outcome, 'unavailable');
      });

  test('the usage of a withdrawn eSIM is over', async () => {
    await using t = await sold();
    await t.withdraw();
    const answer = await t.read();
    assert.equal(answer.outcome === 'reading' && answer.reading.state, 'expired');
  });
});

suite('esim access: usage', () => {
  const active = {
    esimStatus: 'IN_USE',
    activateTime: '2026-01-01T10:30:45+0000',
    expiredTime: '2026-01-08T10:30:45Z',
    dataUsage: 512 * 1_048_576,
  };

  test('comes by profile, in MB, with both times, and never by ICCID, because ICCIDs are reused', async () => {
    await using t = await sold();
    t.set(active);
    assert.deepEqual(await t.read(), {
      outcome: 'reading',
      reading: {
        state: 'active',
        totalMb: 1024,
        usedMb: 512,
        activatedAt: new Date('2026-01-01T10:30:45Z'),
        expiresAt: new Date('2026-01-08T10:30:45Z'),
      },
      profile: { state: 'installed' },
    });
    assert.ok(t.fake.requests.every(({ body }) => !body.includes('iccid')));
  });

  test('may come as a bare list, and may be missing for hours', async () => {
    await using t = await sold();
    t.set(active);
    t.fake.state.bareUsage = true;
    const bare = await t.read();
    assert.equal(bare.outcome === 'reading' && bare.reading.usedMb, 512);
    t.set({ dataUsage: undefined, orderUsage: 1_048_576 });
    const late = await t.read();
    assert.equal(late.outcome === 'reading' && late.reading.usedMb, 1);
  });

  const states = {
    USED_UP: 'depleted',
    USED_EXPIRED: 'expired',
    UNUSED_EXPIRED: 'expired',
    REVOKED: 'expired',
    ASLEEP: 'active',
  };
  for (const [esimStatus, state] of Object.entries(states))
    test(`${esimStatus} is ${state}`, async () => {
      await using t = await sold();
      t.set({ ...active, esimStatus });
      const answer = await t.read();
      assert.equal(answer.outcome === 'reading' && answer.reading.state, state);
    });

  test('too many calls: unavailable', async () => {
    await using t = await sold();
    t.set(active);
    t.fake.meet('rate_limit', /usage/);
    assert.equal((await t.read()).outcome, 'unavailable');
  });

  test('an order that was never placed has none', async () => {
    await using t = await open();
    const esim = {
      iccid: '8985000000000000017',
      supplierOrder: 'B1',
      day: 7,
      deliveredAt: new Date(Date.now() - HOUR),
      script: null,
    };
    assert.deepEqual(await t.supplier.usage(esim, LIMIT_MS), { outcome: 'none' });
  });
});

suite('esim access: the eSIM on the phone', () => {
  const states = {
    RELEASED: 'released',
    DOWNLOAD: 'downloaded',
    INSTALLATION: 'installed',
    ENABLED: 'enabled',
    DISABLED: 'disabled',
    DELETED: 'deleted',
    CONFIRMED: 'unknown',
    toString: 'unknown',
  };
  const profileOf = async (t: Awaited<ReturnType<typeof sold>>) => {
    const answer = await t.read();
    assert.ok(answer.outcome === 'reading');
    return answer.profile;
  };

  for (const [smdpStatus, state] of Object.entries(states))
    test(`${smdpStatus} is ${state}`, async () => {
      await using t = await sold();
      t.set({ smdpStatus });
      assert.deepEqual(await profileOf(t), { state });
    });

  test('a profile whose data is used was installed, whatever its server has seen; one that was deleted stays so', async () => {
    await using t = await sold();
    for (const esimStatus of ['ONBOARD', 'IN_USE', 'USED_UP'])
      for (const [smdpStatus, state] of [
        ['RELEASED', 'installed'],
        [null, 'installed'],
        ['DELETED', 'deleted'],
      ]) {
        t.set({ esimStatus, smdpStatus });
        assert.deepEqual(await profileOf(t), { state }, `${esimStatus} ${smdpStatus}`);
      }
    t.set({ esimStatus: 'GOT_RESOURCE', smdpStatus: '' });
    assert.deepEqual(await profileOf(t), {});
  });
});

suite('esim access: suspending', () => {
  async function inService() {
    const t = await sold();
    t.set(inUse(t.clock));
    return {
      ...t,
      suspend: (limitMs = LIMIT_MS) => t.supplier.suspend?.(t.esim, limitMs),
      resume: (limitMs = LIMIT_MS) => t.supplier.resume?.(t.esim, limitMs),
    };
  }

  test('names the profile by its own number, because ICCIDs are reused', async () => {
    await using t = await inService();
    for (const [call, path] of [
      [t.suspend, 'suspend'],
      [t.resume, 'unsuspend'],
    ] as const) {
      assert.deepEqual(await call(), { outcome: 'done' });
      const sent = t.fake.requests.at(-1);
      assert.deepEqual(
        [sent?.path, sent?.body],
        [`/api/v1/open/esim/${path}`, JSON.stringify({ esimTranNo: t.profile.esimTranNo })],
      );
    }
  });

  test('one that has ended or was never installed is refused; one that has ended is not even asked for', async () => {
    await using t = await inService();
    for (const esimStatus of ['USED_EXPIRED', 'UNUSED_EXPIRED', 'CANCEL', 'REVOKED']) {
      t.set({ esimStatus });
      for (const call of [t.suspend, t.resume]) assert.equal((await call())?.outcome, 'refused', esimStatus);
    }
    assert.equal(t.fake.timesCalled(/suspend$/), 0);
    t.set({ esimStatus: 'GOT_RESOURCE' });
    assert.deepEqual(await t.suspend(), { outcome: 'refused', reason: 'code 200002' });
  });

  const codes = {
    '200002': 'refused',
    '310403': 'refused',
    '000001': 'unavailable',
    '101003': 'unavailable',
    '900001': 'unavailable',
  };
  for (const [code, outcome] of Object.entries(codes))
    test(`code ${code} is ${outcome}`, async () => {
      await using t = await inService();
      t.fake.state.refuseWith = code;
      assert.equal((await t.suspend())?.outcome, outcome);
    });

  for (const mishap of ['rate_limit', 'server_error', 'garbage', 'redirect'] as const)
    for (const call of [/query$/, /suspend$/])
      test(`${mishap} at ${call.source} says nothing: unavailable`, async () => {
        await using t = await inService();
        t.fake.meet(mishap, call);
        assert.equal((await t.suspend())?.outcome, 'unavailable');
        await t.suspend();
        t.fake.meet(mishap, call);
        assert.equal((await t.resume())?.outcome, 'unavailable');
      });
});
