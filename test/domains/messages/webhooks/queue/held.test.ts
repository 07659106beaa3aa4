import assert from 'node:assert/strict';
import { test } from 'node:test';
import { abandonHeld } from '../../../../../src/domains/messages/webhooks/queue/held.ts';
import { HOUR, MINUTE } from '../../../../../src/platform/clock.ts';
import { sql } from '../../../../../src/platform/db/query/sql.ts';
import { until } from '../../../../support/servers/receiver.ts';
import { type Stage, stage } from '../stage.ts';

const eventIds = (s: Stage, from = 0): string[] =>
  s.hook.received.slice(from).map(({ body }) => JSON.parse(body).event_id);

/** A failed delivery that waits for its retry, and two events that happened after the subscription left `active`. */
async function heldThree(s: Stage, status: 2 | 3): Promise<bigint> {
  const { id } = await s.subscribe();
  s.hook.answer = 500;
  await s.publish([{ orderId: 1n }]);
  await s.settled({ status: 'failed' });
  s.hook.answer = 200;
  const { db } = s.t.base.worlds.live;
  await db.run(sql`
    update webhook_subscriptions set status = ${status}, held_since = ${new Date(s.t.clock.now())} where id = ${id}`);
  await s.publish([{ orderId: 2n }]);
  await s.publish([{ orderId: 3n }]);
  const log = await s.log();
  assert.deepEqual(
    log.map(({ sale_id, status: of, held }) => [sale_id, of, held]),
    [
      ['3', 'pending', true],
      ['2', 'pending', true],
      ['1', 'failed', true],
    ],
  );
  const single = await s.t.get(`/webhook/deliveries?id=${log[0].id}`, { key: s.key.live });
  assert.equal(single.body.delivery.held, true);
  return id;
}

for (const [name, status] of [
  ['paused', 2],
  ['disabled', 3],
] as const)
  test(`events of a ${name} subscription are held, and sent oldest first on resume`, async () => {
    await using s = await stage();
    const id = await heldThree(s, status);
    const before = s.hook.received.length;
    await s.operate(`webhook resume ${id}`);
    await s.hook.got(before + 3);
    await until(async () => (await s.log('status=sent')).length === 3);
    // Two leave at a time, so the first two may arrive in either order.
    assert.deepEqual(eventIds(s, before).slice(0, 2).sort(), ['order.paid:1:1', 'order.paid:2:1']);
    assert.deepEqual(await s.operate('webhook dead'), []);
  });

test('resume --discard drops what was held: dead in the log, no dead letter, and what comes next is sent', async () => {
  await using s = await stage();
  const id = await heldThree(s, 2);
  // A row due within a lease from now could be an attempt in flight, but not this long after the subscription was paused.
  s.t.clock.advance(MINUTE - 5_000);
  const before = s.hook.received.length;
  await s.operate(`webhook resume ${id} --discard`);
  await s.publish([{ orderId: 4n }]);
  await s.settled({ status: 'sent', sale_id: '4' });
  assert.deepEqual(eventIds(s, before), ['order.paid:4:1']);
  const log = await s.log('status=dead');
  assert.deepEqual(
    log.map(({ sale_id, error }) => [sale_id, error]),
    [
      ['3', 'discarded'],
      ['2', 'discarded'],
      ['1', 'discarded'],
    ],
  );
  assert.deepEqual(await s.operate('webhook dead'), []);
  assert.deepEqual(await s.operate(`webhook requeue --subscription ${id}`), { requeued: 0 });
  assert.deepEqual(await s.operate(`webhook requeue ${log[0].id}`), { requeued: 1 }, 'one may change their mind');
});

test('resume --discard of an active subscription drops nothing', async () => {
  await using s = await stage();
  const { id } = await s.subscribe();
  s.hook.answer = 500;
  await s.publish([{}]);
  await s.settled({ status: 'failed' });
  await s.operate(`webhook resume ${id} --discard`);
  s.hook.answer = 200;
  s.t.clock.advance(MINUTE);
  await s.settled({ status: 'sent' });
});

test('deleting a subscription makes no dead letters of what had not run out of attempts', async () => {
  await using s = await stage();
  const { id } = await s.subscribe();
  s.hook.answer = 500;
  await s.publish([{ orderId: 1n }]);
  await s.settled({ status: 'failed' });
  await s.t.base.worlds.live.db.run(sql`update webhook_queue set attempts = 4, due_at = now() - interval '1 s'`);
  await s.settled({ status: 'dead', attempts: '5' });
  await s.publish([{ orderId: 2n }]);
  await s.settled({ status: 'failed' });
  await s.operate(`webhook delete ${id}`);
  s.t.clock.advance(HOUR);
  assert.equal(await abandonHeld(s.t.base.worlds.live.db, s.t.clock.now()), 0, 'nothing is left');
  assert.deepEqual(
    (await s.log()).map(({ sale_id, status, error }) => [sale_id, status, error]),
    [
      ['2', 'dead', 'subscription deleted'],
      ['1', 'dead', ''],
    ],
  );
  const letters = await s.operate('webhook dead');
  assert.deepEqual(
    letters.map(({ event_id }: { event_id: string }) => event_id),
    ['order.paid:1:1'],
  );
});
