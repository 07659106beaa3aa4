import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Usage } from '../../../../src/domains/sales/usage/figures.ts';
import { eventsOfReading, nextReadingAt } from '../../../../src/domains/sales/usage/next-reading.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../../../../src/platform/clock.ts';

const now = Date.UTC(2026, 5, 1);
const at = (ms: number) => new Date(now + ms);
const usage = (more: Partial<Usage> = {}): Usage => {
  const { totalMb = 1000, usedMb = 100 } = more;
  return {
    iccid: '1',
    orderId: 1n,
    productId: 'esc_1',
    productTitle: '',
    isUnlimited: false,
    status: 'active',
    tone: 'ok',
    totalMb,
    usedMb,
    remainingMb: totalMb - usedMb,
    percentRemaining: 0,
    daysLeft: null,
    activatedAt: at(-10 * HOUR),
    expiresAt: at(20 * DAY),
    fetchedAt: at(0),
    ...more,
  };
};
const next = (read: Usage | undefined, ageMs = DAY) => {
  const due = nextReadingAt({ deliveredAt: at(-ageMs) }, read, now);
  return due === undefined ? undefined : due - now;
};

test('an eSIM that is not in use is read rarely, more rarely with age, and after more than a year no more', () => {
  const idle = usage({ status: 'not_active', usedMb: 0, activatedAt: null, expiresAt: null });
  assert.deepEqual(
    [HOUR, 3 * DAY, 60 * DAY, 401 * DAY].map((age) => next(idle, age)),
    [HOUR, 6 * HOUR, 24 * HOUR, undefined],
  );
});

test('one in use is read sooner the nearer its next threshold is, within bounds', () => {
  assert.equal(next(usage({ usedMb: 1 })), 3 * HOUR);
  assert.equal(next(usage({ usedMb: 750 })), 20 * MINUTE);
  assert.equal(next(usage({ usedMb: 799 })), 10 * MINUTE);
  assert.equal(next(usage({ usedMb: 950 })), Math.round(((50 / 950) * 10 * HOUR) / 2));
  assert.equal(next(usage({ status: 'depleted', usedMb: 1000 })), 12 * HOUR);
  assert.equal(next(usage({ isUnlimited: true })), 12 * HOUR);
});

test('it is read when it begins to expire and when it has expired, and then no more', () => {
  assert.equal(next(usage({ usedMb: 1, expiresAt: at(DAY + HOUR) })), HOUR + SECOND);
  assert.equal(next(usage({ usedMb: 1, expiresAt: at(HOUR) })), HOUR + SECOND);
  assert.equal(next(usage({ status: 'depleted', usedMb: 1000, expiresAt: at(HOUR) })), HOUR + SECOND);
  assert.equal(next(usage({ status: 'expired', expiresAt: at(-1) })), undefined);
});

test('without an answer it is tried again within the hour', () => {
  assert.equal(next(undefined), HOUR);
});

const shown = (read: Usage, refills = 0) => eventsOfReading({ refills }, read, now).map(({ event }) => event.slice(5));

test('a reading shows what is true: activation, four fifths, all of it, the last day, the end', () => {
  assert.deepEqual(shown(usage({ status: 'not_active', usedMb: 0, activatedAt: null, expiresAt: null })), []);
  assert.deepEqual(shown(usage({ usedMb: 0, activatedAt: null })), ['activated']);
  assert.deepEqual(shown(usage({ usedMb: 799 })), ['activated']);
  assert.deepEqual(shown(usage({ usedMb: 800 })), ['activated', 'usage_high']);
  assert.deepEqual(shown(usage({ status: 'depleted', usedMb: 1000 })), ['activated', 'usage_high', 'depleted']);
  assert.deepEqual(shown(usage({ expiresAt: at(DAY + 1) })), ['activated']);
  assert.deepEqual(shown(usage({ expiresAt: at(DAY) })), ['activated', 'expiring']);
  assert.deepEqual(shown(usage({ status: 'expired', expiresAt: at(-1) })), ['activated', 'expired']);
  assert.deepEqual(shown(usage({ status: 'expired', usedMb: 0, activatedAt: null, expiresAt: at(-1) })), ['expired']);
  assert.deepEqual(shown(usage({ isUnlimited: true, usedMb: 5000, totalMb: 0, remainingMb: 0 })), ['activated']);
});

test('events about data are sent once per refill, events about expiry once per expiry', () => {
  const full = usage({ status: 'depleted', usedMb: 1000, expiresAt: at(HOUR) });
  const occasions = (refills: number, read: Usage) =>
    eventsOfReading({ refills }, read, now).map(({ event, occasion }) => `${event} ${occasion}`);
  const end = String((now + HOUR) / 1000);
  assert.deepEqual(occasions(2, full), [
    'esim.activated ',
    'esim.usage_high 2',
    'esim.depleted 2',
    `esim.expiring ${end}`,
  ]);
});
