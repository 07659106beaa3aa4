import type { Days } from '../../../domains/insight/figures/figures.ts';
import { DAY, HOUR } from '../../../platform/clock.ts';
import { Refused } from '../../../platform/contract/refused.ts';

const MAX_ZONE_LENGTH = 64;

/**
 * Where today and the same weekday a week ago begin in a time zone, named as browsers name theirs; '' is UTC. Figures are kept by the
 * hour, so where midnight is not at a full hour of UTC the days begin up to an hour before it, and a week ago counts up to the end of
 * the hour that it is now.
 */
export function requireDaysAt(timeZone: string, now: number): Days {
  const clock = clockIn(timeZone || 'UTC');
  const today = midnightBefore(clock, now);
  // Half a day before the same time a week ago is never in the wrong day, even where clocks were changed meanwhile.
  const weekAgo = midnightBefore(clock, midnightBefore(clock, now, false) + 12 * HOUR - 7 * DAY);
  const hours = Math.floor((now - today) / HOUR) + 1;
  return {
    today: new Date(today),
    weekAgo: new Date(weekAgo),
    weekAgoUntil: new Date(weekAgo + hours * HOUR),
    now: new Date(now),
  };
}

function midnightBefore(clock: Intl.DateTimeFormat, at: number, inWholeHours = true): number {
  const part = Object.fromEntries(clock.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
  const passed = ((part.hour ?? 0) * 60 + (part.minute ?? 0)) * 60_000 + (part.second ?? 0) * 1_000 + (at % 1_000);
  const midnight = at - passed;
  return inWholeHours ? Math.floor(midnight / HOUR) * HOUR : midnight;
}

function clockIn(timeZone: string): Intl.DateTimeFormat {
  try {
    if (timeZone.length > MAX_ZONE_LENGTH) throw new RangeError('too long');
    return new Intl.DateTimeFormat('en-GB', {
      timeZone,
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
      hourCycle: 'h23',
    });
  } catch {
    throw new Refused('invalid_time_zone');
  }
}
