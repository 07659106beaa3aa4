import { createHash } from 'node:crypto';
import { type Cents, toCents } from '../../../platform/amounts/cents.ts';
import { type BasisPoints, parsePercent } from '../../../platform/amounts/percent.ts';
import type { Queryable } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/query/sql.ts';
import type { RuleScope, RuleSet } from './rules.ts';

/** Rules by target, their number, and a hash that is equal for equal rules. */
export interface ReadRules {
  readonly rules: RuleSet;
  readonly count: number;
  readonly hash: string;
  /** As they were read: `toRules` makes them again. */
  readonly json: string;
}

/** One rule in the aggregated JSON. It has either a share or a price. */
type RuleRow = readonly [scope: RuleScope, target: string, sharePct: string | null, priceCents: string | null];

const asJson = sql`coalesce(json_agg(json_build_array(scope, target, share_pct::text, price::text)
  order by scope, target), '[]')::text`;

export async function readGeneralRules(db: Queryable): Promise<ReadRules> {
  const { rules } = await db.one<{ rules: string }>(
    sql`select ${asJson} as rules from pricing_rules where partner_id is null`,
  );
  return toRules(rules);
}

/** What decides one partner's prices: its own rules, its custom share, and its top-ups in the window. */
export interface PartnerRow {
  readonly own: ReadRules;
  readonly custom: BasisPoints | undefined;
  /** Without what went back to the card holder. */
  readonly toppedUp: Cents;
  /** The oldest of these top-ups, the first to leave the window. */
  readonly oldest: Date | null;
}

interface StoredPartner {
  readonly partnerId: number;
  readonly name: string;
  readonly custom: string | null;
  readonly total: bigint;
  readonly oldest: Date | null;
  readonly rules: string;
}

/**
 * What was returned of a card payment no longer counts, whether or not the wallet had enough to take it back from. It counts against
 * its own top-up: once that has left the window, its return has, too.
 */
const partnersSince = (since: Date) => sql`
  select partners.id as "partnerId", partners.name, partners.margin_share_pct as custom,
    greatest(credited.total - returned.total, 0) as total, credited.oldest, own.rules
  from partners,
    lateral (select coalesce(sum(amount), 0)::bigint as total, min(at) as oldest from live.movements
      where partner_id = partners.id and book = 'wallet' and type = 'topup' and at > ${since}) as credited,
    lateral (select coalesce(sum(least(refunded + disputed, amount)), 0)::bigint as total from live.topups
      where partner_id = partners.id and refunded + disputed > 0 and closed_at > ${since}
        and status = 'succeeded' and mismatch is null) as returned,
    lateral (select ${asJson} as rules from pricing_rules where partner_id = partners.id) as own`;

const partnerRow = ({ rules, custom, total, oldest }: StoredPartner): PartnerRow => ({
  own: toRules(rules),
  custom: custom === null ? undefined : parsePercent(custom),
  toppedUp: toCents(total),
  oldest,
});

export async function readPartner(db: Queryable, partnerId: number, since: Date): Promise<PartnerRow> {
  return partnerRow(await db.one<StoredPartner>(sql`${partnersSince(since)} where partners.id = ${partnerId}`));
}

export interface NamedPartnerRow extends PartnerRow {
  readonly partnerId: number;
  readonly name: string;
}

/** Open partners by id, a page of them after `afterId`. */
export async function readPartners(
  db: Queryable,
  since: Date,
  { afterId, limit }: { readonly afterId: number; readonly limit: number },
): Promise<NamedPartnerRow[]> {
  const rows = await db.query<StoredPartner>(sql`
    ${partnersSince(since)} where partners.deleted_at is null and partners.id > ${afterId}
    order by partners.id limit ${limit}`);
  return rows.map((row) => ({ partnerId: row.partnerId, name: row.name, ...partnerRow(row) }));
}

/** The same rules with one more, in place of the one for its target; `value` undefined: without that one. */
export function withRule(
  { json }: ReadRules,
  [scope, target]: readonly [RuleScope, string],
  value: { readonly sharePct: string | null; readonly priceCents: string | null } | undefined,
): ReadRules {
  const others = (JSON.parse(json) as RuleRow[]).filter((row) => row[0] !== scope || row[1] !== target);
  const rows = value ? [...others, [scope, target, value.sharePct, value.priceCents]] : others;
  return toRules(JSON.stringify(rows));
}

export function toRules(json: string): ReadRules {
  const rows = JSON.parse(json) as RuleRow[];
  const product = new Map<string, Cents>();
  const shares = { provider: new Map(), country: new Map(), region: new Map() } as Record<
    Exclude<RuleScope, 'product'>,
    Map<string, BasisPoints>
  >;
  for (const [scope, target, sharePct, priceCents] of rows) {
    if (scope === 'product') product.set(target, toCents(BigInt(priceCents ?? 0)));
    else shares[scope].set(target, parsePercent(sharePct ?? '') as BasisPoints);
  }
  const hash = createHash('sha256').update(json).digest('base64url').slice(0, 12);
  return { rules: { product, ...shares }, count: rows.length, hash, json };
}
