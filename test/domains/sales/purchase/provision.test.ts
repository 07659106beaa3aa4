import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { lockWallets, post } from '../../../../src/domains/money/ledger/transfers.ts';
import { createProvisioning } from '../../../../src/domains/sales/purchase/provision.ts';
import { paidSupply } from '../../../../src/domains/sales/purchase/supplier-calls.ts';
import { SILENT_ORDERS } from '../../../../src/domains/supply/health/breaker.ts';
import type { Absent, Esim, OrderAnswer, SupplierOrder } from '../../../../src/domains/supply/port/port.ts';
import { toCents } from '../../../../src/platform/amounts/cents.ts';
import { DAY, MINUTE, SECOND } from '../../../../src/platform/clock.ts';
import { sql } from '../../../../src/platform/db/query/sql.ts';
import { eventually, runTime } from '../../../support/eventually.ts';
import { type TestApp, testApp } from '../../../support/program/app.ts';
import { run } from '../../../support/program/operator.ts';
import { PRICE, PROMO, paidOrder, testPlan } from '../../../support/sales/paid-order.ts';

const BUDGET_MS = 2_000;
const quick = { config: { provisioning: { budgetMs: BUDGET_MS, overdueMs: DAY } } };

/** For all that neither turn the clock back nor count what others did; the rest have their own. */
const t = await testApp(quick);
after(() => t[Symbol.asyncDispose]());

interface Row {
  status: number;
  delivery: string;
  reason: string;
  due: Date | null;
  esim: Buffer | null;
  iccid: string | null;
  supplierOrder: string | null;
  attempts: number;
}

const orderRow = (t: TestApp, id: bigint) =>
  t.base.worlds.live.db.one<Row>(sql`
    select status, delivery, delivery_reason as reason, provision_due_at as due, esim, iccid,
      supplier_order as "supplierOrder", provision_attempts as attempts from orders where id = ${id}`);

const money = (t: TestApp, partnerId: number) =>
  t.base.worlds.live.db.one<{ cash: bigint; promo: bigint; outstanding: bigint }>(sql`
    select cash, promo, outstanding from wallets where partner_id = ${partnerId}`);

const timesOrdered = async (t: TestApp, id: bigint) =>
  (
    await t.base.db.maybe<{ calls: number }>(sql`
    select calls from simulated.orders where reference = ${`wf-live-${id}`}`)
  )?.calls ?? 0;

/** Every event of the order, in the order it was written, as its body says it. */
async function events(t: TestApp, id: bigint): Promise<Record<string, unknown>[]> {
  const rows = await t.base.worlds.live.db.query<{ body: Buffer }>(sql`
    select body from webhook_deliveries where order_id = ${id} order by id`);
  return rows.map(({ body }) => JSON.parse(t.base.vault.open(body)));
}

async function shop(t: TestApp, behaviour = 'deliver', partner: Parameters<TestApp['partner']>[0] = {}) {
  const plan = await testPlan(t);
  const partnerId = await t.partner(partner);
  // Paused: its events are written and stay where the test can read them.
  await t.base.worlds.live.db.run(sql`
    insert into webhook_subscriptions
      (partner_id, url, events, status, held_since, secret, secret_last4, created_at, updated_at)
    values (${partnerId}, 'https://example.com/hook',
      '{order.created,order.paid,order.delivered,order.deferred,order.failed}', 2, now(), ${t.base.vault.seal('whsec_')},
      '0000', now(), now())`);
  const behave = (next: string) => run(t.operator(), `supplier simulate ${plan.alias} --behaviour ${next}`);
  if (behaviour !== 'deliver') await behave(behaviour);
  return { plan, partnerId, behave, buy: () => paidOrder(t, { partnerId, plan }) };
}

/** The job runs in the app under test too; whichever takes the row, it must reach this state. */
async function until(t: TestApp, id: bigint, status: number): Promise<Row> {
  return eventually(`order ${id} reaches status ${status}`, async () => {
    await t.base.worlds.live.provisioning.provisionDue();
    const row = await orderRow(t, id);
    return row.status === status && row;
  });
}

