import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type AttemptOutcome, type Claimed, claim } from '../../../../src/domains/messages/webhooks/queue/queue.ts';
import { record } from '../../../../src/domains/messages/webhooks/send/record.ts';
import { MINUTE } from '../../../../src/platform/clock.ts';
import { sql } from '../../../../src/platform/db/query/sql.ts';
import { random } from '../../../support/random.ts';
import { until } from '../../../support/servers/receiver.ts';
import { type Stage, stage } from './stage.ts';

/** Queues and claims this many sandbox deliveries; the worker is off, so the test records their outcomes itself. */
async function claimed(s: Stage, subscriptionId: bigint, count: number): Promise<Claimed[]> {
  await s.publish(Array(count).fill({}), 'sandbox');
  const { db } = s.t.base.worlds.sandbox;
  const rows = await claim(db, [{ subscriptionId, room: count }], s.t.clock.now() + MINUTE);
  assert.equal(rows.length, count);
  return rows;
}

const outcome = (one: Claimed, succeeded: boolean, now: number): AttemptOutcome => ({
  claimed: one,
  succeeded,
  dueAt: succeeded ? undefined : new Date(now + 10 * MINUTE),
  startedAt: new Date(now),
  endedAt: new Date(now),
  signed: undefined,
  httpStatus: succeeded ? 200 : 500,
  durationMs: 5,
  responseHeaders: '',
  responseBody: '',
  error: '',
});

const off = { role: 'api' } as const;

test('a reset that meets the recording of outcomes half-way waits for it, in whatever order the attempts ended', async () => {
  await using s = await stage(off);
  const { id } = await s.subscribe('sandbox');
  const { db } = s.t.base.worlds.sandbox;
  const waiting = async () => {
    const { n } = await s.t.base.db.one<{ n: bigint }>(sql`
      select count(*) as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`);
    return Number(n);
  };
  const orders = [
    ['first to last', [0, 1, 2], [true, true, true]],
    ['last to first', [2, 1, 0], [true, true, true]],
    ['successes after failures', [0, 1, 2], [false, true, true]],
    ['failures after successes', [2, 1, 0], [true, true, false]],
  ] as const;
  for (const [name, order, succeeded] of orders) {
    const rows = await claimed(s, id, 3);
    const now = s.t.clock.now() + MINUTE;
    const outcomes = order.map((at, i) => outcome(rows[at] as Claimed, succeeded[i] ?? true, now));
    // Both meet at the row in the middle. A transaction that locked in the other order would hold what the other one needs next.
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const { promise: locked, resolve: lock } = Promise.withResolvers<void>();
    const held = db.tx(async (tx) => {
      await tx.run(sql`select from webhook_queue where delivery_id = ${rows[1]?.deliveryId} for update`);
      lock();
      await released;
    });
    await locked;
    const reset = s.t.post('/account/sandboxReset', {}, { key: s.key.sandbox });
    const recording = until(async () => (await waiting()) >= 1).then(() => record(db, outcomes, now));
    await until(async () => (await waiting()) >= 2).finally(release);
    await held;
    assert.equal((await reset).status, 200, name);
    await recording;
    assert.deepEqual(await s.log('', 'sandbox'), [], name);
  }
});

test('resets beside recordings: every reset is answered, every outcome recorded, nothing is left behind', async () => {
  await using s = await stage(off);
  const { id } = await s.subscribe('sandbox');
  const { db } = s.t.base.worlds.sandbox;
  const next = random(Number(process.env.SEED ?? 7));
  for (let round = 0; round < 25; round++) {
    const now = s.t.clock.now() + MINUTE;
    const outcomes = (await claimed(s, id, 30))
      .map((one) => ({ one, at: next(1000) }))
      .sort((a, b) => a.at - b.at)
      .map(({ one }) => outcome(one, next(8) > 0, now));
    const [reset] = await Promise.all([
      s.t.post('/account/sandboxReset', {}, { key: s.key.sandbox }),
      ...[0, 10, 20].map((from) => record(db, outcomes.slice(from, from + 10), now)),
    ]);
    assert.equal(reset.status, 200, `round ${round}`);
  }
  const { waiting } = await db.one<{ waiting: bigint }>(sql`select count(*) as waiting from webhook_queue`);
  assert.equal(waiting, 0n);
});
