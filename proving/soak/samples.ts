import { readdirSync, readFileSync } from 'node:fs';
import type { Site } from '../chaos/site.ts';
import type { Series } from './flat.ts';

/** What is measured, in the order it is reported. */
const figures = {
  memory: { name: 'Resident memory', unit: 'MB', tolerance: 16 },
  heap: { name: 'Heap in use', unit: 'MB', tolerance: 16 },
  loop: { name: 'Event loop lag, 99%', unit: 'ms', tolerance: 20 },
  descriptors: { name: 'Open descriptors', unit: '', tolerance: 8 },
  connections: { name: 'Database connections', unit: '', tolerance: 4 },
  queue: { name: 'Deliveries in the queue', unit: '', tolerance: 200 },
  lag: { name: 'Oldest delivery that is due', unit: 's', tolerance: 5 },
  open: { name: 'Orders under way', unit: '', tolerance: 50 },
  dead: { name: 'Dead rows', unit: '% of all', tolerance: 5 },
} as const;
export type Figure = keyof typeof figures;
export type Sample = Readonly<Record<Figure, number>> & { readonly second: number; readonly sizeMb: number };

const MB = 2 ** 20;

/** Paused and disabled subscriptions hold their deliveries: those are not in the queue, and not late. */
const QUERY = `
  with queue as (select due_at from live.webhook_queue union all select due_at from sandbox.webhook_queue),
    open as (select 1 from live.orders where status in (3, 4) union all select 1 from sandbox.orders where status in (3, 4))
  select (select count(*) from queue)::int as queue,
    coalesce(extract(epoch from now() - (select min(due_at) from queue)), 0)::float as lag,
    (select count(*) from open)::int as open,
    (select count(*) from pg_stat_activity where datname = current_database())::int as connections,
    pg_database_size(current_database())::float as size,
    (select sum(n_dead_tup)::float / greatest(sum(n_live_tup + n_dead_tup), 1) from pg_stat_user_tables)::float as dead`;

/** One sample of the server, its process and its database. */
export async function takeSample(site: Site, second: number): Promise<Sample> {
  const { pid, urls } = site.server;
  const metrics = await (await fetch(`${urls.panel}/metrics`)).text();
  const metric = (name: string) =>
    Number(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)`, 'm').exec(metrics)?.[1] ?? Number.NaN);
  const [row] = await site.snapshot(async (client) => (await client.query(QUERY)).rows);
  return {
    second,
    memory: Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024,
    heap: metric('nodejs_heap_size_used_bytes') / MB,
    loop: metric('nodejs_eventloop_lag_p99_seconds') * 1_000,
    descriptors: readdirSync(`/proc/${pid}/fd`).length,
    connections: row.connections,
    queue: row.queue,
    lag: Math.max(0, row.lag),
    open: row.open,
    dead: row.dead * 100,
    sizeMb: row.size / MB,
  };
}

export const seriesOf = (samples: readonly Sample[]): Series[] =>
  Object.entries(figures).map(([key, figure]) => ({ ...figure, values: samples.map((one) => one[key as Figure]) }));
