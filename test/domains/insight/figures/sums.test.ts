import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { countSales } from '../../../../src/domains/insight/figures/count.ts';
import { readSales } from '../../../../src/domains/insight/figures/sales.ts';
import {
  MOST_PARTNERS,
  queryOfRows,
  queryOfSums,
  readSoldTo,
  type SalesFilter,
} from '../../../../src/domains/insight/figures/sales-query.ts';
import type { Span } from '../../../../src/domains/insight/figures/span.ts';
import { inEveryWay, saleFiguresJob, sumSales } from '../../../../src/domains/insight/figures/sums.ts';
import { DAY } from '../../../../src/platform/clock.ts';
import { raw, type Sql, sql } from '../../../../src/platform/db/query/sql.ts';
import { explain } from '../../../support/database/measured-plan.ts';
import { testApp } from '../../../support/program/app.ts';
import { random } from '../../../support/random.ts';

const PARTNERS = 130;
const [SUPPLIERS, DESTINATIONS] = [
  ['aurora', 'boreal', 'cirrus'],
  ['FR', 'DE', 'JP', 'europe'],
];

/** What the page shows, from a query: `took` of the total alone, and the partners with the most orders. */
async function shown(db: Parameters<typeof readSales>[0], query: Sql): Promise<unknown[]> {
  type Row = {
    kind: string;
    key: string | null;
    at: Date | null;
    orders: number;
    partners: number | null;
    took: unknown;
  };
  const rows = (await db.query<Row>(query)).map(({ partners: _, took, ...row }) => ({
    ...row,
    took: row.kind === 'total' ? took : null,
  }));
  const name = ({ at, key }: (typeof rows)[number]) => at?.toISOString() ?? key ?? '';
  rows.sort((a, b) =>
    a.kind < b.kind ? -1 : a.kind > b.kind ? 1 : b.orders - a.orders || (name(a) < name(b) ? -1 : 1),
  );
  const isBest = (row: (typeof rows)[number]) =>
    rows.filter(({ kind }) => kind === 'partner').indexOf(row) < MOST_PARTNERS;
  return rows.filter(isBest);
}

