import type { Cents } from '../../../platform/amounts/cents.ts';
import { HOUR, SECOND } from '../../../platform/clock.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { accountTimeOf } from '../../../platform/db/query/account-time.ts';
import { sql } from '../../../platform/db/query/sql.ts';
import { workOnAll } from '../../../platform/limits/turns.ts';
import type { Services } from '../../../platform/start/services.ts';
import { lockWallets, walletTx } from '../../money/ledger/ledger.ts';
import { orderCancels, orderMarks } from '../orders/orders.ts';
import { type GiveBackParts, giveBack } from './give-back.ts';
import { readRefund } from './rows.ts';
import { type AskForWithdrawal, mayWithdraw, type Withdrawal, withdrawalColumns } from './withdrawal.ts';

/*
 * Orders that were delivered although their cancel was requested: their supplier had them already. Each has a due time from the
 * moment of its delivery (domains/sales/orders/moved.ts). Its supplier is asked to withdraw the eSIM, as for a refund: if it does, the whole
 * price is refunded and the order is cancelled; if it does not, the order stays delivered and the cancel is too late. No refund is
 * recorded before the eSIM is withdrawn, so that a partner whose cancel was too late can still ask for one.
 */

interface HandedBack extends Withdrawal {
  readonly salePrice: Cents;
  readonly mayWithdraw: boolean;
}

interface HandBackParts extends GiveBackParts, Pick<Services, 'db' | 'clock' | 'log'> {
  readonly ask: AskForWithdrawal;
}

const MAX_CLAIM = 64;
const LINE = 'order cancelled';
const [SHORTEST_WAIT_MS, LONGEST_WAIT_MS] = [10 * SECOND, 1 * HOUR];

/** Claims what is due and asks each supplier once more; returns how many. */
export async function handBackDue(parts: HandBackParts, leasedUntil: Date): Promise<number> {
  const { db, clock } = parts;
  const claimed = await db.query<HandedBack>(sql`
    ${orderCancels.claim(new Date(clock.now()), leasedUntil, MAX_CLAIM)}
    returning ${withdrawalColumns}, 1 as attempts, orders.sale_price as "salePrice", ${mayWithdraw} as "mayWithdraw"`);
  return workOnAll(claimed, (order) => handBack(parts, order));
}

async function handBack(parts: HandBackParts, { mayWithdraw, salePrice, ...withdrawal }: HandedBack): Promise<void> {
  const { db, clock, log, ask } = parts;
  const { orderId, supplier, deliveredAt } = withdrawal;
  const answer = mayWithdraw
    ? await ask(withdrawal)
    : ({ outcome: 'refused', reason: 'it cannot be returned' } as const);
  const now = clock.now();
  if (answer.outcome === 'withdrawn')
    return walletTx(db, withdrawal.partnerId, (tx) => finish(tx, parts, withdrawal, salePrice));
  log.info({ orderId: orderId.toString(), supplier, ...answer }, 'a cancelled order was not taken back');
  // Each wait is as long as all before it together.
  const wait = Math.min(Math.max(now - deliveredAt.getTime(), SHORTEST_WAIT_MS), LONGEST_WAIT_MS);
  if (answer.outcome === 'refused') await orderCancels.decide(db, orderId, new Date(now));
  else await orderCancels.putOff(db, orderId, new Date(now + wait));
}

/** The eSIM is withdrawn, so the rest of its price is refunded, whatever was decided about a refund meanwhile. */
async function finish(
  tx: Tx,
  parts: HandBackParts,
  { orderId, partnerId }: Withdrawal,
  salePrice: Cents,
): Promise<void> {
  const wallets = await lockWallets(tx, [partnerId]);
  const [order, refund, at] = await Promise.all([
    orderCancels.isHandedBack(tx, orderId),
    readRefund(tx, orderId),
    accountTimeOf(tx, parts.clock.now(), partnerId),
  ]);
  // Another process has done it meanwhile.
  if (!order?.isDue) return;
  if (refund?.status === 'refunded' && refund.amount >= salePrice) await orderMarks.withdrawn(tx, orderId, at);
  else await giveBack(tx, parts, wallets, { orderId, partnerId, line: LINE, isWithdrawn: true, at });
  await orderCancels.decide(tx, orderId, at);
}
