import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { actions } from '../../../src/actions/actions.ts';
import { eventNames } from '../../../src/domains/messages/events/events.ts';
import { asText, findCommand } from '../../../src/entry/cli/cli.ts';
import { DAY, HOUR, MINUTE } from '../../../src/platform/clock.ts';
import { sql } from '../../../src/platform/db/query/sql.ts';
import { testApp } from '../../support/program/app.ts';
import { run } from '../../support/program/operator.ts';
import { testPlan } from '../../support/sales/paid-order.ts';
import { delivered, type Sold } from '../../support/sales/sales.ts';
import { buy, catalogKnows, credit } from '../../support/sales/shop.ts';

const t = await testApp();
after(() => t[Symbol.asyncDispose]());
const cli = (line: string) => run(t.operator(), line);
const text = async (line: string, columns?: number) => {
  const command = findCommand(actions, line.split(' '));
  assert.ok(command);
  return asText(command, await cli(line), columns);
};
type Row = { order_id: bigint };
const ids = async (line: string): Promise<bigint[]> => (await cli(line)).map(({ order_id }: Row) => order_id);

/** An order in a state that the purchase alone does not leave behind. */
async function turnInto(state: 'paid' | 'deferred' | 'failed' | 'created', { orderId }: Sold, paidAt = t.clock.now()) {
  const status = { created: 3, paid: 4, deferred: 4, failed: 2 }[state];
  const delivery = state === 'paid' || state === 'created' ? '' : state;
  const isOpen = state === 'paid' || state === 'deferred';
  await t.base.db.run(sql`
    update live.orders set status = ${status}, delivery = ${delivery}, iccid = null, delivered_at = null,
      paid_at = ${new Date(paidAt)}, provision_due_at = ${isOpen ? new Date(t.clock.now() + 30 * MINUTE) : null}::timestamptz
    where id = ${orderId}`);
}

