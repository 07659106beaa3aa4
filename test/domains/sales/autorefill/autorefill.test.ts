import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { lockWallets } from '../../../../src/domains/money/ledger/ledger.ts';
import { proveBooks } from '../../../../src/domains/money/proof/prove.ts';
import { autorefillRows } from '../../../../src/domains/sales/autorefill-rows/autorefill-rows.ts';
import type { Supplier } from '../../../../src/domains/supply/port/port.ts';
import { SECOND } from '../../../../src/platform/clock.ts';
import { sql } from '../../../../src/platform/db/query/sql.ts';
import { eventually } from '../../../support/eventually.ts';
import { run } from '../../../support/program/operator.ts';
import type { StockedApp } from '../../../support/sales/catalog.ts';
import { setLimits } from '../../../support/sales/limits.ts';
import { type OwnedEsim, ownEsim, refill, refillShop, type Shopper, withdraw } from '../../../support/sales/refills.ts';
import { credit } from '../../../support/sales/shop.ts';
import { bodies, eventIds, subscribePaused } from '../../../support/servers/queued-events.ts';

let t: StockedApp;
before(async () => {
  t = await refillShop();
});
after(() => t[Symbol.asyncDispose]());

const live = () => t.base.worlds.live;
const STOPPED = 'esim.autorefill_stopped';

interface Buyer extends Shopper {
  readonly keyId: number;
}

async function buyer(usd = '100.00'): Promise<Buyer> {
  const partnerId = await t.partner();
  await credit(t, partnerId, usd);
  const { key, key_id: keyId } = await run(t.operator(), `key create --partner ${partnerId} --mode live`);
  await run(t.operator(), `key set ${keyId} --ceilings purchase=1000000,read=1000000,money=1000000`);
  return { partnerId, key, keyId };
}

/** `some` has 512 MB for 3.00, so 1024 MB become 1536, 2048, … */
async function setRule({ key }: { key: string }, { iccid }: OwnedEsim, more: Record<string, string> = {}) {
  const product_id = await t.alias('some');
  const fields = { iccid, product_id, at_percent: '80', times: '5', max_price: '4.50', ...more };
  const { status, body, text } = await t.post('/esim/autorefill', fields, { key });
  assert.equal(status, 200, text);
  return body.autorefill;
}
const end = ({ key }: Shopper, { iccid }: OwnedEsim) => t.post('/esim/autorefill', { iccid, off: '1' }, { key });

/** What the supplier reports of it from now on; the reading follows at once if the eSIM is watched. */
const use = ({ iccid }: OwnedEsim, usedMb: number, totalMb = 1024) =>
  run(t.operator(), `usage set ${iccid} --used ${usedMb} --total ${totalMb}`);

/** A reading by the partner, whether the eSIM is watched or not. */
const read = async ({ key }: Shopper, { iccid }: OwnedEsim) => {
  await live().db.run(sql`
    update usage_readings set fresh_until = '-infinity', asking_until = '-infinity' where iccid = ${iccid}`);
  return (await t.get(`/order/usage/${iccid}`, { key })).body.usage;
};

const ruleOf = async ({ key }: Shopper, { iccid }: OwnedEsim) =>
  (await t.get(`/esim/detail/${iccid}`, { key })).body.autorefill;

interface Refill {
  readonly key: string | null;
  readonly status: number;
}
const refills = ({ orderId }: OwnedEsim): Promise<Refill[]> =>
  live().db.query<Refill>(sql`
    select idempotency_key as key, status from orders where refill_of = ${orderId} order by id`);

/** Once no crossing of it is to be bought any more. */
const settled = ({ orderId }: OwnedEsim) =>
  eventually('the crossing is settled', async () => {
    const row = await live().db.maybe<{ isDue: boolean }>(sql`
      select due_at is not null as "isDue" from autorefills where order_id = ${orderId}`);
    return row !== undefined && !row.isDue;
  });
const due = ({ orderId }: OwnedEsim) =>
  live().db.run(sql`update autorefills set due_at = '-infinity' where order_id = ${orderId} and due_at is not null`);
