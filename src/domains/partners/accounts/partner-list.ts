import type { Cents } from '../../../platform/amounts/cents.ts';
import { typedSmallIdIn } from '../../../platform/contract/ids.ts';
import type { Queryable } from '../../../platform/db/database.ts';
import { nothing, type Sql, sql } from '../../../platform/db/query/sql.ts';
import type { BillingMode } from './partner.ts';

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
  /** Continues after this id. */
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
