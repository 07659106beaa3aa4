import assert from 'node:assert/strict';
import { test } from 'node:test';
import { balanceLow, messageOf, orderMessage } from '../../../../src/domains/messages/events/messages.ts';
import { eventNames } from '../../../../src/domains/messages/events/names.ts';
import { sampleMessage } from '../../../../src/domains/messages/events/samples.ts';
import { checkEvents } from '../../../../src/domains/messages/webhooks/subscriptions/subscriptions.ts';
import { toCents } from '../../../../src/platform/amounts/cents.ts';

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

const at = new Date(occurredAt);
const usage = {
  iccid: '8910',
  orderId: 1042n,
  productTitle: '1 GB 7 days',
  status: 'active',
  tone: 'warning',
  totalMb: 1024,
  usedMb: 900,
  remainingMb: 124,
  percentRemaining: 12,
  isUnlimited: false,
  fairUseText: '',
  activatedAt: at,
  expiresAt: null,
  daysLeft: null,
  fetchedAt: at,
} as const;

test('an eSIM event names the eSIM, the order that brought it, and its usage', () => {
  const event = {
    partnerId: 7,
    orderId: 1042n,
    reference: 'r',
    iccid: '8910',
    event: 'esim.usage_high',
    n: 2,
  } as const;
  const { eventId, body } = messageOf(sandbox, { ...event, usage, occurredAt });
  assert.equal(eventId, 'sbx_esim.usage_high:8910:2');
  assert.equal(
    body,
    '{"event":"esim.usage_high","event_id":"sbx_esim.usage_high:8910:2","occurred_at":"2026-03-01T12:00:00+00:00",' +
      '"iccid":"8910","order_id":1042,"reference":"r","usage":{"iccid":"8910","sale_id":1042,"title":"1 GB 7 days",' +
      '"status":"active","tone":"warning","total_mb":1024,"used_mb":900,"remaining_mb":124,"percent_remaining":12,' +
      '"is_unlimited":false,"fair_use_text":"","activated_at":"2026-03-01 12:00:00","expires_at":null,"days_left":null,' +
      '"fetched_at":"2026-03-01 12:00:00"},"livemode":false}',
  );
});

test('events of money have the partner as their subject, and decimal strings', () => {
  const low = messageOf(live, balanceLow({ partnerId: 7, balance: toCents(950n), level: toCents(1000n), n: 3 }, at));
  assert.equal(
    low.body,
    '{"event":"account.balance_low","event_id":"account.balance_low:7:3","occurred_at":"2026-03-01T12:00:00+00:00",' +
      '"balance":"9.50","level":"10.00"}',
  );
  const topup = {
    partnerId: 7,
    event: 'topup.succeeded',
    n: 1,
    balance: toCents(5950n),
    amount: toCents(5000n),
  } as const;
  assert.equal(
    messageOf(sandbox, { ...topup, occurredAt }).body,
    '{"event":"topup.succeeded","event_id":"sbx_topup.succeeded:7:1","occurred_at":"2026-03-01T12:00:00+00:00",' +
      '"balance":"59.50","amount":"50.00","livemode":false}',
  );
});

test('there are thirty events, and the sample of each has the fields of the real one', () => {
  assert.equal(eventNames.length, 30);
  const keys = (body: string) => Object.keys(JSON.parse(body)).filter((key) => key !== 'note');
  const sample = (name: (typeof eventNames)[number]) => sampleMessage(live, name, 0, 'a note', occurredAt).body;
  const phone = ['esim.installed', 'esim.removed', 'esim.country_changed', 'esim.suspended', 'esim.resumed'];
  const about = (name: string) => {
    if (name === 'esim.country_changed') return ['country', 'covered', 'profile'];
    if (phone.includes(name)) return ['profile'];
    if (name === 'esim.autorefill_stopped') return ['stopped', 'autorefill'];
    return [{ 'esim.replaced': 'replacement', 'esim.help_requested': 'help' }[name] ?? 'usage'];
  };
  for (const name of eventNames.filter((one) => one.startsWith('esim.'))) {
    assert.deepEqual(keys(sample(name)), [
      'event',
      'event_id',
      'occurred_at',
      'iccid',
      'order_id',
      'reference',
      ...about(name),
    ]);
    assert.equal(JSON.parse(sample(name)).event_id, `${name}:0:0`);
  }
  assert.deepEqual(keys(sample('account.balance_low')), ['event', 'event_id', 'occurred_at', 'balance', 'level']);
  assert.deepEqual(keys(sample('topup.succeeded')), ['event', 'event_id', 'occurred_at', 'balance', 'amount']);
});
