import { type Cents, type Micros, parseCents, parseMicros } from '../platform/amounts/cents.ts';
import { DAY, HOUR, MINUTE, parseTimestamp, readDuration, SECOND } from '../platform/clock.ts';
import { typedBigIdIn, typedSmallIdIn } from '../platform/contract/ids.ts';

/**
 * One field of an action's input: how help writes it, and how its text is read. Input is text everywhere, typed at a command line or
 * into a form; `S` is what a page may send, e.g. the values of a choice.
 */
export interface Field<T, S extends string | boolean = string | boolean, Required extends boolean = boolean> {
  readonly placeholder: string;
  readonly summary: string;
  readonly required: Required;
  /** `true` for a switch that takes no value. */
  readonly isSwitch: boolean;
  /** It may be given several times: the values are joined by commas. */
  readonly isList?: true;
  /** A whole number, of which the placeholder says what it counts or names: `ORDER_ID`, `DAYS`. */
  readonly isNumber?: true;
  /** How much of it a page may send, where that is more than a line of text. */
  readonly longest?: number;
  /** Throws `InvalidInput`. */
  read(text: string | undefined): T;
  /** Never set: it carries the type. */
  readonly sent?: S;
}

/** By their names. A name is an option (`on-sale` is `--on-sale`) and a label (“On sale”). */
export type Fields = Readonly<Record<string, Field<unknown>>>;
export type Values<F extends Fields> = {
  readonly [K in keyof F]: F[K] extends Field<infer T> ? T : never;
};

type SentAs<F> = F extends Field<unknown, infer S> ? S : never;
type RequiredIn<F extends Fields> = { [K in keyof F]: F[K]['required'] extends true ? K : never }[keyof F];
type Flat<T> = { readonly [K in keyof T]: T[K] };
/** What a page sends for these fields. */
export type Sent<F extends Fields> = Flat<
  { [K in RequiredIn<F>]: SentAs<F[K]> } & { [K in Exclude<keyof F, RequiredIn<F>>]?: SentAs<F[K]> | undefined }
>;

/** Words, and among them fields by name. */
type Words = readonly (string | { readonly field: string })[];
export type Reason = 'missing' | 'empty' | { readonly given: string; readonly expected: string } | Words;

/**
 * Input that cannot be used. It names fields as the action does; the command line and the pages each put it in words of their own
 * (`src/entry/cli/cli.ts`, `src/entry/console/run.ts`).
 */
export class InvalidInput extends Error {
  readonly reason: Reason;
  /** The field it is about; undefined if it is about several. */
  readonly field: string | undefined;

  constructor(reason: Reason, field?: string) {
    super(reasonText(reason, (name) => name));
    this.reason = reason;
    this.field = field;
  }
}

/** `invalid\`give either ${the('add')} or ${the('subtract')}\``: what is wrong with several fields, or with a part of one. */
export const invalid = (texts: TemplateStringsArray, ...parts: readonly (Words[number] | number)[]): InvalidInput =>
  new InvalidInput(
    texts.flatMap((text, i) => [
      text,
      ...parts.slice(i, i + 1).map((part) => (typeof part === 'number' ? `${part}` : part)),
    ]),
  );
export const the = (field: string) => ({ field });

/** A reason in the words of the reader, who knows a field as `named` says. */
export function reasonText(reason: Reason, named: (field: string) => string): string {
  if (typeof reason === 'string') return `is ${reason}`;
  if ('given' in reason) return `"${reason.given}" is not ${reason.expected}`;
  return reason.map((part) => (typeof part === 'string' ? part : named(part.field))).join('');
}

/** Reads each field of its text. Throws `InvalidInput` with the name of the first that cannot be used. */
export function readFields<F extends Fields>(
  fields: F,
  texts: Readonly<Record<string, string | undefined>>,
): Values<F> {
  const values = Object.entries(fields).map(([name, field]) => {
    const text = Object.hasOwn(texts, name) ? texts[name] : undefined;
    if (text === undefined && field.required) throw new InvalidInput('missing', name);
    try {
      return [name, field.read(text)];
    } catch (error) {
      throw error instanceof InvalidInput ? new InvalidInput(text === '' ? 'empty' : error.reason, name) : error;
    }
  });
  return Object.fromEntries(values);
}

/** `expected` completes the refusal: `"x" is not …`. `parse` may also throw `invalid` with a better one. */
export function field<T, S extends string = string>(
  placeholder: string,
  summary: string,
  expected: string,
  parse: (text: string) => T | undefined,
): Field<T | undefined, S, false> {
  return {
    placeholder,
    summary,
    required: false,
    isSwitch: false,
    read(text) {
      if (text === undefined) return undefined;
      const value = parse(text);
      if (value === undefined) throw new InvalidInput({ given: text, expected });
      return value;
    },
  };
}

/** `required(text('NAME', …))`: the action does not run without it. */
export function required<T, S extends string>(inner: Field<T | undefined, S, false>): Field<T, S, true> {
  return {
    ...inner,
    required: true,
    read(text) {
      const value = inner.read(text);
      if (value === undefined) throw new InvalidInput('missing');
      return value;
    },
  };
}

