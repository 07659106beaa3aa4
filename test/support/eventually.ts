import { setTimeout as wait } from 'node:timers/promises';

/** For everything that happens soon by itself: on a machine that is busy with other things, soon may be late. */
export const PATIENCE_MS = 120_000;

/** Looks again and again until `look` gives something. */
export async function eventually<T>(what: string, look: () => Promise<T | undefined | false>): Promise<T> {
  const end = performance.now() + PATIENCE_MS;
  while (performance.now() < end) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    await wait(20);
  }
  throw new Error(`it never happened: ${what}`);
}

const TICK_MS = 5;

/**
 * The time in which this process got to run, for what is promised within a time. On an idle machine it is the time of the clock on the
 * wall; how long the process waits for a core counts little.
 */
export function runTime(): { readonly ms: number } & Disposable {
  let ms = 0;
  const timer = setInterval(() => {
    ms += TICK_MS;
  }, TICK_MS);
  return {
    get ms() {
      return ms;
    },
    [Symbol.dispose]: () => clearInterval(timer),
  };
}
