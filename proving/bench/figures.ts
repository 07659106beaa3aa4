import { sumSales } from '../../src/domains/insight/figures/sums.ts';
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
const { rows: made } = await loader.query('select from sale_figures limit 1');
if (made.length === 0) await load();
const used = () => usedBy(process.pid) + usedByPostgres(database.folder);
const ms = (value: number) => `${value.toFixed(1)} ms`.padStart(10);
await sumAll();
const sizes = await loader.query(
  `select relname, pg_size_pretty(pg_total_relation_size(oid)) as size from pg_class
  where relnamespace = 'live'::regnamespace and relkind = 'r' order by pg_total_relation_size(oid) desc limit 4`,
);
for (const { relname, size } of sizes.rows) console.log(`${relname}: ${size}`);
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

/** The job: the cost of adding up a day, a week, and again a day that changed later. */
async function sumAll(): Promise<void> {
  const step = async () => {
    const before = used();
    return { sums: await sumSales(base.worlds.live.db, systemClock), ms: (used() - before) / 1000 };
  };
  const steps: number[] = [];
  for (let last = await step(); last.sums > 0; last = await step()) steps.push(last.ms);
  const mean = (of: number[]) => ms(of.reduce((sum, one) => sum + one, 0) / of.length);
  if (steps.length > DAYS / 2)
    console.log(
      `added up: a day ${mean(steps.slice(0, DAYS - 1))} processor, a week ${mean(steps.slice(DAYS))} processor`,
    );
  await loader.query('vacuum analyze sale_day_sums, sale_running_sums, sale_days_changed');
  await loader.query('insert into sale_days_changed values ($1)', [daysAgo(DAYS - 20)]);
  console.log(`a day of a year ago once more: ${ms((await step()).ms)} processor`);
}

async function load(): Promise<void> {
  await loader.query(
    `insert into partners (name, email) select 'Partner ' || n, 'bench@example.com' from generate_series(1, $1::int) n`,
    [PARTNERS],
  );
  for (let ago = 0; ago < DAYS; ago += 16)
    await loader.query(
      `insert into sale_figures (day, partner_id, supplier, destination, orders, delivered, charged, costed, costed_charged, cost_micros,
        took_ms, took_5s)
      select $1::date - ago, n, (array['aurora', 'boreal'])[1 + (n + ago) % 2], 'C' || (n * 7 + ago) % 40, 1 + n % 3, 1 + n % 3, 1000,
        1 + n % 3, 1000, 4000000, 2000, 1 + n % 3
      from generate_series(1, $2::int) n cross join generate_series($3::int, $4::int) ago`,
      [today.toISOString().slice(0, 10), PARTNERS, ago, Math.min(DAYS, ago + 16) - 1],
    );
  await loader.query('insert into sale_days_changed select $1::date - ago from generate_series(0, $2::int - 1) ago', [
    today.toISOString().slice(0, 10),
    DAYS,
  ]);
  await loader.query('insert into sale_progress (counted_until) values (now())');
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