suite('the whole trail of an order', () => {
  let [order, activation, partner] = [0n, '', 0];
  before(async () => {
    const plan = await testPlan(t);
    await catalogKnows(t, plan.alias);
    partner = await t.partner();
    const key = await t.key(partner);
    await credit(t, partner, '50.00');
    const hook = await cli(`webhook create --partner ${partner} --mode live --url https://93.184.215.14/hook`);
    await cli(`webhook pause ${hook.subscription_id}`);
    const bought = await buy(t, key, plan.alias, { idempotency_key: 'cart-7', reference: 'booking-7' });
    order = BigInt(bought.body.order_id);
    activation = (await t.base.worlds.live.orders.find(partner, order))?.esim?.activationCode ?? '';
    await cli(`order refund ${order} --amount 1`);
  });

  test('order list and webhook list are tables that fit a terminal of 80 columns', async () => {
    await cli(
      `webhook create --partner ${partner} --mode sandbox --url https://93.184.215.14/a/rather/long/path/of/a/receiver --events ${eventNames.join(',')}`,
    );
    for (const line of [
      `order list --partner ${partner}`,
      `webhook list --partner ${partner}`,
      `order find ${order}`,
    ]) {
      const rows: unknown[] = await cli(line);
      const printed = (await text(line, 80)).trimEnd().split('\n');
      assert.equal(printed.length, rows.length + 1, 'a head, and a line for each');
      for (const one of printed) assert.ok(one.length <= 80, `${one.length}: ${one}`);
    }
  });

  test('order show: the order, its supplier, money, events and changes', async () => {
    const shown = await cli(`order show ${order}`);
    assert.deepEqual(
      [shown.order_id, shown.partner_id, shown.status, shown.delivery, shown.idempotency_key, shown.partner_name],
      [order, partner, 1, 'delivered', 'cart-7', 'Test'],
    );
    assert.deepEqual([shown.sale_price, shown.cost], ['10.00', '4.000000']);
    const { supplier } = shown;
    assert.deepEqual([supplier.name, supplier.reference, supplier.attempts], ['aurora', `wf-live-${order}`, 0]);
    assert.ok(supplier.order);
    const money = shown.money.map(({ book, type, amount }: Record<string, string>) => `${book} ${type} ${amount}`);
    assert.deepEqual(money, ['wallet purchase -10.00', 'wallet refund 1.00']);
    const events = shown.deliveries.map(({ event_type, status, held }: Record<string, unknown>) => [
      event_type,
      status,
      held,
    ]);
    assert.deepEqual(
      events,
      ['order.created', 'order.paid', 'order.delivered'].map((event) => [event, 'pending', true]),
    );
    assert.deepEqual(
      shown.changes.map(({ who, what }: Record<string, string>) => [who, what]),
      [['test', 'order refund']],
    );
    await assert.rejects(cli('order show 999999999'), { code: 'order_not_found' });
  });

  test("order show: the partner's reference, and whether it brought an eSIM or refilled one", async () => {
    const shown = await cli(`order show ${order}`);
    assert.deepEqual([shown.reference, shown.product_type, shown.refill_of], ['booking-7', 'esim', null]);
    const refill = await delivered(t, partner);
    await t.base.db.run(sql`update live.orders set refill_of = ${order} where id = ${refill.orderId}`);
    const refilled = await cli(`order show ${refill.orderId}`);
    assert.deepEqual([refilled.reference, refilled.product_type, refilled.refill_of], ['', 'refill', order]);
    const printed = await text(`order show ${refill.orderId}`);
    assert.match(printed, /^product_type {2,}refill$/m);
    assert.match(printed, new RegExp(`^refill_of {2,}${order}$`, 'm'));
    assert.match(await text(`order show ${order}`), /^reference {2,}booking-7$/m);
    await t.base.db.run(sql`delete from live.orders where id = ${refill.orderId}`);
  });

  test('for people: statuses are words, and held events are called held', async () => {
    const shown = await text(`order show ${order}`);
    assert.match(shown, /^status {2,}delivered$/m);
    assert.match(shown, /^ +\d+ +\d+ {2}order\.paid +held /m);
    assert.doesNotMatch(shown, /^delivery /m);
    assert.match(await text(`order list --partner ${partner}`), / {2}delivered {2}/);
  });

  test('activation data is shown nowhere', async () => {
    assert.ok(activation.length > 10);
    const secret = activation.split('$').at(-1) as string;
    for (const line of [`order show ${order}`, `order find ${order}`, `order list --partner ${partner}`]) {
      const result = await cli(line);
      const told = JSON.stringify(result, (_name, value) => (typeof value === 'bigint' ? String(value) : value));
      assert.ok(!told.includes(secret) && !told.includes('LPA:'), line);
    }
  });

  test("order find: by id, our reference (also as a real supplier has it), the partner's, ICCID and supplier order", async () => {
    const { supplier, iccid } = await cli(`order show ${order}`);
    assert.ok(iccid && supplier.order);
    for (const name of [order, `wf-live-${order}`, `wf-live-${order}-1760000000`, iccid, supplier.order, 'booking-7'])
      assert.deepEqual(await ids(`order find ${name}`), [order], String(name));
    for (const name of [`wf-sandbox-${order}`, 'wf-live-', '0', 'nonsense', 'Booking-7', '9'.repeat(30)])
      assert.deepEqual(await ids(`order find ${name}`), [], name);
  });
});

test('order list: newest first, of one partner, eSIM or state, at most as many as asked for', async () => {
  const [partner, other] = [await t.partner(), await t.partner()];
  const sold = await Promise.all(Array.from({ length: 5 }, () => delivered(t, partner)));
  sold.sort((a, b) => Number(b.orderId - a.orderId));
  const [a, b, c, d, e] = sold as [Sold, Sold, Sold, Sold, Sold];
  const foreign = await delivered(t, other);
  await turnInto('paid', a);
  await turnInto('deferred', b);
  await turnInto('failed', c);
  await turnInto('created', d);

  const list = (line: string) => ids(`order list ${line}`);
  assert.deepEqual(await list('--limit 1'), [foreign.orderId]);
  assert.deepEqual(
    await list(`--partner ${partner}`),
    sold.map(({ orderId }) => orderId),
  );
  assert.deepEqual(await list(`--partner ${partner} --limit 2`), [a.orderId, b.orderId]);
  for (const [state, order] of Object.entries({ paid: a, deferred: b, failed: c, created: d, delivered: e })) {
    assert.deepEqual(await list(`--partner ${partner} --status ${state}`), [order.orderId], state);
    assert.ok((await list(`--status ${state}`)).includes(order.orderId), state);
    assert.ok(!(await list(`--status ${state === 'failed' ? 'paid' : 'failed'}`)).includes(order.orderId), state);
  }
  assert.deepEqual(await list(`--iccid ${e.iccid}`), [e.orderId]);
  assert.deepEqual(await list(`--iccid ${e.iccid} --partner ${other}`), []);
  assert.deepEqual(await list(`--iccid ${e.iccid} --status failed`), []);
  const printed = await text(`order list --partner ${partner}`);
  for (const word of ['paid', 'deferred', 'failed', 'created', 'delivered'])
    assert.match(printed, new RegExp(` ${word} `));
});

