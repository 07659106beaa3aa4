import { TooManyAttempts } from '../refused.ts';

/** Links being used in this process. */
const inUse = new Set<string>();
const WAIT_SECONDS = 1;

/**
 * A link is worth one expensive hash. Whoever sends it again meanwhile is turned away before it is looked up: one that was found valid
 * earlier would be worth a second.
 */
export async function oneUseAtATime<T>(token: string, use: () => Promise<T>): Promise<T> {
  if (inUse.has(token)) throw new TooManyAttempts(WAIT_SECONDS);
  inUse.add(token);
  return use().finally(() => inUse.delete(token));
}
