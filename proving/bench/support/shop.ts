import { seedDemoCatalog } from '../../../src/domains/catalog/catalog.ts';
import { lockWallets, post } from '../../../src/domains/money/ledger/transfers.ts';
import { createPartner } from '../../../src/domains/partners/accounts/accounts.ts';
import { createKey, setKey } from '../../../src/domains/partners/keys/keys.ts';
import { toCents } from '../../../src/platform/amounts/cents.ts';
import { systemClock } from '../../../src/platform/clock.ts';
import { sql } from '../../../src/platform/db/query/sql.ts';
import { enterSchema } from '../../../src/platform/db/search-path.ts';
import { createLog } from '../../../src/platform/log.ts';
import { readConfig } from '../../../src/platform/settings/config.ts';
import { openBase } from '../../../src/worlds/base.ts';

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
    await enterSchema(tx, 'live');
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
