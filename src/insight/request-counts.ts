import { HOUR } from '../clock.ts';
import type { Queryable } from '../db/database.ts';
import type { Log } from '../log.ts';
import { addRequestFigures } from './requests.ts';

/** Answered requests that are not in the figures yet. */
export interface RequestCounts {
  /** On the path of every request: one map lookup. `now` is real time. */
  count(partnerId: number, endpoint: string, status: number, now: number): void;
  /** Writes what was counted. To be called every second or so; what could not be written waits for the next time. */
  flush(): Promise<void>;
}

/** Kinds of requests that wait: one for each account, endpoint, status and hour. Beyond these they are not counted. */
const MAX_KINDS = 20_000;

interface Kind {
  readonly partnerId: number;
  readonly endpoint: string;
  readonly status: number;
  readonly at: Date;
  requests: number;
}

export function createRequestCounts(
  { db }: { readonly db: Queryable },
  { log }: { readonly log: Pick<Log, 'warn'> },
): RequestCounts {
  let kinds = new Map<string, Kind>();

  function add(partnerId: number, endpoint: string, status: number, hour: number, requests: number): void {
    const name = `${partnerId} ${status} ${hour} ${endpoint}`;
    const kind = kinds.get(name);
    if (kind) kind.requests += requests;
    else if (kinds.size < MAX_KINDS)
      kinds.set(name, { partnerId, endpoint, status, at: new Date(hour * HOUR), requests });
  }

  return {
    count: (partnerId, endpoint, status, now) => add(partnerId, endpoint, status, Math.floor(now / HOUR), 1),
    async flush() {
      if (kinds.size === 0) return;
      const counted = [...kinds.values()];
      kinds = new Map();
      try {
        await addRequestFigures(db, counted);
      } catch (error) {
        log.warn({ err: error }, 'requests could not be added to the figures; they will be with the next ones');
        for (const { partnerId, endpoint, status, at, requests } of counted)
          add(partnerId, endpoint, status, at.getTime() / HOUR, requests);
      }
    },
  };
}
