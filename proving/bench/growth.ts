import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import { checkEvents, createSubscription } from '../../src/domains/messages/webhooks/subscriptions/subscriptions.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { openDatabase } from '../../src/platform/db/database.ts';
import { sql } from '../../src/platform/db/query/sql.ts';
import { createLog } from '../../src/platform/log.ts';
import { readConfig } from '../../src/platform/settings/config.ts';
import { openBase } from '../../src/worlds/base.ts';
import { benchDatabase, serving } from './support/database.ts';
import { pinnedServer } from './support/pinned.ts';
import { stockShop } from './support/shop.ts';

/**
 * How much disk 1,000 live orders take, table by table: bought over HTTP, delivered by the simulated supplier, all three events
 * delivered to one subscription. Measured over the first 1,000 orders and over the next 10,000, each time after a vacuum.
 */
const STEPS = [1_000, Number(process.env.BENCH_ORDERS ?? 10_000)] as const;
const CLIENTS = 16;
const WARM_UP = 100;

const receiver = createServer((request, response) => request.resume().on('end', () => response.end('ok')));
receiver.keepAliveTimeout = 60_000;
receiver.listen(0, '127.0.0.1');
await once(receiver, 'listening');
const receiverHost = `127.0.0.1:${(receiver.address() as AddressInfo).port}`;

await using database = await benchDatabase();
const { port, env: basic } = await serving('live', database);
const env = { ...basic, WEBHOOK_TRUSTED_HOSTS: receiverHost };
const { keys, product } = await stockShop(env, 1);
{
  const log = createLog('error');
  await using base = await openBase({ config: readConfig(env), clock: systemClock, log, as: 'migrator' });
  const wanted = { partnerId: 1, url: `http://${receiverHost}/hook`, events: checkEvents([]) };
  await base.worlds.live.db.tx((tx) => createSubscription(tx, base.vault, wanted, Date.now()));
}
await using _server = await pinnedServer(
  new URL('support/shop-server.ts', import.meta.url),
  { env },
  { core: undefined },
);
const db = openDatabase({ url: database.url, name: 'bench', searchPath: 'live,shared', statementTimeoutMs: 600_000 });
const client = new Pool(`http://localhost:${port}`, { connections: CLIENTS });

async function buy(): Promise<void> {
  const { statusCode, body } = await client.request({
    method: 'POST',
    path: '/v3/purchase/buy',
    headers: { 'x-api-key': keys[0] ?? '', 'content-type': 'application/x-www-form-urlencoded' },
    body: `product_id=${product}`,
  });
  const text = await body.text();
  if (statusCode !== 200) throw new Error(`${statusCode} ${text}`);
}

async function buyMany(orders: number): Promise<void> {
  let left = orders;
  await Promise.all(
    Array.from({ length: CLIENTS }, async () => {
      while (left-- > 0) await buy();
    }),
  );
  const waiting = () => db.one<{ n: number }>(sql`select count(*)::int as n from webhook_queue`);
  while ((await waiting()).n > 0) await sleep(100);
}

interface Size {
  readonly table: string;
  /** With what is stored beside it. */
  readonly heap: number;
  readonly indexes: number;
}

async function sizes(): Promise<Map<string, Size>> {
  await db.run(sql`vacuum analyze`);
  const rows = await db.query<Size>(sql`
    select relnamespace::regnamespace || '.' || relname as table, pg_table_size(oid)::int as heap,
      pg_indexes_size(oid)::int as indexes
    from pg_class
    where relkind = 'r' and relnamespace in ('live'::regnamespace, 'shared'::regnamespace, 'simulated'::regnamespace)`);
  return new Map(rows.map((row) => [row.table, row]));
}

// The first pages of every table and index are there before anything is measured.
await buyMany(WARM_UP);
let before = await sizes();
for (const orders of STEPS) {
  await buyMany(orders);
  const after = await sizes();
  console.log(`\n${orders} orders: growth in kB per 1,000 orders\n`);
  console.log(`${'table'.padEnd(32)}${['rows', 'indexes', 'together'].map((name) => name.padStart(10)).join('')}`);
  const perThousand = (bytes: number) => (bytes / 1024 / (orders / 1_000)).toFixed(0).padStart(10);
  const sum = { heap: 0, indexes: 0 };
  const line = (name: string, { heap, indexes }: typeof sum) =>
    console.log(name.padEnd(32) + perThousand(heap) + perThousand(indexes) + perThousand(heap + indexes));
  for (const [table, now] of [...after].sort()) {
    const then = before.get(table) ?? { heap: 0, indexes: 0 };
    const growth = { heap: now.heap - then.heap, indexes: now.indexes - then.indexes };
    if (growth.heap === 0 && growth.indexes === 0) continue;
    line(table, growth);
    sum.heap += growth.heap;
    sum.indexes += growth.indexes;
  }
  line('all', sum);
  before = after;
}
await client.close();
await db.close();
receiver.closeAllConnections();
receiver.close();
