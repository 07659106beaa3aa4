import { lockWallets, post } from '../../../src/domains/money/ledger/transfers.ts';
import type { LedgerAccount } from '../../../src/domains/money/ledger/wallet.ts';
import { type Cents, parseCents } from '../../../src/platform/amounts/cents.ts';
import { sql } from '../../../src/platform/db/query/sql.ts';
import { eventually } from '../eventually.ts';
import { type Answer, record, type TestApp } from '../program/app.ts';
import { run } from '../program/operator.ts';

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

/** Waits until the running catalog has a plan that was just imported. */
export async function catalogKnows(t: TestApp, alias: string): Promise<void> {
  const key = await t.key(await t.partner());
  await eventually(
    'the catalog knows the plan',
    async () => (await t.get(`/catalog/product/${alias}`, { key })).status === 200,
  );
}

/** A paused subscription to all events, by default in the sandbox: its deliveries stay in the log. */
export async function pausedSubscription(
  t: TestApp,
  partnerId: number,
  events?: string,
  mode = 'sandbox',
): Promise<bigint> {
  const url = 'https://93.184.215.14/hook';
  const chosen = events ? ` --events ${events}` : '';
  const made = await run(t.operator(), `webhook create --partner ${partnerId} --mode ${mode} --url ${url}${chosen}`);
  record('secrets', `${made.secret}\n`);
  await run(t.operator(), `webhook pause ${made.subscription_id}`);
  return made.subscription_id;
}

/** Rows of the live world, for tests that say "nothing changed". */
export async function counts(t: TestApp, world: 'live' | 'sandbox' = 'live'): Promise<Record<string, number>> {
  return t.base.worlds[world].db.one(sql`
    select (select count(*)::int from orders) as orders, (select count(*)::int from movements) as movements,
      (select count(*)::int from transfers) as transfers, (select count(*)::int from webhook_deliveries) as deliveries`);
}
