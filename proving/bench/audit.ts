import { proveBooks } from '../../src/domains/money/proof/prove.ts';
import { openDatabase } from '../../src/platform/db/database.ts';
import { benchDatabase } from './support/database.ts';
import { sell } from './support/sales.ts';
import { stockShop } from './support/shop.ts';

/** The proof of the ledger over a million orders, each with its charge, of a thousand partners. */
const ORDERS = Number(process.env.BENCH_ORDERS ?? 1_000_000);
const PARTNERS = 1000;
const ROUNDS = 3;
const LIMIT_SECONDS = 30;

await using database = await benchDatabase();
await stockShop({ DATABASE_URL: database.url, WAYFARE_DATA: database.folder }, PARTNERS);
const db = openDatabase({ url: database.url, name: 'bench', searchPath: 'live,shared', statementTimeoutMs: 0 });

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

await sell(db, ORDERS / PARTNERS, Date.now(), Date.now());
const rounds: number[] = [];
for (let round = 0; round < ROUNDS; round += 1) rounds.push(await prove());
const median = rounds.sort((a, b) => a - b)[Math.floor(ROUNDS / 2)] ?? 0;
console.log(`median ${median.toFixed(1)} s of ${LIMIT_SECONDS} (${median <= LIMIT_SECONDS ? 'met' : 'missed'})`);
await db.close();
