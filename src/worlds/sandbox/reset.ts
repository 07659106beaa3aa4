import { forgetTopups } from '../../domains/billing/topups/topups.ts';
import { forgetSales } from '../../domains/insight/rollups/rollups.ts';
import { forgetOrderDeliveries } from '../../domains/messages/webhooks/webhooks.ts';
import { forgetMovements, lockWallets, post, walletTx } from '../../domains/money/ledger/ledger.ts';
import { SANDBOX_OPENING } from '../../domains/partners/accounts/accounts.ts';
import { forgetOrders } from '../../domains/sales/orders/orders.ts';
import { forgetReachedLimits } from '../../domains/sales/purchase/purchase.ts';
import { forgetRefunds } from '../../domains/sales/refunds/refunds.ts';
import { forgetEsimEvents, forgetReadings } from '../../domains/sales/usage/usage.ts';
import { forgetSupplierCalls } from '../../domains/supply/calls/calls.ts';
import { type Cents, ZERO } from '../../platform/amounts/cents.ts';
import type { Db } from '../../platform/db/database.ts';
import { sql } from '../../platform/db/query/sql.ts';

export interface Reset {
  readonly deletedOrders: number;
  readonly balance: Cents;
}

/**
 * Resets the account's sandbox to its first state: no orders, none of their deliveries, no top-ups, no movements of play money.
 * One transaction under the wallet's lock, which everything that moves its money takes first. This connection cannot touch live tables.
 */
export function resetAccount(db: Db, partnerId: number, at: Date): Promise<Reset> {
  return walletTx(db, partnerId, async (tx) => {
    // A hundred thousand orders take seconds.
    await tx.run(sql`set local statement_timeout = '60s'`);
    const wallets = await lockWallets(tx, [partnerId]);
    const wallet = wallets.get(partnerId);
    if (!wallet) throw new Error(`partner ${partnerId} has no wallet`);
    await forgetTopups(tx, partnerId);
    await forgetReadings(tx, partnerId);
    await forgetEsimEvents(tx, partnerId);
    await forgetSupplierCalls(tx, partnerId);
    await forgetReachedLimits(tx, partnerId);
    await forgetRefunds(tx, partnerId);
    const deletedOrders = await forgetOrders(tx, partnerId);
    // After the orders: an order that was being delivered meanwhile has recorded its events by now.
    await forgetOrderDeliveries(tx, partnerId);
    await forgetMovements(tx, partnerId);
    await forgetSales(tx, partnerId);
    Object.assign(wallet, { cash: ZERO, promo: ZERO, outstanding: ZERO, walletLines: 0n, debtLines: 0n });
    await post(tx, wallets, [
      {
        partnerId,
        book: 'wallet',
        type: 'adjust',
        transfers: [{ debit: 'play_money', credit: 'cash', amount: SANDBOX_OPENING }],
        note: 'sandbox opening balance',
        at,
      },
    ]);
    return { deletedOrders, balance: SANDBOX_OPENING };
  });
}
