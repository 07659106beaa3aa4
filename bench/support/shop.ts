import { toCents } from '../../src/amounts/cents.ts';
import { openBase } from '../../src/base.ts';
import { seedDemoCatalog } from '../../src/catalog/catalog.ts';
import { systemClock } from '../../src/clock.ts';
import { readConfig } from '../../src/config.ts';
import { sql } from '../../src/db/sql.ts';
import { createKey, setKey } from '../../src/keys/keys.ts';
import { createLog } from '../../src/log.ts';
import { lockWallets, post } from '../../src/money/ledger.ts';
import { createPartner } from '../../src/partners/partners.ts';

const RICH = toCents(100_000_000_00n);

/** A catalog and partners with more money than a bench can spend, each with a key no rate limit stops. */
export async function stockShop(
  env: NodeJS.ProcessEnv,
  partners: number,
): Promise<{ keys: string[]; product: string }> {
  await using base = await openBase({
    config: readConfig(env),
    clock: systemClock,
    log: createLog('error'),
    as: 'migrator',
  });
  const now = new Date(systemClock.now());
  return await base.db.tx(async (tx) => {
    await seedDemoCatalog(tx, base.vault.sign);
    const keys: string[] = [];
    const ids: number[] = [];
    for (let i = 0; i < partners; i += 1) {
      const partnerId = await createPartner(tx, { name: `Bench ${i}`, email: 'bench@example.com' }, now);
      const { key, keyId } = await createKey(tx, { partnerId, mode: 'live' });
      await setKey(tx, keyId, { ceilings: { purchase: 1_000_000_000, read: 1_000_000_000, catalog: 1_000_000_000 } });
      keys.push(key);
      ids.push(partnerId);
    }
    await tx.run(sql`set local search_path = live, shared`);
    await post(
      tx,
      await lockWallets(tx, ids),
      ids.map((partnerId) => ({
        partnerId,
        book: 'wallet',
        type: 'topup',
        transfers: [{ debit: 'bank_clearing', credit: 'cash', amount: RICH }],
        at: now,
      })),
    );
    const { alias } = await tx.one<{ alias: string }>(sql`
      select alias from plans where on_sale and not is_unlimited order by list_price, id limit 1`);
    return { keys, product: alias };
  });
}
