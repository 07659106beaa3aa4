import assert from 'node:assert/strict';
import { test } from 'node:test';
import { usageFigures } from '../../../../src/domains/sales/usage/figures.ts';
import type { UsageReading } from '../../../../src/domains/supply/port/port.ts';
import { DAY, HOUR } from '../../../../src/platform/clock.ts';

const now = Date.UTC(2026, 4, 1);
const capped = { amountMb: 1024, isUnlimited: false };
const unlimited = { amountMb: 0, isUnlimited: true };

function figures(special: Partial<UsageReading>, plan = capped) {
  const expiresAt = new Date(now + 5 * DAY);
  const reading = {
    state: 'active',
    totalMb: 1000,
    usedMb: 0,
    activatedAt: new Date(now),
    expiresAt,
    ...special,
  } as const;
  return usageFigures(reading, plan, now);
}
const inHours = (hours: number) => ({ expiresAt: new Date(now + hours * HOUR) });

test('percent_remaining rounds down and days_left up', () => {
  assert.equal(figures({ usedMb: 5 }).percentRemaining, 99);
  assert.equal(figures({ usedMb: 999 }).percentRemaining, 0);
  assert.equal(figures(inHours(25)).daysLeft, 2);
  assert.equal(figures(inHours(24)).daysLeft, 1);
  assert.equal(figures(inHours(-25)).daysLeft, 0);
  assert.equal(figures({ expiresAt: null }).daysLeft, null);
});

test('tone: warning under 20 percent or under 2 days, danger when depleted or expired, else ok', () => {
  assert.equal(figures({}).tone, 'ok');
  assert.equal(figures({ usedMb: 800 }).tone, 'ok');
  assert.equal(figures({ usedMb: 801 }).tone, 'warning');
  assert.equal(figures(inHours(48)).tone, 'ok');
  assert.equal(figures(inHours(47)).tone, 'warning', 'though days_left, rounded up, says 2');
  assert.equal(figures({ usedMb: 1000 }).tone, 'danger');
  assert.equal(figures(inHours(0)).tone, 'danger');
});

test('status: not_active when the supplier says so, then expired before depleted before active', () => {
  assert.equal(figures({ state: 'not_active', expiresAt: null, activatedAt: null }).status, 'not_active');
  assert.equal(figures({}).status, 'active');
  assert.equal(figures({ usedMb: 1000 }).status, 'depleted');
  assert.equal(figures({ state: 'depleted' }).status, 'depleted');
  assert.equal(figures({ usedMb: 1000, ...inHours(-1) }).status, 'expired');
  assert.equal(figures({ state: 'expired' }).status, 'expired');
});

test('more used than there was leaves nothing, never less', () => {
  const { remainingMb, usedMb, percentRemaining } = figures({ usedMb: 1500 });
  assert.deepEqual({ remainingMb, usedMb, percentRemaining }, { remainingMb: 0, usedMb: 1500, percentRemaining: 0 });
});

test('the supplier’s total holds; where it names none, the plan’s amount does', () => {
  assert.equal(figures({ totalMb: 2048 }).totalMb, 2048);
  assert.equal(figures({ totalMb: null }).totalMb, 1024);
});

test('an unlimited plan is full until it ends', () => {
  const { status, percentRemaining, tone } = figures({ totalMb: 0, usedMb: 99_999 }, unlimited);
  assert.deepEqual({ status, percentRemaining, tone }, { status: 'active', percentRemaining: 100, tone: 'ok' });
  assert.equal(figures({ totalMb: 0, ...inHours(-1) }, unlimited).percentRemaining, 0);
});
