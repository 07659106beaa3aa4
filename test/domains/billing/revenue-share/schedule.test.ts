import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { isReady, nextCheckAt, type Reading } from '../../../../src/domains/billing/revenue-share/schedule.ts';
import { DAY, HOUR } from '../../../../src/platform/clock.ts';

const delivered = Date.UTC(2026, 0, 1);
const expires = delivered + 10 * DAY;
const never = () => 0;

function reading(changes: Partial<{ expiresAt: number | null; fetchedAt: number }> = {}): Reading {
  const { expiresAt = expires, fetchedAt = expires + HOUR } = changes;
  return {
    totalMb: 1024,
    usedMb: 100,
    expiresAt: expiresAt === null ? null : new Date(expiresAt),
    fetchedAt: new Date(fetchedAt),
  };
}

test('a share accrues only after expires_at and the whole grace window', () => {
  assert.equal(isReady(reading(), expires + 3 * DAY - 1, 3), false);
  assert.equal(isReady(reading(), expires + 3 * DAY, 3), true);
  assert.equal(isReady(reading(), expires, 0), true);
  assert.equal(isReady(reading({ expiresAt: null }), expires + 900 * DAY, 3), false);
});

test('a reading from before the expiry settles only when the supplier stayed silent for a week', () => {
  const stale = reading({ fetchedAt: expires - DAY });
  assert.equal(isReady(stale, expires + 3 * DAY, 3), false);
  assert.equal(isReady(stale, expires + 10 * DAY, 3), true);
});

test('an active eSIM is read daily, once more just after its expiry, and then when its grace window ends', () => {
  const look = (now: number) =>
    nextCheckAt({ deliveredAt: new Date(delivered), reading: reading({ fetchedAt: now }) }, now, 3, never);
  assert.equal(look(delivered + DAY), delivered + 2 * DAY);
  assert.equal(look(expires - HOUR), expires + 3 * HOUR);
  assert.equal(look(expires + 3 * HOUR), expires + 3 * DAY);
});

test('an eSIM without an expiry is read less and less often, at most every half day', () => {
  const look = (now: number) => nextCheckAt({ deliveredAt: new Date(delivered), reading: null }, now, 3, never) - now;
  assert.equal(look(delivered), 12 * HOUR);
  assert.equal(look(delivered + 40 * DAY), 10 * DAY);
});

test('a skipped sale stays a candidate but is checked less and less often: thirteen times in ten years', () => {
  let now = expires + 3 * DAY;
  let looks = 0;
  for (; now < expires + 3650 * DAY; looks++) {
    now = nextCheckAt({ deliveredAt: new Date(delivered), reading: reading() }, now, 3, never);
  }
  assert.equal(looks, 13);
});

test('property: the next check is always later than now, and never past the end of the grace window', () => {
  const age = fc.integer({ min: 0, max: 400 * DAY });
  const anySale = fc.record({
    now: age,
    expires: fc.option(age),
    fetched: fc.option(age),
    grace: fc.integer({ min: 0, max: 30 }),
    chance: fc.double({ min: 0, max: 1, noNaN: true }),
  });
  fc.assert(
    fc.property(anySale, (any) => {
      const now = delivered + any.now;
      const expiresAt = any.expires === null ? null : delivered + any.expires;
      const kept = any.fetched === null ? null : reading({ expiresAt, fetchedAt: delivered + any.fetched });
      const next = nextCheckAt({ deliveredAt: new Date(delivered), reading: kept }, now, any.grace, () => any.chance);
      assert.ok(next > now);
      if (!kept || expiresAt === null) return;
      const due = expiresAt + any.grace * DAY;
      if (now < due) assert.ok(next <= due);
    }),
  );
});
