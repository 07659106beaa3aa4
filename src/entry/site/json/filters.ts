import type { OrderFilter } from '../../../domains/sales/order-lists/order-lists.ts';
import { DAY, parseTimestamp, timestamp } from '../../../platform/clock.ts';
import { bigIdIn, ICCID, PRODUCT_ID, smallIdIn, typedBigIdIn } from '../../../platform/contract/ids.ts';
import type { Mode } from '../../../platform/contract/mode.ts';
import { type InvalidField, type RefusalCode, Refused } from '../../../platform/contract/refused.ts';
import type { Call } from './action.ts';

/**
 * The only reader of what filters a list, of the panel and of the console. Empty and missing are the same: no filter. What cannot be
 * read is refused: `before` with `invalid_before` and so on, or every filter with the code given. `ignored`: it counts as missing, so
 * that an old link still opens the list.
 */
export function filtersFrom(call: Pick<Call, 'query'>): Filters<InvalidField>;
export function filtersFrom(call: Pick<Call, 'query'>, unreadable: RefusalCode | 'ignored'): Filters<string>;
export function filtersFrom(call: Pick<Call, 'query'>, unreadable?: RefusalCode | 'ignored'): Filters<string> {
  return filters(call, unreadable);
}

type Filters<Name extends string> = ReturnType<typeof filters<Name>>;

function filters<Name extends string>({ query }: Pick<Call, 'query'>, unreadable: RefusalCode | 'ignored' | undefined) {
  const read = <T>(name: string, parse: (text: string) => T | undefined, expected: string): T | undefined => {
    const text = query(name).trim();
    if (text === '') return undefined;
    const value = parse(text);
    if (value === undefined && unreadable !== 'ignored')
      throw new Refused(unreadable ?? (`invalid_${name}` as RefusalCode), `${expected}, not "${text.slice(0, 40)}"`);
    return value;
  };
  const matching = (name: string, pattern: RegExp, expected: string) =>
    read(name, (text) => (pattern.test(text) ? text : undefined), expected);
  const number = (name: string, { from, to }: { readonly from: number; readonly to: number }) =>
    read(
      name,
      (text) => (/^\d{1,7}$/.test(text) && Number(text) >= from && Number(text) <= to ? Number(text) : undefined),
      `${name} is a number from ${from} to ${to}`,
    );
  /** The beginning of a day in UTC. */
  const day = (name: 'from' | 'to') =>
    filtersFrom({ query }, unreadable ?? 'invalid_date').read(name, dayOf, dayExpected(name));
  /** From the first day to the end of the last one, both included; without one it is as good as open at that end. */
  const range = (): TimeRange => {
    const found = openRange(day('from'), day('to'));
    if (found.from >= found.to) throw new Refused('invalid_range');
    return found;
  };
  return {
    /** A filter with a form of its own. */
    read: read as <T>(name: Name, parse: (text: string) => T | undefined, expected: string) => T | undefined,
    matching: matching as (name: Name, pattern: RegExp, expected: string) => string | undefined,
    number: number as (name: Name, range: { readonly from: number; readonly to: number }) => number | undefined,
    day,
    text: (name: Name, most = 300) =>
      read(name, (text) => (text.length <= most ? text : undefined), `${name} has ${most} characters at most`),
    /** What is typed into a search box: cut off rather than refused. */
    words: (name: string, most: number) => query(name).trim().slice(0, most),
    /** Of a partner, a member, an API key or a price rule. */
    smallId: (name: Name) => read(name, smallIdIn, `${name} is a number`),
    /** Of an order, a batch, a delivery or an entry of the audit log. */
    id: (name: Name) => read(name, bigIdIn, `${name} is a number`),
    oneOf: <T extends string>(name: Name, known: readonly T[]) =>
      read(name, (text) => known.find((one) => one === text), `${name} is one of ${known.join(', ')}`),
    /** A day or a minute, in UTC. */
    time: (name: Name) => read(name, timeOf, 'write the time as 2026-11-15 or 2026-11-15T14:30'),
    /** ISO 8601 with a zone. */
    timestamp: (name: Name) => read(name, parseTimestamp, 'write the time as 2026-11-15T14:30:00Z'),
    mode: (): Mode => read('mode', (text) => MODES.find((one) => one === text), 'mode is live or sandbox') ?? 'live',
    /** Counted from 1. */
    page: (most: number) => number('page', { from: 1, to: most }) ?? 1,
    /** Rows on a page. */
    limit: (usual: number) => number('limit', { from: 1, to: MOST_PER_PAGE }) ?? usual,
    iccid: () => matching('iccid', ICCID, 'an ICCID has 5 to 22 digits'),
    productId: () => matching('product_id', PRODUCT_ID, 'the id of a plan is like esc_0123456789abcdef'),
    /** Where a list goes on that is sorted by time: the time of the last row in milliseconds, and its id. */
    place: () => read('before', placeOf, 'before is where the last page ended'),
    range,
    /** The same; undefined: open at that end. */
    days() {
      const { from, to } = range();
      return { from: day('from') && from, to: day('to') && to };
    },
    /** A month that has begun. */
    month: (now: number): TimeRange | undefined =>
      read(
        'month',
        (text) => {
          const range = monthRange(text);
          return range && range.from.getTime() <= now ? range : undefined;
        },
        'month is a past month like 2026-11',
      ),
  };
}

const MOST_PER_PAGE = 100;
const MODES = ['live', 'sandbox'] as const;

const dayExpected = (name: string): string => `${name} must be a day like 2026-11-30`;

function dayOf(text: string): Date | undefined {
  const at = /^20\d{2}-\d{2}-\d{2}$/.test(text) ? new Date(`${text}T00:00:00Z`) : new Date(Number.NaN);
  // `Date` reads 30 February as 2 March.
  return Number.isNaN(at.getTime()) || !at.toISOString().startsWith(text) ? undefined : at;
}

function timeOf(text: string): Date | undefined {
  const [, day, minute = 'T00:00'] = /^(\d{4}-\d{2}-\d{2})(T\d{2}:\d{2})?$/.exec(text) ?? [];
  return parseTimestamp(`${day}${minute}Z`);
}

function placeOf(text: string) {
  const [, at, digits = ''] = /^(\d{1,15})-(\d+)$/.exec(text) ?? [];
  const id = typedBigIdIn(digits);
  return at === undefined || id === undefined ? undefined : { at: new Date(Number(at)), id };
}

const MAX_REFERENCE = 200;

/** Which orders a list or a file has, from its address: what members and operators filter by alike. */
export function orderFilterFrom<S extends NonNullable<OrderFilter['state']>>(
  call: Pick<Call, 'query'>,
  states: readonly S[],
) {
  const filters = filtersFrom(call);
  return {
    ...filters.days(),
    state: filters.oneOf('status', states),
    reference: filters.text('reference', MAX_REFERENCE),
    inAnyCase: true,
    iccid: filters.iccid(),
    batchId: filters.id('batch'),
    productId: filters.productId(),
    beforeId: filters.id('before'),
  } as const;
}

/** From the beginning of one day (UTC) to the beginning of another. */
export interface TimeRange {
  readonly from: Date;
  readonly to: Date;
}

type Query = (name: string) => string;

/** Before the first movement of any account, and after the last. */
const EVER = { from: new Date('2000-01-01T00:00:00Z'), to: new Date('2200-01-01T00:00:00Z') };

/** From the beginning of one day to the end of another; without one the range is open at that end. */
const openRange = (from: Date | undefined, to: Date | undefined): TimeRange => ({
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
