import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import { memberRoles } from '../../../../src/domains/partners/people/people.ts';
import type { EsimReference, Supplier, SwitchAnswer } from '../../../../src/domains/supply/port/port.ts';
import { MINUTE, SECOND } from '../../../../src/platform/clock.ts';
import { sql } from '../../../../src/platform/db/query/sql.ts';
import { testApp } from '../../../support/program/app.ts';
import { type Browser, signedIn, signedInAs } from '../../../support/program/panel.ts';
import { refundShop, withdrawals } from '../../../support/suppliers/withdrawals.ts';

const t = await testApp();
after(() => t[Symbol.asyncDispose]());
const { db, worlds } = t.base;
const shop = await refundShop(t);
await withdrawals(t, { outcome: 'refused', reason: 'installed' });
const ana = await signedIn(t, shop.partnerId);
const stranger = await signedIn(t, await t.partner());

/** What the live supplier answers from now on, and which eSIMs it was asked to suspend. */
const asked: string[] = [];
let answer: (esim: EsimReference) => SwitchAnswer | Promise<SwitchAnswer> = () => ({ outcome: 'done' });
const supplier: { -readonly [K in 'suspend' | 'resume']?: Supplier[K] } = await worlds.live.suppliers.of('aurora');
supplier.suspend = async (esim) => {
  asked.push(esim.iccid);
  return answer(esim);
};
supplier.resume = async () => ({ outcome: 'done' });

const sold = () => shop.order(shop.live);
const open = async () => (await shop.order(shop.sandbox, { sandbox_scenario: 'deferred' })).id;
const entriesOf = async (target: string): Promise<string[]> =>
  (await db.query<{ what: string }>(sql`select what from audit_log where target = ${target} order by id`)).map(
    ({ what }) => what,
  );
const send = (who: Browser, path: string, body: object, key: string = randomUUID()) =>
  who.post(`/api/${path}`, body, { headers: { 'idempotency-key': key } });

test('each eSIM has its own outcome and entry; a refused one stops no other, and one of another partner does not exist', async () => {
  const [one, other, refused] = [await sold(), await sold(), await sold()];
  answer = ({ iccid }) => (iccid === refused.iccid ? { outcome: 'refused', reason: 'no' } : { outcome: 'done' });
  const unknown = '8999999999999999999';
  const esims = [one.iccid, unknown, refused.iccid, other.iccid];
  const { status, body } = await send(ana, 'live/esims/suspend', { esims });
  assert.equal(status, 200);
  const done = [one, other].map(({ iccid }) => ({ id: iccid, status: 'suspended', amount: null }));
  assert.deepEqual(body.done, done);
  assert.deepEqual(
    body.refused.map(({ id, code }: { id: string; code: string }) => [id, code]),
    [
      [unknown, 'esim_not_found'],
      [refused.iccid, 'not_supported'],
    ],
  );
  const entries = await Promise.all(esims.map((iccid) => entriesOf(`eSIM ${iccid}`)));
  assert.deepEqual(entries, [['esim suspend'], [], [], ['esim suspend']]);
  const foreign = (await send(stranger, 'live/esims/resume', { esims: [one.iccid, unknown] })).body;
  assert.deepEqual(foreign.done, []);
  const [theirs, missing] = foreign.refused;
  assert.deepEqual({ ...theirs, id: unknown }, missing);
  assert.deepEqual((await send(ana, 'live/esims/resume', { esims: [one.iccid] })).body.done[0].status, 'not_active');
});

test('a few are worked on at a time', async () => {
  const esims = (await Promise.all(Array.from({ length: 9 }, sold))).map(({ iccid }) => iccid);
  let [now, most] = [0, 0];
  answer = async () => {
    now += 1;
    most = Math.max(most, now);
    await new Promise((resolve) => setTimeout(resolve, 20));
    now -= 1;
    return { outcome: 'done' };
  };
  assert.equal((await send(ana, 'live/esims/suspend', { esims })).body.done.length, 9);
  assert.ok(most > 1 && most <= 4, `${most} at once`);
});

test('killed half-way, the same request finishes the rest and repeats nothing', async () => {
  const esims = [(await sold()).iccid, (await sold()).iccid, (await sold()).iccid];
  const [first = '', second = '', lost = ''] = esims;
  answer = ({ iccid }) => (iccid === lost ? { outcome: 'unavailable', reason: 'away' } : { outcome: 'done' });
  asked.length = 0;
  const key = randomUUID();
  assert.equal((await send(ana, 'live/esims/suspend', { esims }, key)).body.done.length, 2);
  // As a process leaves it that is killed before it could leave its answer.
  const kept = await db.run(sql`delete from action_keys where key = ${key}`);
  assert.equal(kept, 1);
  answer = () => ({ outcome: 'done' });
  const { body } = await send(ana, 'live/esims/suspend', { esims }, key);
  assert.deepEqual([body.done.length, body.refused], [3, []]);
  assert.deepEqual(asked.toSorted(), [first, second, lost, lost].toSorted());
  for (const iccid of esims) assert.deepEqual(await entriesOf(`eSIM ${iccid}`), ['esim suspend']);
});

