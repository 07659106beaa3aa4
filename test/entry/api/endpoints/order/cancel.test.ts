import assert from 'node:assert/strict';
import { after, before, beforeEach, suite, test } from 'node:test';
import { proveBooks } from '../../../../../src/domains/money/proof/prove.ts';
import type { Absent, OrderAnswer, Supplier } from '../../../../../src/domains/supply/port/port.ts';
import { toCents } from '../../../../../src/platform/amounts/cents.ts';
import { MINUTE, timestamp } from '../../../../../src/platform/clock.ts';
import { sql } from '../../../../../src/platform/db/query/sql.ts';
import { plan } from '../../../../support/database/plan.ts';
import { testApp } from '../../../../support/program/app.ts';
import { run } from '../../../../support/program/operator.ts';
import { counts, pausedSubscription } from '../../../../support/sales/shop.ts';
import { refundShop, type Shop, type Withdrawals, withdrawals } from '../../../../support/suppliers/withdrawals.ts';

// Without jobs: every try after the purchase is the test's.
const t = await testApp({ role: 'api' });
after(() => t[Symbol.asyncDispose]());
const { live, sandbox } = t.base.worlds;
let shop: Shop;
let supplier: { -readonly [K in keyof Supplier]: Supplier[K] };
let own: Pick<Supplier, 'order' | 'find'>;
let taking: Withdrawals;
before(async () => {
  shop = await refundShop(t);
  taking = await withdrawals(t, { outcome: 'withdrawn' });
  supplier = await live.suppliers.of('aurora');
  own = { order: supplier.order, find: supplier.find };
});
beforeEach(() => {
  Object.assign(supplier, own);
  taking.answer = { outcome: 'withdrawn' };
});

const answers = (order: OrderAnswer, find: OrderAnswer | Absent = { outcome: 'absent' }) =>
  Object.assign(supplier, { order: async () => order, find: async () => find });
const away = { outcome: 'unavailable', reason: 'HTTP 503' } as const;
const pending = { outcome: 'pending', supplierOrder: 'theirs' } as const;

const cancel = (key: string, order_id: string) => t.post('/order/cancel', { order_id }, { key });
const detail = async (key: string, id: string) => (await t.get(`/order/detail/${id}`, { key })).body;
const balance = async (key: string): Promise<number> => (await t.get('/account/balance', { key })).body.balance;
const jobs = async () => {
  t.clock.advance(MINUTE);
  await live.provisioning.provisionDue();
  await live.refunds.handBackDue();
};
/** The subscription is paused, so its events stay where they can be read. */
const eventsOf = async (id: string) =>
  (
    await live.db.query<{ event: string }>(sql`
      select event_type as event from webhook_deliveries where order_id = ${id} order by id`)
  ).map(({ event }) => event);

