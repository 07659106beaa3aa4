import assert from 'node:assert/strict';
import { after, before, beforeEach, suite, test } from 'node:test';
import { SILENT_ORDERS } from '../../../../src/domains/supply/health/breaker.ts';
import type { WithdrawAnswer } from '../../../../src/domains/supply/port/port.ts';
import { HOUR, MINUTE, SECOND } from '../../../../src/platform/clock.ts';
import { sql } from '../../../../src/platform/db/query/sql.ts';
import { testApp } from '../../../support/program/app.ts';
import { run } from '../../../support/program/operator.ts';
import { paidOrder, testPlan } from '../../../support/sales/paid-order.ts';
import { counts } from '../../../support/sales/shop.ts';
import { refundShop, type Shop, type Withdrawals, withdrawals } from '../../../support/suppliers/withdrawals.ts';

// Without the workers: the test plays the job, so that each try is its own.
const t = await testApp({ role: 'api' });
after(() => t[Symbol.asyncDispose]());
const { live } = t.base.worlds;
const job = () => live.refunds.withdrawDue();
const silent: WithdrawAnswer = { outcome: 'unavailable', reason: 'time-out' };
const no: WithdrawAnswer = { outcome: 'refused', reason: 'installed' };
const yes: WithdrawAnswer = { outcome: 'withdrawn' };
let shop: Shop;
let supplier: Withdrawals;
before(async () => {
  t.clock.freeze();
  shop = await refundShop(t);
});
beforeEach(async () => {
  supplier = await withdrawals(t, yes);
  // Nothing is left over from the test before, and no supplier is being left alone.
  t.clock.advance(2 * HOUR);
  while ((await job()) > 0);
  supplier.calls.length = 0;
});

const refund = async (id: string) => (await t.post('/order/refund', { order_id: id }, { key: shop.live })).body.refund;
const shown = async (id: string) => (await t.get(`/order/detail/${id}`, { key: shop.live })).body.refund;
const balance = () => live.books.balance(shop.partnerId);
const row = (id: string) =>
  live.db.one<{ status: string; attempts: number; dueInMs: number | null; withdrawn: boolean }>(sql`
    select refunds.status, attempts, extract(epoch from due_at - ${new Date(t.clock.now())})::float8 * 1000 as "dueInMs",
      withdrawn_at is not null as withdrawn
    from refunds join orders on orders.id = order_id where order_id = ${id}`);
const cli = (line: string) => run(t.operator(), line);

suite('what the supplier answers', () => {
  test('a supplier that takes nothing back leaves the request to the operator, and so does one that refuses', async () => {
    await withdrawals(t, 'none');
    const first = await shop.order(shop.live);
    assert.equal((await refund(first.id)).status, 'requested');
    supplier = await withdrawals(t, no);
    const second = await shop.order(shop.live);
    assert.equal((await refund(second.id)).status, 'requested');
    assert.deepEqual(supplier.calls, [second.iccid]);
    t.clock.advance(2 * HOUR);
    assert.equal(await job(), 0, 'nothing is asked again');
    assert.deepEqual(await row(second.id), { status: 'requested', attempts: 1, dueInMs: null, withdrawn: false });
  });

  test('a supplier that is not configured any more is one that takes nothing back', async () => {
    const { id } = await shop.order(shop.live);
    await t.base.db.run(sql`update live.orders set supplier = 'gone' where id = ${id}`);
    assert.equal((await refund(id)).status, 'requested');
  });

  test('an eSIM that was seen in use, or whose ICCID was sold again, is not even asked about', async () => {
    const used = await shop.order(shop.live);
    await live.db.run(sql`
      insert into usage_readings (iccid, state, used_mb, fetched_at) values (${used.iccid}, 'active', 5, now())`);
    assert.equal((await refund(used.id)).status, 'requested');
    const [sold, again] = [await shop.order(shop.live), await shop.order(shop.live)];
    await t.base.db.run(sql`update live.orders set iccid = ${sold.iccid} where id = ${again.id}`);
    assert.equal((await refund(sold.id)).status, 'requested');
    assert.deepEqual(supplier.calls, []);
    assert.equal((await refund(again.id)).status, 'refunded', 'the latest sale of an ICCID has it');
  });

  test('a supplier that does not answer is asked again, less and less often, until it does', async () => {
    const { id, iccid } = await shop.order(shop.live);
    const had = await balance();
    supplier.answer = silent;
    assert.equal((await refund(id)).status, 'requested');
    const waits: unknown[] = [];
    for (let tries = 1; tries <= 7; tries++) {
      const { status, attempts, dueInMs } = await row(id);
      assert.deepEqual([status, attempts], ['withdrawing', tries]);
      waits.push(dueInMs);
      assert.equal(await job(), 0, 'not before its time');
      t.clock.advance(dueInMs ?? 0);
      if (tries === 7) supplier.answer = yes;
      assert.equal(await job(), 1);
    }
    assert.deepEqual(waits, [10 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE, HOUR, HOUR, HOUR]);
    assert.equal(supplier.calls.length, 8);
    assert.deepEqual([...new Set(supplier.calls)], [iccid]);
    assert.equal((await shown(id)).status, 'refunded');
    assert.equal(await balance(), had + 1000n);
    assert.deepEqual(await row(id), { status: 'refunded', attempts: 8, dueInMs: null, withdrawn: true });
  });

  test('a refusal ends the asking, and the operator decides', async () => {
    const { id } = await shop.order(shop.live);
    supplier.answer = silent;
    await refund(id);
    supplier.answer = no;
    t.clock.advance(MINUTE);
    assert.equal(await job(), 1);
    assert.deepEqual((await row(id)).status, 'requested');
    assert.equal((await cli(`refund approve ${id}`)).refund.status, 'refunded');
    assert.equal((await row(id)).withdrawn, false, 'the supplier did not take it back');
  });

  test('a supplier that left several requests unanswered is not called for a while', async () => {
    supplier.answer = silent;
    for (let n = 0; n < SILENT_ORDERS; n++) await refund((await shop.order(shop.live)).id);
    assert.equal(supplier.calls.length, SILENT_ORDERS);
    const { id } = await shop.order(shop.live);
    assert.equal((await refund(id)).status, 'requested');
    assert.equal(supplier.calls.length, SILENT_ORDERS, 'not called');
    assert.equal((await row(id)).status, 'withdrawing');
    supplier.answer = yes;
    for (let rounds = 0; rounds < 5 && (await row(id)).status !== 'refunded'; rounds++) {
      t.clock.advance(20 * SECOND);
      await job();
    }
    assert.equal((await row(id)).status, 'refunded');
  });
});

