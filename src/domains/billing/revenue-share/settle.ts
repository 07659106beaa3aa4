import { type Cents, toCents } from '../../../platform/amounts/cents.ts';
import type { Db, Queryable, Tx } from '../../../platform/db/database.ts';
import { nothing, sql } from '../../../platform/db/query/sql.ts';
import { lockWallets, type Movement, post, type Transfer, type Wallet, walletTx } from '../../money/ledger/ledger.ts';
import { shareDue } from '../../sales/orders/orders.ts';
import { type Candidate, refundedOf } from './candidates.ts';
import { afterRefund, type Share } from './formula.ts';
import { addToTotals, reducibleDebt, type Settlement, settlementOf } from './terms.ts';

export interface Accrual {
  readonly sale: Candidate;
  readonly planMb: number;
  readonly usedMb: number;
  /** The share of the whole sale. */
  readonly share: Share;
  /** The part of it that counts after refunds. */
  readonly amount: Cents;
}

/**
 * Writes the `shadow` rows and closes their sales in one statement, so a sale either has its row and is closed, or neither. A
 * sale that already has a share keeps it. Returns how many rows are new.
 */
export async function accrue(db: Queryable, accruals: readonly Accrual[], at: Date): Promise<number> {
  if (accruals.length === 0) return 0;
  const column = <T>(pick: (accrual: Accrual) => T): T[] => accruals.map(pick);
  const { made } = await db.one<{ made: bigint }>(sql`
    with made as (
      insert into revenue_shares (order_id, partner_id, plan_mb, used_mb, unused_mb, unit_cost_micros, unused_cost_micros,
        share_pct, full_amount, amount, capped, created_at)
      select order_id, partner_id, plan_mb, used_mb, unused_mb, unit_cost, unused_cost, share_pct / 100.0, full_amount, amount,
        capped, ${at}
      from unnest(
        ${column(({ sale }) => sale.orderId)}::bigint[], ${column(({ sale }) => sale.partnerId)}::int[],
        ${column(({ planMb }) => planMb)}::int[], ${column(({ usedMb }) => usedMb)}::int[],
        ${column(({ share }) => share.unusedMb)}::int[], ${column(({ share }) => share.unitCost)}::bigint[],
        ${column(({ share }) => share.unusedCost)}::bigint[], ${column(({ sale }) => sale.sharePct)}::bigint[],
        ${column(({ share }) => share.amount)}::bigint[], ${column(({ amount }) => amount)}::bigint[],
        ${column(({ share }) => share.capped)}::boolean[]
      ) as accrual (order_id, partner_id, plan_mb, used_mb, unused_mb, unit_cost, unused_cost, share_pct, full_amount,
        amount, capped)
      order by order_id
      on conflict (order_id) do nothing
      returning partner_id, amount, unused_mb
    ), counted as (
      insert into revenue_share_totals as total (partner_id, kind, amount, unused_mb)
      select partner_id, 'shadow', sum(amount), sum(unused_mb) from made group by partner_id order by partner_id
      on conflict (partner_id, kind) do update
        set amount = total.amount + excluded.amount, unused_mb = total.unused_mb + excluded.unused_mb
    ), closed as (
      ${shareDue.close(column(({ sale }) => sale.orderId))}
    )
    select count(*) as made from made`);
  return Number(made);
}

interface Shadow {
  readonly id: bigint;
  readonly orderId: bigint;
  /** The amount the row has now, which the totals count. */
  readonly shown: Cents;
  /** The amount that is paid: what counts after every refund so far. */
  readonly amount: Cents;
}

const AT_ONCE = 500;

export async function partnersToPay(db: Queryable): Promise<number[]> {
  const rows = await db.query<{ partnerId: number }>(sql`
    select distinct partner_id as "partnerId" from revenue_shares where status = 'shadow' order by partner_id`);
  return rows.map(({ partnerId }) => partnerId);
}

/**
 * Moves the money of one partner's `shadow` rows and marks them `settled` in the same transaction. It holds the wallet, which a
 * refund takes too: so the refunds it sees are all there are, and a later one takes its part back (take-back.ts). A second
 * process that waited for the wallet finds the rows settled. Returns how many it settled.
 */
