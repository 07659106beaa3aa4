import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Exchange } from '../../../../../src/domains/messages/webhooks/queue/queue.ts';
import {
  claimRecoveryAttempts,
  type RecoveryAttempt,
  recordRecoveryAttempt,
} from '../../../../../src/domains/messages/webhooks/queue/recovery-attempts.ts';
import {
  LEASE_MS,
  MAX_RECOVERY_ATTEMPTS,
  nextRecoveryAt,
} from '../../../../../src/domains/messages/webhooks/queue/schedule.ts';
import { findSubscription } from '../../../../../src/domains/messages/webhooks/subscriptions/subscriptions.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../../../../../src/platform/clock.ts';
import type { Mode } from '../../../../../src/platform/contract/mode.ts';
import { sql } from '../../../../../src/platform/db/query/sql.ts';
import { explain } from '../../../../support/database/measured-plan.ts';
import { until } from '../../../../support/servers/receiver.ts';
import { stage } from '../stage.ts';

const s = await stage();
after(() => s[Symbol.asyncDispose]());
const { live } = s.t.base.worlds;
const show = (id: bigint, mode: Mode = 'live') => findSubscription(s.t.base.worlds[mode].db, id);
const receivedIds = (from: number): string[] =>
  s.hook.received.slice(from).map(({ body }) => JSON.parse(body).event_id);

/** A subscription with ten events, whose receiver has just failed ten times in a row. */
async function disabled(mode: Mode = 'live', answer = 500): Promise<{ id: bigint; events: string[] }> {
  const { id } = await s.subscribe(mode);
  s.hook.answer = answer;
  const first = await s.log('', mode);
  for (let i = 0; i < 10; i++) {
    await s.publish([{}], mode);
    await s.settled({ status: 'failed' }, mode);
  }
  await until(async () => (await show(id, mode)).status === 3);
  const log = (await s.log('', mode)).slice(0, (await s.log('', mode)).length - first.length);
  return { id, events: log.map(({ event_id }) => event_id).reverse() };
}

const gone = (id: bigint) => s.operate(`webhook delete ${id}`);
const still = async (count: number) => {
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  assert.equal(s.hook.received.length, count, 'it came early');
};

test('the waits are 1, 5, 15 and 30 minutes, then an hour for three days', () => {
  const waits = Array.from({ length: MAX_RECOVERY_ATTEMPTS + 1 }, (_, tries) => nextRecoveryAt(tries, 0));
  assert.deepEqual(waits.slice(0, 5), [MINUTE, 5 * MINUTE, 15 * MINUTE, 30 * MINUTE, HOUR]);
  assert.deepEqual(waits.slice(4, -1), Array(72).fill(HOUR));
  assert.equal(waits.at(-1), undefined);
});

test('a disabled receiver is tried automatically with the oldest event, and the first 2xx sends what was held, oldest first', async () => {
  const { id, events } = await disabled();
  const before = s.hook.received.length;
  const { heldSince, nextTryAt } = await show(id);
  assert.equal(nextTryAt?.getTime(), (heldSince?.getTime() ?? 0) + MINUTE);
  await s.publish([{}]);
  await still(before);

  for (const [i, wait] of [MINUTE, 5 * MINUTE, 15 * MINUTE].entries()) {
    s.t.clock.advance(wait);
    await s.hook.got(before + i + 1);
    await until(async () => (await show(id)).tries === i + 1);
    await until(async () => Number((await show(id)).nextTryAt) > s.t.clock.now() + LEASE_MS);
  }
  assert.deepEqual(new Set(receivedIds(before)), new Set([events[0]]), 'each time the oldest');
  const tried = await show(id);
  assert.deepEqual([tried.status, tried.failCount], [3, 10], 'tries do not count');
  assert.ok(Math.abs(Number(tried.nextTryAt) - s.t.clock.now() - 30 * MINUTE) < 10 * SECOND, 'counted from this try');
  const [oldest] = (await s.log('status=failed')).slice(-1);
  assert.deepEqual([oldest.event_id, oldest.attempts, oldest.max_attempts], [events[0], '1', '5'], 'not of its five');
  const attempts = await live.webhooks.attempts(s.partnerId, BigInt(oldest.id));
  assert.deepEqual(
    attempts.map(({ attempt, httpStatus }) => [attempt, httpStatus]),
    [4, 3, 2, 1].map((attempt) => [attempt, 500]),
    'in the log',
  );

  s.hook.answer = 200;
  s.t.clock.advance(30 * MINUTE);
  await s.hook.got(before + 3 + 11);
  await until(async () => (await s.log('status=sent')).length === 11);
  assert.deepEqual(receivedIds(before + 3).slice(0, 2), events.slice(0, 2), 'the try, then the next');
  assert.deepEqual(
    new Set(receivedIds(before + 3).slice(0, 10)),
    new Set(events),
    'what happened meanwhile is the last',
  );
  const { status, failCount, heldSince: since, nextTryAt: next, tries } = await show(id);
  assert.deepEqual([status, failCount, since, next, tries], [1, 0, null, null, 0]);
  await gone(id);
});

