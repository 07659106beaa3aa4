import { seedDemoCatalog } from '../domains/catalog/catalog.ts';
import { lockWallets, post } from '../domains/money/ledger/ledger.ts';
import { createPartner } from '../domains/partners/accounts/accounts.ts';
import { createKey } from '../domains/partners/keys/keys.ts';
import { memberAccess, members, operatorAccess, operators } from '../domains/partners/people/people.ts';
import { toCents } from '../platform/amounts/cents.ts';
import { openDatabase, type Tx } from '../platform/db/database.ts';
import { sql } from '../platform/db/query/sql.ts';
import { enterSchema } from '../platform/db/search-path.ts';
import type { Base } from './base.ts';

export type Demo = NonNullable<Awaited<ReturnType<typeof seedDemo>>>;

/** Any fixed number. Two processes that start together on an empty database take turns, and only the first seeds it. */
const DEMO_LOCK = 7_203_912;
const DEMO_CREDIT = toCents(25_000n);

/**
 * Fills an empty database with a catalog, a partner who has a member, a key for each world and some money to try live with, and an
 * operator.
 * Undefined when the database is not empty.
 */
export async function seedDemo({ url, clock, vault, config }: Base) {
  const now = new Date(clock.now());
  // No statement limit: on a busy machine, waiting for the other process or filling the catalog takes longer than any request.
  const db = openDatabase({ url, name: 'demo', searchPath: 'shared', statementTimeoutMs: 0 });
  const seeded = db.tx(async (tx) => {
    await tx.run(sql`select pg_advisory_xact_lock(${DEMO_LOCK})`);
    const { used } = await tx.one<{ used: boolean }>(sql`select exists (select from partners) as used`);
    if (used) return undefined;
    await seedDemoCatalog(tx, vault.sign);
    const wanted = { name: 'Demo Travel', email: 'demo@example.com', billing: 'prepaid' as const };
    const partnerId = await createPartner(tx, wanted, now);
    const { memberId } = await members.create(tx, { partnerId, email: wanted.email, role: 'owner' }, clock.now());
    const link = memberAccess.links.address(
      config.panelUrl,
      await memberAccess.links.create(tx, memberId, clock.now()),
    );
    // A one-time link to the console; undefined if there is an operator already.
    const operatorLink = await firstOperatorLink(tx, config.panelUrl, clock.now());
    const { key: sandboxKey } = await createKey(tx, { partnerId, mode: 'sandbox' }, vault.seal);
    const { key: liveKey } = await createKey(tx, { partnerId, mode: 'live' });
    await enterSchema(tx, 'live');
    await post(tx, await lockWallets(tx, [partnerId]), [
      {
        partnerId,
        book: 'wallet',
        type: 'topup',
        transfers: [{ debit: 'bank_clearing', credit: 'cash', amount: DEMO_CREDIT }],
        note: 'demo credit',
        at: now,
      },
    ]);
    // A plan to buy first.
    const { productId } = await tx.one<{ productId: string }>(sql`
      select alias as "productId" from plans
      where on_sale and refills is null and amount_mb = 1024 order by list_price, id limit 1`);
    return { partnerId, sandboxKey, liveKey, link, operatorLink, productId };
  });
  return seeded.finally(() => db.close());
}

const FIRST_OPERATOR = 'admin@example.com';

/** Somebody may have invited an operator before the first start; then the console has its own. */
async function firstOperatorLink(tx: Tx, panelUrl: URL, now: number): Promise<string | undefined> {
  if ((await operators.list(tx)).length > 0) return undefined;
  const { operatorId } = await operators.create(tx, { email: FIRST_OPERATOR, role: 'admin' }, now);
  return operatorAccess.links.address(panelUrl, await operatorAccess.links.create(tx, operatorId, now));
}
