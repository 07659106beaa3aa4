import { random } from '../../test/support/random.ts';

/** The only source of randomness of a walk, so the same seed repeats it. */
export interface Dice {
  /** A whole number below `below`. */
  below(below: number): number;
  of<T>(list: readonly [T, ...T[]] | readonly T[]): T;
  chance(percent: number): boolean;
}

export function dice(seed: number): Dice {
  const below = random(seed);
  return {
    below,
    of: (list) => list[below(list.length)] as never,
    chance: (percent) => below(100) < percent,
  };
}
