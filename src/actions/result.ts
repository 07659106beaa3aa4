import { type Cents, formatCents } from '../platform/amounts/cents.ts';
import { type Snake, snake } from '../platform/contract/json.ts';

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
