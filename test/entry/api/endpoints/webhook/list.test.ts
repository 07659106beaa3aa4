import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from '../../../../../src/platform/db/query/sql.ts';
import { stage } from '../../../../domains/messages/webhooks/stage.ts';

test("lists the subscriptions of the key's own mode, all values strings, with every event name", async () => {
  await using s = await stage();
  const { id } = await s.subscribe('live', '/a', 'order.paid,order.delivered');
  await s.subscribe('sandbox', '/b');
  const { status, body } = await s.t.get('/webhook/list', { key: s.key.live });
  assert.equal(status, 200);
  assert.equal(body.count, 1);
  assert.deepEqual(body.events, [
    'order.created',
    'order.paid',
    'order.delivered',
    'order.deferred',
    'order.failed',
    'order.test',
  ]);
  const [subscription] = body.subscriptions;
  assert.deepEqual(Object.keys(subscription), [
    'id',
    'url',
    'secret_mask',
    'events_list',
    'status',
    'fail_count',
    'date',
    'updated_at',
  ]);
  const { events_list, ...values } = subscription;
  assert.deepEqual(events_list, ['order.paid', 'order.delivered']);
  for (const value of Object.values(values)) assert.equal(typeof value, 'string');
  assert.deepEqual([values.id, values.status, values.fail_count], [String(id), '1', '0']);
  assert.match(values.date, /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);

  const sandbox = await s.t.get('/webhook/list', { key: s.key.sandbox });
  assert.deepEqual([sandbox.body.livemode, sandbox.body.count], [false, 1]);
  assert.match(sandbox.body.subscriptions[0].url, /\/b$/);
});

test('nothing subscribed: an empty list', async () => {
  await using s = await stage();
  const { status, body } = await s.t.get('/webhook/list', { key: s.key.live });
  assert.deepEqual([status, body.count, body.subscriptions], [200, 0, []]);
});

test('500 webhook_read_failed, sandbox_webhook_read_failed: the tables cannot be read', async () => {
  await using s = await stage();
  for (const [mode, code] of [
    ['live', 'webhook_read_failed'],
    ['sandbox', 'sandbox_webhook_read_failed'],
  ] as const) {
    await s.t.base.db.run(
      mode === 'live'
        ? sql`revoke select on live.webhook_subscriptions, live.webhook_deliveries from wayfare_live`
        : sql`revoke select on sandbox.webhook_subscriptions, sandbox.webhook_deliveries from wayfare_sandbox`,
    );
    const key = s.key[mode];
    const answers = [
      await s.t.get('/webhook/list', { key }),
      await s.t.get('/webhook/deliveries', { key }),
      await s.t.get('/webhook/deliveries?id=1', { key }),
      await s.t.post('/webhook/test', {}, { key }),
    ];
    for (const { status, body } of answers) assert.deepEqual([status, body.error], [500, code]);
  }
});
