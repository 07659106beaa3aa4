import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { inspect } from 'node:util';
import { uniqueReference } from '../../../../../src/domains/supply/adapters/connection.ts';
import { toMicros } from '../../../../../src/platform/amounts/cents.ts';
import { DAY, MINUTE, SECOND } from '../../../../../src/platform/clock.ts';
import { sql } from '../../../../../src/platform/db/query/sql.ts';
import { type SupplierRig, supplierSuite } from '../../../../suites/supplier.ts';
import { eventually } from '../../../../support/eventually.ts';
import { record } from '../../../../support/program/app.ts';
import { esimGoDatabase, goOrder, openRig } from '../../../../support/suppliers/esim-go-rig.ts';
import { ESIM_GO_ONE, ESIM_GO_TWO } from '../../../../support/suppliers/fake-esim-go-bundles.ts';
import type { Mishap } from '../../../../support/suppliers/fake-http.ts';

const LIMIT_MS = MINUTE;
const SHORT_MS = SECOND;
const ALWAYS = 1_000_000;
const ORDER = /orders transaction$/;
const REFILL_TWO = `refill:${ESIM_GO_TWO}`;

const database = esimGoDatabase();
const open = (special: Parameters<typeof openRig>[1] = {}) => openRig(database, special);

const mishaps: Partial<Record<string, Mishap>> = { timeout: 'hang', break: 'break', duplicate: 'duplicate' };

supplierSuite(
  'esim go',
  ['deliver', 'delay', 'refuse', 'timeout', 'duplicate', 'break', 'away'],
  async (): Promise<SupplierRig> => {
    const { fake, supplier, clock, db, ...rig } = await open();
    return {
      supplier,
      async behave(fault) {
        fake.behaveAgain();
        fake.state.readyAfterMs = fault === 'delay' ? MINUTE : 0;
        fake.state.refuseTrials = fault === 'refuse' ? { status: 400, body: { message: 'no' } } : undefined;
        const mishap = mishaps[fault];
        if (mishap) fake.meet(mishap, /(transaction|suspend)$/, fault === 'break' ? 1 : ALWAYS);
        if (fault === 'away') {
          await fake[Symbol.asyncDispose]();
          // A call that meets the end of a kept connection may have arrived. This one meets it, so that later ones do not.
          await supplier.balance?.(LIMIT_MS);
        }
      },
      passDelay: () => clock.advance(MINUTE),
      orderFields: () => ({ plan: ESIM_GO_ONE, cost: toMicros(2_280_000n) }),
      refillFields: () => ({ plan: REFILL_TWO, cost: toMicros(4_100_000n) }),
      // It is told no reference; the tests that ask have one order for the bundle.
      async timesOrdered(reference) {
        const sent = await db.maybe<{ bundle: string }>(
          sql`select bundle from esim_go_orders where reference like ${`${reference}-%`}`,
        );
        return sent ? [...fake.orders.values()].filter((one) => one.bundle === sent.bundle).length : 0;
      },
      async use(iccid) {
        const [first] = fake.esims.get(iccid)?.assignments ?? [];
        Object.assign(fake.esims.get(iccid) ?? {}, { profileStatus: 'Installed', firstInstalledDateTime: clock.now() });
        Object.assign(first ?? {}, inUse(clock.now()));
      },
      isSuspended: (iccid) => fake.esims.get(iccid)?.state === 'suspended',
      calls: () => fake.requests.length,
      [Symbol.asyncDispose]: () => rig[Symbol.asyncDispose](),
    };
  },
  {
    refills: ['deliver', 'delay', 'refuse', 'timeout', 'duplicate', 'break', 'away'],
    withdrawals: ['deliver', 'timeout', 'break', 'away'],
    suspensions: ['deliver', 'timeout', 'break', 'away'],
    profiles: { fresh: 'released', used: 'installed' },
    callsPerReading: { fresh: 1, used: 1 },
  },
);

const inUse = (now: number) => ({
  bundleState: 'Active',
  startTime: new Date(now).toISOString(),
  endTime: new Date(now + 7 * DAY).toISOString(),
  remainingQuantity: 750_000_000,
});