const done = (esim: OwnedEsim, shopper: Shopper, count: number) =>
  eventually(`${count} refills`, async () => (await ruleOf(shopper, esim))?.done === count);
const stoppedBy = async (esim: OwnedEsim, shopper: Shopper, why: string) => {
  await eventually(`it stops: ${why}`, async () => (await ruleOf(shopper, esim)).stopped ?? undefined);
  assert.equal((await ruleOf(shopper, esim)).stopped, why);
};

suite('a crossing', () => {
  test('is seen by the watch alone, buys once, and the next one needs more usage of the larger total', async () => {
    const shopper = await buyer();
    const esim = await ownEsim(t, shopper, { reference: 'trip 9' });
    assert.equal((await setRule(shopper, esim)).done, 0);
    await use(esim, 700);
    await use(esim, 820);
    await done(esim, shopper, 1);
    assert.deepEqual(await refills(esim), [{ key: `autorefill:${esim.iccid}:1`, status: 1 }]);
    // 820 of 1536 MB are 53 percent.
    await use(esim, 830, 1536);
    await read(shopper, esim);
    assert.equal((await ruleOf(shopper, esim)).done, 1);
    await use(esim, 1300, 1536);
    await done(esim, shopper, 2);
    assert.deepEqual(
      (await refills(esim)).map(({ key }) => key),
      [`autorefill:${esim.iccid}:1`, `autorefill:${esim.iccid}:2`],
    );
    const { reference } = (await t.get('/order/get?limit=1', { key: shopper.key })).body.order[0];
    assert.equal(reference, 'trip 9');
    assert.deepEqual((await proveBooks(live().db, () => {})).drift, []);
  });

  test('is bought once though its supplier goes on reporting the old total, and again when usage was below the mark', async () => {
    const shopper = await buyer();
    const esim = await ownEsim(t, shopper);
    await setRule(shopper, esim);
    const supplier: { -readonly [K in 'usage']: Supplier[K] } = await live().suppliers.of('aurora');
    const { usage } = supplier;
    let usedMb = 900;
    supplier.usage = async (asked, limitMs) => {
      if (asked.iccid !== esim.iccid) return usage(asked, limitMs);
      return {
        outcome: 'reading',
        reading: { state: 'active', totalMb: 1024, usedMb, activatedAt: null, expiresAt: null },
      };
    };
    try {
      await read(shopper, esim);
      await done(esim, shopper, 1);
      for (usedMb of [901, 950, 1024]) {
        await read(shopper, esim);
        await t.work();
      }
      assert.equal((await refills(esim)).length, 1);
      usedMb = 100;
      await read(shopper, esim);
      usedMb = 900;
      await read(shopper, esim);
      await done(esim, shopper, 2);
    } finally {
      supplier.usage = usage;
    }
  });

  test('is bought again at once where a small refill leaves the usage past the mark of the larger total', async () => {
    const shopper = await buyer();
    const esim = await ownEsim(t, shopper);
    await use(esim, 1024);
    await setRule(shopper, esim, { at_percent: '60' });
    await use(esim, 1024, 1536);
    await done(esim, shopper, 2);
    await use(esim, 1024, 2048);
    await read(shopper, esim);
    await t.work();
    assert.equal((await ruleOf(shopper, esim)).done, 2);
  });

  test('read by two processes at once, again and again, is bought once', async () => {
    await using other = await t.another();
    const shopper = await buyer();
    const esim = await ownEsim(t, shopper);
    await setRule(shopper, esim);
    await use(esim, 1000);
    await eventually('it is seen', async () => (await refills(esim)).length > 0);
    for (let round = 0; round < 5; round++) {
      await Promise.all([due(esim), t.work(), other.work()]);
      await Promise.all([t, other, t, other].map((app) => app.get(`/order/usage/${esim.iccid}`, { key: shopper.key })));
    }
    await settled(esim);
    assert.deepEqual(await refills(esim), [{ key: `autorefill:${esim.iccid}:1`, status: 1 }]);
    assert.equal((await ruleOf(shopper, esim)).done, 1);
  });

  test('past the mark when the rule is set is bought before the answer, also while other processes claim all that is due', async () => {
    const shopper = await buyer('500.00');
    const leasedUntil = new Date(t.clock.now() + 60 * SECOND);
    let isOver = false;
    const others = [1, 2].map(async () => {
      while (!isOver) await autorefillRows.claim(live().db, { now: new Date(t.clock.now()), leasedUntil, limit: 16 });
    });
    try {
      for (let n = 0; n < 10; n++) {
        const esim = await ownEsim(t, shopper);
        await use(esim, 1000);
        assert.equal((await setRule(shopper, esim)).done, 1);
        assert.equal((await refills(esim)).length, 1);
      }
    } finally {
      isOver = true;
      await Promise.all(others);
    }
  });

  test('makes an unwatched eSIM be read: without any subscription it has a due time, and none once the rule has ended', async () => {
    const shopper = await buyer();
    const esim = await ownEsim(t, shopper);
    const dueAt = () =>
      live().db.one<{ at: Date | null }>(sql`select watch_due_at as at from orders where id = ${esim.orderId}`);
    assert.equal((await dueAt()).at, null);
    await setRule(shopper, esim);
    await eventually('it is watched', async () => (await dueAt()).at !== null);
    await end(shopper, esim);
    await live().db.run(sql`update orders set watch_due_at = now() where id = ${esim.orderId}`);
    await eventually('it is not watched any more', async () => (await dueAt()).at === null);
    await use(esim, 1000);
    await read(shopper, esim);
    await t.work();
    assert.equal((await refills(esim)).length, 0);
  });
});

