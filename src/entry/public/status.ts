import {
  type Incident,
  incidents,
  readService,
  type ServiceDay,
  SHOWN_DAYS,
} from '../../domains/insight/status-page/status-page.ts';
import { type Clock, DAY, MINUTE } from '../../platform/clock.ts';
import type { Queryable } from '../../platform/db/database.ts';
import type { Log } from '../../platform/log.ts';

/** What the status page shows, as it was read at a time. */
export interface Status {
  readonly at: Date;
  /** Undefined: they cannot be read now. */
  readonly found:
    | {
        readonly days: readonly ServiceDay[];
        readonly latest: readonly Omit<ServiceDay, 'day'>[];
        readonly incidents: readonly Incident[];
      }
    | undefined;
}

export type ReadStatus = (now: number) => Promise<NonNullable<Status['found']>>;

const MOST_INCIDENTS = 50;
/** However many visitors there are, the database is queried once in this time. */
const KEPT_MS = MINUTE / 2;

export async function readStatus(db: Queryable, now: number): Promise<NonNullable<Status['found']>> {
  const since = new Date(now - SHOWN_DAYS * DAY);
  const [service, written] = await Promise.all([
    readService(db, now),
    incidents.list(db, { since, limit: MOST_INCIDENTS }),
  ]);
  return { ...service, incidents: written };
}

/** One reading for all visitors within half a minute. While the database is away the page says so: that is when it matters most. */
export function statusReader(parts: {
  readonly readStatus: ReadStatus;
  readonly clock: Clock;
  readonly log: Pick<Log, 'warn'>;
}): () => Promise<Status> {
  let readAt = Number.NEGATIVE_INFINITY;
  let reading: Promise<Status> | undefined;
  return () => {
    const now = parts.clock.now();
    if (reading && now - readAt < KEPT_MS && now >= readAt) return reading;
    readAt = now;
    reading = parts.readStatus(now).then(
      (found) => ({ at: new Date(now), found }),
      (error) => {
        parts.log.warn({ err: error }, 'the status page could not read its measurements');
        reading = undefined;
        return { at: new Date(now), found: undefined };
      },
    );
    return reading;
  };
}
