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

/** A value from a closed set. */
export function oneOf<const V extends string, D extends V | undefined>(
  values: readonly V[],
  options: { invalid: PlainErrorCode; default: D; caseInsensitive?: boolean },
): Field<V | D> {
  return {
    schema: Type.Enum([...values], options.default === undefined ? {} : { default: options.default }),
    required: false,
    errors: [options.invalid],
    parse(raw) {
      if (raw === undefined) return options.default;
      const same = (value: V) =>
        options.caseInsensitive ? value.toLowerCase() === String(raw).toLowerCase() : value === raw;
      const value = raw === notPlain ? undefined : values.find(same);
      if (value === undefined) throw fail(options.invalid);
      return value;
    },
  };
}

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
export function flag<D extends boolean | undefined>(options: {
  invalid: PlainErrorCode;
  default: D;
}): Field<boolean | D> {
  return {
    schema: Type.Enum(['0', '1'], options.default === undefined ? {} : { default: options.default ? '1' : '0' }),
    required: false,
    errors: [options.invalid],
    parse(raw) {
      if (raw === undefined) return options.default;
      if (raw !== '0' && raw !== '1') throw fail(options.invalid);
      return raw === '1';
    },
  };
}

/** An integer inside a range; outside it, or not an integer, is refused. */
export function integer<D extends number | undefined>(
  range: { min: number; max: number },
  options: { invalid: PlainErrorCode; default: D },
): Field<number | D> {
  return {
    schema: Type.Integer({
      minimum: range.min,
      maximum: range.max,
      ...(options.default === undefined ? {} : { default: options.default }),
    }),
    required: false,
    errors: [options.invalid],
    parse(raw) {
      if (raw === undefined) return options.default;
      const value = raw !== notPlain && /^\d{1,15}$/.test(raw) ? Number(raw) : Number.NaN;
      if (!(value >= range.min && value <= range.max)) throw fail(options.invalid);
      return value;
    },
  };
}

/** A plain decimal number inside a range. */
export function decimal(
  range: { min: number; max: number },
  options: { invalid: PlainErrorCode },
): Field<number | undefined> {
  return {
    schema: Type.Number({ minimum: range.min, maximum: range.max }),
    required: false,
    errors: [options.invalid],
    parse(raw) {
      if (raw === undefined) return undefined;
      const value = raw !== notPlain && /^\d{1,15}(\.\d{1,15})?$/.test(raw) ? Number(raw) : Number.NaN;
      if (!(value >= range.min && value <= range.max)) throw fail(options.invalid);
      return value;
    },
  };
}

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

/** The number of a thing, which may or may not exist. */
export function id(options: { invalid: PlainErrorCode }): Field<bigint | undefined> {
  return {
    schema: Type.Integer({ minimum: 1 }),
    required: false,
    errors: [options.invalid],
    parse(raw) {
      if (raw === undefined) return undefined;
      const value = raw !== notPlain && /^[1-9]\d{0,18}$/.test(raw) ? BigInt(raw) : MAX_ID + 1n;
      if (value > MAX_ID) throw fail(options.invalid);
      return value;
    },
  };
}

/** A text of a certain form. */
export function patterned(pattern: RegExp, options: { invalid: PlainErrorCode }): Field<string | undefined> {
  return {
    schema: Type.String({ pattern: pattern.source }),
    required: false,
    errors: [options.invalid],
    parse(raw) {
      if (raw === undefined) return undefined;
      if (raw === notPlain || !pattern.test(raw)) throw fail(options.invalid);
      return raw;
    },
  };
}

/** `YYYY-MM-DD HH:MM:SS` or ISO 8601, down to the date alone. Without a zone it is UTC. */
export function time(options: { invalid: PlainErrorCode }): Field<Date | undefined> {
  return {
    schema: Type.String({ examples: ['2026-05-01 12:00:00', '2026-05-01T12:00:00Z', '2026-05-01'] }),
    required: false,
    errors: [options.invalid],
    parse(raw) {
      if (raw === undefined) return undefined;
      const written = raw === notPlain ? [] : [raw, `${raw}Z`, `${raw}T00:00Z`];
      const at = written.map(parseTimestamp).find((read) => read !== undefined);
      if (at === undefined) throw fail(options.invalid);
      return at;
    },
  };
}

/** A field with rules of its own. */
export function custom<T>(field: Field<T>): Field<T> {
  return field;
}
