import { proveBooks } from '../../src/domains/money/proof/prove.ts';
import { openDatabase } from '../../src/platform/db/database.ts';
import { sql } from '../../src/platform/db/query/sql.ts';
import { benchDatabase } from './support/database.ts';
import { stockShop } from './support/shop.ts';

/** The proof of the ledger over a million orders, each with its charge, of a thousand partners. */
const ORDERS = Number(process.env.BENCH_ORDERS ?? 1_000_000);
const PARTNERS = 1000;
const ROUNDS = 3;
const LIMIT_SECONDS = 30;

await using database = await benchDatabase();
await stockShop({ DATABASE_URL: database.url, WAYFARE_DATA: database.folder }, PARTNERS);
const db = openDatabase({ url: database.url, name: 'bench', searchPath: 'live,shared', statementTimeoutMs: 0 });

/** The rows a purchase writes: order, movement with the balance after it, transfer, and the resulting wallet. */
async function sell(orders: number): Promise<void> {
  for (let round = 0; round < orders / PARTNERS; round += 50) {
    await db.run(sql`
    with sale as materialized (
      select nextval('orders_id_seq') as id, nextval('movements_id_seq') as movement, w.partner_id, n,
        w.cash - 149 * n as balance_after, w.wallet_lines + n as line
      from wallets w, generate_series(1, ${Math.min(50, orders / PARTNERS - round)}) n
    ), ordered as (
      insert into orders (id, partner_id, plan_id, product_id, status, delivery, billing_mode, product_price, sale_price,
        cost_micros, product_title, data, amount_mb, day, is_unlimited, country_code, supplier, supplier_plan,
        created_at, paid_at, delivered_at)
      overriding system value
      select id, partner_id, 1, 'esc_0000000000000000', 1, 'delivered', 'prepaid', 149, 149, 900000, 'Bench', '1 GB', 1024, 7,
        false, 'FR', 'bench', 'bench-1', now(), now(), now() from sale
    ), moved as (
      insert into movements (id, partner_id, book, type, amount, balance_after, order_id, at, line)
      overriding system value
      select movement, partner_id, 'wallet', 'purchase', -149, balance_after, id, now(), line from sale order by partner_id, n
    ), carried as (
      insert into transfers (movement_id, partner_id, debit, credit, amount)
      select movement, partner_id, 'cash', 'revenue', 149 from sale
    )
    update wallets set cash = last.balance_after, wallet_lines = last.line
    from (select distinct on (partner_id) partner_id, balance_after, line from sale order by partner_id, n desc) last
    where wallets.partner_id = last.partner_id`);
  }
}

/** The duration of a proof that finds nothing wrong. */
async function prove(): Promise<number> {
  const started = performance.now();
  const { figures, drift } = await proveBooks(db, () => {});
  const seconds = (performance.now() - started) / 1000;
  if (drift.length > 0) throw new Error(`the books have drifted: ${JSON.stringify(drift)}`);
  const { orders, movements, transfers } = figures;
  console.log(`${orders} orders, ${movements} movements and ${transfers} transfers in ${seconds.toFixed(1)} s`);
  return seconds;
}

await sell(ORDERS);
await db.run(sql`vacuum analyze`);
const rounds: number[] = [];
for (let round = 0; round < ROUNDS; round += 1) rounds.push(await prove());
const median = rounds.sort((a, b) => a - b)[Math.floor(ROUNDS / 2)] ?? 0;
console.log(`median ${median.toFixed(1)} s of ${LIMIT_SECONDS} (${median <= LIMIT_SECONDS ? 'met' : 'missed'})`);
await db.close();
