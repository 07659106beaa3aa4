import { Client } from 'undici';
import { pageOfAll } from '../../src/domains/sales/order-lists/all-orders.ts';
import { findOrders } from '../../src/domains/sales/order-lists/lookup.ts';
import type { AllOrdersFilter } from '../../src/domains/sales/order-lists/order-lists.ts';
import { listRefunds } from '../../src/domains/sales/refunds/rows.ts';
import { DAY } from '../../src/platform/clock.ts';
import { openDatabase } from '../../src/platform/db/database.ts';
import { worldRole } from '../../src/platform/db/migrate/rights.ts';
import { sql } from '../../src/platform/db/query/sql.ts';
import { readAttention } from '../../src/worlds/alerts.ts';
import { benchDatabase, serving } from './support/database.ts';
import { pinnedServer } from './support/pinned.ts';
import { stockShop } from './support/shop.ts';

/**
 * Reading, searching and buying when the buyer has 1,000 orders and when it has 1,000,000 (`BENCH_ORDERS`): one client over full HTTP,
 * median times.
 * The operator's lists are read without HTTP, as commands and the console read them.
 */
const SIZES = [1_000, Number(process.env.BENCH_ORDERS ?? 1_000_000)] as const;
const CALLS = Number(process.env.BENCH_CALLS ?? 400);
const CHUNK = 50_000;
/** The smaller size, in the first column. */
const WIDTH = 28;

await using database = await benchDatabase();
const { port, env } = await serving('live', database);
const { keys, product } = await stockShop(env, 1);
await using _server = await pinnedServer(
  new URL('support/shop-server.ts', import.meta.url),
  { env },
  { core: undefined },
);
const client = new Client(`http://localhost:${port}`);
const db = openDatabase({ url: database.url, name: 'bench', searchPath: 'live,shared', statementTimeoutMs: 0 });
/** Planned as the program's own statements are. */
const live = openDatabase({
  url: database.url,
  name: 'bench',
  role: worldRole.live,
  searchPath: 'live,shared',
  inIndexOrder: true,
  statementTimeoutMs: 0,
});

interface Answer {
  readonly id: string;
  readonly order: [{ readonly esim: { readonly iccid: string } }];
}

async function call(method: 'GET' | 'POST', path: string, body?: string): Promise<Answer> {
  const headers = { 'x-api-key': keys[0] ?? '', 'content-type': 'application/x-www-form-urlencoded' };
  const answer = await client.request({ method, path: `/v3${path}`, headers, ...(body === undefined ? {} : { body }) });
  const text = await answer.body.text();
  if (answer.statusCode !== 200) throw new Error(`${path}: ${answer.statusCode} ${text}`);
  return JSON.parse(text);
}

const buy = () => call('POST', '/purchase/buy', `product_id=${product}`);
const { id: first } = await buy();

/** Orders are spread over the last year, however many there are. */
const YEAR_MS = 365 * DAY;
const ended = Date.now();
const rare = 'esc_00000000000000bb';

/**
 * Copies of the first order, with its charge left out: reading and buying look at neither. Spread over a year; of a hundred orders
 * half have a reference, a tenth the same one, one an eSIM in use. Those of the rare product, failed and refunded ones are a handful of
 * the oldest; a refund was asked for every tenth, and one in 5,000 of these requests is still open.
 */
