import { setTimeout as wait } from 'node:timers/promises';

/** Looks again and again until `look` gives something; fails after five seconds. */
export async function eventually<T>(what: string, look: () => Promise<T | undefined | false>): Promise<T> {
  for (let tries = 0; tries < 250; tries++) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    await wait(20);
  }
  throw new Error(`it never happened: ${what}`);
}