test('delivered: activation data sealed, ICCID and supplier order kept, nothing left to do, one event', async () => {
  const { buy } = await shop(t);
  const order = await buy();
  const standing = await t.base.worlds.live.provisioning.provision(order);
  assert.deepEqual([standing.state, standing.reason, standing.moved], ['delivered', '', true]);
  const row = await orderRow(t, order.id);
  assert.deepEqual([row.status, row.delivery, row.due], [1, 'delivered', null]);
  const esim = (await t.base.worlds.live.orders.find(order.partnerId, order.id))?.esim as Esim;
  assert.equal(esim.iccid, row.iccid);
  assert.ok(!row.esim?.includes(esim.matchingId as string), 'not readable in the database');
  const [event, ...more] = await events(t, order.id);
  assert.deepEqual(more, []);
  assert.deepEqual(
    [event?.event, event?.status, event?.iccid, event?.qr_code],
    ['order.delivered', '1', esim.iccid, esim.activationCode],
  );
});

test('with no subscription at the charge, a subscription made before the delivery receives its event, and without one nothing is written', async () => {
  await using t = await testApp(quick);
  const { buy } = await shop(t);
  const subscribed = await buy();
  const standing = await t.base.worlds.live.provisioning.provision({ ...subscribed, hasNoSubscriber: true });
  assert.deepEqual([standing.state, standing.moved], ['delivered', true]);
  assert.deepEqual(
    (await events(t, subscribed.id)).map(({ event }) => event),
    ['order.delivered'],
  );
  await t.base.worlds.live.db.run(sql`update webhook_subscriptions set deleted_at = now()`);
  const unsubscribed = await buy();
  const { state } = await t.base.worlds.live.provisioning.provision({ ...unsubscribed, hasNoSubscriber: true });
  assert.deepEqual([state, await events(t, unsubscribed.id)], ['delivered', []]);
});

test('not ready: deferred with one event, asked again with growing waits, delivered once by the job', async () => {
  await using t = await testApp(quick);
  const { buy } = await shop(t, 'delay');
  t.clock.freeze();
  const order = await buy();
  const standing = await t.base.worlds.live.provisioning.provision(order);
  assert.deepEqual([standing.state, standing.reason], ['deferred', 'awaiting_profile']);
  const first = await orderRow(t, order.id);
  assert.equal(first.due?.getTime(), t.clock.now() + 5 * SECOND);

  t.clock.advance(5 * SECOND);
  for (let row = first; row.attempts === 0; row = await orderRow(t, order.id))
    await t.base.worlds.live.provisioning.provisionDue();
  await eventually('it waits ten seconds now', async () => {
    return (await orderRow(t, order.id)).due?.getTime() === t.clock.now() + 10 * SECOND;
  });

  t.clock.advance(MINUTE);
  await until(t, order.id, 1);
  assert.equal(await timesOrdered(t, order.id), 1);
  assert.deepEqual(
    (await events(t, order.id)).map(({ event, status, delivery_reason }) => [event, status, delivery_reason]),
    [
      ['order.deferred', '4', 'awaiting_profile'],
      ['order.delivered', '1', ''],
    ],
  );
});

test('refused: failed, and the price back in the pockets it came from, in one transaction', async () => {
  const { buy, partnerId } = await shop(t, 'refuse');
  const order = await buy();
  const standing = await t.base.worlds.live.provisioning.provision(order);
  assert.deepEqual([standing.state, standing.reason], ['failed', 'provider_rejected']);
  assert.deepEqual(await money(t, partnerId), { cash: PRICE - PROMO, promo: PROMO, outstanding: 0n });
  const both = await t.base.worlds.live.db.one<{ same: boolean }>(sql`
    select (select xmin from orders where id = ${order.id}) =
      (select xmin from movements where order_id = ${order.id} and type = 'refund') as same`);
  assert.ok(both.same);
  assert.deepEqual(
    (await events(t, order.id)).map(({ event, delivery }) => [event, delivery]),
    [['order.failed', 'failed']],
  );
  const said = t.logged.filter((line) => line.includes('supplier did not deliver')).map((line) => JSON.parse(line));
  assert.deepEqual(
    said.filter(({ orderId }) => orderId === String(order.id)).map(({ supplier }) => supplier),
    [order.supplier],
    'the log names the supplier',
  );
});

