import { parseTimestamp } from '../clock.ts';
import type { ErrorCode, PlainErrorCode } from './errors.ts';
import { fail } from './failure.ts';
import { type TSchema, Type } from './schema.ts';

/** Sent twice, with brackets, or with a NUL: not a plain string. Its field answers with its own error. */
export const notPlain: unique symbol = Symbol('not a plain string');

/** A field as it came: absent (or empty, which counts as not sent), a plain string, or something else. */
export type RawValue = string | undefined | typeof notPlain;

/** A request field that knows how to read itself and which codes it refuses with. */
export interface Field<T> {
  readonly schema: TSchema;
  readonly required: boolean;
  readonly errors: readonly ErrorCode[];
  parse(raw: RawValue): T;
}

/** A required text: `missing` when absent, `invalid` (or `missing`) when it is not a plain string. */
export function requiredText(
  missing: PlainErrorCode,
  options: { invalid?: PlainErrorCode; schema?: TSchema } = {},
): Field<string> {
  const invalid = options.invalid ?? missing;
  return {
    schema: options.schema ?? Type.String(),
    required: true,
    errors: [...new Set([missing, invalid])],
    parse(raw) {
      if (raw === undefined) throw fail(missing);
      if (raw === notPlain) throw fail(invalid);
      return raw;
    },
  };
}

/** A field that may be left out. What `read` cannot use, it returns as undefined, and that is refused. */
const optional = <T, D = undefined>(
  schema: TSchema,
  invalid: PlainErrorCode,
  read: (text: string) => T | undefined,
  absent?: D,
): Field<T | D> => ({
  schema,
  required: false,
  errors: [invalid],
  parse(raw) {
    if (raw === undefined) return absent as D;
    const value = raw === notPlain ? undefined : read(raw);
    if (value === undefined) throw fail(invalid);
    return value;
  },
});

interface Range {
  readonly min: number;
  readonly max: number;
}

const within = (text: string, form: RegExp, { min, max }: Range): number | undefined => {
  const value = form.test(text) ? Number(text) : Number.NaN;
  return value >= min && value <= max ? value : undefined;
};

/** In a schema: what counts where the field is left out. */
const otherwise = (value: unknown) => (value === undefined ? {} : { default: value });

/** A value from a closed set. */
export const oneOf = <const V extends string, D extends V | undefined = undefined>(
  values: readonly V[],
  invalid: PlainErrorCode,
  absent?: D,
): Field<V | D> =>
  optional(
    Type.Enum([...values], otherwise(absent)),
    invalid,
    (text) => values.find((value) => value === text),
    absent,
  );

/** The same in any case. */
export const oneOfInAnyCase = <const V extends string>(
  values: readonly V[],
  invalid: PlainErrorCode,
): Field<V | undefined> =>
  optional(Type.Enum([...values]), invalid, (text) =>
    values.find((value) => value.toLowerCase() === text.toLowerCase()),
  );

/** A value from a closed set where anything else is ignored. */
export function oneOfOrIgnored<const V extends string>(values: readonly V[]): Field<V | undefined> {
  return {
    schema: Type.Enum([...values]),
    required: false,
    errors: [],
    parse: (raw) => values.find((value) => value === raw),
  };
}

/** `0` or `1`. */
export const flag = <D extends boolean | undefined = undefined>(
  invalid: PlainErrorCode,
  absent?: D,
): Field<boolean | D> =>
  optional(
    Type.Enum(['0', '1'], otherwise(absent === undefined ? undefined : absent ? '1' : '0')),
    invalid,
    (text) => (text === '0' || text === '1' ? text === '1' : undefined),
    absent,
  );

/** An integer inside a range; outside it, or not an integer, is refused. */
export const integer = <D extends number | undefined = undefined>(
  range: Range,
  invalid: PlainErrorCode,
  absent?: D,
): Field<number | D> => {
  const schema = Type.Integer({ minimum: range.min, maximum: range.max, ...otherwise(absent) });
  return optional(schema, invalid, (text) => within(text, /^\d{1,15}$/, range), absent);
};

export const decimal = (range: Range, invalid: PlainErrorCode): Field<number | undefined> =>
  optional(Type.Number({ minimum: range.min, maximum: range.max }), invalid, (text) =>
    within(text, /^\d{1,15}(\.\d{1,15})?$/, range),
  );

/** Paging without an error code: anything but an integer ≥ 1 falls back to the default, and the maximum clamps. */
export function page(options: { default: number; max: number }): Field<number> {
  return {
    schema: Type.Integer({ minimum: 1, maximum: options.max, default: options.default }),
    required: false,
    errors: [],
    parse(raw) {
      if (raw === undefined || raw === notPlain || !/^\d+$/.test(raw)) return options.default;
      const value = Number(raw);
      return value >= 1 ? Math.min(value, options.max) : options.default;
    },
  };
}

const MAX_ID = 2n ** 63n - 1n;

export const id = (invalid: PlainErrorCode): Field<bigint | undefined> =>
  optional(Type.Integer({ minimum: 1 }), invalid, (text) =>
    /^[1-9]\d{0,18}$/.test(text) && BigInt(text) <= MAX_ID ? BigInt(text) : undefined,
  );

export const patterned = (pattern: RegExp, invalid: PlainErrorCode): Field<string | undefined> =>
  optional(Type.String({ pattern: pattern.source }), invalid, (text) => (pattern.test(text) ? text : undefined));

/** `YYYY-MM-DD HH:MM:SS` or ISO 8601, down to the date alone. Without a zone it is UTC. */
export const time = (invalid: PlainErrorCode): Field<Date | undefined> =>
  optional(Type.String({ examples: ['2026-05-01 12:00:00', '2026-05-01T12:00:00Z', '2026-05-01'] }), invalid, (text) =>
    [text, `${text}Z`, `${text}T00:00Z`].map(parseTimestamp).find((read) => read !== undefined),
  );

/** One that is left raw here and parsed in `check`, because other fields are reported first. */
export const rawField = (schema: TSchema, ...errors: readonly ErrorCode[]): Field<RawValue> => ({
  schema,
  required: false,
  errors,
  parse: (raw) => raw,
});

/** A field with rules of its own. */
export function custom<T>(field: Field<T>): Field<T> {
  return field;
}
