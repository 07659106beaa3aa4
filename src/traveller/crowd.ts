import { SECOND } from '../clock.ts';
import { sourceOf } from '../http/address-list.ts';
import { Busy } from '../site/routes.ts';

const LIMITS = {
  /** Reads at the same time: a few of the pool's connections, never all. */
  atOnce: 3,
  /** Reads in the lines of all addresses together, and of one address. */
  waiting: 10_000,
  waitingPerSource: 1_000,
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
 * What is left are reads of different things. A few run at a time. The others wait in one line per client address, and the lines
 * take turns: an address that asks for thousands of links waits for itself, and delays the others by one read each.
 */
export function crowdReads(limits: { readonly [name in keyof typeof LIMITS]: number } = LIMITS): CrowdRead {
  const reads = new Map<string, Read>();
  /** In the order of their turns. */
  const lines = new Map<string, (() => void)[]>();
  let [running, waiting, kept] = [0, 0, 0];

  function join(source: string): Promise<void> {
    const line = lines.get(source) ?? [];
    if (waiting >= limits.waiting || line.length >= limits.waitingPerSource) throw new Busy();
    lines.set(source, line);
    waiting += 1;
    return new Promise((turn) => line.push(turn));
  }

  /** Hands the place of a read that ended to the line whose turn it is, which then goes to the back. */
  function leave(): void {
    const [source, line] = lines.entries().next().value ?? [];
    const turn = line?.shift();
    if (source === undefined || !line || !turn) {
      running -= 1;
      return;
    }
    waiting -= 1;
    lines.delete(source);
    if (line.length > 0) lines.set(source, line);
    turn();
  }

  async function inTurn<T>(source: string, look: () => Promise<T>): Promise<T> {
    if (running < limits.atOnce) running += 1;
    else await join(source);
    try {
      return await look();
    } finally {
      leave();
    }
  }

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
    const answer = inTurn(sourceOf(address), look);
    const read: Read = { answer, requests: 1, isOver: false };
    reads.set(name, read);
    answer.then(
      () => end(name, read, true),
      () => end(name, read, false),
    );
    return answer;
  };
}
