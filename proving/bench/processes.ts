import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabase } from '../../src/platform/db/database.ts';
import { sql } from '../../src/platform/db/query/sql.ts';
import { type Child, startChild } from './support/child.ts';
import { benchDatabase } from './support/database.ts';
import { openShop } from './support/open-shop.ts';
import { usedBy, usedByPostgres } from './support/processor-time.ts';
import { webhookStage } from './support/webhook-stage.ts';

/**
 * What it costs that processes share one database: purchases, catalog reads and deliveries with 1, 2 and 4 processes. On a machine with two
 * cores a rate says little about more processes, so what counts is the processor time of one request, in Node and in PostgreSQL; and
 * what PostgreSQL's sessions wait for meanwhile, sampled.
 */
const PROCESSES = (process.env.BENCH_PROCESSES ?? '1,2,4').split(',').map(Number);
const SECONDS = Number(process.env.BENCH_SECONDS ?? 8);
const DELIVERIES = Number(process.env.BENCH_DELIVERIES ?? 20_000);
const PARTNERS = 1000;
const CLIENTS = 32;
const WARM_UP_SECONDS = 8;
const SAMPLE_MS = 20;

interface Load {
  readonly name: string;
  /** Returns how many requests were answered, and how many a second. */
  run(): Promise<{ readonly requests: number; readonly perSecond: number }>;
}

interface Spending {
  readonly databaseUrl: string;
  readonly folder: string;
  readonly pids: readonly number[];
}

console.log(`${CLIENTS} clients, ${SECONDS} s each, ${PARTNERS} partners; µs of processor time for one request`);
console.log('waits: of all looks at a session that was in a statement\n');
console.log(`processes  ${'what'.padEnd(22)}per second    Node   PostgreSQL   waits`);
for (const processes of PROCESSES) {
  {
    await using shop = await openShop(PARTNERS, undefined, processes);
    await shop.purchases(CLIENTS, shop.keys, WARM_UP_SECONDS);
    await shop.reads(CLIENTS, '/catalog/countries', 2);
    const forSeconds = (name: string, load: () => Promise<number>): Load => ({
      name,
      async run() {
        const perSecond = await load();
        return { perSecond, requests: perSecond * SECONDS };
      },
    });
    for (const load of [
      forSeconds('purchases', () => shop.purchases(CLIENTS, shop.keys, SECONDS)),
      forSeconds('… of one partner', () => shop.purchases(CLIENTS, shop.keys.slice(0, 1), SECONDS)),
      forSeconds('catalog/countries', () => shop.reads(CLIENTS, '/catalog/countries', SECONDS)),
      forSeconds('order/get', () => shop.reads(CLIENTS, '/order/get', SECONDS)),
    ])
      await measured(processes, shop, load);
  }
  await deliveries(processes);
}

async function deliveries(processes: number): Promise<void> {
  await using database = await benchDatabase();
  const env = { DATABASE_URL: database.url, WAYFARE_DATA: database.folder };
  await using stage = await webhookStage(env, { tls: false, subscriptions: 20 });
  await using undo = new AsyncDisposableStack();
  const workers: Child[] = [];
  for (let i = 0; i < processes; i++) {
    const its = { ...env, LISTEN_PORTS: '0', WEBHOOK_TRUSTED_HOSTS: stage.receiverHost };
    const worker = undo.use(startChild(new URL('support/webhook-worker.ts', import.meta.url), its));
    await worker.ask({});
    workers.push(worker);
  }
  const deliver = async (): Promise<{ requests: number; perSecond: number }> => {
    const began = performance.now();
    await stage.release();
    while ((await stage.waiting()) > 0) await sleep(20);
    return { requests: DELIVERIES, perSecond: DELIVERIES / ((performance.now() - began) / 1000) };
  };
  await stage.fill(DELIVERIES);
  await deliver();
  await stage.fill(DELIVERIES);
  const pids = workers.map(({ pid }) => pid);
  await measured(
    processes,
    { databaseUrl: database.url, folder: database.folder, pids },
    { name: 'deliveries', run: deliver },
  );
}

async function measured(processes: number, shop: Spending, { name, run }: Load): Promise<void> {
  const used = () => [shop.pids.reduce((sum, pid) => sum + usedBy(pid), 0), usedByPostgres(shop.folder)] as const;
  const watch = watchWaits(shop.databaseUrl);
  const before = used();
  const { requests, perSecond } = await run();
  const after = used();
  const waits = await watch.end();
  const each = (at: 0 | 1) => ((after[at] - before[at]) / requests).toFixed().padStart(8);
  console.log(
    `${String(processes).padStart(9)}  ${name.padEnd(22)}${perSecond.toFixed().padStart(10)}${each(0)}${each(1)}       ${waits}`,
  );
}

/** Looks at the sessions of the program again and again: what those in a statement wait for, the most frequent first. */
function watchWaits(url: string): { end(): Promise<string> } {
  const db = openDatabase({ url, name: 'bench', searchPath: 'shared', maxConnections: 1 });
  const seen = new Map<string, number>();
  let isOver = false;
  const watching = (async () => {
    for (; !isOver; await sleep(SAMPLE_MS))
      for (const { wait } of await db.query<{ wait: string }>(sql`
        select coalesce(wait_event_type || ' ' || wait_event, 'running') as wait from pg_stat_activity
        where state = 'active' and pid <> pg_backend_pid() and backend_type = 'client backend'`))
        seen.set(wait, (seen.get(wait) ?? 0) + 1);
  })();
  return {
    async end() {
      isOver = true;
      await watching;
      await db.close();
      const all = [...seen.values()].reduce((sum, n) => sum + n, 0);
      const most = [...seen].sort(([, a], [, b]) => b - a).slice(0, 5);
      return most.map(([wait, n]) => `${wait} ${((100 * n) / all).toFixed()} %`).join(', ');
    },
  };
}