suite('esim go: ordering', () => {
  test('a trial comes first, then the order, once, and the eSIM is marked with our reference', async () => {
    await using t = await open();
    const order = goOrder(t.clock);
    const answer = await t.supplier.order(order, LIMIT_MS);
    assert.ok(answer.outcome === 'delivered', inspect(answer));
    assert.deepEqual([answer.charged, answer.esim.smdpAddress], [2_280_000n, 'rsp.example.com']);
    assert.deepEqual(
      t.fake.requests.map(({ method, path, body }) => [method, path, body && JSON.parse(body).type]),
      [
        ['POST', '/v2.5/orders', 'validate'],
        ['POST', '/v2.5/orders', 'transaction'],
        ['PUT', '/v2.5/esims', undefined],
      ],
    );
    assert.equal(t.fake.esims.get(answer.esim.iccid)?.customerRef, uniqueReference(order));
  });

  test('a mark that fails does not matter', async () => {
    await using t = await open();
    t.fake.meet('server_error', /PUT/);
    assert.equal((await t.supplier.order(goOrder(t.clock), LIMIT_MS)).outcome, 'delivered');
  });

  test('a cost that has risen is refused before anything is ordered, and the operator is told; a lower one is fine', async () => {
    await using t = await open();
    const rise = await t.supplier.order(goOrder(t.clock, { cost: toMicros(2_270_000n) }), LIMIT_MS);
    assert.deepEqual(rise, { outcome: 'refused', reason: 'the price has risen: import the list again' });
    assert.ok(t.logged.some((line) => line.includes('the price has risen')));
    assert.equal(t.fake.orders.size, 0);
    for (const cost of [3_000_000n, 0n])
      assert.equal((await t.supplier.order(goOrder(t.clock, { cost: toMicros(cost) }), LIMIT_MS)).outcome, 'delivered');
  });

  test('an account in another currency orders nothing', async () => {
    await using t = await open();
    t.fake.state.currency = 'GBP';
    assert.equal((await t.supplier.order(goOrder(t.clock), LIMIT_MS)).outcome, 'unavailable');
    assert.equal(t.fake.orders.size, 0);
  });

  test('nothing is ordered while our clock differs from theirs: a lost order could not be found by its time', async () => {
    await using t = await open();
    for (const clockAheadMs of [2 * MINUTE, -2 * MINUTE]) {
      t.fake.state.clockAheadMs = clockAheadMs;
      assert.equal((await t.supplier.order(goOrder(t.clock), LIMIT_MS)).outcome, 'unavailable');
    }
    assert.ok(t.logged.some((line) => line.includes('our clock differs')));
    assert.equal(t.fake.timesCalled(ORDER), 0);
  });

  test('activation data that the reply leaves out is asked for, as one object or a list', async () => {
    await using t = await open();
    t.fake.state.hidesEsims = true;
    for (const bareLists of [false, true]) {
      t.fake.state.bareLists = bareLists;
      const answer = await t.supplier.order(goOrder(t.clock), LIMIT_MS);
      assert.match(answer.outcome === 'delivered' ? answer.esim.activationCode : '', /^LPA:1\$rsp\.example\.com\$\w+$/);
    }
  });

  test('a wrong key: certainly not ordered, reported to the operator, and not logged', async () => {
    const key = 'f00df00df00df00df00d';
    record('secrets', `${key}\n`);
    await using t = await open({ key });
    const answer = await t.supplier.order(goOrder(t.clock), LIMIT_MS);
    assert.equal(answer.outcome, 'unavailable');
    assert.ok(t.logged.some((line) => line.includes('"error"') && line.includes('the key, our address or the eSIM')));
    assert.ok(!t.logged.join('').includes(key));
  });

  const refusals = [
    [400, 'incompatible eSIM', 'refused', 'refused'],
    [400, 'Insufficient balance to process order', 'unavailable', 'unavailable'],
    [401, 'unauthorized', 'unavailable', 'unavailable'],
    [403, 'access denied', 'unavailable', 'unavailable'],
    [429, 'Rate limit exceeded', 'unavailable', 'unavailable'],
    [500, 'server error', 'unavailable', 'unknown'],
    [502, 'bad gateway', 'unavailable', 'unknown'],
    [503, 'still processing', 'unavailable', 'unknown'],
    [504, 'gateway timeout', 'unavailable', 'unknown'],
  ] as const;
  for (const [status, message, ofTrial, ofOrder] of refusals)
    test(`HTTP ${status} "${message}" is ${ofTrial} in a trial and ${ofOrder} in an order, as JSON or text`, async () => {
      await using t = await open();
      for (const body of [{ message }, message]) {
        t.fake.state.refuseTrials = { status, body };
        assert.equal((await t.supplier.order(goOrder(t.clock), LIMIT_MS)).outcome, ofTrial);
        t.fake.state.refuseTrials = undefined;
        t.fake.state.refuseOrders = { status, body };
        assert.equal((await t.supplier.order(goOrder(t.clock), LIMIT_MS)).outcome, ofOrder);
        t.clock.advance(DAY);
      }
      assert.equal(t.fake.orders.size, 0);
    });

  test('a trial that says no without an error is refused, and one that is not answered orders nothing', async () => {
    await using t = await open();
    t.fake.state.invalid = true;
    assert.equal((await t.supplier.order(goOrder(t.clock), LIMIT_MS)).outcome, 'refused');
    t.fake.state.invalid = false;
    for (const mishap of ['hang', 'garbage', 'break', 'redirect', 'vanish'] as const) {
      t.fake.meet(mishap, /orders validate$/);
      assert.equal((await t.supplier.order(goOrder(t.clock), SHORT_MS)).outcome, 'unavailable', mishap);
    }
    assert.equal(t.fake.timesCalled(ORDER), 0);
  });

  for (const mishap of ['garbage', 'redirect', 'too_long', 'vanish', 'server_error'] as const)
    test(`${mishap} in an order is unknown, and it is not sent again, however often it is asked for`, async () => {
      await using t = await open();
      t.fake.meet(mishap, ORDER);
      const order = goOrder(t.clock);
      for (let asked = 0; asked < 3; asked++)
        assert.equal((await t.supplier.order(order, LIMIT_MS)).outcome, 'unknown');
      assert.equal(t.fake.timesCalled(ORDER), 1);
    });

  test('an order that eSIM Go has taken is not sent again: asked for once more it is that order', async () => {
    await using t = await open();
    const order = goOrder(t.clock);
    const [first, again] = [await t.supplier.order(order, LIMIT_MS), await t.supplier.order(order, LIMIT_MS)];
    assert.deepEqual(first, again);
    assert.equal(t.fake.orders.size, 1);
  });

  test('with too little time left it is not sent', async () => {
    await using t = await open({ leastMs: 2 * SECOND });
    const order = goOrder(t.clock);
    await t.db.run(sql`
      insert into esim_go_orders (reference, bundle, busy_until) values ('wf-other', 'x', ${new Date(t.clock.now() + 1_200)})`);
    assert.equal((await t.supplier.order(order, 1_500)).outcome, 'unavailable');
    assert.deepEqual(await t.supplier.find(order, LIMIT_MS), { outcome: 'absent' });
    assert.equal(t.fake.timesCalled(ORDER), 0);
  });

  test('one order is under way at a time, in all processes together; who gets no turn in time has ordered nothing', async () => {
    await using t = await open();
    const other = t.other();
    t.fake.meet('hang', ORDER);
    const lost = other.supplier('esim-go').order(goOrder(t.clock), LIMIT_MS);
    await eventually('it is under way', async () => t.fake.timesCalled(ORDER) === 1);
    const next = goOrder(t.clock, { plan: ESIM_GO_TWO, cost: toMicros(0n) });
    assert.equal((await t.supplier.order(next, SHORT_MS)).outcome, 'unavailable');
    assert.equal(t.fake.timesCalled(ORDER), 1);
    await other.close();
    assert.equal((await lost).outcome, 'unknown');
    assert.equal((await t.supplier.order(next, LIMIT_MS)).outcome, 'delivered');
  });

  test('between two orders there is the pause that eSIM Go asks for', async () => {
    await using t = await open({ pauseMs: 3 * SECOND });
    t.clock.freeze();
    assert.equal((await t.supplier.order(goOrder(t.clock), LIMIT_MS)).outcome, 'delivered');
    assert.equal((await t.supplier.order(goOrder(t.clock), SHORT_MS)).outcome, 'unavailable');
    t.clock.advance(3 * SECOND);
    assert.equal((await t.supplier.order(goOrder(t.clock), LIMIT_MS)).outcome, 'delivered');
  });

  test('without our own records nothing is ordered', async () => {
    await using t = await open();
    await t.db.run(sql`alter table esim_go_orders rename to esim_go_orders_away`);
    try {
      const order = goOrder(t.clock);
      assert.equal((await t.supplier.order(order, LIMIT_MS)).outcome, 'unknown');
      assert.equal((await t.supplier.find(order, LIMIT_MS)).outcome, 'unavailable');
      assert.equal(t.fake.timesCalled(ORDER), 0);
    } finally {
      await t.db.run(sql`alter table esim_go_orders_away rename to esim_go_orders`);
    }
  });
});

