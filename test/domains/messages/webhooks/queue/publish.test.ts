import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { OrderEvent } from '../../../../../src/domains/messages/events/events.ts';
import type { Queryable, Tx } from '../../../../../src/platform/db/database.ts';
import { sql } from '../../../../../src/platform/db/query/sql.ts';
import { stage } from '../stage.ts';

const event = (partnerId: number, orderId: bigint, name: OrderEvent['event'] = 'order.paid'): OrderEvent => ({
  partnerId,
  orderId,
  reference: '',
  event: name,
  delivery: '',
  deliveryReason: '',
  iccid: '',
  qrCode: '',
  occurredAt: Date.now(),
});

/** The same transaction, with its statements counted. */
function counted(tx: Tx): { tx: Tx; statements: () => number } {
  let statements = 0;
  const counting = (run: Queryable['query']) =>
    ((statement) => {
      statements += 1;
      return run(statement);
    }) as Queryable['query'];
  return { tx: { ...tx, query: counting(tx.query) } as Tx, statements: () => statements };
}

test('a batch of events of many partners takes one statement when none subscribed, and two when some did', async () => {
  await using s = await stage();
  const partners = [s.partnerId, await s.t.partner(), await s.t.partner()];
  const { db, webhooks } = s.t.base.worlds.live;
  const batch = partners.flatMap((id, i) => Array.from({ length: 20 }, (_, n) => event(id, BigInt(100 * i + n))));
  const statements = () =>
    db.tx(async (tx) => {
      const watched = counted(tx);
      await webhooks.publish(watched.tx, batch);
      return watched.statements();
    });
  assert.equal(await statements(), 1);
  await s.subscribe();
  assert.equal(await statements(), 2);
  await s.hook.got(20);
});

test('events exist exactly when the change does: a transaction rolled back leaves none', async () => {
  await using s = await stage();
  await s.subscribe();
  const { db, webhooks } = s.t.base.worlds.live;
  const failing = db.tx(async (tx) => {
    await webhooks.publish(tx, [event(s.partnerId, 1n)]);
    throw new Error('the change failed');
  });
  await assert.rejects(failing, /the change failed/);
  assert.deepEqual(await s.log(), []);
});

test('the sandbox lets 500 deliveries wait; a purchase whose events do not all fit queues none; live has no limit', async () => {
  await using s = await stage();
  for (const mode of ['live', 'sandbox'] as const) {
    const { id } = await s.subscribe(mode);
    await s.operate(`webhook pause ${id}`);
  }
  const names = ['order.created', 'order.paid', 'order.delivered'] as const;
  const purchases = (first: number, count: number) =>
    Array.from({ length: count }, (_, i) => names.map((name) => ({ orderId: BigInt(first + i), event: name }))).flat();
  assert.deepEqual([...(await s.publish(purchases(1, 166), 'sandbox')).refusedOrders], []);
  const waiting = async (mode: 'live' | 'sandbox') =>
    Number((await s.t.base.worlds[mode].db.one<{ n: bigint }>(sql`select count(*) as n from webhook_queue`)).n);
  assert.equal(await waiting('sandbox'), 498);
  // Room for two: the purchase with three is refused whole, the one with two still fits.
  const mixed = [
    ...purchases(200, 1),
    { orderId: 300n, event: 'order.created' as const },
    { orderId: 300n, event: 'order.failed' as const },
  ];
  assert.deepEqual([...(await s.publish(mixed, 'sandbox')).refusedOrders], [200n]);
  assert.equal(await waiting('sandbox'), 500);

  const full = await s.t.post('/webhook/test', {}, { key: s.key.sandbox });
  assert.deepEqual([full.status, full.body.error], [409, 'no_active_subscription']);
  assert.deepEqual([...(await s.publish(purchases(1, 300), 'live')).refusedOrders], []);
  assert.equal(await waiting('live'), 900);
});

test('two sandbox purchases at once cannot both take the last places', async () => {
  await using s = await stage();
  const { id } = await s.subscribe('sandbox');
  await s.operate(`webhook pause ${id}`);
  await s.publish(
    Array.from({ length: 497 }, (_, i) => ({ orderId: BigInt(i + 1) })),
    'sandbox',
  );
  const results = await Promise.all(
    Array.from({ length: 8 }, (_, i) =>
      s.publish([{ orderId: BigInt(1000 + i) }, { orderId: BigInt(1000 + i), event: 'order.delivered' }], 'sandbox'),
    ),
  );
  assert.equal(results.filter(({ refusedOrders }) => refusedOrders.size === 0).length, 1);
});
