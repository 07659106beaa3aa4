import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { DAY, HOUR, MINUTE, timestamp } from '../../../../../src/platform/clock.ts';
import { sql } from '../../../../../src/platform/db/query/sql.ts';
import { type Answer, type TestApp, testApp } from '../../../../support/program/app.ts';
import { run } from '../../../../support/program/operator.ts';
import { clockSeen } from '../../../../support/sales/account-clock.ts';
import { testPlan } from '../../../../support/sales/paid-order.ts';
import { buy, catalogKnows, credit } from '../../../../support/sales/shop.ts';

let t: TestApp;
let [product, other] = ['', ''];
before(async () => {
  t = await testApp();
  product = (await testPlan(t)).alias;
  other = (await testPlan(t)).alias;
  await catalogKnows(t, product);
  await catalogKnows(t, other);
});
after(() => t[Symbol.asyncDispose]());

type Query = Record<string, string | number>;
const ask = (key: string, query: Query): Promise<Answer> => {
  const sent = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) sent.set(name, String(value));
  return t.get(`/order/get?${sent}`, { key });
};
const idsOf = ({ status, body }: Answer): string[] => {
  assert.equal(status, 200);
  return body.order.map(({ id }: { id: string }) => id);
};

for (const mode of ['live', 'sandbox'] as const) {
  describe(`order/get filters, ${mode}`, () => {
    let partnerId: number;
    let key: string;
    /** Oldest first, an hour apart. */
    const ids: string[] = [];
    const times: number[] = [];
    const listed = async (query: Query) => idsOf(await ask(key, query));
    const newestFirst = (...places: number[]) => places.map((place) => ids[place]);
    const set = (place: number, columns: ReturnType<typeof sql>) =>
      t.base.worlds[mode].db.run(sql`update orders set ${columns} where id = ${ids[place]}`);

    before(async () => {
      partnerId = await t.partner();
      key = await t.key(partnerId, mode);
      await credit(t, partnerId, '1000.00');
      const stranger = await t.partner();
      await credit(t, stranger, '1000.00');
      await buy(t, await t.key(stranger, mode), product, { reference: 'a' });
      for (const [bought, reference] of [
        [product, 'a'],
        [product, 'b'],
        [other, 'a'],
        [product, ''],
        [other, 'A'],
        [product, 'a'],
      ] as const) {
        const { id } = (await buy(t, key, bought, { reference })).body;
        ids.push(id);
        const { at } = await t.base.worlds[mode].db.one<{ at: Date }>(
          sql`select created_at as at from orders where id = ${id}`,
        );
        times.push(at.getTime());
        t.clock.advance(HOUR);
      }
    });

    test('reference: exact, in any combination of the others, none of another partner’s', async () => {
      assert.deepEqual(await listed({ reference: 'a' }), newestFirst(5, 2, 0));
      assert.deepEqual(await listed({ reference: ' a ' }), newestFirst(5, 2, 0));
      assert.deepEqual(await listed({ reference: 'A' }), newestFirst(4));
      assert.deepEqual(await listed({ reference: 'unknown' }), []);
      assert.deepEqual(await listed({ reference: 'a', product_id: product }), newestFirst(5, 0));
    });

    test('product_id: well formed but unknown finds nothing', async () => {
      assert.deepEqual(await listed({ product_id: other }), newestFirst(4, 2));
      assert.deepEqual(await listed({ product_id: 'esc_0000000000000000' }), []);
    });

    test('iccid: the order that brought the eSIM and its refills; unknown and foreign ones find nothing', async () => {
      const { iccid } = (await t.get(`/order/detail/${ids[1]}`, { key })).body.esim;
      assert.deepEqual(await listed({ iccid }), newestFirst(1));
      await set(3, sql`refill_of = ${ids[1]}, iccid = ${iccid}, esim = null`);
      const answer = await ask(key, { iccid });
      assert.deepEqual(idsOf(answer), newestFirst(3, 1));
      assert.deepEqual(
        answer.body.order.map((order: { product_type: string }) => order.product_type),
        ['refill', 'esim'],
      );
      const [{ esim }] = answer.body.order;
      assert.deepEqual([esim.iccid, esim.activationCode, esim.qrcode_url], [iccid, '', '']);
      const detail = (await t.get(`/order/detail/${ids[3]}`, { key })).body.esim;
      assert.deepEqual([detail.iccid, detail.activationCode], [iccid, null]);
      assert.deepEqual(await listed({ iccid: '8900000000000000000' }), []);
      const stranger = await t.key(await t.partner(), mode);
      assert.deepEqual(idsOf(await ask(stranger, { iccid })), []);
    });

    test('from is included, to is not; both forms of a time; a period that ends before it begins is empty', async () => {
      const [, , second = 0, , fourth = 0] = times;
      assert.deepEqual(await listed({ from: new Date(second).toISOString() }), newestFirst(5, 4, 3, 2));
      assert.deepEqual(await listed({ from: new Date(second + 1).toISOString() }), newestFirst(5, 4, 3));
      assert.deepEqual(await listed({ to: new Date(second).toISOString() }), newestFirst(1, 0));
      assert.deepEqual(await listed({ to: new Date(second + 1).toISOString() }), newestFirst(2, 1, 0));
      assert.deepEqual(
        await listed({ from: timestamp(second - MINUTE), to: timestamp(fourth - MINUTE) }),
        newestFirst(3, 2),
      );
      const zone = new Date(fourth - MINUTE + 2 * HOUR).toISOString().replace('Z', '+02:00');
      assert.deepEqual(await listed({ from: zone }), newestFirst(5, 4));
      assert.deepEqual(await listed({ from: timestamp(fourth), to: timestamp(second) }), []);
      assert.deepEqual(await listed({ from: timestamp(t.clock.now() + DAY) }), []);
      assert.deepEqual(await listed({ to: '1970-01-01' }), []);
    });

    test('before_id: orders with a smaller id, and `start` is ignored; has_more says whether there are more', async () => {
      assert.deepEqual(await listed({ before_id: ids[2] ?? '' }), newestFirst(1, 0));
      assert.deepEqual(await listed({ before_id: ids[2] ?? '', start: 7 }), newestFirst(1, 0));
      assert.deepEqual(await listed({ before_id: 1 }), []);
      assert.deepEqual(await listed({ before_id: '9223372036854775807' }), newestFirst(5, 4, 3, 2, 1, 0));
      const pages: (string | undefined)[][] = [];
      let query: Query = { limit: 4 };
      for (;;) {
        const answer = await ask(key, query);
        pages.push(idsOf(answer));
        if (!answer.body.has_more) break;
        query = { limit: 4, before_id: answer.body.order.at(-1).id };
      }
      assert.deepEqual(pages, [newestFirst(5, 4, 3, 2), newestFirst(1, 0)]);
      const more = async (asked: Query) => (await ask(key, asked)).body.has_more;
      assert.deepEqual(
        [await more({}), await more({ limit: 6 }), await more({ limit: 5 }), await more({ limit: 3, start: 2 })],
        [false, false, true, false],
      );
      assert.deepEqual([await more({ limit: 2, start: 2 }), await more({ reference: 'a', limit: 2 })], [true, true]);
      assert.deepEqual(await listed({ reference: 'a', limit: 2, start: 2 }), newestFirst(0));
    });

    test('empty filters count as not sent', async () => {
      const empty = { reference: '', iccid: '', product_id: '', status: '', from: '', to: '', before_id: '' };
      assert.deepEqual(await listed(empty), newestFirst(5, 4, 3, 2, 1, 0));
      assert.deepEqual(await listed({ ...empty, reference: ' ' }), newestFirst(5, 4, 3, 2, 1, 0));
      assert.deepEqual(await listed({ ...empty, limit: 0, start: 0 }), newestFirst(5, 4, 3, 2, 1, 0));
    });

    test('400: each filter refuses what it cannot be with its own code', async () => {
      for (const [sent, error] of [
        ['status=1', 'invalid_status'],
        ['status=created', 'invalid_status'],
        ['status=PAID', 'invalid_status'],
        ['status=paid&status=paid', 'invalid_status'],
        ['from=yesterday', 'invalid_from'],
        ['from=2026-02-30%2000:00:00', 'invalid_from'],
        ['from[]=2026-02-20', 'invalid_from'],
        ['to=1761998400', 'invalid_to'],
        ['to=0000-01-01', 'invalid_to'],
        ['before_id=0', 'invalid_before_id'],
        ['before_id=-5', 'invalid_before_id'],
        ['before_id=abc', 'invalid_before_id'],
        ['before_id=9223372036854775808', 'invalid_before_id'],
        ['iccid=1234', 'invalid_iccid'],
        [`iccid=${'1'.repeat(23)}`, 'invalid_iccid'],
        ['iccid=89x0000', 'invalid_iccid'],
        ['reference=a%3Cb', 'invalid_reference'],
        [`reference=${'a'.repeat(65)}`, 'invalid_reference'],
        ['reference=a&reference=a', 'invalid_reference'],
        ['reference[]=a', 'invalid_reference'],
        ['reference=%ff', 'invalid_reference'],
        ['product_id=17', 'invalid_product'],
        ['product_id=esc_00000000000000FF', 'invalid_product'],
      ] as const) {
        const answer = await t.get(`/order/get?${sent}`, { key });
        assert.deepEqual([answer.status, answer.body.error], [400, error], sent);
      }
    });

    test('status: paid, deferred, delivered, failed and refunded; without it failed orders stay left out', async () => {
      const dueAt = new Date(t.clock.now() + DAY);
      await set(0, sql`status = 4, delivery = '', provision_due_at = ${dueAt}`);
      await set(1, sql`status = 4, delivery = 'deferred', provision_due_at = ${dueAt}`);
      await set(2, sql`status = 2, delivery = 'failed', refunded = 1000`);
      await set(3, sql`status = 3, delivery = ''`);
      await set(4, sql`refunded = 250`);
      assert.deepEqual(await listed({ status: 'paid' }), newestFirst(0));
      assert.deepEqual(await listed({ status: 'deferred' }), newestFirst(1));
      assert.deepEqual(await listed({ status: 'delivered' }), newestFirst(5, 4));
      assert.deepEqual(await listed({ status: 'failed' }), newestFirst(2));
      assert.deepEqual(await listed({ status: 'refunded' }), newestFirst(4));
      assert.deepEqual(await listed({}), newestFirst(5, 4, 3, 1, 0));
      assert.deepEqual(await listed({ reference: 'a' }), newestFirst(5, 0));
      assert.deepEqual(await listed({ status: 'failed', reference: 'a', product_id: other }), newestFirst(2));
      assert.deepEqual(await listed({ status: 'failed', product_id: product }), []);
      const [refunded] = (await ask(key, { status: 'refunded' })).body.order;
      assert.deepEqual([refunded.refunded, refunded.status], ['2.50', '1']);
    });
  });
}

