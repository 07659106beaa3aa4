import { type Cents, toCents, ZERO } from '../../../platform/amounts/cents.ts';
import { typedSmallIdIn } from '../../../platform/contract/ids.ts';
import { Refused } from '../../../platform/contract/refused.ts';
import type { Queryable, Tx } from '../../../platform/db/database.ts';
import { nothing, type Sql, sql } from '../../../platform/db/query/sql.ts';
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
  limits: Limit[];
  /** What replacements of its eSIMs may cost per month, in each world, before an operator has to decide. */
  replacementBudget: Cents;
  billingOpenedAt: Date | null;
  createdAt: Date;
  deletedAt: Date | null;
}

interface NewPartner {
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
  revenueShare?: string | null;
  /** In both worlds; null: off. */
  balanceAlert?: Cents | null;
  limits?: readonly Limit[];
  replacementBudget?: Cents;
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
  if (change.replacementBudget !== undefined)
    await tx.run(sql`update partners set replacement_budget = ${change.replacementBudget} where id = ${partnerId}`);
  if (change.balanceAlert !== undefined) await setBalanceAlert(tx, partnerId, change.balanceAlert);
}

/** Lets the partner use live. This cannot be undone; to stop an account, suspend or disable it. */
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

export async function requireClosedPartner(db: Queryable, partnerId: number): Promise<void> {
  const { deletedAt } = await findPartner(db, partnerId);
  if (deletedAt === null)
    throw new Refused('partner_open', 'the account is open: close it first, then erase what is stored about it');
}

const select = sql`
  select p.id as "partnerId", p.name, p.email, p.disabled, p.live as "isLive", p.margin_share_pct as "marginSharePct",
    p.revenue_share_pct as "revenueSharePct", w.billing_mode as "billingMode", w.credit_limit as "creditLimit",
    w.status = 2 as suspended, w.opened_at as "billingOpenedAt", w.balance_alert as "balanceAlert", p.limits,
    p.replacement_budget as "replacementBudget", p.created_at as "createdAt", p.deleted_at as "deletedAt"
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

export const partnerStates = ['active', 'suspended', 'disabled', 'closed'] as const;
/** A partner's status, worst last: a closed partner is not shown as disabled. */
export type PartnerState = (typeof partnerStates)[number];

export interface ListedPartner {
  readonly partnerId: number;
  readonly name: string;
  readonly email: string;
  readonly state: PartnerState;
  readonly billingMode: BillingMode;
  readonly creditLimit: Cents;
  readonly cash: Cents;
  readonly promo: Cents;
  readonly outstanding: Cents;
  readonly createdAt: Date;
}

interface PartnerFilter {
  /** An id, a part of the name or the contact address, or the whole address of a member; '': all. */
  readonly text: string;
  readonly state?: PartnerState | undefined;
  readonly billingMode?: BillingMode | undefined;
  readonly before?: number | undefined;
  readonly limit: number;
}

const state = sql`case when p.deleted_at is not null then 'closed' when p.disabled then 'disabled'
  when w.status = 2 then 'suspended' else 'active' end`;

/** Newest first, by id, so a page costs the same however far back it is. Text is looked for in every name on the way there. */
export function searchPartners(db: Queryable, filter: PartnerFilter): Promise<ListedPartner[]> {
  return db.query(sql`
    select p.id as "partnerId", p.name, p.email, ${state} as state, w.billing_mode as "billingMode",
      w.credit_limit as "creditLimit", w.cash, w.promo, w.outstanding, p.created_at as "createdAt"
    from partners p join live.wallets w on w.partner_id = p.id
    where true ${filter.before === undefined ? nothing : sql`and p.id < ${filter.before}`} ${hasText(filter.text)}
      ${filter.state === undefined ? nothing : sql`and ${state} = ${filter.state}`}
      ${filter.billingMode === undefined ? nothing : sql`and w.billing_mode = ${filter.billingMode}`}
    order by p.id desc limit ${filter.limit}`);
}

/** Our own database knows the case of ASCII letters only, so other letters are looked for in both. One spelling for most texts. */
function spellings(text: string): string[] {
  const asLower = (spelled: string) => spelled.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
  return [...new Set([text, text.toLowerCase(), text.toUpperCase()].map(asLower))];
}

function hasText(text: string): Sql {
  if (text === '') return nothing;
  const id = typedSmallIdIn(text);
  if (id !== undefined) return sql`and p.id = ${id}`;
  const isIn = spellings(text).reduce<Sql>(
    (found, spelled) => sql`${found} or strpos(lower(p.name || ' ' || p.email), ${spelled}) > 0`,
    sql`false`,
  );
  if (!text.includes('@')) return sql`and (${isIn})`;
  return sql`and (${isIn} or p.id = any(array(
    select members.partner_id from people join members on members.person_id = people.id
    where lower(people.email) = lower(${text}))))`;
}

interface NamedPartner {
  readonly id: number;
  readonly name: string;
  readonly isClosed: boolean;
}

/** The partner with this id, then partners whose name contains the text: open ones first, matches near the start first. */
export function partnersNamed(db: Queryable, text: string, limit: number): Promise<NamedPartner[]> {
  return db.query(sql`
    select id, name, deleted_at is not null as "isClosed" from partners
    where id::text = ${text} or position(lower(${text}) in lower(name)) > 0 or lower(email) = lower(${text})
    order by id::text <> ${text}, deleted_at is not null, position(lower(${text}) in lower(name)), id limit ${limit}`);
}

/** Open partners whose name or mail address contains the text, or whose id it is, which comes first. */
export function openPartnersMatching(
  db: Queryable,
  text: string,
  limit: number,
): Promise<{ readonly id: number; readonly name: string }[]> {
  const wanted = text.toLowerCase();
  return db.query(sql`
    select id, name from partners
    where deleted_at is null and (strpos(lower(name), ${wanted}) > 0 or strpos(lower(email), ${wanted}) > 0 or id::text = ${wanted})
    order by id::text = ${wanted} desc, id limit ${limit}`);
}

/** The accounts of partners: opened, changed, closed, listed and found. Their keys are in `keys/`, their members in `people/`. */
