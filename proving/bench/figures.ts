import { sumColumns } from '../../src/domains/insight/rollups/rollups.ts';
import { countChangedDays } from '../../src/domains/insight/rollups/sales-by-day.ts';
import { DAY, systemClock } from '../../src/platform/clock.ts';
import { benchDatabase } from './support/database.ts';
import { benchBase, liveLoader } from './support/loading.ts';
import { usedBy, usedByPostgres } from './support/processor-time.ts';

/**
 * What the console shows of all sales, and a month's statement, of many partners over many days. Every partner sells one destination of
 * forty a day; one of them has a million movements, 100,000 of them this month. Figures are processor time: this process and PostgreSQL's.
 */
const PARTNERS = Number(process.env.BENCH_PARTNERS ?? 10_000);
const DAYS = Number(process.env.BENCH_DAYS ?? 400);
const LINES = Number(process.env.BENCH_LINES ?? 1_000_000);
const RUNS = 10;

/** If given, the data made there before is measured again. */
await using database = await benchDatabase(process.env.BENCH_FOLDER);
await using base = await benchBase(database);
const loader = await liveLoader(database);
const today = new Date(Math.floor(Date.now() / DAY) * DAY);
const daysAgo = (days: number) => new Date(today.getTime() - days * DAY);

const month = new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth(), 1));
const { rows: made } = await loader.query('select from partner_sales_by_day limit 1');
if (made.length === 0) await load();
const used = () => usedBy(process.pid) + usedByPostgres(database.folder);
const ms = (value: number) => `${value.toFixed(1)} ms`.padStart(10);
const sizes = await loader.query(
  `select relname, pg_size_pretty(pg_total_relation_size(oid)) as size from pg_class
  where relnamespace = 'live'::regnamespace and relkind = 'r' order by pg_total_relation_size(oid) desc limit 4`,
);
for (const { relname, size } of sizes.rows) console.log(`${relname}: ${size}`);
await countDay();
await loader.end();

const { insight, books, ledger } = base.worlds.live;
const nextMonth = new Date(Date.UTC(month.getUTCFullYear(), month.getUTCMonth() + 1, 1));
const span = (from: number, to: number, per: 'day' | 'month') => ({ from: daysAgo(from), to: daysAgo(to - 1), per });
async function statement() {
  const period = await books.period(1, 'wallet', month, nextMonth);
  await Promise.all([books.sums(1, 'wallet', period), books.linesOf(1, 'wallet', period, 500)]);
}
async function everyLine() {
  for await (const _ of ledger.linesBetween({ from: month, to: nextMonth }));
}
const reads: [string, () => Promise<unknown>][] = [
  ['figures, 30 days', () => insight.sales(span(29, 0, 'day'), {})],
  [`figures, ${DAYS} days`, () => insight.sales(span(DAYS - 1, 0, 'day'), {})],
  [`figures, ${DAYS - 33} days by month`, () => insight.sales(span(DAYS - 17, 17, 'month'), {})],
  [`figures, ${DAYS} days of a supplier`, () => insight.sales(span(DAYS - 1, 0, 'day'), { supplier: 'aurora' })],
  [`figures, ${DAYS} days of a destination`, () => insight.sales(span(DAYS - 1, 0, 'day'), { destination: 'C7' })],
  [`figures, ${DAYS} days of a partner`, () => insight.sales(span(DAYS - 1, 0, 'day'), { partnerId: 77 })],
  [`statement of a month with ${LINES / 10} lines`, statement],
  ['movements of a month of all partners', everyLine],
];
for (const [name, read] of reads) {
  try {
    await read();
    const [before, start] = [used(), performance.now()];
    for (let run = 0; run < RUNS; run++) await read();
    console.log(
      `${name.padEnd(44)}${ms((used() - before) / 1000 / RUNS)} processor${ms((performance.now() - start) / RUNS)} passed`,
    );
  } catch (error) {
    console.log(`${name.padEnd(44)}${error instanceof Error ? error.message : error}`);
  }
}

/** The job's part: what it takes to count a day of a partner again, and then the day of all partners. */
async function countDay(): Promise<void> {
  await loader.query('insert into order_days_changed (partner_id, day) values (77, $1)', [daysAgo(DAYS - 20)]);
  const before = used();
  await countChangedDays(base.worlds.live.db, systemClock);
  console.log(`a day of a year ago once more: ${ms((used() - before) / 1000)} processor`);
}

async function load(): Promise<void> {
  await loader.query(
    `insert into partners (name, email) select 'Partner ' || n, 'bench@example.com' from generate_series(1, $1::int) n`,
    [PARTNERS],
  );
  const sums: Readonly<Record<string, string>> = {
    ...{ orders: '1 + n % 3', delivered: '1 + n % 3', costed: '1 + n % 3', took_5s: '1 + n % 3' },
    ...{ charged: '1000', costed_charged: '1000', cost_micros: '4000000', took_ms: '2000' },
  };
  const columns = sumColumns.join(', ');
  for (let ago = 0; ago < DAYS; ago += 16)
    await loader.query(
      `insert into partner_sales_by_day (day, partner_id, supplier, destination, ${columns})
      select $1::date - ago, n, (array['aurora', 'boreal'])[1 + (n + ago) % 2], 'C' || (n * 7 + ago) % 40,
        ${sumColumns.map((name) => sums[name] ?? '0').join(', ')}
      from generate_series(1, $2::int) n cross join generate_series($3::int, $4::int) ago`,
      [today.toISOString().slice(0, 10), PARTNERS, ago, Math.min(DAYS, ago + 16) - 1],
    );
  await loader.query(
    `insert into sales_by_day (day, supplier, destination, ${columns})
    select day, supplier, destination, ${sumColumns.map((name) => `sum(${name})`).join(', ')} from partner_sales_by_day group by 1, 2, 3`,
  );
  await loader.query('insert into sales_by_day_progress (is_filled, counted_until) values (true, now())');
  // A tenth of the lines are of this month, one after the other; all other partners have one.
  await loader.query(
    `insert into wallets (partner_id, billing_mode, opened_at, wallet_lines)
    select n, 'prepaid', now(), case n when 1 then $2::int else 1 end from generate_series(1, $1::int) n`,
    [PARTNERS, LINES],
  );
  await loader.query(
    `insert into movements (partner_id, book, line, type, amount, balance_after, at)
    select 1, 'wallet', n, (array['topup', 'adjust', 'promo'])[1 + n % 3], 100, n * 100,
      $2::timestamptz + (n - $1 * 0.9) * interval '1 second' from generate_series(1, $1::int) n
    union all select n, 'wallet', 1, 'topup', 100, 100, $2 from generate_series(2, $3::int) n`,
    [LINES, month, PARTNERS],
  );
  await loader.query('vacuum analyze');
}
