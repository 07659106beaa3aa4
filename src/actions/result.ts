import { type Cents, formatCents } from '../platform/amounts/cents.ts';
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
export function plain<T>(value: T): Json<T>;
export function plain(value: unknown): unknown {
  if (value instanceof Date) return timestamp(value);
  if (typeof value === 'bigint') return Number(value);
  if (Array.isArray(value)) return value.map(plain);
  if (value !== null && typeof value === 'object') {
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, plain(inner)]));
  }
  return value;
}

type Snake<S extends string> = S extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${Snake<Rest>}`
  : S;
export type Snaked<T, K extends keyof T> = { readonly [Name in K as Snake<Name & string>]: T[Name] };

/** `createdAt` is `created_at`. */
export const snake = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** These fields of a record, under the names they have in JSON. */
export const snaked = <T extends object, const K extends keyof T & string>(of: T, ...names: readonly K[]) =>
  Object.fromEntries(names.map((name) => [snake(name), of[name]])) as Snaked<T, K>;

/** These amounts of a record, in USD with two decimals, under the names they have in JSON. */
export const inUsd = <const K extends string>(of: { readonly [Name in NoInfer<K>]: Cents }, ...names: readonly K[]) =>
  Object.fromEntries(names.map((name) => [snake(name), formatCents(of[name])])) as {
    readonly [Name in K as Snake<Name>]: string;
  };

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
