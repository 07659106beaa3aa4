import { DAY, timestamp } from '../../../platform/clock.ts';
import { Refused } from '../../../platform/contract/refused.ts';

/** From the beginning of one day (UTC) to the beginning of another. */
export interface TimeRange {
  readonly from: Date;
  readonly to: Date;
}

type Query = (name: string) => string;

/** Before the first movement of any account, and after the last. */
const EVER = { from: new Date('2000-01-01T00:00:00Z'), to: new Date('2200-01-01T00:00:00Z') };

/** From the beginning of one day to the end of another; without one the range is open at that end. */
export const openRange = (from: Date | undefined, to: Date | undefined): TimeRange => ({
  from: from ?? EVER.from,
  to: to ? new Date(to.getTime() + DAY) : EVER.to,
});

/** A month in UTC, written `2026-11`; undefined when it is not one. */
export function monthRange(month: string): TimeRange | undefined {
  if (!/^20\d{2}-(0[1-9]|1[0-2])$/.test(month)) return undefined;
  const from = new Date(`${month}-01T00:00:00Z`);
  const to = new Date(from);
  to.setUTCMonth(to.getUTCMonth() + 1);
  return { from, to };
}

export const monthOf = (at: Date): string => at.toISOString().slice(0, 7);

/** For the name of a file: `orders-2026-11-01-to-2026-11-30`. */
export function rangeName(name: string, { from, to }: TimeRange): string {
  const day = (at: Date) => at.toISOString().slice(0, 10);
  const since = from > EVER.from ? `-from-${day(from)}` : '';
  return `${name}${since}${to < EVER.to ? `-to-${day(new Date(to.getTime() - DAY))}` : ''}`;
}

const MAX_ZONE_LENGTH = 64;

/** UTC as in the API and, with the query field `tz`, the same time in that zone, named as browsers name theirs (`Europe/Berlin`). */
export function requireTimeColumns(query: Query) {
  const zone = query('tz');
  const local = zone === '' ? undefined : formatIn(zone);
  return {
    /** For `date_utc` and, if a time zone was asked for, `date_local`. */
    header: (name: string) => [`${name}_utc`, ...(local ? [`${name}_local (${zone})`] : [])],
    cells: (at: Date | null) => [timestamp(at), ...(local ? [at && local.format(at)] : [])],
  };
}

function formatIn(timeZone: string): Intl.DateTimeFormat {
  try {
    if (timeZone.length > MAX_ZONE_LENGTH) throw new RangeError('too long');
    // Swedish writes `2026-11-30 18:05:03`, as we write UTC.
    return new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
  } catch {
    throw new Refused('invalid_time_zone');
  }
}
