import assert from 'node:assert/strict';
import { test } from 'node:test';
import { removeBatch } from '../../../../src/domains/messages/webhooks/log/retention.ts';
import { DAY, HOUR, MINUTE } from '../../../../src/platform/clock.ts';
import { sql } from '../../../../src/platform/db/query/sql.ts';
import { until } from '../../../support/servers/receiver.ts';
import { stage } from './stage.ts';

test('each attempt is kept with what was sent, what came back and how long it took, the latest first', async () => {
  await using s = await stage();
  await s.subscribe();
  const { webhooks } = s.t.base.worlds.live;
  const cookie = 'session=must-not-be-kept';
  s.hook.answer = (_request, response) =>
    response
      .writeHead(503, { 'retry-after': '7', 'set-cookie': cookie, 'x-note': 'LPA:1$smdp.example$SECRET' })
      .end('busy');
  await s.publish([{ orderId: 77n }]);
  await s.settled({ status: 'failed' });
  s.hook.answer = (_request, response) => response.end('y'.repeat(5_000));
  s.t.clock.advance(MINUTE);
  await s.settled({ status: 'sent' });
  const [logged] = await s.log();
  assert.equal(logged.response_body, 'y'.repeat(1_000), 'the log keeps what it always kept');

  const [second, first, ...more] = await webhooks.attempts(s.partnerId, BigInt(logged.id));
  assert.ok(first && second && more.length === 0);
  assert.deepEqual([first.attempt, first.httpStatus, first.error, first.responseBody], [1, 503, '', 'busy']);
  assert.deepEqual([second.attempt, second.httpStatus, second.responseBody], [2, 200, 'y'.repeat(4_000)]);
  assert.ok(second.startedAt.getTime() - first.startedAt.getTime() >= MINUTE);
  for (const [i, attempt] of [first, second].entries()) {
    const sent = s.hook.received[i]?.headers ?? {};
    assert.ok(attempt.requestHeaders);
    for (const [name, value] of Object.entries(attempt.requestHeaders))
      assert.equal(value, sent[name.toLowerCase()], name);
    assert.match(attempt.requestHeaders['X-Signature'] ?? '', /^sha256=[0-9a-f]{64}$/);
    assert.ok(attempt.durationMs >= 0 && attempt.durationMs < 10_000);
  }
  assert.match(first.responseHeaders, /^retry-after: 7$/m);
  assert.match(first.responseHeaders, /^set-cookie: \(not stored\)$/m);
  assert.match(first.responseHeaders, /^x-note: LPA:\[redacted\]$/m);

  const ofOrder = await webhooks.attemptsOfOrder(s.partnerId, 77n);
  assert.deepEqual(
    ofOrder.map(({ deliveryId, attempt, event, httpStatus }) => [String(deliveryId), attempt, event, httpStatus]),
    [
      [logged.id, 1, 'order.paid', 503],
      [logged.id, 2, 'order.paid', 200],
    ],
  );
  assert.deepEqual(await webhooks.attempts(s.partnerId + 1, BigInt(logged.id)), [], 'another partner sees none');
  assert.deepEqual(await webhooks.attemptsOfOrder(s.partnerId + 1, 77n), []);
});

test('headers of a reply are kept up to a limit, and an attempt that sent nothing says so', async () => {
  await using s = await stage();
  const { id } = await s.subscribe();
  const { webhooks, db } = s.t.base.worlds.live;
  s.hook.answer = (_request, response) =>
    response
      .writeHead(200, {
        'x-long': 'z'.repeat(3_000),
        ...Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`x-${i}`, 'q'.repeat(80)])),
      })
      .end();
  await s.publish([{}]);
  await s.settled({ status: 'sent' });
  const [{ id: logged }] = await s.log();
  const [attempt] = await webhooks.attempts(s.partnerId, BigInt(logged));
  assert.ok(attempt && attempt.responseHeaders.length > 1_500 && attempt.responseHeaders.length <= 2_000);
  assert.equal(attempt.responseHeaders.includes('x-long'), false);

  await db.run(sql`update webhook_subscriptions set url = 'https://127.0.0.1:1/' where id = ${id}`);
  await s.publish([{}]);
  await s.settled({ status: 'failed' });
  const [{ id: blocked }] = await s.log();
  const [refused] = await webhooks.attempts(s.partnerId, BigInt(blocked));
  assert.deepEqual(
    [refused?.requestHeaders, refused?.httpStatus, refused?.error, refused?.responseHeaders],
    [null, null, 'blocked: loopback_address', ''],
  );
});

test('attempts are in the time of the account, like the rest of its log', async () => {
  await using s = await stage();
  await s.subscribe('sandbox');
  const { webhooks, db } = s.t.base.worlds.sandbox;
  await db.run(sql`
    insert into account_clocks (partner_id, ahead) values (${s.partnerId}, interval '30 days')
    on conflict (partner_id) do update set ahead = excluded.ahead`);
  await s.publish([{ orderId: 5n }], 'sandbox');
  await s.settled({ status: 'sent' }, 'sandbox');
  const [attempt] = await webhooks.attemptsOfOrder(s.partnerId, 5n);
  assert.ok(attempt && Math.abs(attempt.startedAt.getTime() - s.t.clock.now() - 30 * DAY) < HOUR);
});

test('attempts leave with their delivery: when its time is over, and with a reset of the sandbox', async () => {
  await using s = await stage();
  const left = async (mode: 'live' | 'sandbox') =>
    Number((await s.t.base.worlds[mode].db.one<{ n: bigint }>(sql`select count(*) as n from webhook_attempts`)).n);
  for (const mode of ['live', 'sandbox'] as const) {
    await s.subscribe(mode);
    await s.publish([{ orderId: 1n }], mode);
    await s.settled({ status: 'sent' }, mode);
    assert.equal(await left(mode), 1);
  }
  await removeBatch(s.t.base.worlds.live.db, 0n, new Date(s.t.clock.now() - DAY));
  assert.equal(await left('live'), 1, 'it is young');
  await removeBatch(s.t.base.worlds.live.db, 0n, new Date(s.t.clock.now() + DAY));
  assert.equal(await left('live'), 0);
  const reset = await s.t.post('/account/sandboxReset', {}, { key: s.key.sandbox });
  assert.equal(reset.status, 200, reset.text);
  await until(async () => (await left('sandbox')) === 0);
});
