import { timestamp } from '../clock.ts';

/** What `plain` makes of a value: what answers have, `--json` prints and a page receives. */
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

export type Snake<S extends string> = S extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${Snake<Rest>}`
  : S;
export type Snaked<T, K extends keyof T> = { readonly [Name in K as Snake<Name & string>]: T[Name] };

/** `createdAt` is `created_at`. */
export const snake = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** These fields of a record, under the names they have in JSON. */
export const snaked = <T extends object, const K extends keyof T & string>(of: T, ...names: readonly K[]) =>
  Object.fromEntries(names.map((name) => [snake(name), of[name]])) as Snaked<T, K>;

/** The same, as answers have them. */
export const plainly = <T extends object, const K extends keyof T & string>(
  of: T,
  ...names: readonly K[]
): Json<Snaked<T, K>> => plain(snaked(of, ...names));
