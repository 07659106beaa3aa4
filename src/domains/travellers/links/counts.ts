import { LRUCache } from 'lru-cache';
import { MINUTE } from '../../../platform/clock.ts';
import type { Db } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/query/sql.ts';
import type { Log } from '../../../platform/log.ts';

/** Orders whose visits wait to be written. When a database is away for long, visits of further orders are not counted. */
const MAX_WAITING = 10_000;
const INSTALL_EVERY_MS = 1 * MINUTE;

interface Waiting {
  views: number;
  installs: number;
  /** When the first and the last of these installs were opened; infinite if there are none. */
  first: number;
  last: number;
}

/**
 * How often pages are opened, per order and nothing else: neither who nor where from. Written in batches, so no visitor waits for
 * it; a process that is killed loses the few seconds since its last batch.
 *
 * Each process drops an install that follows one it counted within a minute. The row remembers the last one counted, so a batch of
 * another process counts one less if its first install is not a minute later.
 */
export function countVisits(db: Db, log: Log) {
  const installedAt = new LRUCache<bigint, number>({ maxSize: MAX_WAITING, sizeCalculation: () => 1 });
  let waiting = new Map<bigint, Waiting>();

  function add(orderId: bigint, more: Waiting): void {
    const counted = waiting.get(orderId);
    if (counted) {
      counted.views += more.views;
      counted.installs += more.installs;
      counted.first = Math.min(counted.first, more.first);
      counted.last = Math.max(counted.last, more.last);
    } else if (waiting.size < MAX_WAITING) waiting.set(orderId, more);
  }

  return {
    view: (orderId: bigint) => add(orderId, { views: 1, installs: 0, first: Infinity, last: -Infinity }),
    /** Counts once a minute and link, in all processes together: taps repeat, and anyone with the link can send any number. */
    install(orderId: bigint, now: number): void {
      if (now - (installedAt.get(orderId) ?? Number.NEGATIVE_INFINITY) < INSTALL_EVERY_MS) return;
      installedAt.set(orderId, now);
      add(orderId, { views: 0, installs: 1, first: now, last: now });
    },
    async flush(): Promise<void> {
      const batch = waiting;
      if (batch.size === 0) return;
      waiting = new Map();
      // In the order of their ids, so that two processes cannot wait for each other's rows.
      const rows = [...batch].sort(([a], [b]) => (a < b ? -1 : 1));
      try {
        await db.run(sql`
          with seen as (
            select * from unnest(
              ${rows.map(([orderId]) => orderId)}::bigint[],
              ${rows.map(([, { views }]) => views)}::int[],
              ${rows.map(([, { installs }]) => installs)}::int[],
              ${rows.map(([, { first }]) => isoOf(first))}::timestamptz[],
              ${rows.map(([, { last }]) => isoOf(last))}::timestamptz[]
            ) as seen (order_id, views, installs, first, last)
          )
          insert into traveller_links as kept (order_id, views, installs_opened, installed_at)
          select seen.order_id, seen.views, seen.installs, seen.last from seen
          where exists (select from orders where orders.id = seen.order_id)
          on conflict (order_id) do update set (views, installs_opened, installed_at) = (
            select
              kept.views + seen.views,
              kept.installs_opened + counted.installs,
              case when counted.installs > 0 then greatest(kept.installed_at, seen.last) else kept.installed_at end
            from seen, lateral (
              select case
                when seen.first < kept.installed_at + ${`${INSTALL_EVERY_MS} ms`}::interval then seen.installs - 1
                else seen.installs
              end as installs
            ) as counted
            where seen.order_id = kept.order_id
          )`);
      } catch (error) {
        log.warn({ err: error }, 'visits of travellers’ pages could not be counted; retrying');
        for (const [orderId, counted] of batch) add(orderId, counted);
      }
    },
  };
}

const isoOf = (ms: number): string | null => (Number.isFinite(ms) ? new Date(ms).toISOString() : null);