/** An order whose reply was lost; `took`: it took effect. */
async function lost(took: boolean) {
  const t = await open();
  const order = goOrder(t.clock);
  t.fake.meet(took ? 'break' : 'vanish', ORDER);
  assert.equal((await t.supplier.order(order, LIMIT_MS)).outcome, 'unknown');
  const [made] = t.fake.orders.values();
  return {
    ...t,
    order,
    made,
    find: () => t.supplier.find(order, LIMIT_MS),
    /** Another order for the bundle, placed by hand. */
    byHand: () => t.fake.take(t.fake.bundleNamed(ESIM_GO_ONE) as never),
  };
}

suite('esim go: finding an order', () => {
  test('a lost one is found by its bundle and time, among other bundles, other times and claimed ones; and marked', async () => {
    await using t = await open();
    await t.supplier.order(goOrder(t.clock), LIMIT_MS);
    t.clock.advance(20 * MINUTE);
    await t.supplier.order(goOrder(t.clock), LIMIT_MS);
    t.fake.take(t.fake.bundleNamed(ESIM_GO_TWO) as never);
    t.fake.meet('break', ORDER);
    const order = goOrder(t.clock);
    await t.supplier.order(order, LIMIT_MS);
    const made = [...t.fake.orders.values()].at(-1);
    t.clock.advance(30 * MINUTE);
    t.fake.take(t.fake.bundleNamed(ESIM_GO_ONE) as never);
    for (const bareLists of [true, false]) {
      t.fake.state.bareLists = bareLists;
      const found = await t.supplier.find(order, LIMIT_MS);
      assert.equal(found.outcome === 'delivered' && found.supplierOrder, made?.orderReference);
    }
    assert.equal(made?.esim.customerRef, uniqueReference(order));
  });

  test('it is found on any page, however short their pages are', async () => {
    await using t = await lost(true);
    t.fake.state.ordersPerPage = 2;
    for (let n = 0; n < 5; n++) t.fake.take(t.fake.bundleNamed(ESIM_GO_TWO) as never);
    assert.equal((await t.find()).outcome, 'delivered');
  });

  test('one that is not listed is absent after two looks, the last a quarter of an hour after it was sent', async () => {
    await using t = await lost(false);
    assert.equal((await t.find()).outcome, 'unknown');
    t.clock.advance(14 * MINUTE);
    assert.equal((await t.find()).outcome, 'unknown');
    t.clock.advance(MINUTE);
    assert.deepEqual(await t.find(), { outcome: 'absent' });
    assert.equal((await t.supplier.order(t.order, LIMIT_MS)).outcome, 'delivered');
    assert.equal(t.fake.orders.size, 1);
  });

  test('one look is not enough, however late it is', async () => {
    await using t = await lost(false);
    t.clock.advance(DAY);
    assert.equal((await t.find()).outcome, 'unknown');
    assert.deepEqual(await t.find(), { outcome: 'absent' });
  });

  test('one that is listed late is found then', async () => {
    await using t = await lost(true);
    t.fake.state.listedAfterMs = 10 * MINUTE;
    assert.equal((await t.find()).outcome, 'unknown');
    t.clock.advance(10 * MINUTE);
    assert.equal((await t.find()).outcome, 'delivered');
  });

  test('one that was lost twice and never listed waits for the operator', async () => {
    await using t = await lost(false);
    t.clock.advance(16 * MINUTE);
    await t.find();
    assert.deepEqual(await t.find(), { outcome: 'absent' });
    t.fake.meet('vanish', ORDER);
    await t.supplier.order(t.order, LIMIT_MS);
    t.clock.advance(16 * MINUTE);
    for (let look = 0; look < 4; look++) assert.equal((await t.find()).outcome, 'unknown');
    assert.ok(t.logged.some((line) => line.includes('was sent twice') && line.includes('waits for the operator')));
    assert.equal((await t.supplier.order(t.order, LIMIT_MS)).outcome, 'unknown');
    assert.equal(t.fake.timesCalled(ORDER), 2);
  });

  test('while it is uncertain no other order for its bundle is sent; later ones are not confused with it', async () => {
    await using t = await lost(false);
    const next = goOrder(t.clock);
    assert.equal((await t.supplier.order(next, LIMIT_MS)).outcome, 'unavailable');
    assert.equal(
      (await t.supplier.order(goOrder(t.clock, { plan: ESIM_GO_TWO, cost: toMicros(0n) }), LIMIT_MS)).outcome,
      'delivered',
    );
    t.clock.advance(18 * MINUTE);
    t.fake.meet('break', ORDER);
    assert.equal((await t.supplier.order(next, LIMIT_MS)).outcome, 'unknown');
    assert.equal((await t.find()).outcome, 'unknown');
    assert.deepEqual(await t.find(), { outcome: 'absent' }, 'the later one is not taken for it');
    assert.equal((await t.supplier.find(next, LIMIT_MS)).outcome, 'delivered');
  });

  test('several that could be ours wait for the operator, who marks one; then it is delivered', async () => {
    await using t = await lost(true);
    const second = t.byHand();
    const answer = await t.find();
    assert.match(answer.outcome === 'unknown' ? answer.reason : '', /may be 2 orders .* waits for the operator$/);
    assert.ok(t.logged.some((line) => line.includes('waits for the operator')));
    assert.deepEqual(await t.known(t.order.reference), [null]);
    second.esim.customerRef = uniqueReference(t.order);
    const found = await t.find();
    assert.equal(found.outcome === 'delivered' && found.supplierOrder, second.orderReference);
  });

  test('one that carries a mark of somebody else is not ours', async () => {
    await using t = await lost(true);
    t.byHand().esim.customerRef = `${uniqueReference(t.order)}0`;
    const found = await t.find();
    assert.equal(found.outcome === 'delivered' && found.supplierOrder, t.made?.orderReference);
  });

  test('one from an address that never was ours is not certain, and not certainly another', async () => {
    await using t = await open();
    await t.supplier.order(goOrder(t.clock, { plan: ESIM_GO_TWO, cost: toMicros(0n) }), LIMIT_MS);
    const order = goOrder(t.clock);
    t.fake.meet('vanish', ORDER);
    await t.supplier.order(order, LIMIT_MS);
    const foreign = t.fake.take(t.fake.bundleNamed(ESIM_GO_ONE) as never);
    foreign.sourceIP = '198.51.100.7';
    t.clock.advance(DAY);
    for (let look = 0; look < 3; look++) assert.equal((await t.supplier.find(order, LIMIT_MS)).outcome, 'unknown');
    foreign.esim.customerRef = 'theirs';
    await t.supplier.find(order, LIMIT_MS);
    assert.deepEqual(await t.supplier.find(order, LIMIT_MS), { outcome: 'absent' });
  });

  test('a refill of one of our eSIMs with the same bundle is not taken for it', async () => {
    await using t = await open();
    const sold = await t.supplier.order(goOrder(t.clock, { plan: ESIM_GO_TWO, cost: toMicros(0n) }), LIMIT_MS);
    assert.ok(sold.outcome === 'delivered');
    const order = goOrder(t.clock);
    t.fake.meet('vanish', ORDER);
    await t.supplier.order(order, LIMIT_MS);
    t.fake.take(t.fake.bundleNamed(ESIM_GO_ONE) as never, t.fake.esims.get(sold.esim.iccid));
    t.clock.advance(16 * MINUTE);
    await t.supplier.find(order, LIMIT_MS);
    assert.deepEqual(await t.supplier.find(order, LIMIT_MS), { outcome: 'absent' });
  });

  test('after our records were lost, the mark still finds it', async () => {
    await using t = await open();
    const order = goOrder(t.clock);
    const sold = await t.supplier.order(order, LIMIT_MS);
    await t.db.run(sql`delete from esim_go_orders`);
    const found = await t.supplier.find(order, LIMIT_MS);
    assert.deepEqual(found, sold);
  });

  for (const mishap of ['rate_limit', 'server_error', 'garbage', 'hang'] as const)
    for (const path of [/GET .*orders$/, /GET .*esims$/])
      test(`${mishap} at ${path.source} says nothing about the order`, async () => {
        await using t = await lost(false);
        t.clock.advance(DAY);
        t.fake.meet(mishap, path, 3);
        for (let look = 0; look < 3; look++)
          assert.equal((await t.supplier.find(t.order, SHORT_MS)).outcome, 'unavailable');
      });
});

