import type { Db } from '../db/database.ts';
import type { Log } from '../log.ts';
import { Allowance } from './allowance.ts';
import { findCall, type LoggedCall, listCalls, type SoughtCalls } from './read.ts';
import { insertCalls, type LoggedField, type NotedCall } from './rows.ts';

export { KEPT_CALLS, KEPT_MS, pruneCallsJob } from './prune.ts';
export type { LoggedCall, SoughtCalls } from './read.ts';
export type { LoggedField, NotedCall } from './rows.ts';

/** The API calls of one world's accounts, for their developers to look up. */
export interface RequestLog {
  /** Whether the account's next call is to be noted. One that changed something always is. */
  takes(partnerId: number, hasChanged: boolean): boolean;
  /** Costs a request no more than a place in a list: nothing is formatted, written or waited for. */
  note(call: NotedCall): void;
  /** Writes what was noted. To be called every second; a failure is logged, and the calls concerned are missing. */
  flush(): Promise<void>;
  /** Calls that are missing, by reason. */
  readonly missing: Readonly<Record<Missing, number>>;
  list(partnerId: number, sought: SoughtCalls, page: { limit: number; now: number }): Promise<LoggedCall[]>;
  find(
    partnerId: number,
    requestId: string,
    now: number,
  ): Promise<(LoggedCall & { readonly fields: readonly LoggedField[] }) | undefined>;
}

/** `busy`: the account made more calls than are kept. `full`: too many wait. `unwritten`: the database was away. */
export type Missing = 'busy' | 'full' | 'unwritten';

/** Calls that wait to be written; beyond these they are not kept. A slow or absent database must not take the memory. */
const MAX_WAITING = 5_000;
/** So many are written at once, without waiting for the second to be over. */
const BATCH = 500;

export function createRequestLog({ db }: { readonly db: Db }, { log }: { readonly log: Log }): RequestLog {
  const allowance = new Allowance();
  const missing = { busy: 0, full: 0, unwritten: 0 };
  let waiting: NotedCall[] = [];
  let writing: Promise<void> | undefined;

  async function write(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, BATCH);
      waiting = waiting.slice(BATCH);
      try {
        await insertCalls(db, batch);
      } catch (error) {
        missing.unwritten += batch.length;
        log.warn({ err: error, calls: batch.length }, 'API calls could not be written to the request log');
        return;
      }
    }
  }

  const start = (): Promise<void> => {
    writing ??= write().finally(() => {
      writing = undefined;
    });
    return writing;
  };

  return {
    missing,
    takes(partnerId, hasChanged) {
      if (waiting.length >= MAX_WAITING) missing.full++;
      else if (allowance.take(partnerId) || hasChanged) return true;
      else missing.busy++;
      return false;
    },
    note(call) {
      if (waiting.push(call) === BATCH && !writing) setImmediate(start);
    },
    async flush() {
      allowance.refill();
      await start();
    },
    list: (partnerId, sought, page) => listCalls(db, partnerId, sought, page),
    find: (partnerId, requestId, now) => findCall(db, partnerId, requestId, now),
  };
}
