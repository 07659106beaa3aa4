import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from '../../../../src/platform/db/query/sql.ts';
import { eventually } from '../../../support/eventually.ts';
import { testApp } from '../../../support/program/app.ts';
import { run } from '../../../support/program/operator.ts';
import { buy } from '../../../support/sales/shop.ts';
import { refundShop, withdrawals } from '../../../support/suppliers/withdrawals.ts';

const REQUESTS = 1000;

const t = await testApp();
const other = await t.another();
after(async () => {
  await other[Symbol.asyncDispose]();
  await t[Symbol.asyncDispose]();
});

for (const world of ['live', 'sandbox'] as const) {
  test(`${REQUESTS} simultaneous requests in two processes give the money of one ${world} order back once`, async () => {
    const shop = await refundShop(t);
    const taking = [await withdrawals(t, { outcome: 'withdrawn' }), await withdrawals(other, { outcome: 'withdrawn' })];
    const key = shop[world];
    const url = 'https://93.184.215.14/hook';
    const hook = await run(
      t.operator(),
      `webhook create --partner ${shop.partnerId} --mode ${world} --url ${url} --events order.refunded`,
    );
    await run(t.operator(), `webhook pause ${hook.subscription_id}`);
    const { db, books } = t.base.worlds[world];
    const had = await books.balance(shop.partnerId);
    const { id } = await shop.order(key);
    const answers = await Promise.all(
      Array.from({ length: REQUESTS }, (_, n) => (n % 2 ? t : other).post('/order/refund', { order_id: id }, { key })),
    );
    // A process that did not ask the supplier itself reads the refund as it is at that moment.
    const read = new Set(answers.map(({ status, body }) => `${status} ${body.refund?.status ?? body.error}`));
    assert.ok(read.has('200 refunded'));
    assert.deepEqual(
      [...read].filter((one) => one !== '200 refunded' && one !== '200 requested'),
      [],
    );
    assert.equal(await books.balance(shop.partnerId), had);
    assert.equal(
      taking.reduce((sum, { calls }) => sum + calls.length, 0),
      world === 'live' ? 1 : 0,
      'the supplier was asked once; the sandbox has its own',
    );
    const written = await db.one(sql`
      select (select count(*)::int from movements where order_id = ${id} and type = 'refund') as movements,
        (select count(*)::int from refunds where order_id = ${id}) as refunds,
        (select array_agg(event_id) from webhook_deliveries where order_id = ${id}) as events`);
    const prefix = world === 'live' ? '' : 'sbx_';
    assert.deepEqual(written, { movements: 1, refunds: 1, events: [`${prefix}order.refunded:${id}:1`] });
  });
}

test('requests, operators and purchases at the same wallet never deadlock and never give back too much', async () => {
  const shop = await refundShop(t);
  await withdrawals(t, { outcome: 'withdrawn' });
  const orders = await Promise.all(Array.from({ length: 8 }, () => shop.order(shop.live)));
  const [first] = orders;
  const { product_id } = (await t.get(`/order/detail/${first?.id}`, { key: shop.live })).body.order;
  const had = await t.base.worlds.live.books.balance(shop.partnerId);
  const work = orders.flatMap(({ id }) => [
    t.post('/order/refund', { order_id: id }, { key: shop.live }),
    other.post('/order/refund', { order_id: id }, { key: shop.live }),
    run(t.operator(), `order refund ${id}`).catch(({ code }) => code),
    buy(t, shop.live, product_id),
  ]);
  await Promise.all(work);
  await eventually('all of it is settled', async () => {
    const { open } = await t.base.worlds.live.db.one<{ open: number }>(sql`
      select count(*)::int as open from refunds where partner_id = ${shop.partnerId} and status <> 'refunded'`);
    return open === 0;
  });
  // Eight prices came back, and eight more were paid.
  assert.equal(await t.base.worlds.live.books.balance(shop.partnerId), had);
  assert.equal((await run(t.operator(), 'audit')).ok, true);
});