test('what suppliers leave no time for is not begun, and can be sent again', async () => {
  const esims = (await Promise.all(Array.from({ length: 6 }, sold))).map(({ iccid }) => iccid);
  answer = () => {
    t.clock.advance(21 * SECOND);
    return { outcome: 'done' };
  };
  const { body } = await send(ana, 'live/esims/suspend', { esims });
  assert.ok(body.done.length >= 1 && body.refused.length >= 2, `${body.done.length} done`);
  assert.ok(body.refused.every(({ code }: { code: string }) => code === 'not_reached'));
  answer = () => ({ outcome: 'done' });
  assert.equal((await send(ana, 'live/esims/suspend', { esims })).body.done.length, 6);
});

test('orders are cancelled one by one: what was delivered is too late, and each that ends gives its price back', async () => {
  const ids = [await open(), (await shop.order(shop.sandbox)).id, await open()];
  const had = await worlds.sandbox.books.balance(shop.partnerId);
  const { body } = await send(ana, 'sandbox/orders/cancel', { orders: [...ids, '999999', 'x', ids[0]] });
  assert.deepEqual(
    body.done.map(({ id, status }: { id: string; status: string }) => [id, status]),
    ids.map((id, i) => [id, i === 1 ? 'too_late' : 'cancelled']),
  );
  assert.deepEqual(
    body.refused.map(({ id, code }: { id: string; code: string }) => [id, code]),
    [
      ['999999', 'order_not_found'],
      ['x', 'order_not_found'],
    ],
  );
  assert.equal(await worlds.sandbox.books.balance(shop.partnerId), had + 2000n);
  for (const id of ids) assert.deepEqual(await entriesOf(`sandbox order ${id}`), ['order cancel']);
  const [mine, none] = (await send(stranger, 'sandbox/orders/cancel', { orders: [ids[0], '999999'] })).body.refused;
  assert.deepEqual({ ...mine, id: '999999' }, none);
});

test('refunds are requested together, beyond the limit of single requests', async () => {
  const orders = (await Promise.all(Array.from({ length: 31 }, () => shop.order(shop.sandbox)))).map(({ id }) => id);
  t.clock.advance(2 * MINUTE);
  const { body } = await send(ana, 'sandbox/orders/refund', { orders, reason: 'The group stays at home' });
  assert.deepEqual([body.done.length, body.refused], [31, []]);
  assert.deepEqual(body.done[0], { id: orders[0], status: 'refunded', amount: '10.00' });
});

test('more than a page has, or than a member may change in a minute, is refused as a whole', async () => {
  t.clock.advance(2 * MINUTE);
  const orders = (from: number, rows: number) => Array.from({ length: rows }, (_, i) => String(from + i));
  const cancel = async (rows: number) => send(ana, 'sandbox/orders/cancel', { orders: orders(9_000_000, rows) });
  assert.deepEqual((await cancel(101)).body.error.code, 'invalid_input');
  assert.deepEqual((await cancel(0)).body.error.code, 'invalid_input');
  assert.deepEqual([(await cancel(100)).status, (await cancel(100)).status], [200, 200]);
  const id = await open();
  const late = await send(ana, 'sandbox/orders/cancel', { orders: [id] });
  assert.deepEqual([late.status, late.body.error.code], [429, 'too_many_attempts']);
  assert.deepEqual(await entriesOf(`sandbox order ${id}`), []);
});

test('a role that may not do it to one may not do it to several', async () => {
  t.clock.advance(2 * MINUTE);
  for (const role of memberRoles.names) {
    const who = await signedInAs(t, shop.partnerId, role);
    for (const [single, several, body] of [
      ['/order/cancel', 'orders/cancel', { orders: ['999999'] }],
      ['/order/refund', 'orders/refund', { orders: ['999999'] }],
      ['/esim/suspend', 'esims/suspend', { esims: ['8999999999999999999'] }],
      ['/esim/resume', 'esims/resume', { esims: ['8999999999999999999'] }],
    ] as const) {
      const one = await who.v3('sandbox', single, { order_id: '999999', iccid: '8999999999999999999' });
      const many = await send(who, `sandbox/${several}`, body);
      if (one.status === 403) assert.deepEqual([many.status, many.text], [403, one.text], `${single} as ${role}`);
      else assert.deepEqual([many.status, many.body.refused?.[0].code], [200, one.body.error], `${single} as ${role}`);
    }
  }
});