async function sold() {
  const t = await open();
  const answer = await t.supplier.order(goOrder(t.clock), LIMIT_MS);
  assert.ok(answer.outcome === 'delivered');
  const { iccid } = answer.esim;
  const ref = { iccid, supplierOrder: answer.supplierOrder, day: 7, deliveredAt: new Date(), script: null };
  const esim = t.fake.esims.get(iccid);
  assert.ok(esim);
  return {
    ...t,
    ref,
    esim,
    refill: (special: object = {}) =>
      goOrder(t.clock, { plan: REFILL_TWO, cost: toMicros(4_100_000n), refillOf: ref, ...special }),
    withdraw: (limitMs = LIMIT_MS) => t.supplier.withdraw?.(ref, limitMs),
    async read() {
      const answer = await t.supplier.usage(ref, LIMIT_MS);
      assert.ok(answer.outcome === 'reading', inspect(answer));
      return answer.reading;
    },
  };
}

suite('esim go: refills', () => {
  test('name the eSIM, never allow another one, and leave its mark alone', async () => {
    await using t = await sold();
    const { customerRef } = t.esim;
    assert.equal((await t.supplier.order(t.refill(), LIMIT_MS)).outcome, 'refilled');
    const { order } = JSON.parse(t.fake.requests.at(-1)?.body ?? '');
    assert.deepEqual(order, [
      { type: 'bundle', quantity: 1, item: ESIM_GO_TWO, allowReassign: false, iccids: [t.ref.iccid] },
    ]);
    assert.equal(t.esim.customerRef, customerRef);
  });

  test('a bundle of another provider does not fit, and an unknown eSIM cannot be refilled', async () => {
    await using t = await sold();
    const other = t.refill({ plan: 'refill:esim_500MB_1D_GB_V2' });
    assert.equal((await t.supplier.order(other, LIMIT_MS)).outcome, 'refused');
    const unknown = t.refill({ refillOf: { iccid: '8943200000000000017', supplierOrder: null } });
    assert.equal((await t.supplier.order(unknown, LIMIT_MS)).outcome, 'unavailable');
    assert.equal(t.fake.timesCalled(ORDER), 1);
  });

  test('with the same bundle as before, a lost one is found exactly: the first and earlier refills are not it', async () => {
    await using t = await sold();
    const again = () => t.refill({ plan: `refill:${ESIM_GO_ONE}`, cost: toMicros(0n) });
    assert.equal((await t.supplier.order(again(), LIMIT_MS)).outcome, 'refilled');
    const never = again();
    t.fake.meet('vanish', ORDER);
    assert.equal((await t.supplier.order(never, LIMIT_MS)).outcome, 'unknown');
    assert.equal((await t.supplier.find(never, LIMIT_MS)).outcome, 'unknown');
    t.clock.advance(20 * MINUTE);
    assert.deepEqual(await t.supplier.find(never, LIMIT_MS), { outcome: 'absent' });
    t.fake.meet('break', ORDER);
    assert.equal((await t.supplier.order(never, LIMIT_MS)).outcome, 'unknown');
    assert.equal((await t.supplier.find(never, LIMIT_MS)).outcome, 'refilled');
    assert.equal(t.esim.assignments.length, 3);
  });
});

