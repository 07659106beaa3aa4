import { dueSales } from '../../src/domains/billing/revenue-share/candidates.ts';
import { shareBook } from '../../src/domains/billing/revenue-share/revenue-share.ts';
import { createRevenueShare } from '../../src/domains/billing/revenue-share/rounds.ts';
import { ledgerBooks } from '../../src/domains/money/books/books.ts';
import { DAY } from '../../src/platform/clock.ts';
import { raw, type Sql, sql } from '../../src/platform/db/query/sql.ts';
import { createWalks } from '../../src/platform/db/query/walk.ts';
import { benchDatabase } from './support/database.ts';
import { benchBase, liveLoader } from './support/loading.ts';

/** A partner's lists and a day's settlement candidates, in a database of a million movements, sales and shares. */
const ROWS = Number(process.env.BENCH_ROWS ?? 1_000_000);
const DUE = ROWS / 200;
const RUNS = 50;

await using database = await benchDatabase();
await using base = await benchBase(database);
const loader = await liveLoader(database);
const load = (statement: Sql) => {
  const { text, values } = statement.prepare();
  return loader.query(text, [...values]);
};

await load(sql`
  insert into partners (name, email, revenue_share_pct)
  select 'Partner ' || n, 'bench@example.com', case when n <= 100 then 40 end from generate_series(1, 200) n`);
await load(sql`
  insert into wallets (partner_id, billing_mode, opened_at, wallet_lines, debt_lines)
  select id, 'postpaid', now(), case id when 1 then ${ROWS}::int else 0 end, case id when 1 then ${ROWS}::int else 0 end
  from partners`);
for (const [book, more] of [
  ['wallet', 'topup'],
  ['debt', 'payment'],
] as const)
  await load(sql`
    insert into movements (partner_id, book, line, type, amount, balance_after, order_id, at)
    select 1, ${book}, n, case when n % 5 = 0 then ${more} else 'refund' end, 100, n * 100, case when n % 5 > 0 then n end,
      now() - (${ROWS}::int - n) * interval '30 seconds'
    from generate_series(1, ${ROWS}::int) n`);
// Half of the sales are partner 1's. One in two hundred is due; a fifth is of partners without a rate.
await load(sql`
  insert into orders (partner_id, plan_id, product_id, status, delivery, billing_mode, product_price, sale_price, cost_micros,
    product_title, data, amount_mb, day, is_unlimited, country_code, supplier, supplier_plan, esim, iccid, created_at,
    delivered_at, reference, usage_due_at)
  select case when n % 2 = 0 then 1 else 1 + n % 200 end, 1, 'esc_0000000000000000', 1, 'delivered', 'prepaid', 2000, 1800,
    8000000, 'Plan', '5 GB', 5120, 30, false, 'FR', 'simulated', 'x', decode(repeat('ab', 300), 'hex'),
    '89' || lpad(n::text, 17, '0'), now() - interval '60 days', now() - interval '60 days',
    case when n % 4 = 0 then 'every other one' when n <= 60000 then 'long ago' else 'booking-' || n end,
    case when n % 200 = 6 then now() - interval '1 hour' when n % 10 = 1 then now() + interval '5 days'
      when n % 2 = 1 and 1 + n % 200 > 100 then null else 'infinity'::timestamptz end
  from generate_series(1, ${ROWS}::int) n`);
await load(sql`
  insert into usage_readings (iccid, state, total_mb, used_mb, expires_at, fetched_at)
  select iccid, 'expired', 5120, 1024, now() - interval '10 days', now() - interval '9 days' from orders`);
await load(sql`
  insert into revenue_shares (order_id, partner_id, plan_mb, used_mb, unused_mb, unit_cost_micros, unused_cost_micros,
    share_pct, amount, capped, status, channel, settle_wallet, created_at, settled_at)
  select id, 1, 5120, 1024, 4096, 1562, 6400000, 40, case when id % 10 = 0 then 0 else 256 end, false, 'settled',
    case when id % 10 = 0 then 'none' else 'wallet' end, case when id % 10 = 0 then 0 else 256 end, now(), now()
  from orders where usage_due_at = 'infinity'`);
