import { type Cents, toCents, ZERO } from '../../../platform/amounts/cents.ts';
import { Refused } from '../../../platform/contract/refused.ts';
import type { Queryable, Tx } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/query/sql.ts';
import { enterSchema } from '../../../platform/db/search-path.ts';
import { lockWallets, openWallets, post, setBalanceAlert, setWalletTerms } from '../../money/ledger/ledger.ts';
import { type Limit, limitsIn, type StoredLimits, storedLimits } from '../limits/limits.ts';

export type BillingMode = 'prepaid' | 'postpaid';

/** What a sandbox account starts with, and returns to at a reset. */
export const SANDBOX_OPENING: Cents = toCents(100_000n);

export interface Partner {
  partnerId: number;
  name: string;
  email: string;
  disabled: boolean;
  /** Whether it may use live: an operator opened the account, or approved it. */
  isLive: boolean;
  marginSharePct: string | null;
  revenueSharePct: string | null;
  billingMode: BillingMode;
  creditLimit: Cents;
  suspended: boolean;
  /** The partner is notified when what it can spend falls below this; null: never. */
  balanceAlert: Cents | null;
  /** What it may spend, in each world. */
  limits: Limit[];
  billingOpenedAt: Date | null;
  createdAt: Date;
  deletedAt: Date | null;
}

export interface NewPartner {
  name: string;
  email: string;
  /** Opens a billing account; without one the statement answers 404. */
  billing?: BillingMode | undefined;
  creditLimit?: Cents | undefined;
  /** False: it has the sandbox only, until `openLive`. */
  isLive?: boolean;
}

/** Creates the account with a wallet in each world; the sandbox wallet starts with play money. */
export async function createPartner(tx: Tx, wanted: NewPartner, now: Date): Promise<number> {
  const { id } = await tx.one<{ id: number }>(sql`
    insert into partners (name, email, created_at, live)
    values (${wanted.name}, ${wanted.email}, ${now}, ${wanted.isLive ?? true}) returning id`);
  await openWallets(tx, id, {
    billingMode: wanted.billing ?? 'prepaid',
    creditLimit: wanted.creditLimit ?? ZERO,
    openedAt: wanted.billing ? now : null,
  });
  await enterSchema(tx, 'sandbox');
  await post(tx, await lockWallets(tx, [id]), [
    {
      partnerId: id,
      book: 'wallet',
      type: 'adjust',
      transfers: [{ debit: 'play_money', credit: 'cash', amount: SANDBOX_OPENING }],
      note: 'sandbox opening balance',
      at: now,
    },
  ]);
  await enterSchema(tx, 'shared');
  return id;
}

interface PartnerChange {
  name?: string;
  billing?: BillingMode;
  creditLimit?: Cents;
  suspended?: boolean;
  disabled?: boolean;
  /** Percent with two decimals; null: the tiers decide. */
  marginShare?: string | null;
  /** Null: off. */
  revenueShare?: string | null;
  /** In both worlds; null: off. */
  balanceAlert?: Cents | null;
  limits?: readonly Limit[];
}

/** A caller that disables a partner also ends the sessions of its members. */
export async function setPartner(tx: Tx, partnerId: number, change: PartnerChange, now: Date): Promise<void> {
  // Locked while unchanged columns are read and written back, so that two changes at once do not undo each other.
  await requireOpenPartner(tx, partnerId);
  const partner = await findPartner(tx, partnerId);
  if (change.name !== undefined) await tx.run(sql`update partners set name = ${change.name} where id = ${partnerId}`);
  if (change.disabled !== undefined || change.marginShare !== undefined || change.revenueShare !== undefined) {
    await tx.run(sql`
      update partners set
        disabled = ${change.disabled ?? partner.disabled},
        margin_share_pct = ${change.marginShare === undefined ? partner.marginSharePct : change.marginShare},
        revenue_share_pct = ${change.revenueShare === undefined ? partner.revenueSharePct : change.revenueShare}
      where id = ${partnerId}`);
  }
  if (change.billing !== undefined || change.creditLimit !== undefined || change.suspended !== undefined) {
    await setWalletTerms(tx, partnerId, {
      billingMode: change.billing ?? partner.billingMode,
      creditLimit: change.creditLimit ?? partner.creditLimit,
      suspended: change.suspended ?? partner.suspended,
      openedAt: change.billing || change.creditLimit !== undefined ? now : null,
    });
  }
  if (change.limits !== undefined)
    await tx.run(sql`update partners set limits = ${storedLimits(change.limits)} where id = ${partnerId}`);
  if (change.balanceAlert !== undefined) await setBalanceAlert(tx, partnerId, change.balanceAlert);
}

/** Lets the partner use live. There is no way back: an account that must stop is suspended or disabled. */
export async function openLive(tx: Tx, partnerId: number): Promise<void> {
  await requireOpenPartner(tx, partnerId);
  await tx.run(sql`update partners set live = true where id = ${partnerId}`);
}

/**
 * Closes the account: its keys answer `partner_not_found`; orders and money stay on record. Its members are removed by the caller.
 */
export async function deletePartner(tx: Tx, partnerId: number, now: Date): Promise<void> {
  await requireOpenPartner(tx, partnerId);
  await tx.run(sql`update partners set deleted_at = ${now} where id = ${partnerId}`);
}

const select = sql`
  select p.id as "partnerId", p.name, p.email, p.disabled, p.live as "isLive", p.margin_share_pct as "marginSharePct",
    p.revenue_share_pct as "revenueSharePct", w.billing_mode as "billingMode", w.credit_limit as "creditLimit",
    w.status = 2 as suspended, w.opened_at as "billingOpenedAt", w.balance_alert as "balanceAlert", p.limits, p.created_at as "createdAt", p.deleted_at as "deletedAt"
  from partners p join live.wallets w on w.partner_id = p.id`;

export async function findPartner(db: Queryable, partnerId: number): Promise<Partner> {
  const partner = await db.maybe<PartnerRow>(sql`${select} where p.id = ${partnerId}`);
  if (!partner) throw new Refused('partner_not_found');
  return partnerOf(partner);
}

type PartnerRow = Omit<Partner, 'limits'> & { limits: StoredLimits };
const partnerOf = (row: PartnerRow): Partner => ({ ...row, limits: limitsIn(row.limits) });

export async function listPartners(db: Queryable): Promise<Partner[]> {
  const rows = await db.query<PartnerRow>(sql`${select} where p.deleted_at is null order by p.id`);
  return rows.map(partnerOf);
}

/** Names for a list of things that belong to partners, closed ones included. */
export async function partnerNames(db: Queryable, partnerIds: readonly number[]): Promise<Map<number, string>> {
  const rows = await db.query<{ id: number; name: string }>(sql`
    select id, name from partners where id = any(${[...new Set(partnerIds)]}::int[])`);
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/**
 * Refuses a change to a closed account. In a transaction the row stays locked, so the account is not closed while the change is
 * made, and two changes that both need it go one after the other. Call it before locking anything else of the partner's.
 */
export async function requireOpenPartner(db: Queryable, partnerId: number): Promise<void> {
  const partner = await db.maybe<{ isClosed: boolean }>(sql`
    select deleted_at is not null as "isClosed" from shared.partners where id = ${partnerId} for no key update`);
  if (!partner) throw new Refused('partner_not_found');
  if (partner.isClosed) throw new Refused('partner_closed', `partner ${partnerId} is closed`);
}