suite('esim go: withdrawing', () => {
  test('tries first, then revokes every bundle for a refund to the balance', async () => {
    await using t = await sold();
    await t.supplier.order(t.refill(), LIMIT_MS);
    assert.deepEqual(await t.withdraw(), { outcome: 'withdrawn' });
    const types = t.fake.requests.filter(({ method }) => method === 'DELETE').map(({ query }) => query.get('type'));
    assert.deepEqual(types, ['validate', 'validate', 'transaction', 'transaction']);
    assert.ok(t.esim.assignments.every(({ bundleState }) => bundleState === 'Revoked'));
    assert.equal((await t.read()).state, 'expired');
  });

  test('not one that was installed, or removed again, or used', async () => {
    await using t = await sold();
    const touched = [
      { profileStatus: 'Installed' },
      { profileStatus: 'Downloaded' },
      { profileStatus: 'Released', firstInstalledDateTime: 1_700_000_000_000 },
    ];
    for (const special of touched) {
      Object.assign(t.esim, { firstInstalledDateTime: null, ...special });
      assert.equal((await t.withdraw())?.outcome, 'refused', inspect(special));
    }
    Object.assign(t.esim, { profileStatus: 'Released', firstInstalledDateTime: null });
    Object.assign(t.esim.assignments[0] ?? {}, inUse(t.clock.now()));
    assert.equal((await t.withdraw())?.outcome, 'refused');
    assert.equal(t.fake.timesCalled(/DELETE/), 0);
  });

  test('an eSIM that left the account when it was revoked is withdrawn, also when the reply was lost', async () => {
    await using t = await sold();
    t.fake.state.dropsEmpty = true;
    t.fake.meet('break', /DELETE .* transaction$/);
    assert.equal((await t.withdraw())?.outcome, 'unavailable');
    for (let times = 0; times < 2; times++) assert.deepEqual(await t.withdraw(), { outcome: 'withdrawn' });
  });

  test('a revocation that pays nothing is reported', async () => {
    await using t = await sold();
    t.fake.state.refunds = false;
    assert.deepEqual(await t.withdraw(), { outcome: 'withdrawn' });
    assert.ok(t.logged.some((line) => line.includes('ask eSIM Go to enable refunds')));
  });

  for (const mishap of ['rate_limit', 'server_error', 'garbage'] as const)
    for (const call of [/GET .*bundles$/, /DELETE .*validate$/])
      test(`${mishap} at ${call.source} revokes nothing`, async () => {
        await using t = await sold();
        t.fake.meet(mishap, call);
        const answer = await t.withdraw();
        // A trial that says nothing we know has still refused nothing.
        if (!(mishap === 'garbage' && call.source.startsWith('DELETE'))) {
          assert.equal(answer?.outcome, 'unavailable');
          assert.equal(t.fake.timesCalled(/DELETE .*transaction$/), 0);
        }
      });
});

