import { invoicePass } from '../../src/domains/billing/invoices/invoices.ts';
import { HOUR } from '../../src/platform/clock.ts';
import { sql } from '../../src/platform/db/query/sql.ts';
import { benchDatabase } from './support/database.ts';
import { chargeMeanwhile, invoicesAt, liveSessions, PRICE, sell, since } from './support/sales.ts';
import { stockShop } from './support/shop.ts';

/** Closes a month of many partners with a million orders, while charges go on. */
const ORDERS = Number(process.env.BENCH_ORDERS ?? 1_000_000);
const PARTNERS = Number(process.env.BENCH_PARTNERS ?? 10_000);
const LIMIT_SECONDS = 600;
const [YEAR, NUMBER] = [new Date().getUTCFullYear(), new Date().getUTCMonth()];
/** This month: the wallets were filled in it. It is closed an hour after its end. */
const MONTH = { begin: Date.UTC(YEAR, NUMBER, 1), end: Date.UTC(YEAR, NUMBER + 1, 1) };
const CLOSED = MONTH.end + 1 * HOUR;

await using database = await benchDatabase();
await stockShop({ DATABASE_URL: database.url, WAYFARE_DATA: database.folder }, PARTNERS);
await using sessions = liveSessions(database.url);
const { db, buyers, owner } = sessions;
const each = Math.ceil(ORDERS / PARTNERS);
await sell(owner, each, MONTH.begin, MONTH.end);
const invoices = invoicesAt(db, CLOSED);

const charges = await chargeMeanwhile(buyers, new Date(CLOSED));
const started = performance.now();
for (let closed = await invoices.closeDue(); closed > 0; closed = await invoices.closeDue());
const seconds = (performance.now() - started) / 1000;
await charges.stop();

const { documents, total } = await owner.one<{ documents: bigint; total: bigint }>(sql`
  select count(*) as documents, sum(total)::bigint as total from invoices`);
console.log(
  `${documents} invoices over ${each * PARTNERS} orders in ${seconds.toFixed(1)} s of ${LIMIT_SECONDS} (${seconds <= LIMIT_SECONDS ? 'met' : 'missed'})`,
);
const proving = performance.now();
const wrong = await owner.query(invoicePass.breaches);
console.log(`proof of the invoices in ${since(proving)}`);
if (wrong.length > 0 || total !== BigInt(each * PARTNERS) * PRICE)
  throw new Error(`the sums do not agree: ${total} cents, ${wrong.length} findings`);
