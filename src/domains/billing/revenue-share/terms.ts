import { type Cents, toCents, ZERO } from '../../../platform/amounts/cents.ts';
import type { Queryable, Tx } from '../../../platform/db/database.ts';
import { type Sql, sql } from '../../../platform/db/query/sql.ts';
import { readPricingSettings } from '../../catalog/prices/prices.ts';

const GRACE = 'settlement_grace_days';
const DEFAULT_GRACE_DAYS = 3;

export type ShareTerms = Awaited<ReturnType<typeof readTerms>>;

/** `graceDays`: days after the expiry before a share may be settled. */
export async function readTerms(db: Queryable) {
  const { cap } = await readPricingSettings(db);
  const stored = await db.maybe<{ days: number }>(sql`select value::int as days from settings where name = ${GRACE}`);
  return { graceDays: stored?.days ?? DEFAULT_GRACE_DAYS, totalShareCapPct: cap };
}

export async function writeGraceDays(tx: Tx, days: number): Promise<void> {
  await tx.run(sql`
    insert into settings (name, value) values (${GRACE}, to_jsonb(${days}::int))
    on conflict (name) do update set value = excluded.value`);
}

export type Channel = 'wallet' | 'debt' | 'split' | 'none';

/** The debt a share can reduce: what a postpaid account owes now, nothing for a prepaid one. */
export function reducibleDebt(billingMode: 'prepaid' | 'postpaid', outstanding: Cents): Cents {
  return billingMode === 'postpaid' && outstanding > 0n ? outstanding : ZERO;
}

export type Settlement = ReturnType<typeof settlementOf>;

/** Debt first, the rest to the wallet. A share is never paid out. */
export function settlementOf(amount: Cents, debt: Cents) {
  const settleDebt = debt < amount ? debt : amount;
  const settleWallet = toCents(amount - settleDebt);
  return { channel: channelOf(settleDebt, settleWallet), settleDebt, settleWallet };
}

function channelOf(settleDebt: Cents, settleWallet: Cents): Channel {
  if (settleDebt === 0n && settleWallet === 0n) return 'none';
  if (settleDebt === 0n) return 'wallet';
  return settleWallet === 0n ? 'debt' : 'split';
}

/** Adds rows of `moved` (kind, amount, unused_mb) to the totals of a partner, as the end of a statement. */
export const addToTotals = (partnerId: number): Sql => sql`
  insert into revenue_share_totals as total (partner_id, kind, amount, unused_mb)
  select ${partnerId}::int, kind, sum(amount), sum(unused_mb) from moved group by kind order by kind
  on conflict (partner_id, kind) do update
    set amount = total.amount + excluded.amount, unused_mb = total.unused_mb + excluded.unused_mb`;