suite('a rule stops', () => {
  const told = async ({ partnerId }: Shopper) =>
    (await bodies(t, partnerId, 'live')).map(({ event, stopped, autorefill }) => [event, stopped, autorefill.stopped]);

  /** Crosses the mark, and returns what was sent. Nothing but the eSIM's own order may be on record. */
  async function stops(shopper: Buyer, why: string, more: Record<string, string> = {}, prepare = async () => {}) {
    const esim = await ownEsim(t, shopper);
    await subscribePaused(t, shopper.partnerId, 'live', STOPPED);
    await setRule(shopper, esim, more);
    await prepare();
    await use(esim, 1000);
    await stoppedBy(esim, shopper, why);
    assert.deepEqual(await refills(esim), []);
    assert.deepEqual(await told(shopper), [[STOPPED, why, why]]);
    assert.deepEqual(await eventIds(t, shopper.partnerId, 'live'), [`${STOPPED}:${esim.iccid}:1`]);
    // It stays so, and says it once.
    await use(esim, 1010);
    await read(shopper, esim);
    await t.work();
    assert.deepEqual(await refills(esim), []);
    assert.equal((await told(shopper)).length, 1);
    return esim;
  }

  test('price: the refill costs more than agreed; one that costs as much is bought', async () => {
    const shopper = await buyer();
    const esim = await stops(shopper, 'price', { max_price: '2.99' });
    assert.deepEqual(
      [(await setRule(shopper, esim, { max_price: '3.00' })).done, (await refills(esim))[0]?.key],
      [1, `autorefill:${esim.iccid}:1`],
    );
  });

  test('money: neither failed order nor debit; with money again it buys the same crossing under the same number', async () => {
    const shopper = await buyer('12.00');
    const esim = await stops(shopper, 'money');
    assert.equal((await t.get('/account/balance', { key: shopper.key })).body.balance, 2);
    await credit(t, shopper.partnerId, '10.00');
    assert.equal((await setRule(shopper, esim)).done, 1);
    assert.deepEqual(await refills(esim), [{ key: `autorefill:${esim.iccid}:1`, status: 1 }]);
  });

  test('money: on credit terms, when the line is used up or the account is suspended', async () => {
    for (const command of ['--credit-limit 12', '--suspended true']) {
      const partnerId = await t.partner({ billing: 'postpaid' });
      await run(t.operator(), `partner set ${partnerId} --credit-limit 100`);
      const { key, key_id: keyId } = await run(t.operator(), `key create --partner ${partnerId} --mode live`);
      await stops({ partnerId, key, keyId }, 'money', {}, async () => {
        await run(t.operator(), `partner set ${partnerId} ${command}`);
      });
    }
  });

  test('money: the account was disabled', async () => {
    const shopper = await buyer();
    const esim = await ownEsim(t, shopper);
    await setRule(shopper, esim);
    await run(t.operator(), `partner set ${shopper.partnerId} --disabled true`);
    await use(esim, 1000);
    const stopped = await eventually('it stops', async () => {
      const row = await live().db.one<{ stopped: string | null }>(sql`
        select stopped from autorefills where order_id = ${esim.orderId}`);
      return row.stopped ?? undefined;
    });
    assert.equal(stopped, 'money');
    assert.deepEqual(await refills(esim), []);
  });

  test('limit: of the account', async () => {
    const shopper = await buyer();
    await stops(shopper, 'limit', {}, () => setLimits(shopper, 'partner', ['day=12.00'], t));
  });

  test('limit: of the key that set the rule, also once it was revoked; one of another key does not bind it', async () => {
    const shopper = await buyer();
    const reading = { ...shopper, key: await t.key(shopper.partnerId) };
    const [bound, free] = [await ownEsim(t, shopper), await ownEsim(t, shopper)];
    await setRule(shopper, bound);
    await setLimits(shopper, 'key', ['month=1x'], t);
    await run(t.operator(), `key revoke ${shopper.keyId}`);
    await use(bound, 1000);
    await stoppedBy(bound, reading, 'limit');
    assert.deepEqual(await refills(bound), []);
    await use(free, 1000);
    assert.equal((await setRule(reading, free)).done, 1);
  });

  test('product: it went off sale, or the eSIM was withdrawn', async () => {
    const shopper = await buyer();
    await stops(shopper, 'product', {}, async () => {
      await t.base.db.run(sql`update plans set on_sale = false where supplier_plan = 'some'`);
    });
    await t.base.db.run(sql`update plans set on_sale = true where supplier_plan = 'some'`);
    const gone = await ownEsim(t, shopper);
    await setRule(shopper, gone);
    await withdraw(t, 'live', gone);
    await live().db.run(sql`
      update autorefills set due_at = now(), crossed_mb = 1024 where order_id = ${gone.orderId}`);
    await stoppedBy(gone, shopper, 'product');
  });

  test('product: the supplier refuses the order, whose price returns; a new rule goes on with the next number', async () => {
    const shopper = await buyer();
    const esim = await ownEsim(t, shopper);
    const supplier: { -readonly [K in 'order']: Supplier[K] } = await live().suppliers.of('aurora');
    const { order } = supplier;
    supplier.order = async () => ({ outcome: 'refused', reason: 'not this one' });
    try {
      await use(esim, 1000);
      const rule = await setRule(shopper, esim);
      assert.deepEqual([rule.done, rule.stopped], [0, 'product']);
    } finally {
      supplier.order = order;
    }
    assert.deepEqual(await refills(esim), [{ key: `autorefill:${esim.iccid}:1`, status: 2 }]);
    assert.equal((await t.get('/account/balance', { key: shopper.key })).body.balance, 90);
    assert.equal((await setRule(shopper, esim)).done, 1);
    assert.deepEqual(await refills(esim), [
      { key: `autorefill:${esim.iccid}:1`, status: 2 },
      { key: `autorefill:${esim.iccid}:2`, status: 1 },
    ]);
  });

  test('done: all its refills were delivered, which the event says, too; the numbers count on', async () => {
    const shopper = await buyer();
    await subscribePaused(t, shopper.partnerId, 'live', STOPPED);
    const esim = await ownEsim(t, shopper);
    await use(esim, 1000);
    const rule = await setRule(shopper, esim, { times: '1' });
    assert.deepEqual([rule.done, rule.stopped], [1, 'done']);
    const [body] = await bodies(t, shopper.partnerId, 'live');
    assert.deepEqual(Object.keys(body), [
      'event',
      'event_id',
      'occurred_at',
      'iccid',
      'order_id',
      'reference',
      'stopped',
      'autorefill',
    ]);
    assert.deepEqual([body.stopped, body.autorefill], ['done', rule]);
    await use(esim, 1500, 1536);
    await read(shopper, esim);
    await t.work();
    assert.equal((await refills(esim)).length, 1);
    assert.equal((await setRule(shopper, esim, { times: '1' })).done, 1);
    assert.deepEqual(
      (await refills(esim)).map(({ key }) => key),
      [`autorefill:${esim.iccid}:1`, `autorefill:${esim.iccid}:2`],
    );
    assert.deepEqual(await eventIds(t, shopper.partnerId, 'live'), [
      `${STOPPED}:${esim.iccid}:1`,
      `${STOPPED}:${esim.iccid}:2`,
    ]);
  });
});

