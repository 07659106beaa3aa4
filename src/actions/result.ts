import { timestamp } from '../platform/clock.ts';

/** What `plain` makes of a result: what `--json` prints and a page receives. */
export type Json<T> = T extends Date
  ? string
  : T extends bigint
    ? number
    : T extends readonly (infer Item)[]
      ? readonly Json<Item>[]
      : T extends object
        ? { readonly [K in keyof T]: Json<T[K]> }
        : T;

/** Dates in the contract's format and ids as numbers. */
export function plain(value: unknown): unknown {
  if (value instanceof Date) return timestamp(value);
  if (typeof value === 'bigint') return Number(value);
  if (Array.isArray(value)) return value.map(plain);
  if (value !== null && typeof value === 'object') {
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, plain(inner)]));
  }
  return value;
}

/** One line of text. Others wrote some of it, so whatever could move the cursor or reverse the text is replaced. */
export function cell(value: unknown): string {
  if (value === null || value === undefined || value === '') return '-';
  if (Array.isArray(value) && !isNested(value)) return cell(value.join(', '));
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return text.replaceAll(/[\p{Cc}\u2028-\u202e\u2066-\u2069]/gu, '·');
}

const isObject = (value: unknown): boolean => value !== null && typeof value === 'object';

/** Whether it takes more than one line: a list of things, or one thing with fields. */
export const isNested = (value: unknown): boolean =>
  Array.isArray(value) ? value.some(isObject) : isObject(value) && Object.keys(value as object).length > 0;