suite('sums of all sales', () => {
  let t: Awaited<ReturnType<typeof testApp>>;
  // Its jobs do not run by themselves: what is counted and added up when is up to the tests.
  before(async () => {
    t = await testApp({ role: 'api' });
    await t.base.db.run(sql`
      insert into partners (id, name, email) overriding system value
      select n, 'Partner ' || n, 'sums@example.com' from generate_series(1001, ${1000 + PARTNERS}) n`);
    await t.base.db.run(sql`
      insert into live.wallets (partner_id, billing_mode, opened_at) select id, 'prepaid', now() from partners where id > 1000`);
  });
  after(() => t[Symbol.asyncDispose]());
  const live = () => t.base.worlds.live.db;
  const today = () => Math.floor(t.clock.now() / DAY) * DAY;
  const span = (from: number, days: number, per: Span['per'] = 'day'): Span => ({
    from: new Date(today() - from * DAY),
    to: new Date(today() - (from - days) * DAY),
    per,
  });

  /** Orders of chance: some delivered, some on their way, some refused. */
  const sell = (dice: ReturnType<typeof random>, orders: number, daysAgo: number) =>
    t.base.db.run(sql`
      insert into live.orders (partner_id, plan_id, product_id, status, delivery, billing_mode, product_price, sale_price, cost_micros,
        product_title, data, amount_mb, day, is_unlimited, country_code, supplier, supplier_plan, created_at, paid_at, delivered_at)
      select partner, 1, 'esc_00000000000000aa', status, '', 'prepaid', 2000, price, cost, '1 GB', '1 GB', 1024, 7, false, destination,
        supplier, 'x', at, case when status <> 2 then at end, case when status = 1 then at + took * interval '1 second' end
      from jsonb_to_recordset(${JSON.stringify(
        Array.from({ length: orders }, () => ({
          partner: 1001 + dice(PARTNERS),
          status: [1, 1, 1, 2, 3][dice(5)],
          price: 500 + dice(2000),
          cost: dice(4) === 0 ? 0 : 1_000_000 + dice(9_000_000),
          destination: DESTINATIONS[dice(DESTINATIONS.length)],
          supplier: SUPPLIERS[dice(SUPPLIERS.length)],
          at: new Date(today() + dice(DAY) - dice(daysAgo) * DAY),
          took: dice(5_000),
        })),
      )}::jsonb) as sold (partner int, status int, price int, cost bigint, destination text, supplier text, at timestamptz, took int)`);

  /** What happens to orders later: money is given back, and another supplier delivers. */
  async function correct(dice: ReturnType<typeof random>): Promise<void> {
    const chosen = dice(1_000_000);
    await t.base.db.run(sql`
      insert into live.movements (partner_id, book, type, amount, balance_after, order_id, at, line)
      select partner_id, 'wallet', 'refund', 100, 0, id, now(),
        id * 1000 + (select count(*) from live.movements where order_id = orders.id)
      from live.orders where status = 1 order by (id * 7919 + ${chosen}) % 10007 limit 3`);
    await t.base.db.run(sql`
      update live.orders set status = 1, delivery = 'delivered', supplier = 'cirrus', delivered_at = paid_at + interval '1 day'
      where id in (select id from live.orders where status = 3 order by (id * 7919 + ${chosen}) % 10007 limit 3)`);
  }

  async function requireEqual(dice: ReturnType<typeof random>, about: string): Promise<void> {
    const days = 1 + dice(90);
    const filter: SalesFilter = {
      supplier: dice(3) === 0 ? SUPPLIERS[dice(SUPPLIERS.length)] : undefined,
      destination: dice(3) === 0 ? DESTINATIONS[dice(DESTINATIONS.length)] : undefined,
    };
    const asked = span(days + dice(20), days, dice(2) === 0 ? 'day' : 'month');
    const [summed, direct] = [queryOfSums(asked, filter), queryOfRows(asked, filter)];
    const message = `${about}: ${JSON.stringify({ asked, filter })}`;
    assert.deepEqual(await shown(live(), summed), await shown(live(), direct), message);
    const { partnersInAll } = await readSales(live(), asked, filter);
    const all = (await live().query<{ kind: string }>(direct)).filter(({ kind }) => kind === 'partner').length;
    assert.equal(partnersInAll, all, message);
    const some = Array.from({ length: 20 }, () => 1001 + dice(PARTNERS));
    assert.deepEqual(
      (await readSoldTo(live(), some, asked)).sort((a, b) => a.partnerId - b.partnerId),
      await live().query(sql`
        select partner_id as "partnerId", sum(orders)::float8 as orders, sum(charged)::bigint as charged, sum(returned)::bigint as returned
        from sale_figures where partner_id = any (${some}::int[])
          and day >= (${asked.from}::timestamptz at time zone 'UTC')::date and day < (${asked.to}::timestamptz at time zone 'UTC')::date
        group by partner_id having sum(orders) > 0 order by partner_id`),
      message,
    );
  }

  /** Nothing is left of what was once wrong, or of the order in which it was put right. */
  async function requireRight(): Promise<void> {
    const columns = sql`day::text as day, supplier, destination, orders, refused, delivered, failed, charged, returned, costed,
      costed_charged, costed_returned, cost_micros, took_ms, took_1s, took_5s, took_30s, took_2m, took_10m, took_1h, took_longer`;
    const isPast = sql`day < ${new Date(today()).toISOString()}::date`;
    assert.deepEqual(
      await live().query(sql`select ${columns} from sale_day_sums order by 1, 2, 3`),
      await live().query(sql`select ${columns} from (${inEveryWay(isPast)}) as direct order by 1, 2, 3`),
    );
    const running = await live().query(sql`
      select monday::text as monday, partner_id, supplier, counted, orders, returned, cost_micros, took_ms
      from sale_running_sums order by 1, 2, 3`);
    assert.ok(running.length > 0);
    assert.deepEqual(
      running,
      await live().query(sql`
        select monday::text as monday, partner_id, coalesce(supplier, '') as supplier, count(*) as counted, sum(orders) as orders, sum(returned)::bigint as returned,
          sum(cost_micros)::bigint as cost_micros, sum(took_ms)::bigint as took_ms
        from (select distinct monday from sale_running_sums) as mondays join sale_figures on day < monday
        group by monday, partner_id, rollup (supplier) order by 1, 2, 3`),
    );
  }

  for (const seed of [1, 2, 3])
    test(`after counts, later corrections and interruptions the sums equal the rows (seed ${seed})`, async () => {
      const dice = random(seed);
      const attempt = (work: Promise<unknown>) =>
        work.catch((error) => assert.match(String(error), /terminating connection/));
      for (let round = 0; round < 12; round++) {
        await sell(dice, 1 + dice(300), round === 0 ? 80 : 12);
        await correct(dice);
        for (let pass = 0; pass < 1 + dice(4); pass++) await countSales(live(), t.clock, 50 + dice(300));
        await requireEqual(dice, `round ${round}, counted`);
        // A process that dies at any of these has done nothing.
        const table = ['sale_day_sums', 'sale_days_changed', 'sale_running_sums', 'sale_progress'][dice(4)] as string;
        await killing(table);
        for (let pass = 0; pass < 1 + dice(3); pass++) await attempt(sumSales(live(), t.clock));
        await t.base.db.run(sql`drop function live.fall_over cascade`);
        await requireEqual(dice, `round ${round}, cut off at ${table}`);
        for (let pass = 0; pass < dice(60); pass++) if ((await sumSales(live(), t.clock, 1 + dice(400))) === 0) break;
        await requireEqual(dice, `round ${round}, added up in part`);
        if (dice(3) === 0) t.clock.advance(dice(9) * DAY);
      }
      await Promise.all([1, 2, 3].map(() => all()));
      await all();
      for (let i = 0; i < 20; i++) await requireEqual(dice, 'added up');
      await requireRight();
    });

  async function killing(table: string): Promise<void> {
    await t.base.db.run(sql`
      create function live.fall_over() returns trigger language plpgsql security definer as $$ begin
        perform pg_terminate_backend(pg_backend_pid());
        return null;
      end $$`);
    await t.base.db.run(
      raw(
        `create trigger fall_over after insert or update or delete on live.${table} execute function live.fall_over()`,
      ),
    );
  }

  /** Until nothing is left to count or to add up. */
  async function all(): Promise<void> {
    const job = saleFiguresJob({ schema: 'live', db: live() }, t.clock);
    for (let idle = 0; idle < 2; ) idle = (await job.run(AbortSignal.timeout(60_000))) > 0 ? 0 : idle + 1;
  }
});