await load(sql`
  insert into revenue_share_totals
  select partner_id, case channel when 'none' then 'none' else 'paid' end, sum(amount), sum(unused_mb)
  from revenue_shares group by 1, 2`);
for (const table of ['movements', 'orders', 'usage_readings', 'revenue_shares', 'wallets'])
  await load(raw(`vacuum analyze ${table}`));
await loader.end();

const { db } = base.worlds.live;
const walks = createWalks();
const books = { ...ledgerBooks(db, walks), ...shareBook(db, walks) };
const lastPage = ROWS / 50;
const first = { limit: 50, start: 1 };
const daysAgo = (days: number) => new Date(Date.now() - days * DAY);
const reads: [string, () => Promise<unknown>][] = [
  ['history, first page of 50', () => books.history(1, { limit: 50, start: 1 })],
  ['history, last page of 50', () => books.history(1, { limit: 50, start: lastPage })],
  ['statement, first page of 50', () => books.statement(1, { limit: 50, start: 1 })],
  ['statement, last page of 50', () => books.statement(1, { limit: 50, start: lastPage })],
  ['statement, type=payment', () => books.statement(1, { limit: 50, start: 1 }, { type: 'payment' })],
  ['statement, type=refund (no such row)', () => books.statement(1, { limit: 50, start: 1 }, { type: 'refund' })],
  ['history, a day half a year ago', () => books.history(1, first, { from: daysAgo(183), to: daysAgo(182) })],
  ['history, page 1000 of the last year', () => books.history(1, { limit: 50, start: 1000 }, { from: daysAgo(300) })],
  ['history, a day before the first', () => books.history(1, first, { from: daysAgo(900), to: daysAgo(899) })],
  ['history, before_id', () => books.history(1, first, { beforeId: BigInt(ROWS / 2) })],
  ['history, order_id', () => books.history(1, first, { orderId: BigInt(ROWS / 2 + 2) })],
  ['history, a reference', () => books.history(1, first, { reference: `booking-${ROWS / 2 + 2}` })],
  ['history, no such reference', () => books.history(1, first, { reference: 'nobody' })],
  ['history, reference of half', () => books.history(1, first, { reference: 'every other one' })],
  ['history, reference of old orders', () => books.history(1, first, { reference: 'long ago' })],
  ['statement, a day half a year ago', () => books.statement(1, first, { from: daysAgo(183), to: daysAgo(182) })],
  ['statement, type and before_id', () => books.statement(1, first, { type: 'payment', beforeId: BigInt(ROWS * 1.5) })],
  ['statement, no such reference', () => books.statement(1, first, { reference: 'nobody' })],
  ['profitshare, first page of 50', () => books.shares(1, { limit: 50, start: 1 })],
  ['profitshare, page 1000 of 50', () => books.shares(1, { limit: 50, start: 1000 })],
  ['profitshare, status=none', () => books.shares(1, { limit: 50, start: 1 }, 'none')],
  ['profitshare, status=shadow (no such row)', () => books.shares(1, { limit: 50, start: 1 }, 'shadow')],
  [`200 of ${DUE} due sales`, () => dueSales(db, new Date(), 200)],
  ['no sale due', () => dueSales(db, new Date(0), 200)],
];
console.log(`${ROWS} movements in each book, ${ROWS} sales; ${RUNS} runs each, milliseconds\n`);
for (const [name, read] of reads) {
  const times: number[] = [];
  for (let i = 0; i < RUNS; i++) {
    const started = performance.now();
    await read();
    times.push(performance.now() - started);
  }
  times.sort((a, b) => a - b);
  const median = times[RUNS / 2] ?? Number.NaN;
  const worst = times.at(-1) ?? Number.NaN;
  console.log(`${name.padEnd(42)} median ${median.toFixed(2).padStart(7)}   worst ${worst.toFixed(2).padStart(7)}`);
}

const { settle } = createRevenueShare({
  db,
  takeReadings: async (sales) => new Map(sales.map(({ orderId }) => [orderId, undefined])),
  chance: Math.random,
});
const settling = performance.now();
const { settled } = await settle(Date.now());
const seconds = (performance.now() - settling) / 1000;
console.log(`\nsettlement without the suppliers' part: ${settled} shares in ${seconds.toFixed(1)} s`);
