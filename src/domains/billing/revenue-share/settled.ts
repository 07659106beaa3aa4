import type { Cents } from '../../../platform/amounts/cents.ts';
import type { Queryable } from '../../../platform/db/database.ts';
import { nothing, sql } from '../../../platform/db/query/sql.ts';
import { bound } from '../../../platform/db/replicas.ts';
import { readTerms } from './terms.ts';

export interface SettledShare {
  readonly id: bigint;
  readonly partnerId: number;
  readonly partnerName: string;
  readonly orderId: bigint;
  readonly unusedMb: number;
  readonly sharePct: string;
  readonly amount: Cents;
  readonly settleDebt: Cents;
  readonly settleWallet: Cents;
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

export type SharesLook = ReturnType<typeof lookAtShares>;

export const lookAtShares = (db: Queryable) =>
  bound(db, { terms: readTerms, totals: shareTotals, settled: settledShares });