test("order list: by the partner's reference and by refund, alone and together with the other filters", async () => {
  const [partner, other] = [await t.partner(), await t.partner()];
  const mine = [await delivered(t, partner), await delivered(t, partner), await delivered(t, partner)] as const;
  const foreign = await delivered(t, other);
  const [a, b, c] = mine;
  const set = (which: readonly Sold[], columns: ReturnType<typeof sql>) =>
    t.base.db.run(
      sql`update live.orders set ${columns} where id = any(${which.map(({ orderId }) => orderId)}::bigint[])`,
    );
  await set([a, b, foreign], sql`reference = 'trip'`);
  await set([b, c], sql`refunded = 250`);
  await set([c], sql`refill_of = ${a.orderId}, iccid = ${a.iccid}`);

  const list = (line: string) => ids(`order list ${line}`);
  assert.deepEqual(await list('--reference trip'), [foreign.orderId, b.orderId, a.orderId]);
  assert.deepEqual(await list('--reference trip --limit 1'), [foreign.orderId]);
  assert.deepEqual(await list(`--reference trip --partner ${partner}`), [b.orderId, a.orderId]);
  assert.deepEqual(await list('--reference Trip'), []);
  assert.deepEqual(await list('--reference trip --status refunded'), [b.orderId]);
  assert.deepEqual(await list('--reference trip --status failed'), []);
  assert.deepEqual(await list(`--status refunded --partner ${partner}`), [c.orderId, b.orderId]);
  assert.ok((await list('--status refunded')).includes(b.orderId));
  assert.deepEqual(await list(`--iccid ${a.iccid}`), [c.orderId, a.orderId]);
  assert.deepEqual(await list(`--iccid ${a.iccid} --reference trip`), [a.orderId]);
  assert.deepEqual(await list(`--iccid ${a.iccid} --status refunded`), [c.orderId]);
  await set([b], sql`status = 2, delivery = 'failed'`);
  assert.deepEqual(await list(`--status refunded --partner ${partner}`), [c.orderId]);
  const [shown] = await cli(`order list --partner ${partner}`);
  assert.deepEqual([shown.reference, shown.refill_of, shown.refunded], ['', a.orderId, '2.50']);
});

test('order overdue --older-than: what was paid longer ago, reported or not; without it what was reported', async () => {
  const partner = await t.partner();
  const [young, old, reported] = [
    await delivered(t, partner),
    await delivered(t, partner),
    await delivered(t, partner),
  ];
  const now = t.clock.now();
  await turnInto('paid', young, now - 30 * MINUTE);
  await turnInto('deferred', old, now - 3 * HOUR);
  await turnInto('deferred', reported, now - 2 * DAY);
  await t.base.db.run(sql`update live.orders set overdue_at = ${new Date(now)} where id = ${reported.orderId}`);
  const mine = async (line: string) => {
    const rows: { order_id: bigint; partner_id: number }[] = await cli(`order overdue ${line}`.trim());
    return rows.filter(({ partner_id }) => partner_id === partner).map(({ order_id }) => order_id);
  };
  assert.deepEqual(await mine(''), [reported.orderId]);
  assert.deepEqual(await mine('--older-than 90s'), [young.orderId, old.orderId, reported.orderId]);
  assert.deepEqual(await mine('--older-than 2h'), [old.orderId, reported.orderId]);
  assert.deepEqual(await mine('--older-than 3d'), []);
});