async function fill(orders: number): Promise<void> {
  const { count } = await db.one<{ count: bigint }>(sql`select count(*) as count from orders`);
  for (let left = orders - Number(count); left > 0; left -= CHUNK) {
    await db.run(sql`
      insert into orders (partner_id, plan_id, product_id, status, delivery, billing_mode, product_price, sale_price,
        cost_micros, product_title, data, amount_mb, day, is_unlimited, country_code, supplier, supplier_plan,
        supplier_order, esim, iccid, created_at, paid_at, delivered_at, reference, refunded,
        usage_state)
      select partner_id, plan_id, case when n % 5000 = 7 and is_old then ${rare} else product_id end,
        case when n % 5000 = 8 and is_old then 2 else status end,
        case when n % 5000 = 8 and is_old then 'failed' else delivery end, billing_mode, product_price, sale_price, cost_micros,
        product_title, data, amount_mb, day, is_unlimited, country_code, supplier, supplier_plan, supplier_order, esim,
        '89' || n, ${new Date(ended - YEAR_MS)}::timestamptz + n::float8 / ${orders} * ${YEAR_MS}
          * interval '1 ms', paid_at, delivered_at,
        case when n % 10 = 1 then 'shared' when n % 10 < 5 then 'booking ' || n else '' end,
        case when n % 5000 = 9 and is_old then 100 else 0 end,
        case when n % 100 = 3 then 'active' when is_old then 'expired' end
      from orders, generate_series(${orders - left + 1}::int, ${orders - left + Math.min(CHUNK, left)}::int) n
      cross join lateral (select n < ${orders / 10} as is_old) as age where orders.id = ${BigInt(first)}`);
  }
  await db.run(sql`
    insert into refunds (order_id, partner_id, status, amount, reason, requested_at)
    select id, partner_id, case when id % 50_000 = 0 then 'requested' else 'rejected' end, 0, 'asked', created_at
    from orders where id % 10 = 0 on conflict do nothing`);
  await db.run(sql`vacuum (analyze) orders, refunds`);
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

// Warm up, so that both sizes run compiled code. Fewer purchases than the smaller size has orders.
for (let i = 0; i < SIZES[0] - 100; i++) {
  await buy();
  await call('GET', '/order/get');
  await call('GET', `/order/detail/${first}`);
}

const daysAgo = (days: number) => new Date(ended - days * DAY).toISOString();
const { esim } = (await call('GET', '/order/get?limit=1')).order[0];
const product_id = product;
const reads: Record<string, string> = {
  'order/get': '/order/get',
  'order/detail': `/order/detail/${first}`,
  ...Object.fromEntries(
    Object.entries({
      reference: { reference: 'booking 32' },
      'reference, unknown': { reference: 'unknown' },
      'reference, of a tenth': { reference: 'shared' },
      iccid: { iccid: esim.iccid },
      'product_id, all': { product_id },
      'product_id, rare': { product_id: rare },
      'status=paid': { status: 'paid' },
      'status=deferred': { status: 'deferred' },
      'status=delivered': { status: 'delivered' },
      'status=failed': { status: 'failed' },
      'status=refunded': { status: 'refunded' },
      'from yesterday': { from: daysAgo(1) },
      'to half a year ago': { to: daysAgo(180) },
      'a day half a year ago': { from: daysAgo(181), to: daysAgo(180) },
      'two years ago': { from: daysAgo(800), to: daysAgo(700) },
      'product_id, failed': { product_id, status: 'failed' },
      'product_id, a month': { product_id, from: daysAgo(210), to: daysAgo(180) },
      'reference, refunded': { reference: 'shared', status: 'refunded' },
      'before_id, oldest': { before_id: String(Number(first) + 500) },
    } satisfies Record<string, Record<string, string>>).map(([name, filters]) => [
      name,
      `/order/get?${new URLSearchParams(filters)}`,
    ]),
  ),
  // Contract clients page by number; half way down is as deep as they get on average.
  'order/get, half way down': '/order/get?limit=50&start={half}',
  'esim/list': '/esim/list',
  'esim/list, active': '/esim/list?state=active',
  'esim/list, expired': '/esim/list?state=expired',
  'esim/list, cancelled': '/esim/list?state=cancelled',
  'esim/list, oldest': `/esim/list?before_id=${Number(first) + 500}`,
};

const all = { partnerId: undefined, status: undefined, limit: 50 };
const orders = (filter: Partial<AllOrdersFilter>) => () => pageOfAll(live, { ...filter, limit: 30 }, true);
const operatorLists = {
  'console: orders': orders({}),
  'console: orders, failed': orders({ state: 'failed' }),
  'console: orders, of partner': orders({ partnerId: 1, state: 'delivered' }),
  'console: orders, reference': orders({ reference: 'booking 32' }),
  'console: orders, ICCID': orders({ iccid: esim.iccid }),
  'console: orders, oldest': orders({ beforeId: BigInt(first) + 500n }),
  'console: search': () => findOrders(live, undefined, 'booking 32'),
  'console: home': () => readAttention(live, ended, { hasSeller: true }),

  'refunds of all': () => listRefunds(live, all),
  'refunds of one partner': () => listRefunds(live, { ...all, partnerId: 1 }),
  'refunds, requested': () => listRefunds(live, { ...all, status: 'requested' }),
  'refunds, of one, requested': () => listRefunds(live, { ...all, partnerId: 1, status: 'requested' }),
};

const rows: Record<string, number[]> = Object.fromEntries(
  [...Object.keys(reads), ...Object.keys(operatorLists), 'purchase/buy'].map((name) => [name, []]),
);
for (const size of SIZES) {
  await fill(size);
  for (const [name, path] of Object.entries(reads))
    rows[name]?.push(await median(() => call('GET', path.replace('{half}', String(size / 2 / 50)))));
  for (const [name, read] of Object.entries(operatorLists)) rows[name]?.push(await median(read));
  rows['purchase/buy']?.push(await median(buy));
}
console.log(`median of ${CALLS} calls, one after the other, ms\n`);
console.log(`${''.padEnd(WIDTH)}${SIZES.map((size) => size.toLocaleString('en').padStart(12)).join('')}       ratio`);
for (const [name, [small = 0, large = 0]] of Object.entries(rows)) {
  const figures = [small, large].map((ms) => ms.toFixed(2).padStart(12)).join('');
  console.log(`${name.padEnd(WIDTH)}${figures}${(large / small).toFixed(2).padStart(12)}`);
}
await client.close();
await db.close();
await live.close();
