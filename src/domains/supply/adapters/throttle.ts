import { SECOND } from '../../../platform/clock.ts';

/** Waits for a turn. False: there is none within the limit, so the call must not be made. */
export type Throttle = (limitMs: number) => Promise<boolean>;

/** At most `perSecond` turns in any second, first come, first served. */
export function throttle(perSecond: number): Throttle {
  let free = perSecond;
  const waiting = new Set<() => void>();

  function taken(): true {
    setTimeout(release, SECOND).unref();
    return true;
  }

  function release(): void {
    const [next] = waiting;
    if (!next) free += 1;
    else next();
  }

  return async (limitMs) => {
    if (free > 0) {
      free -= 1;
      return taken();
    }
    return new Promise((resolve) => {
      const turn = () => end(taken());
      const timer = setTimeout(() => end(false), limitMs);
      const end = (mine: boolean) => {
        clearTimeout(timer);
        waiting.delete(turn);
        resolve(mine);
      };
      waiting.add(turn);
    });
  };
}
