import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toCents } from '../../src/money/cents.ts';
import { eventNames, orderMessage, sampleMessage } from '../../src/webhooks/events.ts';
import { checkEvents } from '../../src/webhooks/subscriptions.ts';

const live = { eventIdPrefix: '', bodyExtra: {} };
const sandbox = { eventIdPrefix: 'sbx_', bodyExtra: { livemode: false } };
const occurredAt = Date.UTC(2026, 2, 1, 12, 0, 0, 987);

test("an order event has the contract fields in order, occurred_at in ISO 8601 with an offset, then the partner's reference", () => {
  const { eventId, body } = orderMessage(live, {
    partnerId: 7,
    orderId: 1042n,
    reference: 'booking 7',
    event: 'order.delivered',
    delivery: 'delivered',
    deliveryReason: '',
    iccid: '8910',
    qrCode: 'LPA:1$smdp.example$X',
    occurredAt,
  });
  assert.equal(eventId, 'order.delivered:1042:1');
  assert.equal(
    body,
    '{"event":"order.delivered","event_id":"order.delivered:1042:1","order_id":1042,"status":"1","delivery":"delivered",' +
      '"delivery_reason":"","iccid":"8910","qr_code":"LPA:1$smdp.example$X","occurred_at":"2026-03-01T12:00:00+00:00",' +
      '"reference":"booking 7"}',
  );
});

test('each event reports its status, and a sample of it the delivery that goes with it', () => {
  const told = (event: Parameters<typeof sampleMessage>[1]) => {
    const { status, delivery } = JSON.parse(sampleMessage(live, event, 1, '', occurredAt).body);
    return [status, delivery];
  };
  assert.deepEqual(
    (['order.created', 'order.paid', 'order.delivered', 'order.deferred', 'order.failed', 'order.test'] as const).map(
      told,
    ),
    [
      ['3', ''],
      ['4', ''],
      ['1', 'delivered'],
      ['4', 'deferred'],
      ['2', 'failed'],
      ['test', ''],
    ],
  );
});

test('order.refunded: an order event with the refund, counted by refund, in the state the order is in', () => {
  const at = new Date(occurredAt);
  const told = {
    partnerId: 7,
    orderId: 1042n,
    reference: 'booking 7',
    event: 'order.refunded',
    n: 2,
    delivery: 'delivered',
    deliveryReason: '',
    iccid: '8910',
    qrCode: 'LPA:1$smdp.example$X',
    occurredAt,
    refund: { status: 'refunded', amount: toCents(450n), reason: 'r', note: 'n', requestedAt: at, decidedAt: at },
  } as const;
  const { eventId, body } = orderMessage(sandbox, told);
  assert.equal(eventId, 'sbx_order.refunded:1042:2');
  assert.equal(
    body,
    '{"event":"order.refunded","event_id":"sbx_order.refunded:1042:2","order_id":1042,"status":"1","delivery":"delivered",' +
      '"delivery_reason":"","iccid":"8910","qr_code":"LPA:1$smdp.example$X","occurred_at":"2026-03-01T12:00:00+00:00",' +
      '"reference":"booking 7","refund":{"status":"refunded","amount":"4.50","reason":"r","note":"n",' +
      '"requested_at":"2026-03-01 12:00:00","decided_at":"2026-03-01 12:00:00"},"livemode":false}',
  );
  assert.equal(JSON.parse(orderMessage(live, { ...told, delivery: 'deferred', status: '4' }).body).status, '4');
  const sample = JSON.parse(sampleMessage(live, 'order.refunded', 1, 'a note', occurredAt).body);
  assert.deepEqual(
    Object.keys(sample).toSorted(),
    [...Object.keys(JSON.parse(body)), 'note'].filter((key) => key !== 'livemode').toSorted(),
  );
});

test('a subscription that names no events gets the six of the contract, whatever else there is', () => {
  const six = ['order.created', 'order.paid', 'order.delivered', 'order.deferred', 'order.failed', 'order.test'];
  assert.deepEqual(checkEvents([]), six);
  assert.deepEqual(checkEvents(['order.refunded', 'order.paid', 'order.refunded']), ['order.paid', 'order.refunded']);
  assert.throws(() => checkEvents(['order.lost']), { code: 'invalid_event' });
  assert.ok(six.every((name) => eventNames.some((known) => known === name)));
});

test('a world marks its own: the sandbox prefixes the event_id and carries livemode false', () => {
  const { eventId, body } = sampleMessage(sandbox, 'order.test', 5, 'a note', occurredAt);
  assert.equal(eventId, 'sbx_order.test:0:5');
  const parsed = JSON.parse(body);
  assert.equal(parsed.event_id, eventId);
  assert.equal(parsed.order_id, 0);
  assert.equal(parsed.note, 'a note');
  assert.equal(parsed.livemode, false);
});
