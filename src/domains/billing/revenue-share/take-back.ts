import { type Cents, toCents, ZERO } from '../../../platform/amounts/cents.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/query/sql.ts';
import { type Movement, post, type Wallet } from '../../money/ledger/ledger.ts';
import { refundedOf } from './candidates.ts';
import { afterRefund } from './formula.ts';
import type { SettledShare } from './shares.ts';
import { addToTotals, settlementOf } from './terms.ts';

interface Settled extends Pick<SettledShare, 'id' | 'orderId' | 'partnerId' | 'amount' | 'settleDebt'> {
  readonly fullAmount: Cents;
  readonly salePrice: Cents;
  readonly refunded: Cents;
}

/**
 * Takes back the shares of orders that have just been refunded, in proportion, in the transaction of the refund. The caller
 * has posted the refund and holds the wallets. A share that is not paid yet needs nothing here: it is calculated again, with
 * this refund, when it is paid. Returns the total taken back.
 */
export async function takeBackShares(
  tx: Tx,
  wallets: ReadonlyMap<number, Wallet>,
  orderIds: readonly bigint[],
  at: Date,
): Promise<Cents> {
  const rows = await tx.query<Settled>(sql`
    select share.id, share.order_id as "orderId", share.partner_id as "partnerId", share.amount,
      share.settle_debt as "settleDebt", coalesce(share.full_amount, share.amount) as "fullAmount",
      orders.sale_price as "salePrice", ${refundedOf(sql`orders.id`)} as refunded
    from revenue_shares share join orders on orders.id = share.order_id
    where share.order_id = any(${orderIds}::bigint[]) and share.status = 'settled' and share.amount > 0
    for update of share`);
  let taken = 0n;
  for (const share of rows) {
    const left = afterRefund(share.fullAmount, share.salePrice, share.refunded);
    const excess = toCents(share.amount - left);
    const wallet = wallets.get(share.partnerId);
    if (!wallet) throw new Error(`wallet ${share.partnerId} is not locked`);
    if (excess <= 0n) continue;
    // What had lowered the debt raises it again; the rest leaves the wallet.
    const fromDebt = toCents((excess * share.settleDebt) / share.amount);
    await post(tx, wallets, movementsOf(share, wallet, fromDebt, toCents(excess - fromDebt), at));
    await writeShare(tx, share, left, toCents(share.settleDebt - fromDebt));
    taken += excess;
  }
  return toCents(taken);
}

function movementsOf(share: Settled, wallet: Wallet, fromDebt: Cents, fromWallet: Cents, at: Date): Movement[] {
  const { partnerId, orderId } = share;
  const line = { partnerId, orderId, note: `share of refunded order ${orderId} taken back`, at } as const;
  const missing = toCents(fromWallet > wallet.cash ? fromWallet - wallet.cash : 0n);
  const owed = { ...line, type: 'adjust', note: `share of refunded order ${orderId}: the wallet was short` } as const;
  const lines: Movement[] = [];
  // A wallet never goes below zero. The missing amount is lent to it and added to the debt.
  if (missing > 0n)
    lines.push(
      { ...owed, book: 'debt', transfers: [{ debit: 'receivable', credit: 'adjustment', amount: missing }] },
      { ...owed, book: 'wallet', transfers: [{ debit: 'adjustment', credit: 'cash', amount: missing }] },
    );
  if (fromDebt > ZERO)
    lines.push({
      ...line,
      book: 'debt',
      type: 'profit_share',
      transfers: [{ debit: 'receivable', credit: 'share_expense', amount: fromDebt }],
    });
  if (fromWallet > ZERO)
    lines.push({
      ...line,
      book: 'wallet',
      type: 'profit_share',
      transfers: [{ debit: 'cash', credit: 'share_expense', amount: fromWallet }],
    });
  return lines;
}

/** The row shows what the partner has kept; the movements show each change. */
async function writeShare(tx: Tx, { id, partnerId, amount }: Settled, left: Cents, settleDebt: Cents): Promise<void> {
  const { channel } = settlementOf(left, settleDebt);
  await tx.run(sql`
    with changed as (
      update revenue_shares set amount = ${left}, settle_debt = ${settleDebt}, settle_wallet = ${left - settleDebt},
        channel = ${channel}
      where partner_id = ${partnerId} and id = ${id} returning channel, unused_mb
    ), moved as (
      select 'paid' as kind, -${amount}::bigint as amount, -unused_mb as unused_mb from changed
      union all
      select case channel when 'none' then 'none' else 'paid' end, ${left}::bigint, unused_mb from changed
    )
    ${addToTotals(partnerId)}`);
}