test('refused, postpaid: the debt goes back down', async () => {
  const { buy, partnerId } = await shop(t, 'refuse', { billing: 'postpaid', creditLimit: 10_000n as never });
  const order = await buy();
  assert.equal((await money(t, partnerId)).outstanding, PRICE);
  await t.base.worlds.live.provisioning.provision(order);
  assert.deepEqual(await money(t, partnerId), { cash: 0n, promo: 0n, outstanding: 0n });
});

test('an order that was refunded in part gets the rest back when it fails, from each pocket what is left', async () => {
  const { buy, partnerId } = await shop(t, 'refuse');
  const order = await buy();
  const half = toCents(500n);
  await t.base.worlds.live.db.tx(async (tx) => {
    const transfers = [{ debit: 'revenue', credit: 'cash', amount: half } as const];
    const at = new Date(t.clock.now());
    const wallets = await lockWallets(tx, [partnerId]);
    await post(tx, wallets, [{ partnerId, orderId: order.id, book: 'wallet', type: 'refund', at, transfers }]);
  });
  await t.base.worlds.live.provisioning.provision(order);
  assert.deepEqual(await money(t, partnerId), { cash: PRICE - PROMO, promo: PROMO, outstanding: 0n });
});

test('time-out: deferred at the end of the budget; later looked up, never ordered again', async () => {
  await using t = await testApp(quick);
  const { buy, behave } = await shop(t, 'timeout');
  const order = await buy();
  using run = runTime();
  const standing = await t.base.worlds.live.provisioning.provision(order);
  assert.ok(run.ms < BUDGET_MS + 500, `took ${run.ms} ms`);
  assert.deepEqual([standing.state, standing.reason], ['deferred', 'provider_unavailable']);
  await behave('deliver');
  t.clock.advance(MINUTE);
  await until(t, order.id, 1);
  assert.equal(await timesOrdered(t, order.id), 1);
});

test('a broken answer is asked about within the same request, so the purchase is still delivered', async () => {
  const { buy } = await shop(t, 'break');
  const order = await buy();
  assert.equal((await t.base.worlds.live.provisioning.provision(order)).state, 'delivered');
  assert.equal(await timesOrdered(t, order.id), 1);
});

test('paid, then the process died before the supplier was asked: the job orders it', async () => {
  const { buy } = await shop(t);
  const order = await buy();
  await t.base.worlds.live.provisioning.provisionDue();
  assert.equal((await orderRow(t, order.id)).status, 4, 'not taken while the request may still be at it');
  t.clock.advance(MINUTE);
  await until(t, order.id, 1);
  assert.deepEqual(
    (await events(t, order.id)).map(({ event }) => event),
    ['order.delivered'],
  );
});

test('paid and ordered, then the process died: the job finds the order and makes no second one', async () => {
  const { buy } = await shop(t);
  const order = await buy();
  const supplier = await t.base.worlds.live.suppliers.of('aurora');
  await supplier.order({ ...order, reference: `wf-live-${order.id}`, plan: order.supplierPlan }, 5 * SECOND);
  t.clock.advance(MINUTE);
  await until(t, order.id, 1);
  assert.equal(await timesOrdered(t, order.id), 1);
});

test('two processes on the same due orders: each is delivered once, with one event', async () => {
  await using t = await testApp();
  await using other = await t.another();
  const { plan, partnerId } = await shop(t);
  const orders = await Promise.all(Array.from({ length: 60 }, () => paidOrder(t, { partnerId, plan })));
  t.clock.advance(MINUTE);
  const work = async (app: TestApp) => {
    while ((await app.base.worlds.live.provisioning.provisionDue()) > 0);
  };
  await Promise.all([work(t), work(other)]);
  for (const order of orders) await until(t, order.id, 1);
  const { deliveries, iccids } = await t.base.worlds.live.db.one<{ deliveries: bigint; iccids: bigint }>(sql`
    select (select count(*) from webhook_deliveries where event_type = 'order.delivered') as deliveries, count(distinct iccid) as iccids from orders`);
  assert.deepEqual([deliveries, iccids], [60n, 60n]);
});

