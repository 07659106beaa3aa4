import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { debianBinary } from '../test/support/debian.ts';
import { freePort } from '../test/support/ports.ts';
import { benchDatabase } from './support/database.ts';
import { pgbench } from './support/pgbench.ts';
import { pinnedServer } from './support/pinned.ts';
import { stockShop } from './support/shop.ts';

/**
 * Purchases over full HTTP, with supplier and events, beside TPC-B and beside a purchase's own statements as bare SQL, on the
 * same server; `fsync` and `synchronous_commit` on.
 */
const SECONDS = Number(process.env.BENCH_SECONDS ?? 8);
const WARM_UP_SECONDS = 20;
const PARTNERS = 1000;
const CLIENTS = [1, 16, 64] as const;
const TPCB_SCALE = 20;

const run = promisify(execFile);
const script = fileURLToPath(new URL('support/buy.lua', import.meta.url));
const bareSql = fileURLToPath(new URL('support/purchase.sql', import.meta.url));

await using database = await benchDatabase();
const port = await freePort();
const env = {
  DATABASE_URL: database.url,
  WAYFARE_DATA: database.folder,
  LIVE_BASE_URL: `http://localhost:${port}/v3`,
  LISTEN_PORTS: String(port),
};
const { keys, product } = await stockShop(env, PARTNERS);
const tpcb = new URL(database.url);
tpcb.pathname = '/postgres';
await pgbench(tpcb.href, ['-i', '-q', '-s', String(TPCB_SCALE)]);
await using _server = await pinnedServer(
  new URL('support/shop-server.ts', import.meta.url),
  { env },
  { core: undefined },
);

async function purchases(clients: number, buyers: readonly string[], seconds = SECONDS): Promise<number> {
  const file = join(database.folder, `keys-${buyers.length}`);
  await writeFile(file, buyers.join('\n'));
  const wrk = await debianBinary('wrk');
  const seed = randomBytes(4).toString('hex');
  const args = ['-t1', `-c${clients}`, `-d${seconds}s`, '-s', script, `http://localhost:${port}/v3/purchase/buy`];
  const { stdout } = await run(wrk.path, [...args, '--', product, seed, file], { env: { ...process.env, ...wrk.env } });
  if (/Non-2xx|Socket errors/.test(stdout)) throw new Error(`not every purchase was answered:\n${stdout}`);
  return Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1]);
}

// libpq reads a plus sign as itself.
const live = `${database.url}&options=-csearch_path%3Dlive,shared`;
const pgbenchArgs = (clients: number) => ['-n', '-c', String(clients), '-j', '2', '-T', String(SECONDS)];

// A server runs for days: what is measured is compiled code, not its compilation.
await purchases(64, keys, WARM_UP_SECONDS);
console.log(`${SECONDS} s each, ${PARTNERS} partners, TPC-B scale ${TPCB_SCALE}; rates per second\n`);
console.log('clients   TPC-B   bare SQL   many partners   /TPC-B   /bare SQL   one hot partner   hot/many');
for (const clients of CLIENTS) {
  const plain = await pgbench(tpcb.href, pgbenchArgs(clients));
  const bare = await pgbench(live, ['-f', bareSql, '-D', `partners=${PARTNERS}`, ...pgbenchArgs(clients)]);
  const many = await purchases(clients, keys);
  const hot = await purchases(clients, keys.slice(0, 1));
  const cells: [value: number, width: number, places: number][] = [
    [clients, 7, 0],
    [plain, 8, 0],
    [bare, 11, 0],
    [many, 16, 0],
    [many / plain, 9, 2],
    [many / bare, 12, 2],
    [hot, 18, 0],
    [hot / many, 11, 2],
  ];
  console.log(cells.map(([value, width, places]) => value.toFixed(places).padStart(width)).join(''));
}