test('a try leaves the schedule of its delivery as it was', async () => {
  const { id } = await disabled();
  s.t.clock.advance(MINUTE);
  await until(
    async () => (await show(id)).tries === 1 && Number((await show(id)).nextTryAt) > s.t.clock.now() + LEASE_MS,
  );
  await s.operate(`webhook resume ${id}`);
  await until(async () => (await s.log('status=failed')).every(({ attempts }) => attempts === '2'));
  const [oldest] = (await s.log('status=failed')).slice(-1);
  const due = await live.webhooks.dueOf(s.partnerId, [BigInt(oldest.id)]);
  const wait = Number(due.get(BigInt(oldest.id))?.at) - s.t.clock.now();
  assert.ok(Math.abs(wait - 5 * MINUTE) < 10 * SECOND, `after its second attempt five minutes, not ${wait} ms`);
  const attempts = await live.webhooks.attempts(s.partnerId, BigInt(oldest.id));
  assert.deepEqual(
    attempts.map(({ attempt }) => attempt),
    [3, 2, 1],
  );
  await gone(id);
});

test('with nothing held the next event is tried at once', async () => {
  const { id } = await disabled();
  await live.db.run(sql`delete from webhook_queue where subscription_id = ${id}`);
  await live.db.run(sql`update webhook_deliveries set status = 'dead' where subscription_id = ${id}`);
  s.t.clock.advance(2 * HOUR);
  s.hook.answer = 200;
  const before = s.hook.received.length;
  await still(before);
  assert.equal((await show(id)).tries, 0);
  await s.publish([{}]);
  await s.settled({ status: 'sent' });
  assert.equal((await show(id)).status, 1);
  await gone(id);
});

test('the test clock of a sandbox moves the next try', async () => {
  const { id } = await disabled('sandbox');
  const before = s.hook.received.length;
  const turn = (by: string) => s.operate(`sandbox clock advance --partner ${s.partnerId} --by ${by}`);
  await turn('50s');
  await still(before);
  await turn('15s');
  await s.hook.got(before + 1);
  await until(async () => Number((await show(id, 'sandbox')).nextTryAt) > s.t.clock.now() + 2 * MINUTE);
  const next = Number((await show(id, 'sandbox')).nextTryAt) - s.t.clock.now();
  assert.ok(Math.abs(next - 5 * MINUTE - 65 * SECOND) < 10 * SECOND, 'told in the time of the account');
  s.hook.answer = 200;
  await turn('4d');
  await s.hook.got(before + 2);
  await until(async () => (await show(id, 'sandbox')).status === 1);
  await s.operate(`sandbox clock reset --partner ${s.partnerId}`);
  await gone(id);
});

// From here on no worker runs; the tests do its work.
const quiet = await stage({ role: 'api' });
after(() => quiet[Symbol.asyncDispose]());
const world = quiet.t.base.worlds.live;

/** A subscription whose receiver is due to be tried; those of earlier tests are gone. */
async function waiting(tries = 0): Promise<bigint> {
  await world.db.run(sql`update webhook_subscriptions set deleted_at = now() where deleted_at is null`);
  const { id } = await quiet.subscribe('live', `/${crypto.randomUUID()}`);
  const now = quiet.t.clock.now();
  await world.db.run(sql`
    update webhook_subscriptions set status = 3, fail_count = 10, held_since = ${new Date(now - DAY)}, comeback_tries = ${tries},
      comeback_at = ${tries === 0 ? null : new Date(now)} where id = ${id}`);
  await quiet.publish([{}, { event: 'order.delivered' }]);
  return id;
}

