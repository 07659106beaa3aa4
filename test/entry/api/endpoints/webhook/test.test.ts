import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from '../../../../../src/platform/db/query/sql.ts';
import { stage } from '../../../../domains/messages/webhooks/stage.ts';

test('queues order.test to all active subscriptions, whatever events they chose, on the real path', async () => {
  await using s = await stage();
  await s.subscribe('live', '/1', 'order.paid');
  await s.subscribe('live', '/2');
  const paused = await s.subscribe('live', '/3');
  await s.operate(`webhook pause ${paused.id}`);
  await s.subscribe('sandbox', '/sandbox');
  const { status, body } = await s.t.post('/webhook/test', {}, { key: s.key.live });
  assert.equal(status, 200);
  assert.deepEqual([body.queued, body.event, body.delivery_ids.length], [2, 'order.test', 2]);
  assert.match(body.event_id, /^order\.test:0:\d+$/);
  const got = await s.hook.got(2);
  assert.deepEqual(got.map(({ path }) => path).sort(), ['/1', '/2']);
  const sent = JSON.parse(got[0]?.body ?? '');
  assert.deepEqual([sent.event_id, sent.order_id, sent.status], [body.event_id, 0, 'test']);
  assert.equal(typeof sent.note, 'string');
  await s.settled({ status: 'sent', event_type: 'order.test', sale_id: '0' });
  assert.deepEqual((await s.log()).map(({ id }) => id).sort(), [...body.delivery_ids].sort());

  const again = await s.t.post('/webhook/test', {}, { key: s.key.live });
  assert.notEqual(again.body.event_id, body.event_id);
});

test('subscription_id picks one; in the sandbox the event id starts with sbx_ and only sandbox subscriptions receive it', async () => {
  await using s = await stage();
  await s.subscribe('live', '/live');
  const { id } = await s.subscribe('sandbox', '/1');
  await s.subscribe('sandbox', '/2');
  const { body } = await s.t.post('/webhook/test', { subscription_id: String(id) }, { key: s.key.sandbox });
  assert.deepEqual([body.queued, body.livemode], [1, false]);
  assert.match(body.event_id, /^sbx_order\.test:0:\d+$/);
  const [request] = await s.hook.got(1);
  assert.equal(request?.path, '/1');
  assert.equal(JSON.parse(request?.body ?? '').livemode, false);
});

test('404 no_subscription, 404 subscription_not_found, 409 no_active_subscription', async () => {
  await using s = await stage();
  const ask = async (form: Record<string, string>) => {
    const { status, body } = await s.t.post('/webhook/test', form, { key: s.key.live });
    return `${status} ${body.error}`;
  };
  const foreign = await s.subscribe('sandbox');
  assert.equal(await ask({}), '404 no_subscription');
  const { id } = await s.subscribe();
  assert.equal(await ask({ subscription_id: String(foreign.id) }), '404 subscription_not_found');
  assert.equal(await ask({ subscription_id: 'abc' }), '404 subscription_not_found');
  await s.operate(`webhook pause ${id}`);
  assert.equal(await ask({}), '409 no_active_subscription');
  assert.equal(await ask({ subscription_id: String(id) }), '409 no_active_subscription');
});

test('429 sandbox_queue_full with pending and limit; live is never limited', async () => {
  await using s = await stage();
  const waiting = await s.subscribe('sandbox', '/waiting');
  await s.operate(`webhook pause ${waiting.id}`);
  await s.publish(
    Array.from({ length: 499 }, (_, i) => ({ orderId: BigInt(i + 1) })),
    'sandbox',
  );
  await s.subscribe('sandbox', '/1', 'order.failed');
  await s.subscribe('sandbox', '/2', 'order.failed');
  const { status, body } = await s.t.post('/webhook/test', {}, { key: s.key.sandbox });
  assert.deepEqual([status, body.error, body.pending, body.limit], [429, 'sandbox_queue_full', 499, 500]);
  assert.equal(s.hook.received.length, 0);
});

test('500 test_enqueue_failed: the event cannot be written, and nothing is queued', async () => {
  await using s = await stage();
  await s.subscribe();
  await s.t.base.db.run(sql`revoke insert on live.webhook_queue from wayfare_live`);
  const { status, body } = await s.t.post('/webhook/test', {}, { key: s.key.live });
  assert.deepEqual([status, body.error], [500, 'test_enqueue_failed']);
  assert.deepEqual(await s.log(), []);
});
