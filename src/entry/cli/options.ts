import { type Cents, type Micros, parseCents, parseMicros } from '../../platform/amounts/cents.ts';
import { DAY, HOUR, MINUTE, parseTimestamp, readDuration, SECOND } from '../../platform/clock.ts';

/** One option or argument of a command: how help writes it, and how its text is parsed. */
export interface Option<T> {
  readonly placeholder: string;
  readonly summary: string;
  readonly required: boolean;
  /** `true` for a switch that takes no value. */
  readonly isSwitch: boolean;
  read(text: string | undefined): T;
}

/** The command line cannot be understood: the usage is shown, and the exit code is 2. */
export class UsageError extends Error {}

/** `expected` completes the refusal: `"x" is not …`. */
function option<T>(
  placeholder: string,
  summary: string,
  expected: string,
  parse: (text: string) => T | undefined,
): Option<T | undefined> {
  return {
    placeholder,
    summary,
    required: false,
    isSwitch: false,
    read(text) {
      if (text === undefined) return undefined;
      const value = parse(text);
      if (value === undefined) throw new UsageError(`"${text}" is not ${expected}`);
      return value;
    },
  };
}

/** `required(text('NAME', …))`: the command does not run without it. */
export function required<T>(inner: Option<T | undefined>): Option<T> {
  return {
    ...inner,
    required: true,
    read(text) {
      const value = inner.read(text);
      if (value === undefined) throw new UsageError(`${inner.placeholder} is missing`);
      return value;
    },
  };
}

export const text = (placeholder: string, summary: string) =>
  option(placeholder, summary, placeholder, (value) => value || undefined);
export const integer = (placeholder: string, summary: string) =>
  option(placeholder, summary, `${placeholder}, a whole number`, (value) =>
    /^\d{1,9}$/.test(value) ? Number(value) : undefined,
  );
export const bigId = (placeholder: string, summary: string) =>
  option(placeholder, summary, `${placeholder}, a whole number`, (value) =>
    /^\d{1,18}$/.test(value) ? BigInt(value) : undefined,
  );
/** A non-negative amount with at most two decimals. */
export const usd = (summary: string) =>
  option<Cents>('USD', summary, 'an amount like 12.50', (value) => {
    const cents = parseCents(value);
    return cents !== undefined && cents >= 0n ? cents : undefined;
  });
/** An amount of at least one cent, or `off` (null). */
export const usdOrOff = (summary: string) =>
  option<Cents | null>('USD|off', summary, 'an amount like 12.50 above zero, or off', (value) => {
    if (value === 'off') return null;
    const cents = parseCents(value);
    return cents !== undefined && cents > 0n ? cents : undefined;
  });
/** A wholesale cost with at most six decimals, or `unknown`. */
export const cost = (summary: string) =>
  option<Micros | null>('USD|unknown', summary, 'a cost like 1.234567, or unknown', (value) => {
    if (value === 'unknown') return null;
    const micros = parseMicros(value);
    return micros !== undefined && micros >= 0n ? micros : undefined;
  });

const PERCENTAGE = 'a percentage from 0 to 100 with at most two decimals';
const readPercent = (value: string): string | undefined =>
  /^(100(\.0{1,2})?|\d{1,2}(\.\d{1,2})?)$/.test(value) ? value : undefined;
/** Kept as text because percentages are never floats. */
export const percent = (summary: string) => option('PCT', summary, PERCENTAGE, readPercent);
/** A percentage, or a word that clears it (null). */
export const percentOr = (word: string, summary: string) =>
  option(`PCT|${word}`, summary, `${PERCENTAGE}, or ${word}`, (value) => (value === word ? null : readPercent(value)));

const TIME = 'a time like "2030-05-01 12:00:00" (UTC) or 2030-05-01T12:00:00+02:00';
export const time = (summary: string) => option('TS', summary, TIME, parseTimestamp);
/** A time, or a word that clears it (null). */
export const timeOr = (word: string, summary: string) =>
  option(`TS|${word}`, summary, `${TIME}, or ${word}`, (value) => (value === word ? null : parseTimestamp(value)));
const units = { s: SECOND, m: MINUTE, h: HOUR, d: DAY };
/** A whole number of one unit, in milliseconds. */
export const duration = (summary: string) =>
  option('DURATION', summary, 'a duration like 90s, 15m, 2h or 3d', (value) => readDuration(value, units));

export const trueOrFalse = (summary: string) =>
  option('true|false', summary, 'true or false', (value) =>
    value === 'true' ? true : value === 'false' ? false : undefined,
  );
/** What `inner` takes, or `auto`: the program decides. */
export const orAuto = <T>(inner: Option<T | undefined>): Option<T | 'auto' | undefined> => ({
  ...inner,
  placeholder: `${inner.placeholder}|auto`,
  read(text) {
    if (text === 'auto') return text;
    try {
      return inner.read(text);
    } catch (error) {
      throw error instanceof UsageError ? new UsageError(`${error.message}, or auto`) : error;
    }
  },
});
export const choice = <const V extends string>(values: readonly V[], summary: string) =>
  option<V>(values.join('|'), summary, `one of ${values.join(', ')}`, (value) =>
    values.find((known) => known === value),
  );
export const toggle = (summary: string): Option<boolean> => ({
  placeholder: '',
  summary,
  required: false,
  isSwitch: true,
  read: (text) => text !== undefined,
});
