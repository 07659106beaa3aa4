/** Runs `work` as soon as it is its turn. */
export type Turns = <T>(work: () => Promise<T>) => Promise<T>;

export interface Bounds {
  /** How many run at the same time. */
  readonly atOnce: number;
  /** How many may wait for their turn; further ones are refused at once. */
  readonly maxWaiting: number;
}

/** Runs a few at a time, in the order they arrived, and rejects with `full()` when too many are waiting. */
export function bounded({ atOnce, maxWaiting }: Bounds, full: () => Error): Turns {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running < atOnce) running += 1;
    else if (waiting.length >= maxWaiting) throw full();
    // Work that ends hands its place to the next in line, so `running` does not change in between.
    else await new Promise<void>((turn) => waiting.push(turn));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