for (const world of ['live', 'sandbox'] as const)
  suite(`order/cancel in ${world}`, () => {
    const deferred = async () => {
      answers(away);
      return (await shop.order(shop[world], world === 'sandbox' ? { sandbox_scenario: 'deferred' } : {})).id;
    };

    test('a deferred order that no supplier has fails and is refunded at once; cancelling again changes nothing', async () => {
      const key = shop[world];
      const had = await balance(key);
      const id = await deferred();
      assert.equal(await balance(key), had - 10);
      assert.equal((await detail(key, id)).cancel, null);
      t.clock.freeze();
      const now = timestamp(t.clock.now());
      const { status, body } = await cancel(key, id);
      assert.deepEqual([status, body.cancel], [200, { status: 'cancelled', requested_at: now, decided_at: now }]);
      assert.equal(await balance(key), had);
      const shown = await detail(key, id);
      assert.deepEqual([shown.order.status, shown.cancel, shown.refund], ['2', body.cancel, null]);
      const row = await t.base.worlds[world].db.one(sql`
        select status, delivery, delivery_reason as reason, provision_due_at as due from orders where id = ${id}`);
      assert.deepEqual(row, { status: 2, delivery: 'failed', reason: 'cancelled', due: null });
      const before = await counts(t, world);
      assert.deepEqual((await cancel(key, id)).body.cancel, body.cancel);
      assert.deepEqual(await counts(t, world), before);
    });

    test('an order that was delivered, or had failed, is too late, and stays as it is', async () => {
      const key = shop[world];
      const delivered = await shop.order(key);
      if (world === 'live') answers({ outcome: 'refused', reason: 'no' });
      const failed = await shop.order(key, world === 'sandbox' ? { sandbox_scenario: 'failed' } : {});
      for (const [id, order] of [
        [delivered.id, '1'],
        [failed.id, '2'],
      ] as const) {
        const before = await counts(t, world);
        const { status, body } = await cancel(key, id);
        assert.deepEqual(
          [status, body.cancel.status, body.cancel.decided_at],
          [200, 'too_late', body.cancel.requested_at],
        );
        assert.deepEqual(await counts(t, world), before);
        const shown = await detail(key, id);
        assert.deepEqual([shown.order.status, shown.cancel, shown.refund], [order, body.cancel, null]);
        assert.deepEqual((await cancel(key, id)).body.cancel, body.cancel);
      }
      // It can still be returned.
      assert.equal((await t.post('/order/refund', { order_id: delivered.id }, { key })).body.refund.status, 'refunded');
      assert.equal((await detail(key, delivered.id)).cancel.status, 'too_late');
    });

    test('unknown, malformed and foreign orders are answered alike, and nothing is written', async () => {
      const key = shop[world];
      const id = await deferred();
      const stranger = await t.key(await t.partner(), world);
      const before = await counts(t, world);
      assert.deepEqual((await t.post('/order/cancel', {}, { key })).body.error, 'order_id_required');
      const missing = await cancel(key, '999999999');
      assert.deepEqual([missing.status, missing.body.error], [404, 'order_not_found']);
      for (const malformed of ['x', '0', '-1', '1.0', `0${id}`, '9'.repeat(40)])
        assert.equal((await cancel(key, malformed)).text, missing.text, malformed);
      assert.equal((await cancel(stranger, id)).text, (await cancel(stranger, '999999999')).text);
      assert.equal((await t.get('/order/cancel', { key })).status, 405);
      assert.deepEqual(await counts(t, world), before);
      assert.equal((await detail(key, id)).cancel, null);
      await cancel(key, id);
    });

    test('many cancels at once give the money back once', async () => {
      const key = shop[world];
      const had = await balance(key);
      const id = await deferred();
      const asked = await Promise.all(Array.from({ length: 8 }, () => cancel(key, id)));
      assert.deepEqual([...new Set(asked.map(({ body }) => body.cancel.status))], ['cancelled']);
      assert.equal(await balance(key), had);
    });

    test('an operator cancels it with a command, and an order that is over is refused', async () => {
      const key = shop[world];
      const id = await deferred();
      const done = await run(t.operator(), `order cancel ${id} --mode ${world}`);
      assert.equal(done.cancel.status, 'cancelled');
      assert.equal((await run(t.operator(), `order cancel ${id} --mode ${world}`)).cancel.status, 'cancelled');
      assert.equal((await detail(key, id)).order.status, '2');
      Object.assign(supplier, own);
      const { id: delivered } = await shop.order(key);
      await assert.rejects(run(t.operator(), `order cancel ${delivered} --mode ${world}`), { code: 'order_not_open' });
      assert.equal((await detail(key, delivered)).cancel, null);
      await assert.rejects(run(t.operator(), `order cancel 999999 --mode ${world}`), { code: 'order_not_found' });
    });
  });

test('an operator’s cancel happens at the time of the account, whatever other accounts’ clocks say', async () => {
  const others = await Promise.all([t.partner(), t.partner()]);
  for (const other of others)
    await t.post('/sandbox/clock', { advance: '3600' }, { key: await t.key(other, 'sandbox') });
  await t.post('/sandbox/clock', { advance: '86400' }, { key: shop.sandbox });
  const { id } = await shop.order(shop.sandbox, { sandbox_scenario: 'deferred' });
  const { cancel } = await run(t.operator(), `order cancel ${id} --mode sandbox`);
  const aheadMs = cancel.requested_at.getTime() - Date.now();
  assert.ok(Math.abs(aheadMs - 86_400_000) < 600_000, `${aheadMs} ms ahead`);
  await t.post('/sandbox/clock', { reset: '1' }, { key: shop.sandbox });
});

