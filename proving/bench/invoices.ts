import { setTimeout as sleep } from 'node:timers/promises';
import { createInvoices, invoicePass } from '../../src/domains/billing/invoices/invoices.ts';
import { lockWallets, post } from '../../src/domains/money/ledger/ledger.ts';
import { toCents } from '../../src/platform/amounts/cents.ts';
import { openDatabase } from '../../src/platform/db/database.ts';
import { worldRole } from '../../src/platform/db/migrate/rights.ts';
import { sql } from '../../src/platform/db/query/sql.ts';
import { readConfig } from '../../src/platform/settings/config.ts';
import { benchDatabase } from './support/database.ts';
import { stockShop } from './support/shop.ts';

/**
 * Closes a month of many partners with a million orders, while charges go on: a wallet is locked, an order and its movement are written,
 * as in the first transaction of a purchase. The longest of these says what a closing costs a buyer.
 */
const ORDERS = Number(process.env.BENCH_ORDERS ?? 1_000_000);
const PARTNERS = Number(process.env.BENCH_PARTNERS ?? 10_000);
const LIMIT_SECONDS = 600;
const CHARGE_EVERY_MS = 20;
const [YEAR, NUMBER] = [new Date().getUTCFullYear(), new Date().getUTCMonth()];
/** This month: the wallets were filled in it. It is closed an hour after its end. */
const MONTH = {
  begin: Date.UTC(YEAR, NUMBER, 1),
  days: new Date(Date.UTC(YEAR, NUMBER + 1, 0)).getUTCDate(),
  end: Date.UTC(YEAR, NUMBER + 1, 1, 1),
};

await using database = await benchDatabase();
await stockShop({ DATABASE_URL: database.url, WAYFARE_DATA: database.folder }, PARTNERS);
const owner = openDatabase({ url: database.url, name: 'bench', searchPath: 'live,shared', statementTimeoutMs: 0 });
const session = { url: database.url, role: worldRole.live, searchPath: 'live,shared', inIndexOrder: true };
const db = openDatabase({ ...session, name: 'closing', maxConnections: 4 });
const buyers = openDatabase({ ...session, name: 'buying', maxConnections: 2 });

/** Orders of all partners, spread over the month; the wallets are what they were less the prices. */
const sell = (perPartner: number, from: number) =>
  owner.run(sql`
    with sale as materialized (
      select nextval('orders_id_seq') as id, nextval('movements_id_seq') as movement, w.partner_id, n, w.cash - 149 * n as balance_after,
        w.wallet_lines + n as line, 1 + (n + w.partner_id) % 7 as plan,
        to_timestamp(${MONTH.begin / 1000}::float8) + interval '1 day' * ${MONTH.days}::int
          * ((${from}::int + n)::float8 / (${Math.ceil(ORDERS / PARTNERS)}::int + 1)) as at
      from wallets w, generate_series(1, ${perPartner}::int) n
    ), ordered as (
      insert into orders (id, partner_id, plan_id, product_id, status, delivery, billing_mode, product_price, sale_price, cost_micros,
        product_title, data, amount_mb, day, is_unlimited, country_code, supplier, supplier_plan, created_at, paid_at, delivered_at)
      overriding system value
      select id, partner_id, plan, 'esc_0000000000000000', 1, 'delivered', 'prepaid', 149, 149, 900000, 'Bench ' || plan, '1 GB', 1024, 7,
        false, 'FR', 'bench', 'bench-1', at, at, at from sale
    ), moved as (
      insert into movements (id, partner_id, book, type, amount, balance_after, order_id, at, line)
      overriding system value
      select movement, partner_id, 'wallet', 'purchase', -149, balance_after, id, at, line from sale order by partner_id, n
    ), carried as (
      insert into transfers (movement_id, partner_id, debit, credit, amount)
      select movement, partner_id, 'cash', 'revenue', 149 from sale
    )
    update wallets set cash = last.balance_after, wallet_lines = last.line
    from (select distinct on (partner_id) partner_id, balance_after, line from sale order by partner_id, n desc) last
    where wallets.partner_id = last.partner_id`);

