import { setTimeout as wait } from 'node:timers/promises';

/** How long to wait for something that happens in the background. Generous, for busy machines. */
export const PATIENCE_MS = 120_000;

/** Polls until `look` returns something. */
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
 * The time this process actually ran, for promises about durations. On an idle machine it equals wall-clock time; time spent waiting
 * for a core counts little.
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
