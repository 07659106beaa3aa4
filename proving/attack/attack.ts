import type { Scene } from './scene.ts';

/**
 * One attack as a program: it tries something somebody could want, says how often it tried and what held, and throws when something
 * did not hold. `short` is for every run of the tests, `long` for those who look for more.
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
  /** Made by the first attack that looks around in it, for all of them. */
  scene(): Promise<Scene>;
}

/** As many of something as this size asks for. */
export const sized = ({ size }: Attempt, short: number, long: number): number => (size === 'short' ? short : long);
