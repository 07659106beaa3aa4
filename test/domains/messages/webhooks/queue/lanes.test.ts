import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Lanes, type Room } from '../../../../../src/domains/messages/webhooks/queue/lanes.ts';

const quick = { succeeded: true, durationMs: 5 };
const slow = { succeeded: true, durationMs: 2_000 };
const failed = { succeeded: false, durationMs: 10_000 };

/** Claims everything there is room for, as if every lane had rows without end. */
function take(lanes: Lanes): Room[] {
  const rooms = lanes.rooms();
  lanes.claimed(rooms, new Map(rooms.map(({ subscriptionId, room }) => [subscriptionId, room])));
  return rooms;
}

const total = (rooms: readonly Room[]) => rooms.reduce((sum, { room }) => sum + room, 0);

test('a lane starts with a window of two, which grows by one with each quick success, halves when slow, and is one after a failure', () => {
  const lanes = new Lanes();
  lanes.haveDue([1n]);
  assert.deepEqual(take(lanes), [{ subscriptionId: 1n, room: 2 }]);
  assert.deepEqual(lanes.rooms(), [], 'its two are in flight');
  lanes.finished(1n, quick);
  lanes.finished(1n, quick);
  assert.equal(total(take(lanes)), 4);
  let underWay = 4;
  let most = 0;
  for (let i = 0; i < 500; i++) {
    lanes.finished(1n, quick);
    underWay += total(take(lanes)) - 1;
    most = Math.max(most, underWay);
  }
  assert.equal(most, 32);
  for (; underWay > 1; underWay--) lanes.finished(1n, quick);
  lanes.finished(1n, slow);
  assert.equal(total(take(lanes)), 16);
  for (let i = 0; i < 15; i++) lanes.finished(1n, quick);
  lanes.finished(1n, failed);
  assert.equal(total(take(lanes)), 1);
});

test('a lane that returned less than its room is empty until it is notified', () => {
  const lanes = new Lanes();
  lanes.haveDue([1n, 2n]);
  lanes.claimed(lanes.rooms(), new Map([[1n, 2]]));
  lanes.finished(1n, quick);
  lanes.finished(1n, quick);
  assert.deepEqual(
    lanes.rooms().map(({ subscriptionId }) => subscriptionId),
    [1n],
  );
  lanes.haveDue([2n]);
  assert.deepEqual(
    lanes.rooms().map(({ subscriptionId }) => subscriptionId),
    [1n, 2n],
  );
});

test('a hint that arrives while a claim runs is kept: the claim may have looked before the row was there', () => {
  const lanes = new Lanes();
  lanes.haveDue([1n, 2n]);
  const rooms = lanes.rooms();
  lanes.haveDue([2n]);
  lanes.claimed(rooms, new Map());
  assert.deepEqual(lanes.rooms(), [{ subscriptionId: 2n, room: 2 }]);
});

test('silent receivers, however many, leave room for those that answer', () => {
  const lanes = new Lanes();
  const proven = Array.from({ length: 30 }, (_, i) => BigInt(i + 1));
  lanes.haveDue(proven);
  take(lanes);
  for (const id of proven) for (let i = 0; i < 2; i++) lanes.finished(id, quick);

  const silent = Array.from({ length: 5_000 }, (_, i) => BigInt(1000 + i));
  lanes.haveDue(silent);
  const rooms = take(lanes);
  assert.ok(total(rooms) <= 512);
  const ofProven = rooms.filter(({ subscriptionId }) => subscriptionId < 1000n);
  assert.equal(ofProven.length, 30);
  for (const { subscriptionId, room } of ofProven) for (let i = 0; i < room; i++) lanes.finished(subscriptionId, quick);
  const next = take(lanes).filter(({ subscriptionId }) => subscriptionId < 1000n);
  assert.equal(total(next), 128, 'a quarter of all is kept for them');
});

test('a receiver that handles one request at a time never gets more than it can answer before they time out', () => {
  const serviceMs = 300;
  const lanes = new Lanes();
  lanes.haveDue([1n]);
  let now = 0;
  let freeAt = 0;
  let worst = 0;
  const underWay: { startedAt: number; endsAt: number }[] = [];
  for (let done = 0; done < 2_000; done++) {
    for (const { room } of take(lanes)) {
      for (let i = 0; i < room; i++) {
        freeAt = Math.max(freeAt, now) + serviceMs;
        underWay.push({ startedAt: now, endsAt: freeAt });
      }
    }
    const next = underWay.shift();
    assert.ok(next, 'something is always in flight');
    now = next.endsAt;
    worst = Math.max(worst, now - next.startedAt);
    lanes.finished(1n, { succeeded: true, durationMs: now - next.startedAt });
  }
  assert.ok(worst < 3_000, `the slowest took ${worst} ms`);
});