suite('an order that a supplier may have', () => {
  before(() =>
    pausedSubscription(t, shop.partnerId, 'order.delivered,order.deferred,order.failed,order.refunded', 'live'),
  );
  const key = () => shop.live;

  test('is requested, delivered, and handed back: the price returns and the cancel is done', async () => {
    const had = await balance(key());
    answers(pending, pending);
    const { id } = await shop.order(key());
    const { body } = await cancel(key(), id);
    assert.deepEqual([body.cancel.status, body.cancel.decided_at], ['requested', null]);
    await jobs();
    assert.equal((await detail(key(), id)).cancel.status, 'requested', 'it is with the supplier still');
    const reference = `wf-live-${id}`;
    supplier.find = async (order, limitMs) => {
      // Simulated: it was there all the time.
      const made = await own.order(order, limitMs);
      assert.equal(order.reference, reference);
      return made;
    };
    await live.db.run(sql`update orders set provision_due_at = now() where id = ${id}`);
    await jobs();
    const shown = await detail(key(), id);
    assert.deepEqual(
      [shown.order.status, shown.cancel.status, shown.refund.status, shown.refund.amount],
      ['1', 'cancelled', 'refunded', '10.00'],
    );
    assert.deepEqual(taking.calls.at(-1), shown.esim.iccid);
    assert.equal(await balance(key()), had);
    assert.deepEqual(await eventsOf(id), ['order.deferred', 'order.delivered', 'order.refunded']);
    assert.equal((await cancel(key(), id)).body.cancel.status, 'cancelled');
  });

  test('is the partner’s own if its supplier does not take it back: too late, and a refund can be asked for', async () => {
    answers({ outcome: 'unknown', reason: 'time-out' }, away);
    const { id } = await shop.order(key());
    assert.equal((await cancel(key(), id)).body.cancel.status, 'requested');
    supplier.find = own.order;
    taking.answer = { outcome: 'refused', reason: 'installed' };
    await jobs();
    const shown = await detail(key(), id);
    assert.deepEqual([shown.order.status, shown.cancel.status, shown.refund], ['1', 'too_late', null]);
    assert.match(shown.esim.qrcode, /^LPA:1/);
    assert.deepEqual(await eventsOf(id), ['order.deferred', 'order.delivered']);
    const { body } = await t.post('/order/refund', { order_id: id }, { key: key() });
    assert.equal(body.refund.status, 'requested');
  });

  test('fails and is refunded once its supplier turns out not to have it, and is not ordered again', async () => {
    const had = await balance(key());
    answers({ outcome: 'unknown', reason: 'time-out' }, away);
    const { id } = await shop.order(key());
    assert.equal((await cancel(key(), id)).body.cancel.status, 'requested');
    supplier.order = async () => assert.fail('it is not ordered any more');
    await jobs();
    assert.equal((await detail(key(), id)).cancel.status, 'requested', 'still unknown');
    supplier.find = async () => ({ outcome: 'absent' });
    t.clock.advance(10 * MINUTE);
    await jobs();
    const shown = await detail(key(), id);
    assert.deepEqual([shown.order.status, shown.cancel.status, shown.refund], ['2', 'cancelled', null]);
    assert.equal(await balance(key()), had);
    assert.deepEqual(await eventsOf(id), ['order.deferred', 'order.failed']);
  });

  test('is not given up while its supplier may list it later', async () => {
    answers({ outcome: 'unknown', reason: 'time-out' }, { outcome: 'absent' });
    Object.assign(supplier, { listsLateMs: 15 * MINUTE });
    try {
      const { id } = await shop.order(key());
      assert.equal((await cancel(key(), id)).body.cancel.status, 'requested');
      await jobs();
      assert.equal((await detail(key(), id)).cancel.status, 'requested');
      t.clock.advance(15 * MINUTE);
      await jobs();
      assert.equal((await detail(key(), id)).cancel.status, 'cancelled');
    } finally {
      delete (supplier as { listsLateMs?: number }).listsLateMs;
    }
  });

  test('cannot be refilled while it is handed back, and can be once it stays', async () => {
    answers(pending);
    const { id } = await shop.order(key());
    await cancel(key(), id);
    supplier.find = own.order;
    taking.answer = { outcome: 'unavailable', reason: 'silent' };
    await jobs();
    const { esim, cancel: open } = await detail(key(), id);
    assert.equal(open.status, 'requested');
    const refill = () =>
      live.checkout.buy({
        partnerId: shop.partnerId,
        plan: plan(),
        price: toCents(500n),
        key: undefined,
        reference: '',
        refillOf: { orderId: BigInt(id), iccid: esim.iccid, supplierOrder: null },
        at: new Date(t.clock.now()),
      });
    assert.deepEqual(await refill(), { outcome: 'withdrawn' });
    taking.answer = { outcome: 'refused', reason: 'installed' };
    t.clock.advance(10 * MINUTE);
    await jobs();
    assert.equal((await detail(key(), id)).cancel.status, 'too_late');
    Object.assign(supplier, own);
    assert.equal((await refill()).outcome, 'bought');
  });

  test('gets the rest back if a part was refunded by hand while it was handed back', async () => {
    const had = await balance(key());
    answers(pending);
    const { id } = await shop.order(key());
    await cancel(key(), id);
    supplier.find = own.order;
    taking.answer = { outcome: 'unavailable', reason: 'silent' };
    await jobs();
    await run(t.operator(), `order refund ${id} --amount 4`);
    taking.answer = { outcome: 'withdrawn' };
    t.clock.advance(10 * MINUTE);
    await jobs();
    const shown = await detail(key(), id);
    assert.deepEqual([shown.cancel.status, shown.refund.amount], ['cancelled', '10.00']);
    assert.equal(await balance(key()), had);
  });

  test('is handed back once, though a refund is asked for at the same time', async () => {
    const had = await balance(key());
    answers(pending);
    const { id } = await shop.order(key());
    await cancel(key(), id);
    supplier.find = own.order;
    taking.answer = { outcome: 'unavailable', reason: 'silent' };
    await jobs();
    assert.equal((await t.post('/order/refund', { order_id: id }, { key: key() })).body.refund.status, 'requested');
    taking.answer = { outcome: 'withdrawn' };
    t.clock.advance(10 * MINUTE);
    await live.refunds.withdrawDue();
    await jobs();
    const shown = await detail(key(), id);
    assert.deepEqual([shown.cancel.status, shown.refund.status], ['cancelled', 'refunded']);
    assert.equal(await balance(key()), had);
  });

  test('is refunded once if an operator fails it meanwhile, and its cancel is done', async () => {
    const had = await balance(key());
    answers(pending, pending);
    const { id } = await shop.order(key());
    await cancel(key(), id);
    await run(t.operator(), `order fail ${id}`);
    assert.equal((await detail(key(), id)).cancel.status, 'cancelled');
    assert.equal(await balance(key()), had);
  });
});

test('on credit terms the debt goes down, and the books of both worlds prove', async () => {
  const postpaid = await t.partner({ billing: 'postpaid' });
  await run(t.operator(), `partner set ${postpaid} --credit-limit 100`);
  const key = await t.key(postpaid);
  answers(away);
  const { id } = await shop.order(key);
  assert.equal(Number((await t.get('/account/statement', { key })).body.outstanding), 10);
  assert.equal((await cancel(key, id)).body.cancel.status, 'cancelled');
  assert.equal(Number((await t.get('/account/statement', { key })).body.outstanding), 0);
  for (const { db } of [live, sandbox]) assert.deepEqual((await proveBooks(db, () => {})).drift, []);
});
