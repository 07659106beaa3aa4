/** Time is an argument: production passes `systemClock`, tests pass a clock they turn. Milliseconds since the epoch. */
export interface Clock {
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

/** The same clock, running ahead: an account's own time. */
export const ahead = (clock: Clock, aheadMs: number): Clock =>
  aheadMs === 0 ? clock : { now: () => clock.now() + aheadMs };

/** What `read` returns, read again only after `ms`, however many ask. */
export function keptFor<T>(ms: number, clock: Clock, read: (now: number) => T): () => T {
  let kept: { readonly at: number; readonly value: T } | undefined;
  return () => {
    const now = clock.now();
    if (!kept || now < kept.at || now - kept.at >= ms) kept = { at: now, value: read(now) };
    return kept.value;
  };
}

export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** The contract's timestamp: `YYYY-MM-DD HH:MM:SS` in UTC; an unset date is null, never a zero date. */
export function timestamp(at: Date | number): string;
export function timestamp(at: Date | number | null): string | null;
export function timestamp(at: Date | number | null): string | null {
  if (at === null) return null;
  return new Date(at).toISOString().slice(0, 19).replace('T', ' ');
}

/**
 * Reads `YYYY-MM-DD HH:MM:SS` (UTC) or ISO 8601 with a zone; undefined when it is neither, or in no year that the database writes
 * with four digits: it has no year 0, and a zone can move the last day out of 9999.
 */
export function parseTimestamp(text: string): Date | undefined {
  const plain = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/.test(text);
  const iso = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})$/.test(text);
  if (!plain && !iso) return undefined;
  const at = new Date(plain ? `${text.replace(' ', 'T')}Z` : text);
  if (Number.isNaN(at.getTime()) || !isInCalendar(text.slice(0, 10))) return undefined;
  return /^(?!0000)\d{4}-/.test(at.toISOString()) ? at : undefined;
}

/** Reads `90s`, `2h` or `3d`, a whole number of one of the units, as milliseconds; undefined for anything else. */
export function readDuration(text: string, units: Readonly<Record<string, number>>): number | undefined {
  const [, count, unit = ''] = /^([1-9]\d{0,8})([a-z])$/.exec(text) ?? [];
  const ms = units[unit];
  return ms === undefined ? undefined : Number(count) * ms;
}

/** `Date` reads 30 February as 2 March; we reject it. */
const isInCalendar = (day: string): boolean => new Date(`${day}T00:00:00Z`).toISOString().startsWith(day);
