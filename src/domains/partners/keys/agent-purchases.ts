import { type Cents, formatCents, parseCents, toCents, ZERO } from '../../../platform/amounts/cents.ts';
import { MINUTE } from '../../../platform/clock.ts';
import type { Db, Queryable, Tx } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/query/sql.ts';

/** How often the sum begins at zero again: with the day or the month in UTC, or never. */
export const spendingPeriods = ['day', 'month', 'total'] as const;
export type SpendingPeriod = (typeof spendingPeriods)[number];

/** What agents may spend with a key. */
export interface SpendingLimit {
  readonly amount: Cents;
  readonly period: SpendingPeriod;
}

/** Reads `50/day`, `200/month` or `50`; undefined: it is none of these. */
export function readSpendingLimit(text: string): SpendingLimit | undefined {
  const [amount = '', named = 'total', ...more] = text.split('/');
  const cents = parseCents(amount);
  const period = spendingPeriods.find((known) => known === named);
  return cents === undefined || cents <= 0n || !period || more.length > 0 ? undefined : { amount: cents, period };
}

/** As `readSpendingLimit` reads it; '' for a key without one. */
export function spendingLimitText(key: {
  readonly spendingLimit: Cents | null;
  readonly spendingPeriod: SpendingPeriod | null;
}): string {
  const { spendingLimit, spendingPeriod } = key;
  if (spendingLimit === null) return '';
  return spendingPeriod === 'total' ? formatCents(spendingLimit) : `${formatCents(spendingLimit)}/${spendingPeriod}`;
}

export interface AgentPurchase {
  /** The idempotency key it is bought with. */
  readonly id: string;
  readonly keyId: number;
  readonly price: Cents;
  readonly at: Date;
  /** Until then it may be bought. Afterwards one that was charged can still be looked up. */
  readonly expiresAt: Date;
}

export type Reserved =
  /** `isNew`: it was never tried before, so if it is refused now nothing was charged. */
  | { readonly outcome: 'reserved'; readonly isNew: boolean }
  /** It was charged before; only its outcome has to be read. */
  | { readonly outcome: 'charged' }
  | { readonly outcome: 'expired' }
  /** Another call is buying it right now. */
  | { readonly outcome: 'in_progress' }
  | { readonly outcome: 'no_limit' }
  | { readonly outcome: 'over_limit'; readonly limit: SpendingLimit; readonly spent: Cents };

/** How the purchase ended. `unknown`: it may have been charged, so it keeps counting. */
export type Ended = 'charged' | 'not_charged' | 'unknown';

/** Longer than any purchase takes. After a crash it can be confirmed again once this has passed. */
const CLAIM_MS = 2 * MINUTE;

/**
 * Counts a purchase towards its key's limit before it is charged. The key's row is locked first, so purchases of one key are
 * counted one after the other and cannot exceed the limit together. One that was counted before is not counted twice.
 */
export function reservePurchase(db: Db, purchase: AgentPurchase): Promise<Reserved> {
  return db.tx(async (tx) => {
    const limit = await lockLimit(tx, purchase.keyId);
    const known = await tx.maybe<{ isSettled: boolean; claimedUntil: Date | null }>(sql`
      select is_settled as "isSettled", claimed_until as "claimedUntil" from agent_purchases
      where id = ${purchase.id} and key_id = ${purchase.keyId}`);
    if (known?.isSettled) return { outcome: 'charged' };
    if (purchase.at >= purchase.expiresAt) return { outcome: 'expired' };
    if (!limit) return { outcome: 'no_limit' };
    if (known) return claim(tx, purchase, known.claimedUntil);
    const spent = await spentBy(tx, purchase.keyId, limit.period, purchase.at);
    if (spent + purchase.price > limit.amount) return { outcome: 'over_limit', limit, spent };
    await tx.run(sql`
      insert into agent_purchases (id, key_id, cents, made_at, claimed_until)
      values (${purchase.id}, ${purchase.keyId}, ${purchase.price}, ${purchase.at}, ${claimEnd(purchase.at)})`);
    return { outcome: 'reserved', isNew: true };
  });
}

async function claim(tx: Tx, { id, at }: AgentPurchase, claimedUntil: Date | null): Promise<Reserved> {
  if (claimedUntil && claimedUntil > at) return { outcome: 'in_progress' };
  await tx.run(sql`update agent_purchases set claimed_until = ${claimEnd(at)} where id = ${id}`);
  return { outcome: 'reserved', isNew: false };
}

const claimEnd = (at: Date): Date => new Date(at.getTime() + CLAIM_MS);

/** A purchase that was not charged no longer counts, unless an earlier attempt charged it. */
export async function endPurchase(db: Queryable, id: string, ended: Ended): Promise<void> {
  if (ended === 'not_charged') await db.run(sql`delete from agent_purchases where id = ${id} and not is_settled`);
  else
    await db.run(sql`
      update agent_purchases set claimed_until = null, is_settled = is_settled or ${ended === 'charged'} where id = ${id}`);
}

/**
 * Purchases whose end is not known, because the process was killed, and which can no longer be bought: they had `lifeMs` for that.
 */
export async function unendedPurchases(db: Queryable, keyId: number, now: Date, lifeMs: number): Promise<string[]> {
  const before = new Date(now.getTime() - lifeMs - CLAIM_MS);
  const rows = await db.query<{ id: string }>(sql`
    select id from agent_purchases where key_id = ${keyId} and not is_settled and made_at < ${before}`);
  return rows.map(({ id }) => id);
}

/** What agents have spent with a key in the current period of its limit. */
export async function spentBy(db: Queryable, keyId: number, period: SpendingPeriod, at: Date): Promise<Cents> {
  const { spent } = await db.one<{ spent: bigint | null }>(sql`
    select sum(cents)::bigint as spent from agent_purchases where key_id = ${keyId} and made_at >= ${periodStart(period, at)}`);
  return spent === null ? ZERO : toCents(spent);
}

function periodStart(period: SpendingPeriod, at: Date): Date {
  const [year, month] = [at.getUTCFullYear(), at.getUTCMonth()];
  if (period === 'total') return new Date(0);
  return new Date(Date.UTC(year, month, period === 'day' ? at.getUTCDate() : 1));
}

async function lockLimit(tx: Tx, keyId: number): Promise<SpendingLimit | undefined> {
  const row = await tx.maybe<{ amount: Cents | null; period: SpendingPeriod }>(sql`
    select spending_limit as amount, spending_period as period from api_keys
    where id = ${keyId} and revoked_at is null for no key update`);
  return row?.amount == null ? undefined : { amount: row.amount, period: row.period };
}