suite('esim go: usage and balance', () => {
  test('bundles add up, in MB of which 1,024 are a GB, until the last one ends', async () => {
    await using t = await sold();
    const [first] = t.esim.assignments;
    const startedAt = new Date('2026-01-01T10:00:00Z');
    Object.assign(first ?? {}, inUse(startedAt.getTime()));
    await t.supplier.order(t.refill(), LIMIT_MS);
    assert.deepEqual(await t.read(), {
      state: 'active',
      totalMb: 3072,
      usedMb: 256,
      activatedAt: startedAt,
      expiresAt: new Date(startedAt.getTime() + 17 * DAY),
    });
  });

  const states = {
    Active: 'active',
    DEPLETED: 'depleted',
    expired: 'expired',
    Lapsed: 'expired',
    Processing: 'active',
  };
  for (const [bundleState, state] of Object.entries(states))
    test(`${bundleState} is ${state}`, async () => {
      await using t = await sold();
      Object.assign(t.esim.assignments[0] ?? {}, { ...inUse(t.clock.now()), bundleState });
      assert.equal((await t.read()).state, state);
    });

  test('a plan without a limit has no total, and nothing is said to be used', async () => {
    await using t = await sold();
    Object.assign(t.esim.assignments[0] ?? {}, { ...inUse(t.clock.now()), unlimited: true });
    const { totalMb, usedMb } = await t.read();
    assert.deepEqual([totalMb, usedMb], [null, 0]);
  });

  test('a refusal about an eSIM of ours says nothing: the key may be refused', async () => {
    await using t = await sold();
    t.fake.state.keys.clear();
    assert.equal((await t.supplier.usage(t.ref, LIMIT_MS)).outcome, 'unavailable');
  });

  test('the balance comes bare or in a list, and only in dollars', async () => {
    await using t = await open();
    t.fake.state.balance = -12.5;
    for (const bareLists of [true, false]) {
      t.fake.state.bareLists = bareLists;
      assert.deepEqual(await t.supplier.balance?.(LIMIT_MS), { outcome: 'balance', balance: -12_500_000n });
    }
    t.fake.state.currency = 'EUR';
    assert.equal((await t.supplier.balance?.(LIMIT_MS))?.outcome, 'unavailable');
  });
});