suite('a rule that is changed while its refill is under way', () => {
  /** The supplier does not deliver refills until told to. */
  async function slowly(work: () => Promise<void>): Promise<void> {
    const supplier: { -readonly [K in 'order' | 'find']: Supplier[K] } = await live().suppliers.of('aurora');
    const { order, find } = supplier;
    supplier.order = async () => ({ outcome: 'pending', supplierOrder: 'slow-1' });
    supplier.find = async () => ({ outcome: 'pending', supplierOrder: 'slow-1' });
    try {
      await work();
    } finally {
      Object.assign(supplier, { order, find });
    }
  }

  test('has paid for it once: another rule for the same data buys nothing more, and counts on', async () => {
    const shopper = await buyer();
    const esim = await ownEsim(t, shopper);
    await use(esim, 1000);
    await slowly(async () => {
      assert.equal((await setRule(shopper, esim)).done, 0);
      assert.deepEqual(await refills(esim), [{ key: `autorefill:${esim.iccid}:1`, status: 4 }]);
      const other = await setRule(shopper, esim, { product_id: await t.alias('more'), max_price: '20' });
      assert.equal(other.done, 0);
      await due(esim);
      await t.work();
    });
    assert.equal((await refills(esim)).length, 1);
    const { n } = await live().db.one<{ n: number }>(sql`select n from autorefills where order_id = ${esim.orderId}`);
    assert.equal(n, 2);
  });

  test('ended before it is charged, it buys nothing, though a process is about to', async () => {
    const shopper = await buyer();
    const esim = await ownEsim(t, shopper);
    await setRule(shopper, esim);
    const waiting = (count: number) =>
      eventually(`${count} wait for the wallet`, async () => {
        const rows = await t.base.db.query(sql`
          select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`);
        return rows.length >= count;
      });
    const ended = await live().db.tx(async (tx) => {
      await lockWallets(tx, [shopper.partnerId]);
      const ending = end(shopper, esim);
      await waiting(1);
      await live().db.run(sql`
        update autorefills set due_at = '-infinity', crossed_mb = 1024 where order_id = ${esim.orderId}`);
      void t.work();
      await waiting(2);
      return { ending };
    });
    assert.equal((await ended.ending).body.autorefill, null);
    await settled(esim);
    await t.work();
    assert.deepEqual(await refills(esim), []);
  });

  test('a key that its partner has used for another order is left alone: the next number is taken', async () => {
    const shopper = await buyer();
    const esim = await ownEsim(t, shopper);
    await refill(t, shopper, esim, 'more', { idempotency_key: `autorefill:${esim.iccid}:1` });
    await use(esim, 3000, 3072);
    await setRule(shopper, esim);
    await done(esim, shopper, 1);
    assert.deepEqual(
      (await refills(esim)).map(({ key }) => key),
      [`autorefill:${esim.iccid}:1`, `autorefill:${esim.iccid}:2`],
    );
  });
});