export async function pay(db: Db, partnerId: number, at: Date): Promise<number> {
  return walletTx(db, partnerId, async (tx) => {
    const wallets = await lockWallets(tx, [partnerId]);
    const wallet = wallets.get(partnerId);
    if (!wallet) throw new Error(`partner ${partnerId} has shares but no wallet`);
    const settled = settlements(wallet, await shadowsOf(tx, partnerId, AT_ONCE, 'for update'));
    await post(
      tx,
      wallets,
      settled.flatMap((share) => movementsOf(partnerId, share, at)),
    );
    await markSettled(tx, partnerId, settled, at);
    return settled.length;
  });
}

/** How each share is paid: they lower the debt one after the other, and what is left goes to the wallet. */
export function settlements<S extends { readonly amount: Cents }>(
  wallet: Pick<Wallet, 'billingMode' | 'outstanding'>,
  shares: readonly S[],
): (S & Settlement)[] {
  let debt = reducibleDebt(wallet.billingMode, wallet.outstanding);
  return shares.map((share) => {
    const settlement = settlementOf(share.amount, debt);
    debt = toCents(debt - settlement.settleDebt);
    return { ...share, ...settlement };
  });
}

/** A partner's shares that are calculated but not paid, each with its amount after every refund so far. */
export async function shadowsOf(
  db: Queryable,
  partnerId: number,
  limit: number,
  lock?: 'for update',
): Promise<Shadow[]> {
  const rows = await db.query<{
    id: bigint;
    orderId: bigint;
    shown: Cents;
    fullAmount: Cents;
    salePrice: Cents;
    refunded: Cents;
  }>(sql`
    select share.id, order_id as "orderId", amount as shown, coalesce(full_amount, amount) as "fullAmount",
      orders.sale_price as "salePrice", ${refundedOf(sql`orders.id`)} as refunded
    from revenue_shares share join orders on orders.id = share.order_id
    where share.partner_id = ${partnerId} and share.status = 'shadow' order by share.id limit ${limit}
    ${lock ? sql`for update of share` : nothing}`);
  return rows.map(({ id, orderId, shown, fullAmount, salePrice, refunded }) => ({
    id,
    orderId,
    shown,
    amount: afterRefund(fullAmount, salePrice, refunded),
  }));
}

function movementsOf(partnerId: number, share: Shadow & Settlement, at: Date): Movement[] {
  const line = { partnerId, orderId: share.orderId, note: `unused data of order ${share.orderId}`, at } as const;
  const toDebt: Transfer = { debit: 'share_expense', credit: 'receivable', amount: share.settleDebt };
  const toWallet: Transfer = { debit: 'share_expense', credit: 'cash', amount: share.settleWallet };
  return [
    ...(share.settleDebt > 0n ? [{ ...line, book: 'debt', type: 'profit_share', transfers: [toDebt] } as const] : []),
    ...(share.settleWallet > 0n
      ? [{ ...line, book: 'wallet', type: 'profit_share', transfers: [toWallet] } as const]
      : []),
  ];
}

async function markSettled(
  tx: Tx,
  partnerId: number,
  settled: readonly (Shadow & Settlement)[],
  at: Date,
): Promise<void> {
  if (settled.length === 0) return;
  await tx.run(sql`
    with done as (
      update revenue_shares set status = 'settled', amount = share.amount, channel = share.channel,
        settle_debt = share.settle_debt, settle_wallet = share.settle_wallet, settled_at = ${at}
      from unnest(
        ${settled.map(({ id }) => id)}::bigint[], ${settled.map(({ channel }) => channel)}::text[],
        ${settled.map(({ settleDebt }) => settleDebt)}::bigint[], ${settled.map(({ settleWallet }) => settleWallet)}::bigint[],
        ${settled.map(({ amount }) => amount)}::bigint[], ${settled.map(({ shown }) => shown)}::bigint[]
      ) as share (id, channel, settle_debt, settle_wallet, amount, shown)
      where revenue_shares.partner_id = ${partnerId} and revenue_shares.id = share.id
      returning revenue_shares.channel, revenue_shares.amount, share.shown, revenue_shares.unused_mb
    ), moved as (
      select case channel when 'none' then 'none' else 'paid' end as kind, amount, unused_mb from done
      union all select 'shadow', -shown, -unused_mb from done
    )
    ${addToTotals(partnerId)}`);
}
