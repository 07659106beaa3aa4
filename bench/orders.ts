import { Client } from 'undici';
import { openDatabase } from '../src/db/database.ts';
import { sql } from '../src/db/sql.ts';
import { freePort } from '../test/support/ports.ts';
import { benchDatabase } from './support/database.ts';
import { pinnedServer } from './support/pinned.ts';
import { stockShop } from './support/shop.ts';

/** Reading and buying when the buyer has 1,000 orders and when it has 1,000,000: one client over full HTTP, median times. */
const SIZES = [1_000, 1_000_000] as const;
const CALLS = Number(process.env.BENCH_CALLS ?? 400);
const CHUNK = 50_000;

await using database = await benchDatabase();
const port = await freePort();
const env = {
  DATABASE_URL: database.url,
  WAYFARE_DATA: database.folder,
  LIVE_BASE_URL: `http://localhost:${port}/v3`,
  LISTEN_PORTS: String(port),
};
const { keys, product } = await stockShop(env, 1);
await using _server = await pinnedServer(
  new URL('support/shop-server.ts', import.meta.url),
  { env },
  { core: undefined },
);
const client = new Client(`http://localhost:${port}`);
const db = openDatabase({ url: database.url, name: 'bench', searchPath: 'live,shared', statementTimeoutMs: 0 });

async function call(method: 'GET' | 'POST', path: string, body?: string): Promise<{ id: string }> {
  const headers = { 'x-api-key': keys[0] ?? '', 'content-type': 'application/x-www-form-urlencoded' };
  const answer = await client.request({ method, path: `/v3${path}`, headers, ...(body === undefined ? {} : { body }) });
  const text = await answer.body.text();
  if (answer.statusCode !== 200) throw new Error(`${path}: ${answer.statusCode} ${text}`);
  return JSON.parse(text);
}

const buy = () => call('POST', '/purchase/buy', `product_id=${product}`);
const { id: first } = await buy();

/** Copies of the first order, with its charge left out: reading and buying look at neither. */
async function fill(orders: number): Promise<void> {
  const { count } = await db.one<{ count: bigint }>(sql`select count(*) as count from orders`);
  for (let left = orders - Number(count); left > 0; left -= CHUNK) {
    await db.run(sql`
      insert into orders (partner_id, plan_id, product_id, status, delivery, billing_mode, product_price, sale_price,
        cost_micros, product_title, data, amount_mb, day, is_unlimited, country_code, supplier, supplier_plan,
        supplier_order, esim, iccid, created_at, paid_at, delivered_at)
      select partner_id, plan_id, product_id, status, delivery, billing_mode, product_price, sale_price, cost_micros,
        product_title, data, amount_mb, day, is_unlimited, country_code, supplier, supplier_plan, supplier_order, esim,
        iccid, created_at, paid_at, delivered_at
      from orders, generate_series(1, ${Math.min(CHUNK, left)}) where id = ${BigInt(first)}`);
  }
  await db.run(sql`vacuum (analyze) orders`);
}

async function median(run: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let i = 0; i < CALLS + 50; i++) {
    const started = performance.now();
    await run();
    // The first calls bring pages of this size into memory.
    if (i >= 50) times.push(performance.now() - started);
  }
  return times.sort((a, b) => a - b)[CALLS >> 1] as number;
}

// Both sizes are to meet compiled code. Fewer purchases than the smaller size has orders.
for (let i = 0; i < SIZES[0] - 100; i++) {
  await buy();
  await call('GET', '/order/get');
  await call('GET', `/order/detail/${first}`);
}

const rows: Record<string, number[]> = { 'order/get': [], 'order/detail': [], 'purchase/buy': [] };
for (const size of SIZES) {
  await fill(size);
  rows['order/get']?.push(await median(() => call('GET', '/order/get')));
  rows['order/detail']?.push(await median(() => call('GET', `/order/detail/${first}`)));
  rows['purchase/buy']?.push(await median(buy));
}
console.log(`median of ${CALLS} calls, one after the other, ms\n`);
console.log(`${''.padEnd(14)}${SIZES.map((size) => size.toLocaleString('en').padStart(12)).join('')}       ratio`);
for (const [name, [small = 0, large = 0]] of Object.entries(rows)) {
  const figures = [small, large].map((ms) => ms.toFixed(2).padStart(12)).join('');
  console.log(`${name.padEnd(14)}${figures}${(large / small).toFixed(2).padStart(12)}`);
}
await client.close();
await db.close();
