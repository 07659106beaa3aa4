/* What the sentences of the audit log are made with. */

import type { Mode } from '../contract/mode.ts';

export type State = Readonly<Record<string, unknown>>;

/** What a part of a sentence leads to. */
export type Thing =
  | { readonly kind: 'partner'; readonly id: number }
  | { readonly kind: 'order'; readonly id: string; readonly mode: Mode }
  | { readonly kind: 'product' | 'page'; readonly id: string };

/** Text, or something with a page of its own. */
export type Part = string | { readonly text: string; readonly of: Thing };

/** What a sentence is made from. */
export interface Facts {
  /** Whose it is; “a partner” where the entry does not say, and '' where the partner's own members read it. */
  readonly partner: Part;
  /** What it was done to. */
  readonly target: Part;
  /** The same as people know it: an address, a key, a receiver. */
  readonly about: string;
  readonly was: State;
  readonly is: State;
  /** The fields that differ. */
  readonly changed: readonly string[];
}

/** A sentence, and the fields that need no line below because it says them. */
export interface Sentence {
  readonly parts: readonly Part[];
  readonly said: readonly string[];
}

export type Write = (facts: Facts) => Sentence;

export const say = (texts: TemplateStringsArray, ...parts: readonly (Part | readonly Part[])[]): Sentence => ({
  parts: texts
    .flatMap((text, i) => [text, parts[i] ?? ''])
    .flat()
    .filter((part) => part !== ''),
  said: [],
});

/** ` of Acme`; nothing where the partner's own members read it. */
export const at = (word: 'of' | 'at' | 'to' | 'from', partner: Part): readonly Part[] =>
  partner === '' ? [] : [` ${word} `, partner];

export const saying = (sentence: Sentence, ...said: readonly string[]): Sentence => ({ ...sentence, said });

export const text = (value: unknown): string => (value === null || value === undefined ? '' : String(value));
/** Amounts are kept as decimals without a currency. */
export function usd(value: unknown): string {
  const [, sign = '', whole = '', places = ''] = /^(-?)(\d+)(\.\d+)?$/.exec(text(value)) ?? [];
  // Costs have six places; those beyond cents count only if they say something.
  return `${sign}$${whole.replace(/\B(?=(\d{3})+$)/g, ',')}${places.replace(/(\.\d\d\d*?)0+$/, '$1')}`;
}
export const some = (value: unknown, noun: string): string => `${text(value)} ${noun}${value === 1 ? '' : 's'}`;
export const page = (words: string, id: string): Part => ({ text: words, of: { kind: 'page', id } });
/** Up or down, where both are numbers. */
export const raised = (was: unknown, is: unknown): string => (Number(is) > Number(was) ? 'raised' : 'lowered');

export const noted = ({ is }: Facts): string => (text(is.note) === '' ? '' : `: “${text(is.note)}”`);
