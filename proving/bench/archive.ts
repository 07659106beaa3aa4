import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { addToMonths } from '../../src/domains/insight/rollups/ledger-by-month.ts';
import { proveBooks } from '../../src/domains/money/proof/prove.ts';
import { DAY } from '../../src/platform/clock.ts';
import { archiveBefore, proveArchives } from '../../src/worlds/books.ts';
import { benchDatabase } from './support/database.ts';
import { benchBase } from './support/loading.ts';
import { chargeMeanwhile, invoicesAt, liveSessions, sell, since } from './support/sales.ts';
import { stockShop } from './support/shop.ts';

/**
 * Archives a year of many partners with a million orders, while charges of the year after it go on, and proves the files. It is next year:
 * the wallets were filled in this one, which is archived before, and of which nothing goes.
 */
const ORDERS = Number(process.env.BENCH_ORDERS ?? 1_000_000);
const PARTNERS = Number(process.env.BENCH_PARTNERS ?? 1_000);
const YEAR = new Date().getUTCFullYear() + 1;
const END = Date.UTC(YEAR + 1, 0, 1);
const clock = { now: () => END + 2 * DAY };

await using database = await benchDatabase();
await stockShop({ DATABASE_URL: database.url, WAYFARE_DATA: database.folder }, PARTNERS);
await using sessions = liveSessions(database.url);
const { db, buyers, owner } = sessions;
await sell(owner, Math.ceil(ORDERS / PARTNERS), Date.UTC(YEAR, 0, 1), END);
const invoices = invoicesAt(db, clock.now());
let started = performance.now();
for (let closed = await invoices.closeDue(); closed > 0; closed = await invoices.closeDue());
console.log(`all months of ${PARTNERS} partners closed in ${since(started)}`);
while ((await addToMonths(db, clock)) > 0);

await using base = await benchBase(database);
const archivist = { url: database.url, clock, vault: base.vault, progress() {} };
const folder = join(database.folder, 'archives');
await mkdir(folder);
started = performance.now();
const { drift: before } = await proveBooks(owner, () => {});
console.log(`ledger proved in ${since(started)}, the yardstick: an archive does that twice`);
const [first] = await archiveBefore(archivist, YEAR, folder);
const charges = await chargeMeanwhile(buyers, new Date(clock.now()));
started = performance.now();
const [second] = await archiveBefore(archivist, YEAR + 1, folder);
const took = since(started);
await charges.stop();
console.log(`${second?.taken} lines of ${YEAR} archived in ${took}, ${((second?.bytes ?? 0) / 1e6).toFixed(1)} MB`);
started = performance.now();
const { drift } = await proveArchives(
  archivist,
  [first, second].flatMap((year) => year?.file ?? []),
);
console.log(`files proved against the database in ${since(started)}`);
if (before.length + drift.length > 0)
  throw new Error(`something does not agree: ${JSON.stringify([...before, ...drift])}`);
