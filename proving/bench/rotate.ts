import { performance } from 'node:perf_hooks';
import { openDatabase } from '../../src/platform/db/database.ts';
import { migrate } from '../../src/platform/db/migrate/migrate.ts';
import { sql } from '../../src/platform/db/query/sql.ts';
import { resealAll } from '../../src/platform/vault/secret-rotation.ts';
import { newSecret, openVault } from '../../src/platform/vault/secrets.ts';
import { benchDatabase } from './support/database.ts';

/** What `secret rotate` takes for the keys of a million eSIMs. */
const KEYS = Number(process.env.BENCH_KEYS ?? 1_000_000);
const BATCH = 10_000;

await using database = await benchDatabase();
await migrate(database.url);
const db = openDatabase({ url: database.url, name: 'bench', searchPath: 'live,shared', statementTimeoutMs: 600_000 });
try {
  const [old, fresh] = [newSecret(), newSecret()];
  const before = openVault(old);
  for (let from = 0; from < KEYS; from += BATCH) {
    const keys = Array.from({ length: Math.min(BATCH, KEYS - from) }, () => before.sealApart('').key);
    await db.run(sql`
      insert into esim_keys (id, sealed, check_at)
      select ${from} + n, sealed, now() from unnest(${keys}::bytea[]) with ordinality as key (sealed, n)`);
  }
  await db.run(sql`vacuum analyze esim_keys`);
  const started = performance.now();
  const resealed = await resealAll(db, openVault(fresh, [old]));
  const seconds = (performance.now() - started) / 1000;
  console.log(`${resealed} keys sealed again in ${seconds.toFixed(1)} s: ${Math.round(resealed / seconds)} a second`);
} finally {
  await db.close();
}
