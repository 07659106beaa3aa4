import { setTimeout as wait } from 'node:timers/promises';

const LIMIT_MS = 60_000;

/** Looks again and again until `look` gives something. */
export async function eventually<T>(what: string, look: () => Promise<T | undefined | false>): Promise<T> {
  const end = performance.now() + LIMIT_MS;
  while (performance.now() < end) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    await wait(20);
  }
  throw new Error(`it never happened: ${what}`);
}