suite('a process that dies', () => {
  test('with the supplier asked but its answer lost, leaves a request that the job finishes', async () => {
    const { id, iccid } = await shop.order(shop.live);
    const had = await balance();
    supplier.answer = async () => {
      throw new Error('the process died here');
    };
    assert.equal((await refund(id)).status, 'requested');
    const { status, dueInMs } = await row(id);
    assert.equal(status, 'withdrawing');
    supplier.answer = yes;
    assert.equal(await job(), 0, 'another process may still be at it');
    t.clock.advance(dueInMs ?? 0);
    assert.equal(await job(), 1);
    assert.deepEqual(supplier.calls, [iccid, iccid]);
    assert.equal(await balance(), had + 1000n);
  });

  test('two jobs at once ask for each eSIM once', async () => {
    supplier.answer = silent;
    const orders = await Promise.all(Array.from({ length: 4 }, () => shop.order(shop.live)));
    for (const { id } of orders) await refund(id);
    supplier.calls.length = 0;
    supplier.answer = yes;
    t.clock.advance(MINUTE);
    const claimed = await Promise.all([job(), job(), job()]);
    assert.equal(
      claimed.reduce((sum, one) => sum + one, 0),
      4,
    );
    assert.deepEqual(supplier.calls.toSorted(), orders.map(({ iccid }) => iccid).toSorted());
  });
});

suite('an operator who decides while the supplier is being asked', () => {
  /** A request whose supplier is thinking. `settle` lets it answer. */
  async function asked() {
    const { id } = await shop.order(shop.live);
    const had = await balance();
    const { promise, resolve } = Promise.withResolvers<WithdrawAnswer>();
    const { promise: reached, resolve: reach } = Promise.withResolvers<void>();
    supplier.answer = () => {
      reach();
      return promise;
    };
    const answered = refund(id);
    await reached;
    return {
      id,
      had,
      async settle(answer: WithdrawAnswer) {
        resolve(answer);
        return answered;
      },
    };
  }

  test('cannot reject it or give back a part: the eSIM may be gone already', async () => {
    const { id, had, settle } = await asked();
    const before = await counts(t);
    await assert.rejects(cli(`refund reject ${id}`), { code: 'withdrawal_in_progress' });
    await assert.rejects(cli(`refund approve ${id} --amount 1`), { code: 'withdrawal_in_progress' });
    await assert.rejects(cli(`order refund ${id} --amount 1`), { code: 'withdrawal_in_progress' });
    assert.deepEqual(await counts(t), before);
    assert.equal((await settle(yes)).status, 'refunded');
    assert.equal(await balance(), had + 1000n);
  });

  test('can give back everything; the late answer then only marks the eSIM', async () => {
    const { id, had, settle } = await asked();
    assert.equal((await cli(`refund approve ${id} --note sorry`)).refunded, '10.00');
    const told = await settle(yes);
    assert.deepEqual([told.status, told.amount, told.note], ['refunded', '10.00', 'sorry']);
    assert.equal(await balance(), had + 1000n);
    assert.deepEqual(await row(id), { status: 'refunded', attempts: 1, dueInMs: null, withdrawn: true });
  });

  test('and a late refusal or silence changes nothing either', async () => {
    for (const answer of [no, silent]) {
      const { id, had, settle } = await asked();
      await cli(`order refund ${id}`);
      assert.equal((await settle(answer)).status, 'refunded');
      assert.equal(await balance(), had + 1000n);
      assert.deepEqual(await row(id), { status: 'refunded', attempts: 1, dueInMs: null, withdrawn: false });
    }
  });
});

test('an open order can be given up and refunded in part at the same moment, without a deadlock', async () => {
  const partnerId = await t.partner();
  const plan = await testPlan(t);
  for (let round = 0; round < 10; round++) {
    const order = await paidOrder(t, { partnerId, plan });
    const [part, failed] = await Promise.all([
      cli(`order refund ${order.id} --amount 1`).catch(({ code }) => code),
      cli(`order fail ${order.id}`),
    ]);
    assert.equal(failed.delivery, 'failed');
    assert.ok(part === 'refund_too_large' || part.refunded === '1.00', String(part));
  }
});

test('the proof of the ledger passes afterwards', async () => {
  assert.equal((await cli('audit')).ok, true);
});