suite('esim go: the eSIM on the phone', () => {
  const states = [
    [{ profileStatus: 'Released' }, 'released'],
    [{ profileStatus: 'released', firstInstalledDateTime: 1_700_000_000_000 }, 'deleted'],
    [{ profileStatus: 'Downloaded' }, 'downloaded'],
    [{ profileStatus: 'INSTALLED' }, 'installed'],
    [{ profileStatus: 'Unavailable' }, 'unknown'],
    [{ profileStatus: 'Deactivated' }, 'unknown'],
    [{ profileStatus: 'constructor' }, 'unknown'],
    [{ profileStatus: null }, undefined],
  ] as const;
  const profileOf = async (t: Awaited<ReturnType<typeof sold>>, special: object = {}) => {
    const answer = await t.supplier.usage({ ...t.ref, ...special }, LIMIT_MS);
    assert.ok(answer.outcome === 'reading', inspect(answer));
    return answer.profile;
  };

  for (const [special, state] of states)
    test(`${inspect(special)} is ${state ?? 'not told'}`, async () => {
      await using t = await sold();
      Object.assign(t.esim, special);
      assert.deepEqual(await profileOf(t), state && { state });
    });

  test('the details are read for the first reading and for another state; every other reading is one call', async () => {
    await using t = await sold();
    const calls = async (last?: object) => {
      const before = t.fake.requests.length;
      await profileOf(t, { last });
      return t.fake.requests.length - before;
    };
    const last = { ...(await t.read()), fetchedAt: new Date() };
    assert.deepEqual([await calls(), await calls(last)], [2, 1]);
    const ofEarlierEsim = { ...last, fetchedAt: new Date(t.ref.deliveredAt.getTime() - 1) };
    assert.equal(await calls(ofEarlierEsim), 2);
    Object.assign(t.esim.assignments[0] ?? {}, inUse(t.clock.now()));
    assert.deepEqual([await calls(last), await calls({ ...last, state: 'active' })], [2, 1]);
  });

  for (const mishap of ['rate_limit', 'server_error', 'garbage', 'hang', 'break'] as const)
    test(`${mishap} at the details leaves the reading whole`, async () => {
      await using t = await sold();
      t.fake.meet(mishap, /GET .*esims\/\d+$/);
      const answer = await t.supplier.usage(t.ref, SHORT_MS);
      assert.ok(answer.outcome === 'reading', inspect(answer));
      assert.deepEqual([answer.reading.state, 'profile' in answer], ['not_active', false]);
    });
});

