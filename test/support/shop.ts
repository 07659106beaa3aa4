import { sql } from '../../src/db/sql.ts';
import { type LedgerAccount, lockWallets, post } from '../../src/money/ledger.ts';
import { type Cents, parseCents } from '../../src/money/money.ts';
import type { Answer, TestApp } from './app.ts';

/** Puts money in the live wallet: `cash` as a bank transfer, `promo` as a gift. */
export async function credit(
  t: TestApp,
  partnerId: number,
  usd: string,
  account: 'cash' | 'promo' = 'cash',
): Promise<void> {
  const from: LedgerAccount = account === 'cash' ? 'bank_clearing' : 'promo_expense';
  const transfers = [{ debit: from, credit: account, amount: parseCents(usd) as Cents }];
  const type = account === 'cash' ? 'topup' : 'promo';
  await t.base.worlds.live.db.tx(async (tx) =>
    post(tx, await lockWallets(tx, [partnerId]), [
      { partnerId, book: 'wallet', type, transfers, at: new Date(t.clock.now()) },
    ]),
  );
}

export function buy(t: TestApp, key: string, product_id: string, more: Record<string, string> = {}): Promise<Answer> {
  return t.post('/purchase/buy', { product_id, ...more }, { key });
}

/** Rows of the live world, for tests that say "nothing changed". */
export async function counts(t: TestApp, world: 'live' | 'sandbox' = 'live'): Promise<Record<string, number>> {
  return t.base.worlds[world].db.one(sql`
    select (select count(*)::int from orders) as orders, (select count(*)::int from movements) as movements,
      (select count(*)::int from transfers) as transfers, (select count(*)::int from webhook_deliveries) as deliveries`);
}
