import { fileURLToPath } from 'node:url';
import { openShop } from './support/open-shop.ts';
import { pgbench } from './support/pgbench.ts';

/**
 * Purchases over full HTTP, with supplier and events, beside TPC-B and beside a purchase's own statements as bare SQL, on the
 * same server; `fsync` and `synchronous_commit` on. Then eSIMs that are bought a hundred at a time.
 */
const SECONDS = Number(process.env.BENCH_SECONDS ?? 8);
const WARM_UP_SECONDS = 20;
const PARTNERS = 1000;
const CLIENTS = [1, 16, 64] as const;
const TPCB_SCALE = 20;
const BATCH = 100;
/** Unfinished requests at the end of a run are not counted: 64 batches of 100 are seconds of work. */
const BATCH_RUN = 4;

const bareSql = fileURLToPath(new URL('support/purchase.sql', import.meta.url));

await using shop = await openShop(PARTNERS);
const tpcb = new URL(shop.databaseUrl);
tpcb.pathname = '/postgres';
await pgbench(tpcb.href, ['-i', '-q', '-s', String(TPCB_SCALE)]);

// libpq reads a plus sign as itself.
const live = `${shop.databaseUrl}&options=-csearch_path%3Dlive,shared`;
const pgbenchArgs = (clients: number) => ['-n', '-c', String(clients), '-j', '2', '-T', String(SECONDS)];

// A server runs for days: what is measured is compiled code, not its compilation.
await shop.purchases(64, shop.keys, WARM_UP_SECONDS);
console.log(`${SECONDS} s each, ${PARTNERS} partners, TPC-B scale ${TPCB_SCALE}; rates per second\n`);
console.log(
  'clients   TPC-B   bare SQL   many partners   /TPC-B   /bare SQL   one hot partner   hot/many   eSIMs in batches   /TPC-B',
);
for (const clients of CLIENTS) {
  const plain = await pgbench(tpcb.href, pgbenchArgs(clients));
  const bare = await pgbench(live, ['-f', bareSql, '-D', `partners=${PARTNERS}`, ...pgbenchArgs(clients)]);
  const many = await shop.purchases(clients, shop.keys, SECONDS);
  const hot = await shop.purchases(clients, shop.keys.slice(0, 1), SECONDS);
  const inBatches = await shop.batches(clients, shop.keys, BATCH_RUN * SECONDS, BATCH);
  const cells: [value: number, width: number, places: number][] = [
    [clients, 7, 0],
    [plain, 8, 0],
    [bare, 11, 0],
    [many, 16, 0],
    [many / plain, 9, 2],
    [many / bare, 12, 2],
    [hot, 18, 0],
    [hot / many, 11, 2],
    [inBatches, 19, 0],
    [inBatches / plain, 9, 2],
  ];
  console.log(cells.map(([value, width, places]) => value.toFixed(places).padStart(width)).join(''));
}