suite('esim go: suspending', () => {
  async function switched() {
    const t = await sold();
    const call = (which: 'suspend' | 'resume') => async () => (await t.supplier[which]?.(t.ref, LIMIT_MS))?.outcome;
    return { ...t, suspend: call('suspend'), resume: call('resume') };
  }

  test('one that eSIM Go has suspended itself cannot be resumed, and one that is deactivated can be neither', async () => {
    await using t = await switched();
    t.esim.state = 'suspended';
    t.fake.lie({ state: () => 'suspended' });
    assert.equal(await t.suspend(), 'done');
    t.fake.behaveAgain();
    t.esim.state = 'deactivated';
    assert.deepEqual([await t.suspend(), await t.resume()], ['refused', 'refused']);
    t.fake.lie({ state: () => 'suspended' });
    assert.equal(await t.resume(), 'refused');
  });

  test('a refused key says nothing about an eSIM of ours', async () => {
    await using t = await switched();
    t.fake.state.keys.clear();
    assert.deepEqual([await t.suspend(), await t.resume()], ['unavailable', 'unavailable']);
  });

  for (const mishap of ['rate_limit', 'server_error', 'garbage', 'redirect'] as const)
    test(`${mishap} says nothing: unavailable, and asked again it is done`, async () => {
      await using t = await switched();
      for (const call of [t.suspend, t.resume]) {
        t.fake.meet(mishap, /suspend$/);
        assert.equal(await call(), 'unavailable');
        assert.equal(await call(), 'done');
      }
    });

  test('a refusal counts only after a look at the eSIM', async () => {
    await using t = await switched();
    t.esim.state = 'deactivated';
    t.fake.meet('server_error', /GET .*esims\/\d+$/);
    assert.equal(await t.suspend(), 'unavailable');
    assert.equal(await t.suspend(), 'refused');
  });
});
