import { type Micros, toMicros } from '../../../platform/amounts/cents.ts';
import { parseTimestamp } from '../../../platform/clock.ts';

/** Suppliers are loose about types: a number may come as text, a list as an object, and anything may be missing. */
export type Json = Readonly<Record<string, unknown>>;

/** Anything that is not an object reads as an empty one. */
export const objectOf = (value: unknown): Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {};

/** Undefined when it is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export const parseObject = (text: string): Json => objectOf(parseJson(text));

/** A list, or an object keyed by index read as one; undefined when it is neither. */
export function listOf(value: unknown): readonly Json[] | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  return Object.values(value).map(objectOf);
}

/** Trimmed text; null when there is none. */
export function textOf(value: unknown): string | null {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : null;
}

/** A time with its zone; null when there is none. */
export const dateOf = (value: unknown): Date | null => parseTimestamp(textOf(value) ?? '') ?? null;

export function numberOf(value: unknown): number | null {
  const text = textOf(value);
  const number = text === null ? Number.NaN : Number(text);
  return Number.isFinite(number) ? number : null;
}

/** An amount of US dollars to six places; null when it is missing or negative. */
export function microsOf(value: unknown): Micros | null {
  const usd = numberOf(value);
  return usd === null || usd < 0 ? null : signedMicros(usd);
}

/** The same for an amount that may be negative, such as the balance of an account. */
export const signedMicros = (usd: number): Micros => toMicros(wholeNumber(usd * 1_000_000));

/** A number too big to be counted stays too big, rather than throw: the price it belongs to is then refused with a reason. */
export function wholeNumber(value: number): bigint {
  const most = Number.MAX_SAFE_INTEGER;
  return BigInt(Math.round(Math.max(-most, Math.min(most, value))));
}
