/**
 * Whether the server can be reached. Every request reports how it ended, and so does code that could not be fetched, so every part of
 * a page knows since when what it shows may be out of date.
 */
let awaySince: number | undefined;
/** While its database is away, a server answers some requests: that is one time of being away, not many. */
const SAME_MS = 20_000;
let last = { since: 0, until: 0 };
const listeners = new Set<() => void>();

export function reportAnswered(): void {
  if (awaySince === undefined) return;
  last = { since: awaySince, until: Date.now() };
  awaySince = undefined;
  notify();
}

export function reportAway(): void {
  if (awaySince !== undefined) return;
  awaySince = Date.now() - last.until < SAME_MS ? last.since : Date.now();
  notify();
}

function notify(): void {
  for (const listener of listeners) listener();
}

/** For `useAwaySince`. */
export const reach = {
  awaySince: (): number | undefined => awaySince,
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};