const said = (succeeded: boolean): Exchange => ({
  succeeded,
  startedAt: new Date(quiet.t.clock.now()),
  endedAt: new Date(quiet.t.clock.now()),
  signed: undefined,
  httpStatus: succeeded ? 200 : 500,
  durationMs: 5,
  responseHeaders: '',
  responseBody: '',
  error: '',
});
const claimOf = async (id: bigint, now = quiet.t.clock.now()): Promise<RecoveryAttempt | undefined> =>
  (await claimRecoveryAttempts(world.db, now)).find(({ subscriptionId }) => subscriptionId === id);
const state = (id: bigint) => findSubscription(world.db, id);

test('one process tries a receiver at a time; the claim of one that died is taken up when its lease ends', async () => {
  const id = await waiting();
  const now = quiet.t.clock.now();
  const first = await claimOf(id, now);
  assert.equal(first?.tries, 1);
  assert.equal(await claimOf(id, now + LEASE_MS - 1), undefined);
  const second = await claimOf(id, now + LEASE_MS);
  assert.equal(second?.deliveryId, first?.deliveryId);
  assert.ok(first && second);
  assert.equal(await recordRecoveryAttempt(world.db, first, said(true), now), undefined, 'the first is too late');
  assert.deepEqual([(await state(id)).status, (await state(id)).tries], [3, 2]);
  assert.equal((await world.webhooks.attempts(quiet.partnerId, first.deliveryId)).length, 0);
  await recordRecoveryAttempt(world.db, second, said(true), now);
  assert.equal((await state(id)).status, 1);
});

test('resumed, discarded or deleted during a try, the outcome of the try changes nothing', async () => {
  for (const command of ['resume', 'resume --discard', 'delete']) {
    const id = await waiting();
    const claimed = await claimOf(id);
    assert.ok(claimed);
    const [verb, ...options] = command.split(' ');
    await quiet.operate(`webhook ${[verb, id, ...options].join(' ')}`);
    for (const succeeded of [false, true])
      assert.equal(
        await recordRecoveryAttempt(world.db, claimed, said(succeeded), quiet.t.clock.now()),
        undefined,
        command,
      );
    assert.equal((await world.webhooks.attempts(quiet.partnerId, claimed.deliveryId)).length, 0, command);
  }
});

test('after three days it is no longer tried automatically, and a person can still resume it', async () => {
  const id = await waiting(MAX_RECOVERY_ATTEMPTS - 1);
  const last = await claimOf(id);
  assert.ok(last);
  const recorded = await recordRecoveryAttempt(world.db, last, said(false), quiet.t.clock.now());
  assert.deepEqual(recorded, { isActive: false, nextTryAt: undefined });
  assert.equal((await state(id)).nextTryAt, null);
  assert.equal(await claimOf(id, quiet.t.clock.now() + 100 * DAY), undefined);
  await quiet.operate(`webhook resume ${id}`);
  assert.deepEqual([(await state(id)).status, (await state(id)).tries], [1, 0]);
});

test('a try that was planned while the clock was wrong is made now, and paused subscriptions are never tried', async () => {
  const id = await waiting(3);
  await world.db.run(sql`update webhook_subscriptions set comeback_at = now() + interval '1 year' where id = ${id}`);
  assert.equal((await claimOf(id))?.tries, 4);
  await world.db.run(sql`update webhook_subscriptions set status = 2, comeback_at = null where id = ${id}`);
  assert.equal(await claimOf(id, quiet.t.clock.now() + DAY), undefined);
});

test('the query for due recovery attempts reads only disabled subscriptions, and of each the oldest of every event', async () => {
  const now = quiet.t.clock.now();
  const id = await waiting();
  await quiet.publish(Array.from({ length: 3_000 }, () => ({})));
  await quiet.t.base.db.run(sql`analyze live.webhook_deliveries, live.webhook_queue`);
  const { rowsRead, steps } = await explain(world.db, (ask) => claimRecoveryAttempts(ask, now + MINUTE));
  assert.ok(rowsRead <= 40, steps.join('\n'));
  assert.ok((await state(id)).tries > 0);
});
