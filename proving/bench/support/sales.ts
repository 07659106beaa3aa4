import { setTimeout as sleep } from 'node:timers/promises';
import { createInvoices } from '../../../src/domains/billing/invoices/invoices.ts';
import { lockWallets, post } from '../../../src/domains/money/ledger/ledger.ts';
import { toCents } from '../../../src/platform/amounts/cents.ts';
import { type Db, openDatabase } from '../../../src/platform/db/database.ts';
import { worldRole } from '../../../src/platform/db/migrate/rights.ts';
import { sql } from '../../../src/platform/db/query/sql.ts';
import { readConfig } from '../../../src/platform/settings/config.ts';

/** What every order costs. */
export const PRICE = 149n;
const ROWS_AT_ONCE = 50_000;
const CHARGE_EVERY_MS = 20;

/**
 * The rows that purchases leave: orders, movements with the balance after each, transfers, and the resulting wallets. So many orders of
 * every partner that has a wallet, evenly between two moments.
 */
export async function sell(db: Db, each: number, begin: number, end: number): Promise<void> {
  const { partners } = await db.one<{ partners: number }>(sql`select count(*)::int as partners from wallets`);
  const atOnce = Math.ceil(ROWS_AT_ONCE / partners);
  for (let done = 0; done < each; done += atOnce)
    await db.run(sql`
      with sale as materialized (
        select nextval('orders_id_seq') as id, nextval('movements_id_seq') as movement, w.partner_id, n,
          w.cash - ${PRICE}::bigint * n as balance_after, w.wallet_lines + n as line, 1 + (n + w.partner_id) % 7 as plan,
          to_timestamp((${begin}::float8 + (${end - begin}::float8) * (${done}::int + n) / ${each + 1}::int) / 1000) as at
        from wallets w, generate_series(1, ${Math.min(atOnce, each - done)}::int) n
      ), ordered as (
        insert into orders (id, partner_id, plan_id, product_id, status, delivery, billing_mode, product_price, sale_price, cost_micros,
          product_title, data, amount_mb, day, is_unlimited, country_code, supplier, supplier_plan, created_at, paid_at, delivered_at)
        overriding system value
        select id, partner_id, plan, 'esc_0000000000000000', 1, 'delivered', 'prepaid', ${PRICE}::bigint, ${PRICE}::bigint, 900000,
          'Bench ' || plan, '1 GB', 1024, 7, false, 'FR', 'bench', 'bench-1', at, at, at from sale
      ), moved as (
        insert into movements (id, partner_id, book, type, amount, balance_after, order_id, at, line)
        overriding system value
        select movement, partner_id, 'wallet', 'purchase', -${PRICE}::bigint, balance_after, id, at, line from sale order by partner_id, n
      ), carried as (
        insert into transfers (movement_id, partner_id, debit, credit, amount)
        select movement, partner_id, 'cash', 'revenue', ${PRICE}::bigint from sale
      )
      update wallets set cash = last.balance_after, wallet_lines = last.line
      from (select distinct on (partner_id) partner_id, balance_after, line from sale order by partner_id, n desc) last
      where wallets.partner_id = last.partner_id`);
  await db.run(sql`vacuum analyze`);
}

/**
 * Charges all partners in turn until it is stopped, as the first transaction of a purchase does: a wallet is locked, an order and its
 * movement are written. The longest of these says what the work beside it costs a buyer.
 */
export async function chargeMeanwhile(db: Db, at: Date): Promise<{ stop(): Promise<void> }> {
  const partners = await db.query<{ id: number }>(sql`select partner_id as id from wallets order by partner_id`);
  const charge = (partnerId: number) =>
    db.tx(async (tx) => {
      const wallets = await lockWallets(tx, [partnerId]);
      const { id } = await tx.one<{ id: bigint }>(sql`
        insert into orders (partner_id, plan_id, product_id, status, delivery, billing_mode, product_price, sale_price, cost_micros,
          product_title, data, amount_mb, day, is_unlimited, country_code, supplier, supplier_plan, created_at, paid_at, delivered_at)
        values (${partnerId}, 1, 'esc_0000000000000000', 1, 'delivered', 'prepaid', ${PRICE}, ${PRICE}, 900000, 'Bench 1', '1 GB', 1024, 7,
          false, 'FR', 'bench', 'bench-1', ${at}, ${at}, ${at}) returning id`);
      const transfers = [{ debit: 'cash', credit: 'revenue', amount: toCents(PRICE) } as const];
      await post(tx, wallets, [{ partnerId, book: 'wallet', type: 'purchase', orderId: id, transfers, at }]);
    });
  const took: number[] = [];
  let isOver = false;
  const charging = (async () => {
    for (let n = 0; !isOver; n += 1) {
      const started = performance.now();
      await charge(partners[(n * 7919) % partners.length]?.id ?? 0);
      took.push(performance.now() - started);
      await sleep(CHARGE_EVERY_MS);
    }
  })();
  return {
    /** Says how long they took. */
    async stop() {
      isOver = true;
      await charging;
      took.sort((a, b) => a - b);
      const quantile = (share: number) =>
        (took[Math.min(took.length - 1, Math.floor(took.length * share))] ?? 0).toFixed(1);
      console.log(
        `${took.length} charges meanwhile: median ${quantile(0.5)} ms, p99 ${quantile(0.99)} ms, longest ${quantile(1)} ms`,
      );
    },
  };
}

/** What closes the months of partners: without mails, and by one moment. */
export function invoicesAt(db: Db, now: number) {
  const { invoicing } = readConfig({
    ...{ SELLER_NAME: 'Bench GmbH', SELLER_ADDRESS: 'Street 1|10115 Berlin', SELLER_COUNTRY: 'DE' },
    ...{ SELLER_VAT_ID: 'DE123456789', SELLER_TAX_RATE: '19' },
  });
  return createInvoices(
    {
      ...{ schema: 'live', db, reads: db, webhooks: { publish: async () => ({ refusedOrders: new Set() }) } },
      invoiceTerms: { numberPrefix: '', graceMs: 0, areInTime: true, closesBeforeRead: false },
    },
    { clock: { now: () => now }, invoicing, look: { name: 'Bench', color: undefined, logo: undefined } },
  );
}

/** The program's own sessions on a bench's database: one that works as the live world, and one that buys beside it. */
export function liveSessions(url: string): { db: Db; buyers: Db; owner: Db } & AsyncDisposable {
  const session = { url, role: worldRole.live, searchPath: 'live,shared', inIndexOrder: true };
  const db = openDatabase({ ...session, name: 'working', maxConnections: 4 });
  const buyers = openDatabase({ ...session, name: 'buying', maxConnections: 2 });
  const owner = openDatabase({ url, name: 'bench', searchPath: 'live,shared', statementTimeoutMs: 0 });
  const close = async () => void (await Promise.all([db.close(), buyers.close(), owner.close()]));
  return { db, buyers, owner, [Symbol.asyncDispose]: close };
}

/** Seconds since a moment of `performance`, to print. */
export const since = (started: number): string => `${((performance.now() - started) / 1000).toFixed(1)} s`;