test('the same outcome arriving twice has one effect: one refund, one event', async () => {
  const { buy, partnerId } = await shop(t, 'refuse');
  const order = await buy();
  const { provisioning } = t.base.worlds.live;
  const both = await Promise.all([provisioning.provision(order), provisioning.provision(order)]);
  assert.deepEqual(
    both.map(({ state }) => state),
    ['failed', 'failed'],
  );
  assert.deepEqual(both.map(({ moved }) => moved).sort(), [false, true]);
  assert.deepEqual(await money(t, partnerId), { cash: PRICE - PROMO, promo: PROMO, outstanding: 0n });
  assert.equal((await events(t, order.id)).length, 1);
});

test('a supplier that is not configured: the order waits', async () => {
  const { plan, partnerId } = await shop(t);
  const order = await paidOrder(t, { partnerId, plan, supplier: 'gone' });
  const standing = await t.base.worlds.live.provisioning.provision(order);
  assert.deepEqual([standing.state, standing.reason], ['deferred', 'provider_unavailable']);
});

test('undelivered for 24 hours: the operator is notified once, can list it, and can fail it with refund', async () => {
  await using t = await testApp(quick);
  const { buy, partnerId } = await shop(t, 'delay');
  const order = await buy();
  const { provisioning } = t.base.worlds.live;
  await provisioning.provision(order);
  t.clock.freeze(t.clock.now());
  // The supplier's own time stands still, so the order stays pending through the day.
  await t.base.db.run(sql`update simulated.orders set ready_at = 'infinity'`);
  t.clock.advance(DAY - SECOND);
  assert.equal(await provisioning.reportOverdue(), 0);
  t.clock.advance(2 * SECOND);
  assert.equal(await provisioning.reportOverdue(), 1);
  assert.equal(await provisioning.reportOverdue(), 0);
  assert.ok(t.logged.some((line) => line.includes('overdue') && line.includes(String(order.id))));
  const [listed] = await run(t.operator(), 'order overdue');
  assert.deepEqual([listed.order_id, listed.delivery_reason], [order.id, 'awaiting_profile']);

  const failed = await run(t.operator(), `order fail ${order.id}`);
  assert.equal(failed.delivery_reason, 'provider_rejected');
  assert.deepEqual(await money(t, partnerId), { cash: PRICE - PROMO, promo: PROMO, outstanding: 0n });
  assert.deepEqual(
    (await events(t, order.id)).map(({ event }) => event),
    ['order.deferred', 'order.failed'],
  );
  assert.deepEqual(await run(t.operator(), 'order overdue'), []);
  const { what } = await t.base.db.one<{ what: string }>(sql`
    select what from audit_log where target = ${`order ${order.id}`}`);
  assert.equal(what, 'order fail');
});

test('deferred while the clock was 30 days ahead: noticed once the clock is right, listed, and tried at once', async () => {
  // Without jobs: one that looked while the clock was wrong would put the order off once more.
  await using t = await testApp({ ...quick, role: 'api' });
  const { buy, behave } = await shop(t, 'timeout');
  const { provisioning } = t.base.worlds.live;
  const now = t.clock.now();
  t.clock.freeze(now + 30 * DAY);
  const order = await buy();
  assert.equal((await provisioning.provision(order)).state, 'deferred');
  t.clock.freeze(now);
  assert.equal(await provisioning.provisionDue(), 0, 'by the right clock its time has not come');
  assert.equal(await provisioning.reportOverdue(), 1);
  const [listed] = await run(t.operator(), 'order overdue');
  assert.equal(listed.order_id, order.id);
  await behave('deliver');
  // The simulated supplier's clock was wrong too.
  await t.base.db.run(sql`update simulated.orders set ready_at = ${new Date(now)}`);
  assert.equal(await provisioning.provisionDue(), 1);
  await until(t, order.id, 1);
  assert.deepEqual(await run(t.operator(), 'order overdue'), []);
});

test('order fail: only an open order, only one that exists', async () => {
  const { buy } = await shop(t);
  const order = await buy();
  await t.base.worlds.live.provisioning.provision(order);
  await assert.rejects(run(t.operator(), `order fail ${order.id}`), { code: 'order_not_open' });
  await assert.rejects(run(t.operator(), 'order fail 999999'), { code: 'order_not_found' });
});

