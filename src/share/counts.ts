import { LRUCache } from 'lru-cache';
import { MINUTE } from '../clock.ts';
import type { Db } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import type { Log } from '../log.ts';

export interface Visits {
  view(orderId: bigint): void;
  /** Counts once a minute and order: a tap is repeated, and anyone who has the link can send as many as they like. */
  install(orderId: bigint, now: number): void;
  flush(): Promise<void>;
}

/** Orders whose visits wait to be written. When a database is away for long, visits of further orders are not counted. */
const MAX_WAITING = 10_000;
const INSTALL_EVERY_MS = 1 * MINUTE;

/**
 * How often pages are opened, per order and nothing else: neither who nor where from. Written in batches, so no visitor waits for
 * it; a process that is killed loses the few seconds since its last batch.
 */
export function countVisits(db: Db, log: Log): Visits {
  const installedAt = new LRUCache<bigint, number>({ maxSize: MAX_WAITING, sizeCalculation: () => 1 });
  let waiting = new Map<bigint, { views: number; installs: number }>();

  function add(orderId: bigint, views: number, installs: number): void {
    const counted = waiting.get(orderId);
    if (counted) {
      counted.views += views;
      counted.installs += installs;
    } else if (waiting.size < MAX_WAITING) waiting.set(orderId, { views, installs });
  }

  return {
    view: (orderId) => add(orderId, 1, 0),
    install(orderId, now) {
      if (now - (installedAt.get(orderId) ?? Number.NEGATIVE_INFINITY) < INSTALL_EVERY_MS) return;
      installedAt.set(orderId, now);
      add(orderId, 0, 1);
    },
    async flush() {
      const batch = waiting;
      if (batch.size === 0) return;
      waiting = new Map();
      // In the order of their ids, so that two processes cannot wait for each other's rows.
      const rows = [...batch].sort(([a], [b]) => (a < b ? -1 : 1));
      try {
        await db.run(sql`
          insert into share_links as kept (order_id, views, installs_opened)
          select seen.order_id, seen.views, seen.installs from unnest(
            ${rows.map(([orderId]) => orderId)}::bigint[],
            ${rows.map(([, { views }]) => views)}::int[],
            ${rows.map(([, { installs }]) => installs)}::int[]
          ) as seen (order_id, views, installs)
          where exists (select from orders where orders.id = seen.order_id)
          on conflict (order_id) do update set
            views = kept.views + excluded.views, installs_opened = kept.installs_opened + excluded.installs_opened`);
      } catch (error) {
        log.warn({ err: error }, 'visits of travellers’ pages could not be counted; retrying');
        for (const [orderId, { views, installs }] of batch) add(orderId, views, installs);
      }
    },
  };
}