test('sandbox: a list by status shows due orders as the reader leaves them, listed before or not', async () => {
  const partnerId = await t.partner();
  const key = await t.key(partnerId, 'sandbox');
  const deferred: string[] = [];
  for (let i = 0; i < 3; i++) deferred.unshift((await buy(t, key, product, { sandbox_scenario: 'deferred' })).body.id);
  const status = async (name: string, more: Query = {}) => idsOf(await ask(key, { status: name, ...more }));
  assert.deepEqual([await status('deferred'), await status('delivered')], [deferred, []]);
  await run(t.operator(), `sandbox clock advance --partner ${partnerId} --by 2m`);
  assert.deepEqual(await status('deferred', { limit: 1 }), []);
  assert.deepEqual(await status('delivered'), deferred);

  const later = (await buy(t, key, product, { sandbox_scenario: 'deferred' })).body.id;
  await run(t.operator(), `sandbox clock advance --partner ${partnerId} --by 2m`);
  assert.deepEqual(await status('delivered', { limit: 1 }), [later]);
});

test('sandbox: orders dated ahead are found by their own time after the clock is reset', async () => {
  const partnerId = await t.partner();
  const key = await t.key(partnerId, 'sandbox');
  const first = (await buy(t, key, product)).body.id;
  await run(t.operator(), `sandbox clock advance --partner ${partnerId} --by 40d`);
  await clockSeen(t, key, 'ahead');
  const ahead = (await buy(t, key, product)).body.id;
  await run(t.operator(), `sandbox clock reset --partner ${partnerId}`);
  await clockSeen(t, key, 'reset');
  const last = (await buy(t, key, product)).body.id;
  const tomorrow = timestamp(t.clock.now() + DAY);
  assert.deepEqual(idsOf(await ask(key, { to: tomorrow })), [last, first]);
  assert.deepEqual(idsOf(await ask(key, { from: tomorrow })), [ahead]);
});