const each = Math.ceil(ORDERS / PARTNERS);
for (let done = 0; done < each; done += 10) await sell(Math.min(10, each - done), done);
await owner.run(sql`vacuum analyze`);

const { invoicing } = readConfig({
  ...{ SELLER_NAME: 'Bench GmbH', SELLER_ADDRESS: 'Street 1|10115 Berlin', SELLER_COUNTRY: 'DE' },
  ...{ SELLER_VAT_ID: 'DE123456789', SELLER_TAX_RATE: '19' },
});
const invoices = createInvoices(
  {
    ...{ schema: 'live', db, reads: db, webhooks: { publish: async () => ({ refusedOrders: new Set() }) } },
    invoiceTerms: { numberPrefix: '', graceMs: 0, areInTime: true, closesBeforeRead: false },
  },
  { clock: { now: () => MONTH.end }, invoicing, look: { name: 'Bench', color: undefined, logo: undefined } },
);

const partners = await owner.query<{ id: number }>(sql`select partner_id as id from wallets order by partner_id`);

/** The milliseconds a charge took. */
async function charge(n: number): Promise<number> {
  const partnerId = partners[(n * 7919) % partners.length]?.id ?? 0;
  const at = new Date(MONTH.end);
  const started = performance.now();
  await buyers.tx(async (tx) => {
    const wallets = await lockWallets(tx, [partnerId]);
    const { id } = await tx.one<{ id: bigint }>(sql`
      insert into orders (partner_id, plan_id, product_id, status, delivery, billing_mode, product_price, sale_price, cost_micros, product_title,
        data, amount_mb, day, is_unlimited, country_code, supplier, supplier_plan, created_at, paid_at, delivered_at)
      values (${partnerId}, 1, 'esc_0000000000000000', 1, 'delivered', 'prepaid', 149, 149, 900000, 'Bench 1', '1 GB', 1024, 7, false, 'FR',
        'bench', 'bench-1', ${at}, ${at}, ${at}) returning id`);
    const transfers = [{ debit: 'cash', credit: 'revenue', amount: toCents(149n) } as const];
    await post(tx, wallets, [{ partnerId, book: 'wallet', type: 'purchase', orderId: id, transfers, at }]);
  });
  return performance.now() - started;
}

const stopped = new AbortController();
const took: number[] = [];
const buying = (async () => {
  for (let n = 0; !stopped.signal.aborted; n += 1) {
    took.push(await charge(n));
    await sleep(CHARGE_EVERY_MS);
  }
})();
const started = performance.now();
for (let closed = await invoices.closeDue(); closed > 0; closed = await invoices.closeDue());
const seconds = (performance.now() - started) / 1000;
stopped.abort();
await buying;

const { documents, total } = await owner.one<{ documents: bigint; total: bigint }>(sql`
  select count(*) as documents, sum(total)::bigint as total from invoices`);
took.sort((a, b) => a - b);
const quantile = (share: number) => (took[Math.min(took.length - 1, Math.floor(took.length * share))] ?? 0).toFixed(1);
console.log(
  `${documents} invoices over ${each * partners.length} orders in ${seconds.toFixed(1)} s of ${LIMIT_SECONDS} (${seconds <= LIMIT_SECONDS ? 'met' : 'missed'})`,
);
console.log(
  `${took.length} charges meanwhile: median ${quantile(0.5)} ms, p99 ${quantile(0.99)} ms, longest ${quantile(1)} ms`,
);
const proving = performance.now();
const wrong = await owner.query(invoicePass.breaches);
console.log(`proof of the invoices in ${((performance.now() - proving) / 1000).toFixed(1)} s`);
if (wrong.length > 0 || total !== BigInt(each * partners.length) * 149n)
  throw new Error(`the sums do not agree: ${total} cents, ${wrong.length} findings`);
await Promise.all([owner.close(), db.close(), buyers.close()]);
