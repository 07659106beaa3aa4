/** Lets so many run at once; the others wait, in the order in which they came. */
export function turns(most: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let free = most;
  return async (work) => {
    if (free > 0) free--;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else free++;
    }
  };
}

/** Waits for all of them, and then throws what the first one threw. */
export async function allOf(running: readonly Promise<void>[]): Promise<void> {
  const ended = await Promise.allSettled(running);
  const failed = ended.find((one) => one.status === 'rejected');
  if (failed) throw failed.reason;
}
