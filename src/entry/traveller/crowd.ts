import { SECOND } from '../../platform/clock.ts';
import { networksOf } from '../../platform/http/address-list.ts';
import { fairTurns } from '../../platform/limits/fair-turns.ts';
import { Busy } from '../site/routes.ts';

const LIMITS = {
  /** Reads at the same time: a few of the pool's connections, never all. */
  atOnce: 3,
  /** Reads that wait, of all networks together. */
  waiting: 10_000,
  /** Requests that wait for the same read. */
  sharing: 2_000,
  /** Shared answers that are kept, and for how long. */
  kept: 1_000,
  keptMs: 1 * SECOND,
} as const;

interface Read {
  readonly answer: Promise<unknown>;
  /** Requests that get this answer. */
  requests: number;
  /** Its answer is there. */
  isOver: boolean;
}

/** Runs `look`, or shares the answer of a concurrent request for the same thing. `name` is what is read, `address` who asks. */
export type CrowdRead = <T>(name: string, address: string, look: () => Promise<T>) => Promise<T>;

/**
 * Reads of the database that anyone can cause, by opening a signed address.
 *
 * Requests for the same thing share one read. If several did, its answer serves for one more second. So a link that a thousand
 * people open, or one attacker with a thousand connections, costs one read a second; and a link that one person opens is always
 * read, so it is dead with the first request after it was revoked.
 *
 * What is left are reads of different things. A few run at a time. The others wait in one line per network, and the lines take
 * turns (`fair-turns.ts`): a network that asks for thousands of links waits for itself, and delays the others by one read each.
 */
export function crowdReads(limits: { readonly [name in keyof typeof LIMITS]: number } = LIMITS): CrowdRead {
  const reads = new Map<string, Read>();
  const inTurn = fairTurns({ atOnce: limits.atOnce, maxWaiting: limits.waiting }, () => new Busy());
  let kept = 0;

  /** Forgets a read: at once, or after a moment if others shared it. A failure is not kept. */
  function end(name: string, read: Read, isRight: boolean): void {
    read.isOver = true;
    if (!isRight || read.requests === 1 || kept >= limits.kept) {
      reads.delete(name);
      return;
    }
    kept += 1;
    setTimeout(() => {
      kept -= 1;
      reads.delete(name);
    }, limits.keptMs).unref();
  }

  return <T>(name: string, address: string, look: () => Promise<T>): Promise<T> => {
    const known = reads.get(name);
    if (known) {
      if (!known.isOver && known.requests >= limits.sharing) return Promise.reject(new Busy());
      known.requests += 1;
      return known.answer as Promise<T>;
    }
    const networks = networksOf(address).map(({ name }) => name);
    const answer = inTurn({ networks }, look);
    const read: Read = { answer, requests: 1, isOver: false };
    reads.set(name, read);
    answer.then(
      () => end(name, read, true),
      () => end(name, read, false),
    );
    return answer;
  };
}
