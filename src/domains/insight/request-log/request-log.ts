import { writtenLater } from '../../../platform/db/migrate/written-later.ts';
import { bound, type Readers } from '../../../platform/db/replicas.ts';
import type { Log } from '../../../platform/log.ts';
import {
  type CallFilter,
  findCall,
  findNamed,
  insertCalls,
  type LoggedCall,
  listCalls,
  type NotedCall,
} from './rows.ts';

export {
  type CallFilter,
  KEPT_CALLS,
  KEPT_MS,
  type LoggedCall,
  type LoggedField,
  type NotedCall,
  pruneCallsJob,
} from './rows.ts';

/** A request id as we issue them. */
export const REQUEST_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Calls that wait to be written; beyond these they are not kept. */
const MAX_WAITING = 5_000;
const BATCH = 500;
/** Characters of answers that wait. A second of a thousand purchases has one million. */
const MOST_HELD = 16_000_000;

/** The API calls of one world's accounts, for their developers to look up. */
export function createRequestLog({ db, reads }: Readers, { log }: { readonly log: Log }) {
  const allowance = new Allowance();
  let held = 0;
  const later = writtenLater<NotedCall>({
    async write(calls) {
      try {
        await insertCalls(db, calls);
      } finally {
        for (const call of calls) held -= call.held;
      }
    },
    failed: (error, calls) => log.warn({ err: error, calls }, 'API calls could not be written to the request log'),
    mostWaiting: MAX_WAITING,
    batch: BATCH,
  });
  /** `busy`: the account made more calls than are kept. */
  const missing = Object.assign(later.lost, { busy: 0 });

  return {
    missing,
    /** Whether the account's next call is to be noted. One that changed something always is. */
    takes(partnerId: number, hasChanged: boolean): boolean {
      if (later.isFull) missing.full++;
      else if (allowance.take(partnerId) || hasChanged) return true;
      else missing.busy++;
      return false;
    },
    /** Whether an answer of so many characters may wait with its call. If not, the call is noted without it. */
    holds(characters: number): boolean {
      if (held + characters > MOST_HELD) return false;
      held += characters;
      return true;
    },
    /** Only appends to a list: nothing is formatted, written or waited for. */
    note: later.note,
    /** Writes what was noted. To be called every second; a failure is logged, and the calls concerned are missing. */
    async flush(): Promise<void> {
      allowance.refill();
      await later.flush();
    },
    list: (partnerId: number, filter: CallFilter, page: { limit: number; now: number }): Promise<LoggedCall[]> =>
      listCalls(reads, partnerId, filter, page),
    ...bound(db, { find: findCall, named: findNamed }),
  };
}

/**
 * How many calls of one account are kept. A key at the standard limits makes 1,458 calls a minute at most, and five keys some 120 a
 * second, so what such an account does is kept whole. An account with higher limits may make ten thousand calls a second; its
 * log would hold the last of those seconds, and writing all of them would cost more than answering them.
 */
const BURST = 1_500;
const PER_SECOND = 125;

class Allowance {
  readonly #spent = new Map<number, number>();

  take(partnerId: number): boolean {
    const spent = this.#spent.get(partnerId) ?? 0;
    if (spent >= BURST) return false;
    this.#spent.set(partnerId, spent + 1);
    return true;
  }

  /** To be called once a second. */
  refill(): void {
    for (const [partnerId, spent] of this.#spent) {
      if (spent > PER_SECOND) this.#spent.set(partnerId, spent - PER_SECOND);
      else this.#spent.delete(partnerId);
    }
  }
}
