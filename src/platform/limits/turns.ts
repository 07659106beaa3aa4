/** Runs `work` as soon as it is its turn. */
export type Turns = <T>(work: () => Promise<T>) => Promise<T>;

interface Bounds {
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

/** How long a slice may take. A request that needs several turns of the event loop may meet one in each. */
const SLICE_MS = 2;
/**
 * The pause after each. The operating system lowers the priority of a process that never pauses, so on a busy machine its requests
 * would also wait for other processes.
 */
const REST_MS = 2;

/**
 * Lets long work on the main thread run in slices: one at a time, with a rest in between, however much of it there is, so that
 * requests are answered meanwhile. `await slices.turn()` begins a slice; `isOver()` says that it has taken long enough.
 */
export class Slices {
  readonly #waiting: (() => void)[] = [];
  #isRunning = false;
  #until = 0;

  turn(): Promise<void> {
    return new Promise((begin) => {
      this.#waiting.push(begin);
      if (this.#isRunning) return;
      this.#isRunning = true;
      setImmediate(this.#next);
    });
  }

  isOver(): boolean {
    return performance.now() > this.#until;
  }

  readonly #next = (): void => {
    const begin = this.#waiting.shift();
    this.#isRunning = begin !== undefined;
    if (!begin) return;
    this.#until = performance.now() + SLICE_MS;
    begin();
    // The slice runs as soon as this function returns, so the immediate comes when it is over.
    setImmediate(() => setTimeout(this.#next, REST_MS));
  };
}

/** Works on all of them side by side, each to its end before the first failure is reported; returns how many there were. */
export async function workOnAll<T>(batch: readonly T[], work: (one: T) => Promise<unknown>): Promise<number> {
  const tried = await Promise.allSettled(batch.map(work));
  const failed = tried.find((one) => one.status === 'rejected');
  if (failed) throw failed.reason;
  return batch.length;
}
