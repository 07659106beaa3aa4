import type { Scene } from './scene.ts';

/**
 * One attack as a program. It reports how often it tried and which protections held, and throws when one did not. `short` is for every
 * run of the tests, `long` for a thorough search.
 */
export interface Attack {
  readonly name: string;
  /** What is tried, as a sentence. */
  readonly tries: string;
  readonly needsBrowser?: true;
  /** Too long for every run even in its short form. */
  readonly isLong?: true;
  run(attempt: Attempt): Promise<void>;
}

export interface Attempt {
  readonly size: 'short' | 'long';
  /** What was tried, and held. */
  held(what: string): void;
  /** Created by the first attack that needs it and shared by all. */
  scene(): Promise<Scene>;
}

/** The number of repetitions for this size. */
export const sized = ({ size }: Attempt, short: number, long: number): number => (size === 'short' ? short : long);
