import { type Cents, ZERO } from '../../../platform/amounts/cents.ts';
import type { Queryable } from '../../../platform/db/database.ts';
import { nothing, type Sql, sql } from '../../../platform/db/query/sql.ts';
import type { Page, Walks } from '../../../platform/db/query/walk.ts';
import { bound } from '../../../platform/db/replicas.ts';
import type { Share } from './formula.ts';
import { type Channel, readTerms } from './terms.ts';

/** `none` selects the settled rows whose share rounded to zero. */
export const shareFilters = ['shadow', 'settled', 'none'] as const;
type ShareFilter = (typeof shareFilters)[number];

export interface ShareRow extends Share {
  readonly id: bigint;
  readonly orderId: bigint;
  readonly iccid: string;
  readonly productTitle: string;
  readonly planMb: number;
  readonly usedMb: number;
  readonly sharePct: string;
  readonly status: 'shadow' | 'settled';
  readonly channel: Channel | '';
  readonly settleDebt: Cents;
  readonly settleWallet: Cents;
  readonly createdAt: Date;
  readonly settledAt: Date | null;
}

interface Shares {
  readonly enabled: boolean;
  readonly rows: readonly ShareRow[];
  /** Of everything the filter selects, whatever the page. */
  readonly totalShare: Cents;
  readonly totalUnusedMb: bigint;
  /** Set: the page asked for lies too far back, and this one is shown instead. */
  readonly reached: number | undefined;
}

const filtered: Record<ShareFilter, { rows: Sql; kinds: readonly string[] }> = {
  shadow: { rows: sql`and status = 'shadow'`, kinds: ['shadow'] },
  settled: { rows: sql`and status = 'settled'`, kinds: ['paid', 'none'] },
  none: { rows: sql`and channel = 'none'`, kinds: ['none'] },
};
const unfiltered = { rows: nothing, kinds: ['shadow', 'paid', 'none'] };

const shareColumns = sql`share.id, share.order_id as "orderId",
      orders.iccid, orders.product_title as "productTitle", share.plan_mb as "planMb", share.used_mb as "usedMb",
      share.unused_mb as "unusedMb", share.unit_cost_micros as "unitCost", share.unused_cost_micros as "unusedCost",
      share.share_pct as "sharePct", share.amount, share.capped, share.status, share.channel,
      share.settle_debt as "settleDebt", share.settle_wallet as "settleWallet", share.created_at as "createdAt",
      share.settled_at as "settledAt"`;

/** What a partner reads of its shares. */
export type ShareBook = ReturnType<typeof shareBook>;

export const shareBook = (db: Queryable, walks: Walks) => ({
  shares: (partnerId: number, page: Page, filter?: ShareFilter) => sharesOf(db, walks, partnerId, page, filter),
  /** The next ones, oldest first, whatever their date. Empty at the end, and while the share is switched off. */
  sharesAfter: (partnerId: number, id: bigint, limit: number): Promise<readonly ShareRow[]> =>
    db.query(sql`
      select ${shareColumns}
      from revenue_shares share join orders on orders.id = share.order_id
      where share.partner_id = ${partnerId} and share.id > ${id}
        and exists (select from partners where id = ${partnerId} and revenue_share_pct is not null)
      order by share.id limit ${limit}`),
});

/** One page, newest first. If the share is switched off, the answer says so and is empty. */
async function sharesOf(
  db: Queryable,
  walks: Walks,
  partnerId: number,
  page: Page,
  filter?: ShareFilter,
): Promise<Shares> {
  const { rows: condition, kinds } = filter ? filtered[filter] : unfiltered;
  const idsAfter = (after: bigint | undefined) => sql`
    select id from revenue_shares where partner_id = ${partnerId} ${condition}
      ${after === undefined ? nothing : sql`and id < ${after}`} order by id desc`;
  const place = await walks.to<bigint>(
    partnerId,
    page,
    async (after, rows) => (await db.maybe<{ id: bigint }>(sql`${idsAfter(after)} limit 1 offset ${rows - 1}`))?.id,
  );
  const rows = await db.query<Shares & ShareRow & { id: bigint | null }>(sql`
    select total.share as "totalShare", total.unused_mb as "totalUnusedMb", ${shareColumns}
    from partners
    cross join lateral (
      select coalesce(sum(amount), 0)::bigint as share, coalesce(sum(unused_mb), 0)::bigint as unused_mb
      from revenue_share_totals where partner_id = ${partnerId} and kind = any(${kinds})
    ) total
    left join revenue_shares share on share.partner_id = ${partnerId} and share.id = any(array(
      ${idsAfter(place.after)} limit ${place.limit} offset ${place.offset}))
    left join orders on orders.id = share.order_id
    where partners.id = ${partnerId} and partners.revenue_share_pct is not null
    order by share.id desc`);
  const [head] = rows;
  return {
    enabled: head !== undefined,
    rows: rows.filter((row) => row.id !== null),
    totalShare: head?.totalShare ?? ZERO,
    totalUnusedMb: head?.totalUnusedMb ?? 0n,
    reached: place.reached,
  };
}

export interface SettledShare
  extends Pick<ShareRow, 'id' | 'orderId' | 'unusedMb' | 'sharePct' | 'amount' | 'settleDebt' | 'settleWallet'> {
  readonly partnerId: number;
  readonly partnerName: string;
  readonly settledAt: Date;
}

interface Wanted {
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
  /** Goes on after this one, towards the past. */
  readonly before?: { readonly settledAt: Date; readonly id: bigint } | undefined;
  readonly limit: number;
}

/** Newest first. What a partner has kept: a refund after the settlement has taken its part off. */
export function settledShares(db: Queryable, { from, to, before, limit }: Wanted): Promise<SettledShare[]> {
  return db.query(sql`
    select share.id, partner_id as "partnerId", partners.name as "partnerName", order_id as "orderId", unused_mb as "unusedMb",
      share_pct as "sharePct", amount, settle_debt as "settleDebt", settle_wallet as "settleWallet", settled_at as "settledAt"
    from revenue_shares share join partners on partners.id = partner_id
    where status = 'settled'
      ${from ? sql`and settled_at >= ${from}` : nothing} ${to ? sql`and settled_at < ${to}` : nothing}
      ${before ? sql`and (settled_at, share.id) < (${before.settledAt}, ${before.id})` : nothing}
    order by settled_at desc, share.id desc limit ${limit}`);
}

/** All shares together: what was paid, and what is calculated and waits. */
const shareTotals = (db: Queryable): Promise<{ readonly paid: Cents; readonly waiting: Cents }> =>
  db.one(sql`
    select coalesce(sum(amount) filter (where kind = 'paid'), 0)::bigint as paid,
      coalesce(sum(amount) filter (where kind = 'shadow'), 0)::bigint as waiting
    from revenue_share_totals`);

export const shareReads = (db: Queryable) =>
  bound(db, { terms: readTerms, totals: shareTotals, settled: settledShares });
