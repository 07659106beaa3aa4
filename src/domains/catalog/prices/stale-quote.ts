import { SECOND } from '../../../platform/clock.ts';

/**
 * How long a purchase may charge the price it was quoted. A purchase can wait for its wallet or for the database, and prices change
 * meanwhile; then it asks for a new quote. Longer than any purchase takes that does not have to wait.
 */
export const QUOTE_HOLDS_MS = 2 * SECOND;

/** Call it before reading the prices; it answers whether a quote from then is stale. Measured, not read from the clock that tests turn. */
export function quotedNow(): () => boolean {
  const quotedAt = performance.now();
  return () => performance.now() - quotedAt > QUOTE_HOLDS_MS;
}
