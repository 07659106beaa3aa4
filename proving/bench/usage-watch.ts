import { claimDue, dueSuppliers } from '../../src/domains/sales/usage/watch.ts';
import { DAY } from '../../src/platform/clock.ts';
import { openDatabase } from '../../src/platform/db/database.ts';
import { migrate } from '../../src/platform/db/migrate/migrate.ts';
import { worldRole } from '../../src/platform/db/migrate/rights.ts';
import { sql } from '../../src/platform/db/query/sql.ts';
import { benchDatabase } from './support/database.ts';

/** Finding and claiming usage readings that are due among a million watched eSIMs of three suppliers. */
const WATCHED = Number(process.env.BENCH_WATCHED ?? 1_000_000);
const DUE = WATCHED / 10;
const CHUNK = 50_000;
const RUNS = 200;
const CLAIMED = 40;

await using database = await benchDatabase();
await migrate(database.url);
const db = openDatabase({
  url: database.url,
  name: 'bench',
  role: worldRole.live,
  searchPath: 'live,shared',
  inIndexOrder: true,
  statementTimeoutMs: 600_000,
});
const owner = openDatabase({ url: database.url, name: 'bench', searchPath: 'live,shared', statementTimeoutMs: 0 });
const now = Date.now();
const { id: partnerId } = await owner.one<{ id: number }>(sql`
  insert into shared.partners (name, email) values ('Bench', 'bench@example.com') returning id`);
await owner.run(sql`insert into wallets (partner_id) values (${partnerId}) on conflict do nothing`);
for (let n = 0; n < WATCHED; n += CHUNK)
  await owner.run(sql`
    insert into orders (partner_id, plan_id, product_id, status, delivery, billing_mode, product_price, sale_price,
      cost_micros, product_title, data, amount_mb, day, is_unlimited, country_code, supplier, supplier_plan, iccid,
      created_at, delivered_at, watch_due_at)
    select ${partnerId}, 1, 'esc_00000000000000aa', 1, 'delivered', 'prepaid', 2000, 1800, 8000000, 'France 5 GB', '5 GB', 5120, 30,
      false, 'FR', (array['aurora', 'borealis', 'cirrus'])[1 + n % 3], 'fr-5', '89' || lpad(n::text, 17, '0'),
      ${new Date(now)}, ${new Date(now)}, ${new Date(now + DAY)}::timestamptz + n * interval '1 second'
    from generate_series(${n + 1}::int, ${n + CHUNK}::int) n`);
await owner.run(sql`vacuum (analyze) orders`);

async function timed(title: string, work: () => Promise<unknown>): Promise<void> {
  const times: number[] = [];
  for (let i = 0; i < RUNS; i++) {
    const began = performance.now();
    await work();
    times.push(performance.now() - began);
  }
  times.sort((a, b) => a - b);
  const at = (share: number) => (times[Math.floor(share * (RUNS - 1))] ?? 0).toFixed(2);
  console.log(`${title}: median ${at(0.5)} ms, 95th ${at(0.95)} ms, worst ${at(1)} ms`);
}

console.log(`${WATCHED.toLocaleString('en')} watched eSIMs, ${RUNS} runs each\n`);
await timed('look for suppliers, nothing due', () => dueSuppliers(db, new Date(now)));
await owner.run(sql`
  update orders set watch_due_at = ${new Date(now)}::timestamptz - (id % 1000) * interval '1 second'
  where id in (select id from orders where supplier = 'borealis' order by id limit ${DUE})`);
await timed(`look for suppliers, ${DUE.toLocaleString('en')} due`, () => dueSuppliers(db, new Date(now)));
await timed(`claim ${CLAIMED} of them`, async () => {
  const claimed = await claimDue(db, 'borealis', CLAIMED, now);
  if (claimed.length !== CLAIMED) throw new Error(`claimed ${claimed.length}`);
});
await db.close();
await owner.close();