test('an order failed by the operator stays failed when the supplier delivers after all, and that is logged', async () => {
  await using t = await testApp(quick);
  const { buy, partnerId } = await shop(t);
  const order = await buy();
  await run(t.operator(), `order fail ${order.id}`);
  const standing = await t.base.worlds.live.provisioning.provision(order);
  assert.deepEqual([standing.state, standing.moved], ['failed', false]);
  assert.equal((await orderRow(t, order.id)).esim, null);
  assert.equal((await money(t, partnerId)).cash, PRICE - PROMO);
  assert.ok(t.logged.some((line) => line.includes('no longer open')));
});

test('a look-up at a supplier states when the order may last have been sent, whichever process asks', async () => {
  // No job of its own: every try here is the test's.
  await using t = await testApp({ ...quick, role: 'panel' });
  t.clock.freeze();
  const { buy } = await shop(t);
  const asked: SupplierOrder[] = [];
  let ordering: OrderAnswer = { outcome: 'unknown', reason: 'time-out' };
  let finding: OrderAnswer | Absent = { outcome: 'unavailable', reason: 'may still appear' };
  const supplier = {
    name: 'aurora',
    sellsRefills: false,
    plans: async () => undefined,
    order: async () => ordering,
    async find(order: SupplierOrder) {
      asked.push(order);
      return finding;
    },
    usage: async () => ({ outcome: 'none' }) as const,
  };
  const world = { ...t.base.worlds.live, supplyTerms: paidSupply, suppliers: { of: async () => supplier } };
  // Two of them share nothing but the database.
  const process = () => createProvisioning(world, { ...t.base, budgetMs: BUDGET_MS, overdueMs: DAY });
  const lastAsked = async (advanceMs: number) => {
    t.clock.advance(advanceMs);
    assert.equal(await process().provisionDue(), 1);
    return asked.at(-1)?.orderedAt?.getTime();
  };

  const order = await buy();
  const paidAt = t.clock.now();
  await process().provision(order);
  assert.equal(await lastAsked(MINUTE), paidAt, 'the request that took the payment may have ordered it');

  finding = { outcome: 'absent' };
  await lastAsked(MINUTE);
  assert.equal(asked.at(-1)?.orderedAt?.getTime(), t.clock.now(), 'ordered again, and looked up at once');
  const orderedAgainAt = t.clock.now();
  ordering = { outcome: 'unavailable', reason: 'HTTP 429' };
  assert.equal(await lastAsked(10 * MINUTE), orderedAgainAt);
  assert.equal(await lastAsked(10 * MINUTE), undefined, 'surely not ordered: nothing to wait for');
});

test('an order skipped because its supplier’s breaker is open was certainly not placed by the purchase', async () => {
  await using t = await testApp({ ...quick, role: 'panel' });
  t.clock.freeze();
  const { buy } = await shop(t);
  const asked: SupplierOrder[] = [];
  const silent = { outcome: 'unavailable', reason: 'time-out', silent: true } as const;
  const supplier = {
    name: 'aurora',
    sellsRefills: false,
    plans: async () => undefined,
    order: async () => ({ ...silent, outcome: 'unknown' }) as const,
    async find(order: SupplierOrder) {
      asked.push(order);
      return silent;
    },
    usage: async () => ({ outcome: 'none' }) as const,
  };
  const world = { ...t.base.worlds.live, supplyTerms: paidSupply, suppliers: { of: async () => supplier } };
  const provisioning = createProvisioning(world, { ...t.base, budgetMs: BUDGET_MS, overdueMs: DAY });
  for (let n = 0; n < SILENT_ORDERS; n++) await provisioning.provision(await buy());
  assert.equal(provisioning.silentSuppliers().length, 1);
  asked.length = 0;

  const order = await buy();
  await provisioning.provision(order);
  assert.equal(asked.length, 0, 'it was not asked');
  t.clock.advance(MINUTE);
  const other = createProvisioning(world, { ...t.base, budgetMs: BUDGET_MS, overdueMs: DAY });
  await other.provisionDue();
  const told = asked.find(({ reference }) => reference === `wf-live-${order.id}`);
  assert.equal(told?.orderedAt, null);
});
