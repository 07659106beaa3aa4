import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { soldIccids } from '../../../../src/domains/sales/orders/orders.ts';
import { DAY } from '../../../../src/platform/clock.ts';
import { sql } from '../../../../src/platform/db/query/sql.ts';
import { run } from '../../../support/program/operator.ts';
import { type LiarShop, liars } from '../../../support/suppliers/liars.ts';

/*
 * One ICCID, one eSIM. The supplier here sends the ICCID it is told to.
 */
let shop: LiarShop;
before(async () => {
  shop = (await liars.find(({ name }) => name === 'simulated')?.open()) as LiarShop;
});
after(() => shop[Symbol.asyncDispose]());

let last = 0;
/** From now on, every eSIM has this ICCID, which no other has had. */
function sendNew(): string {
  last += 1;
  const iccid = `8988111${String(last).padStart(12, '0')}`;
  shop.lie({ iccid: () => iccid });
  return iccid;
}
const deliveries = async (orders: readonly { body: Record<string, string> }[]) =>
  orders.map(({ body }) => body.delivery).toSorted();
const change = (id: string | undefined, values: ReturnType<typeof sql>) =>
  shop.t.base.worlds.live.db.run(sql`update orders set ${values} where id = ${id}`);

test('of orders that get the same ICCID at the same moment, one has it', async () => {
  const iccid = sendNew();
  const orders = await Promise.all(Array.from({ length: 6 }, () => shop.buy()));
  assert.deepEqual(await deliveries(orders), [...Array(5).fill('deferred'), 'delivered']);
  const { sold } = await shop.t.base.worlds.live.db.one<{ sold: number }>(sql`
    select count(*)::int as sold from orders where iccid = ${iccid} and status = 1`);
  assert.equal(sold, 1);
});

/** As servers of the previous version deliver: without a claim. */
const forgetClaim = (id: string | undefined) =>
  shop.t.base.db.run(sql`delete from live.sold_iccids where order_id = ${id}`);
const claimMissing = () => soldIccids.job(shop.t.base.worlds.live, shop.t.clock).run(new AbortController().signal);

test('an eSIM that a server of the previous version delivered has its ICCID from the next run of the job', async () => {
  sendNew();
  const { body } = await shop.buy();
  await forgetClaim(body.id);
  assert.equal(await claimMissing(), 1);
  assert.equal(await claimMissing(), 0);
  assert.equal((await shop.buy()).body.delivery, 'deferred');
});

test('of orders of the previous version that share an ICCID, the last delivered has it', async () => {
  const iccid = sendNew();
  const { body: first } = await shop.buy();
  sendNew();
  const { body: second } = await shop.buy();
  await forgetClaim(second.id);
  await change(second.id, sql`iccid = ${iccid}, delivered_at = delivered_at + interval '1 second'`);
  assert.equal(await claimMissing(), 1);
  await change(first.id, sql`withdrawn_at = now()`);
  shop.lie({ iccid: () => iccid });
  assert.equal((await shop.buy()).body.delivery, 'deferred');
});

test('an ICCID is sold again once its eSIM was withdrawn', async () => {
  sendNew();
  const { body } = await shop.buy();
  await change(body.id, sql`withdrawn_at = now()`);
  assert.deepEqual(await deliveries([await shop.buy(), await shop.buy()]), ['deferred', 'delivered']);
});

test('an eSIM that its supplier calls expired has its ICCID for half a year after its delivery', async () => {
  sendNew();
  const { body } = await shop.buy();
  await change(body.id, sql`usage_state = 'expired'`);
  assert.equal((await shop.buy()).body.delivery, 'deferred');
  await change(body.id, sql`delivered_at = ${new Date(shop.t.clock.now() - 181 * DAY)}`);
  assert.equal((await shop.buy()).body.delivery, 'delivered');
});

test('an order that failed keeps no ICCID', async () => {
  const iccid = sendNew();
  await shop.t.base.worlds.live.db.run(sql`insert into sold_iccids (iccid, order_id, at) values (${iccid}, 0, now())`);
  const { body } = await shop.buy();
  assert.equal(body.delivery, 'deferred', 'somebody has it');
  await run(shop.t.operator(), `order fail ${body.id}`);
  await shop.t.base.worlds.live.db.run(sql`update sold_iccids set order_id = ${body.id} where iccid = ${iccid}`);
  assert.equal((await shop.buy()).body.delivery, 'delivered');
});

test('a held order that its partner cancels waits for a person all the same, and failing it cancels it', async () => {
  shop.lie({ iccid: () => 'nonsense' });
  const { key, body } = await shop.buy();
  await shop.t.post('/order/cancel', { order_id: body.id ?? '' }, { key });
  await shop.work();
  const cancel = async () => (await run(shop.t.operator(), `order show ${body.id}`)).cancel.status;
  assert.equal(await cancel(), 'requested');
  await run(shop.t.operator(), `order fail ${body.id}`);
  assert.equal(await cancel(), 'cancelled');
});
