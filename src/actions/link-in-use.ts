import { TooManyAttempts } from '../contract/refused.ts';

/** Links being used in this process. */
const inUse = new Set<string>();
const WAIT_SECONDS = 1;

/**
 * Runs `use` unless the same link is already being used, so each link costs at most one password hash at a time. Check this before looking
 * the link up: a second request that found it valid just before the first finished would hash again.
 */
export async function oneUseAtATime<T>(token: string, use: () => Promise<T>): Promise<T> {
  if (inUse.has(token)) throw new TooManyAttempts(WAIT_SECONDS);
  inUse.add(token);
  return use().finally(() => inUse.delete(token));
}