test('however long the time is, few rows of partners and days are read, and none of a destination but its own', async () => {
  await using t = await testApp({ role: 'api' });
  const { live } = t.base.worlds;
  const [partners, days, destinations] = [300, 200, 20];
  const today = Math.floor(t.clock.now() / DAY) * DAY;
  const first = new Date(today - (days - 1) * DAY).toISOString().slice(0, 10);
  await live.db.run(sql`
    insert into sale_figures (day, partner_id, supplier, destination, orders)
    select ${first}::date + day, partner, 'aurora', 'D' || (partner + day) % ${destinations}, 1
    from generate_series(0, ${days - 1}) as day cross join generate_series(1, ${partners}) as partner`);
  await live.db.run(sql`insert into sale_days_changed select distinct day from sale_figures`);
  await live.db.run(sql`insert into sale_progress (counted_until) values (${new Date(t.clock.now())})`);
  while ((await sumSales(live.db, t.clock)) > 0);
  await t.base.db.run(sql`analyze live.sale_figures, live.sale_day_sums, live.sale_running_sums`);

  const read = async (length: number, filter: SalesFilter) => {
    const span: Span = { from: new Date(today - (length - 1) * DAY), to: new Date(today + DAY), per: 'day' };
    const { steps, rowsRead } = await explain(live.db, (db) => readSales(db, span, filter));
    const counted = steps.flatMap((step) => /sale_figures.*: (\d+) rows/.exec(step)?.[1] ?? []).map(Number);
    return { figures: counted.reduce((sum, rows) => sum + rows, 0), rowsRead, steps };
  };
  // Days up to the nearest Monday, those of this week, and today once more by supplier and destination; then those of the best.
  const most = (3 + 7 + 1) * partners + (3 + 7) * MOST_PARTNERS;
  for (const filter of [{}, { supplier: 'aurora' }])
    for (const length of [30, days]) {
      const { figures, steps } = await read(length, filter);
      assert.ok(figures <= most, `${figures} rows of ${length} days: ${steps.join(', ')}`);
    }
  const { figures, steps } = await read(days, { destination: 'D7' });
  const own = (partners * days) / destinations;
  assert.ok(figures <= 2 * own + partners, `${figures} rows of a destination that has ${own}: ${steps.join(', ')}`);
});
