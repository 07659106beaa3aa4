import assert from 'node:assert/strict';
import { test } from 'node:test';
import { signatureRule } from '../../../../../src/domains/messages/webhooks/send/signature.ts';
import { sql } from '../../../../../src/platform/db/query/sql.ts';
import { stage } from '../../../../domains/messages/webhooks/stage.ts';

const FIELDS = [
  'id',
  'subscription_id',
  'event_id',
  'event_type',
  'sale_id',
  'status',
  'attempts',
  'max_attempts',
  'http_code',
  'duration_ms',
  'response_body',
  'error',
  'sent_at',
  'date',
];

test('the latest deliveries first, every value a string (an unset date null), with statuses and events', async () => {
  await using s = await stage();
  await s.subscribe();
  await s.publish([{ event: 'order.created', orderId: 77n }]);
  await s.settled({ status: 'sent' });
  s.hook.answer = 503;
  await s.publish([{ orderId: 78n }]);
  await s.settled({ status: 'failed' });
  const { status, body } = await s.t.get('/webhook/deliveries', { key: s.key.live });
  assert.equal(status, 200);
  assert.deepEqual([body.count, body.limit], [2, 50]);
  assert.deepEqual(body.statuses, ['pending', 'sent', 'failed', 'dead']);
  assert.equal(body.events.length, 6);
  const [failed, sent] = body.deliveries;
  for (const row of body.deliveries) assert.deepEqual(Object.keys(row), FIELDS);
  for (const value of Object.values(sent)) assert.equal(typeof value, 'string');
  assert.deepEqual([sent.event_id, sent.event_type, sent.sale_id], ['order.created:77:1', 'order.created', '77']);
  assert.match(sent.sent_at, /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
  assert.deepEqual([failed.http_code, failed.attempts, failed.sent_at], ['503', '1', null]);
  assert.equal('payload' in sent, false, 'the list has no bodies');
});

test('every filter, alone and together', async () => {
  await using s = await stage();
  const first = await s.subscribe('live', '/1');
  const second = await s.subscribe('live', '/2', 'order.paid');
  for (const { id } of [first, second]) await s.operate(`webhook pause ${id}`);
  for (let i = 0; i < 6; i++) await s.publish([{ event: 'order.created' }, { event: 'order.paid' }]);
  const { db } = s.t.base.worlds.live;
  await db.run(
    sql`update webhook_deliveries set status = 'dead' where event_type = 'order.created' and order_id % 2 = 0`,
  );
  const count = async (query: string) => (await s.log(query)).length;
  assert.equal(await count(''), 18);
  assert.equal(await count('status=dead'), 3);
  assert.equal(await count('status=pending'), 15);
  assert.equal(await count('event=order.paid'), 12);
  assert.equal(await count(`subscription_id=${first.id}`), 12);
  assert.equal(await count(`subscription_id=${first.id}&event=order.paid`), 6);
  assert.equal(await count(`subscription_id=${first.id}&event=order.created&status=dead`), 3);
  assert.equal(await count(`subscription_id=${second.id}&event=order.created`), 0);
  const { body } = await s.t.get('/webhook/deliveries?limit=7', { key: s.key.live });
  assert.deepEqual([body.count, body.limit], [7, 7]);
  const ids = body.deliveries.map(({ id }: { id: string }) => Number(id));
  assert.deepEqual(
    ids,
    [...ids].sort((a, b) => b - a),
  );
  assert.equal(ids[0], Math.max(...(await s.log()).map(({ id }) => Number(id))));
});

test('with id: one delivery, the exact signed body and the rule; other filters are ignored', async () => {
  await using s = await stage();
  await s.subscribe();
  await s.publish([{ event: 'order.delivered', qrCode: 'LPA:1$x$y' }]);
  await s.settled({ status: 'sent' });
  const [row] = await s.log();
  const query = `id=${row.id}&status=nonsense&event=nonsense&subscription_id=x&limit=0`;
  const single = await s.t.get(`/webhook/deliveries?${query}`, { key: s.key.live });
  assert.deepEqual(single.body.delivery, row);
  assert.equal(single.body.payload, s.hook.received[0]?.body);
  assert.deepEqual([single.body.payload_pruned, single.body.signature_rule], [false, signatureRule]);
});

test('404 delivery_not_found: missing, foreign, of the other mode, or no id at all; byte-equal', async () => {
  await using s = await stage();
  await s.subscribe('sandbox');
  await s.publish([{}], 'sandbox');
  await s.settled({ status: 'sent' }, 'sandbox');
  const [own] = await s.log('', 'sandbox');
  const stranger = await s.t.key(await s.t.partner(), 'sandbox');
  const answers = [
    await s.t.get(`/webhook/deliveries?id=${own.id}`, { key: stranger }),
    await s.t.get('/webhook/deliveries?id=999998', { key: s.key.sandbox }),
    await s.t.get('/webhook/deliveries?id=abc', { key: s.key.sandbox }),
    await s.t.get('/webhook/deliveries?id=0', { key: s.key.sandbox }),
    await s.t.get('/webhook/deliveries?id=99999999999999999999', { key: s.key.sandbox }),
    await s.t.get('/webhook/deliveries?id=1&id=2', { key: s.key.sandbox }),
  ];
  for (const { status, text } of answers) assert.deepEqual([status, text], [404, answers[0]?.text]);
  assert.equal(answers[0]?.body.error, 'delivery_not_found');
  const otherMode = await s.t.get(`/webhook/deliveries?id=${own.id}`, { key: s.key.live });
  assert.deepEqual([otherMode.status, otherMode.body.error], [404, 'delivery_not_found']);
});

test('400 invalid_status, invalid_event, invalid_subscription_id, invalid_limit', async () => {
  await using s = await stage();
  for (const [query, code] of [
    ['status=lost', 'invalid_status'],
    ['status=sent&status=dead', 'invalid_status'],
    ['event=order.lost', 'invalid_event'],
    ['subscription_id=x', 'invalid_subscription_id'],
    ['subscription_id=123456789012345678901', 'invalid_subscription_id'],
    ['subscription_id=-1', 'invalid_subscription_id'],
    ['limit=0', 'invalid_limit'],
    ['limit=201', 'invalid_limit'],
    ['limit=ten', 'invalid_limit'],
  ]) {
    const { status, body } = await s.t.get(`/webhook/deliveries?${query}`, { key: s.key.live });
    assert.deepEqual([status, body.error], [400, code], query);
  }
  const fits = await s.t.get('/webhook/deliveries?subscription_id=99999999999999999999', { key: s.key.live });
  assert.deepEqual([fits.status, fits.body.count], [200, 0]);
});

test("a stranger's subscription_id matches nothing", async () => {
  await using s = await stage();
  const { id } = await s.subscribe();
  await s.publish([{}]);
  await s.settled({ status: 'sent' });
  const stranger = await s.t.key(await s.t.partner());
  const { status, body } = await s.t.get(`/webhook/deliveries?subscription_id=${id}`, { key: stranger });
  assert.deepEqual([status, body.count], [200, 0]);
});
