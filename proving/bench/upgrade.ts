import { execFile } from 'node:child_process';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { openDatabase } from '../../src/platform/db/database.ts';
import { sql } from '../../src/platform/db/query/sql.ts';
import { benchDatabase, serving } from './support/database.ts';
import { type PinnedServer, pinnedServer } from './support/pinned.ts';
import { openTraffic, summary } from './support/traffic.ts';

/**
 * The version before, with a million orders and two processes that serve, is upgraded under load: `wayfare migrate` of this version
 * first, then one process after the other is replaced by one of this version. Target: no failed request, and no purchase that takes longer
 * than 500 ms. The version before must be installed: `git worktree add ../before TAG && (cd ../before && npm ci)`.
 */
const { BENCH_BEFORE: before } = process.env;
if (!before) throw new Error('BENCH_BEFORE must name a checkout of the version before');
const ORDERS = Number(process.env.BENCH_ORDERS ?? 1_000_000);
const SECONDS = Number(process.env.BENCH_SECONDS ?? 15);
const PER_SECOND = 60;
const PARTNERS = 100;
const CHUNK = 20_000;

const checkout = (folder: string, file: string): URL => pathToFileURL(join(folder, 'proving/bench/support', file));
const ours = join(import.meta.dirname, '../..');
const theirs = resolve(before);

await using database = await benchDatabase();
const { stockShop } = (await import(checkout(theirs, 'shop.ts').href)) as typeof import('./support/shop.ts');
const first = await serving('live', database);
const { keys, product } = await stockShop(first.env, PARTNERS);
await fill();

const start = async (folder: string): Promise<PinnedServer<unknown> & { port: number }> => {
  const { port, env } = await serving('live', database);
  const server = await pinnedServer(checkout(folder, 'shop-server.ts'), { env }, { core: undefined });
  return { ...server, port };
};
const servers = [await start(theirs), await start(theirs)];
const traffic = openTraffic({ perSecond: PER_SECOND, keys, product, ports: () => servers.map(({ port }) => port) });
try {
  console.log(`${ORDERS} orders, ${PER_SECOND} requests/s, five of six of them purchases; times in ms\n`);
  await traffic.during(() => sleep(5_000));
  console.log(summary('before', await traffic.during(() => sleep(SECONDS * 1_000))));

  const began = performance.now();
  const migrating = await traffic.during(() =>
    promisify(execFile)(process.execPath, [join(ours, 'src/main.ts'), 'migrate'], {
      env: { ...process.env, ...first.env },
    }),
  );
  console.log(summary(`migrate (${((performance.now() - began) / 1_000).toFixed()} s)`, migrating));

  const replacing = await traffic.during(async () => {
    for (const [i, old] of servers.entries()) {
      servers[i] = await start(ours);
      // What it was sent last has been answered by then.
      await sleep(1_000);
      await old[Symbol.asyncDispose]();
    }
  });
  console.log(summary('replace both', replacing));
  console.log(summary('after', await traffic.during(() => sleep(SECONDS * 1_000))));
} finally {
  await traffic.close();
  for (const server of servers) await server[Symbol.asyncDispose]();
}

/** Delivered orders of a year, each with its charge and two deliveries of events that were sent; one in a hundred was refunded. */
async function fill(): Promise<void> {
  const db = openDatabase({ url: database.url, name: 'bench', searchPath: 'live,shared', statementTimeoutMs: 0 });
  for (let from = 0; from < ORDERS; from += CHUNK) {
    const numbers = sql`generate_series(${from + 1}::int, ${Math.min(from + CHUNK, ORDERS)}::int) as n`;
    await db.run(sql`
      insert into orders (id, partner_id, plan_id, product_id, status, delivery, billing_mode, product_price, sale_price, cost_micros,
        product_title, data, amount_mb, day, is_unlimited, country_code, supplier, supplier_plan, supplier_order, esim, iccid,
        created_at, paid_at, delivered_at)
      overriding system value
      select 1000 + n, 1 + n % ${PARTNERS}::int, 1, 'esc_0000000000000000', 1, 'delivered', 'prepaid', 149, 149, 900000, 'Bench 1 GB 7 days',
        '1 GB', 1024, 7, false, 'FR', 'bench', 'bench-1', 'S' || n, decode(repeat('00', 400), 'hex'), '89' || n, at, at, at
      from ${numbers}, lateral (select now() - (${ORDERS}::int - n) * interval '1 year' / ${ORDERS}::int as at) as times`);
    await db.run(sql`
      with moved as (
        insert into movements (partner_id, book, type, amount, balance_after, order_id, note, at, line)
        select 1 + n % ${PARTNERS}::int, 'wallet', type, amount, 0, 1000 + n, 'Bench 1 GB 7 days', now(), 2 * n + line
        from ${numbers}, (values (0, 'purchase', -149), (1, 'refund', 149)) as kinds (line, type, amount)
        where line = 0 or n % 100 = 0
        returning id, partner_id
      ) insert into transfers (movement_id, partner_id, debit, credit, amount) select id, partner_id, 'cash', 'revenue', 149 from moved`);
    await db.run(sql`
      insert into webhook_deliveries (partner_id, subscription_id, order_id, event_id, event_type, status, attempts, max_attempts,
        http_code, duration_ms, sent_at, created_at)
      select 1 + n % ${PARTNERS}::int, 1, 1000 + n, event || ':' || n, event, 'sent', 1, 10, 200, 20, now(), now()
      from ${numbers}, unnest(array['order.paid', 'order.delivered']) as event`);
  }
  await db.run(sql`select setval('orders_id_seq', ${ORDERS + 10_000})`);
  await db.run(sql`update wallets set wallet_lines = ${3 * ORDERS + 10}`);
  await db.run(sql`vacuum analyze`);
  await db.close();
}