export const text = (placeholder: string, summary: string) =>
  field(placeholder, summary, 'a text', (value) => value || undefined);
/** Texts, given by repeating the option or separated by commas; read by the domain. */
export const list = (placeholder: string, summary: string) =>
  ({ ...text(placeholder, summary), isList: true }) as const;
export const limitField = (whose: string) =>
  list(
    'PERIOD=USD|PERIOD=Nx|none',
    `what may be spent ${whose}: day=500.00 USD, hour=20x orders; periods are order, hour, day and month (UTC); repeat it for more; replaces all; none: no limit`,
  );
const WHOLE = 'a whole number';
const ofNumber = <T>(inner: Field<T, string, false>): Field<T, string, false> => ({ ...inner, isNumber: true });
export const integer = (placeholder: string, summary: string) =>
  ofNumber(field(placeholder, summary, WHOLE, typedSmallIdIn));
export const bigId = (placeholder: string, summary: string) =>
  ofNumber(field(placeholder, summary, WHOLE, typedBigIdIn));
/** A non-negative amount with at most two decimals. */
export const usd = (summary: string) =>
  field<Cents>('USD', summary, 'an amount like 12.50', (value) => {
    const cents = parseCents(value);
    return cents !== undefined && cents >= 0n ? cents : undefined;
  });
/** An amount of at least one cent. */
export const someUsd = (summary: string) =>
  field<Cents>('USD', summary, 'an amount like 12.50', (value) => {
    const cents = parseCents(value);
    if (cents === 0n) throw invalid`the amount must be more than zero`;
    return cents !== undefined && cents > 0n ? cents : undefined;
  });
/** An amount of at least one cent, or `off` (null). */
export const usdOrOff = (summary: string) =>
  field<Cents | null>('USD|off', summary, 'an amount like 12.50 above zero, or off', (value) => {
    if (value === 'off') return null;
    const cents = parseCents(value);
    return cents !== undefined && cents > 0n ? cents : undefined;
  });
/** A wholesale cost with at most six decimals, or `unknown`. */
export const cost = (summary: string) =>
  field<Micros | null>('USD|unknown', summary, 'a cost like 1.234567, or unknown', (value) => {
    if (value === 'unknown') return null;
    const micros = parseMicros(value);
    return micros !== undefined && micros >= 0n ? micros : undefined;
  });

const PERCENTAGE = 'a percentage from 0 to 100 with at most two decimals';
const readPercent = (value: string): string | undefined =>
  /^(100(\.0{1,2})?|\d{1,2}(\.\d{1,2})?)$/.test(value) ? value : undefined;
/** Kept as text because percentages are never floats. */
export const percent = (summary: string) => field('PCT', summary, PERCENTAGE, readPercent);
/** A percentage, or a word that clears it (null). */
export const percentOr = (word: string, summary: string) =>
  field(`PCT|${word}`, summary, `${PERCENTAGE}, or ${word}`, (value) => (value === word ? null : readPercent(value)));

const TIME = 'a time like "2030-05-01 12:00:00" (UTC) or 2030-05-01T12:00:00+02:00';
export const time = (summary: string) => field('TS', summary, TIME, parseTimestamp);
/** A time, or a word that clears it (null). */
export const timeOr = (word: string, summary: string) =>
  field(`TS|${word}`, summary, `${TIME}, or ${word}`, (value) => (value === word ? null : parseTimestamp(value)));
const units = { s: SECOND, m: MINUTE, h: HOUR, d: DAY };
/** A whole number of one unit, in milliseconds. */
export const duration = (summary: string) =>
  field('DURATION', summary, 'a duration like 90s, 15m, 2h or 3d', (value) => readDuration(value, units));

export const trueOrFalse = (summary: string) =>
  field<boolean, 'true' | 'false'>('true|false', summary, 'true or false', (value) =>
    value === 'true' ? true : value === 'false' ? false : undefined,
  );
/** What `inner` takes, or `auto`: the program decides. */
export const orAuto = <T, S extends string>(
  inner: Field<T | undefined, S, false>,
): Field<T | 'auto' | undefined, S | 'auto', false> => ({
  ...inner,
  placeholder: `${inner.placeholder}|auto`,
  read(text) {
    if (text === 'auto') return text;
    try {
      return inner.read(text);
    } catch (error) {
      if (!(error instanceof InvalidInput) || typeof error.reason === 'string' || !('given' in error.reason))
        throw error;
      throw new InvalidInput({ ...error.reason, expected: `${error.reason.expected}, or auto` });
    }
  },
});
export const choice = <const V extends string>(values: readonly V[], summary: string) =>
  field<V, V>(values.join('|'), summary, `one of ${values.join(', ')}`, (value) =>
    values.find((known) => known === value),
  );
export const toggle = (summary: string): Field<boolean, boolean, false> => ({
  placeholder: '',
  summary,
  required: false,
  isSwitch: true,
  read: (text) => text !== undefined,
});
