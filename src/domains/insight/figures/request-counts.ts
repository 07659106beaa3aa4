import { HOUR } from '../../../platform/clock.ts';
import type { Queryable } from '../../../platform/db/database.ts';
import type { Log } from '../../../platform/log.ts';
import { addRequestFigures } from './requests.ts';

export interface RequestCounts {
  /** On the path of every request: two map lookups. `now` is real time. */
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
  readonly hour: number;
  readonly at: Date;
  requests: number;
}

export function createRequestCounts(
  { db }: { readonly db: Queryable },
  { log }: { readonly log: Pick<Log, 'warn'> },
): RequestCounts {
  let kinds: Kind[] = [];
  /** The same by account and endpoint: an endpoint has few statuses and hours, so no text is put together to find one. */
  let byPartner = new Map<number, Map<string, Kind[]>>();

  function find(partnerId: number, endpoint: string, status: number, hour: number): Kind | undefined {
    const found = byPartner.get(partnerId)?.get(endpoint);
    if (found) for (const kind of found) if (kind.status === status && kind.hour === hour) return kind;
    return undefined;
  }

  function remember(kind: Kind): void {
    const byEndpoint = byPartner.get(kind.partnerId) ?? new Map<string, Kind[]>();
    byPartner.set(kind.partnerId, byEndpoint);
    byEndpoint.set(kind.endpoint, [...(byEndpoint.get(kind.endpoint) ?? []), kind]);
    kinds.push(kind);
  }

  function add(partnerId: number, endpoint: string, status: number, hour: number, requests: number): void {
    const kind = find(partnerId, endpoint, status, hour);
    if (kind) kind.requests += requests;
    else if (kinds.length < MAX_KINDS)
      remember({ partnerId, endpoint, status, hour, at: new Date(hour * HOUR), requests });
  }

  return {
    count: (partnerId, endpoint, status, now) => add(partnerId, endpoint, status, Math.floor(now / HOUR), 1),
    async flush() {
      if (kinds.length === 0) return;
      const counted = kinds;
      kinds = [];
      byPartner = new Map();
      try {
        await addRequestFigures(db, counted);
      } catch (error) {
        log.warn({ err: error }, 'requests could not be added to the figures; they will be with the next ones');
        for (const { partnerId, endpoint, status, hour, requests } of counted)
          add(partnerId, endpoint, status, hour, requests);
      }
    },
  };
}
