import type { Db, Tx } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { forgetFigures } from '../../insight/insight.ts';
import { type Cents, lockWallets, post, ZERO } from '../../money/money.ts';
import { SANDBOX_OPENING } from '../../partners/partners.ts';
import { forgetOrderDeliveries } from '../../webhooks/webhooks.ts';

export interface Reset {
  readonly deletedOrders: number;
  readonly balance: Cents;
}

/**
 * Puts the account's sandbox back to its first day: no orders, none of their deliveries, no top-ups, no movements of play money.
 * One transaction under the wallet's lock, which every purchase takes first. This connection cannot touch live tables.
 */
export function resetAccount(db: Db, partnerId: number, at: Date): Promise<Reset> {
  return db.tx(async (tx) => {
    // A hundred thousand orders take seconds.
    await tx.run(sql`set local statement_timeout = '60s'`);
    // Top-ups before the wallet: the order in which a confirmation locks them.
    await tx.run(sql`delete from topups where partner_id = ${partnerId}`);
    const wallets = await lockWallets(tx, [partnerId]);
    const wallet = wallets.get(partnerId);
    if (!wallet) throw new Error(`partner ${partnerId} has no wallet`);
    const deletedOrders = await forgetOrders(tx, partnerId);
    // After the orders: an order that was being delivered meanwhile has recorded its events by now.
    await forgetOrderDeliveries(tx, partnerId);
    await forgetMoney(tx, partnerId);
    await forgetFigures(tx, partnerId);
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

async function forgetOrders(tx: Tx, partnerId: number): Promise<number> {
  await tx.run(sql`
    delete from usage_readings using orders where usage_readings.iccid = orders.iccid and partner_id = ${partnerId}`);
  await tx.run(sql`
    delete from esim_events using orders where esim_events.order_id = orders.id and partner_id = ${partnerId}`);
  await tx.run(sql`
    delete from supplier_calls using orders where supplier_calls.order_id = orders.id and partner_id = ${partnerId}`);
  await tx.run(sql`delete from refunds where partner_id = ${partnerId}`);
  return tx.run(sql`delete from orders where partner_id = ${partnerId}`);
}

async function forgetMoney(tx: Tx, partnerId: number): Promise<void> {
  await tx.run(sql`
    delete from transfers using movements where movement_id = movements.id and movements.partner_id = ${partnerId}`);
  await tx.run(sql`delete from movements where partner_id = ${partnerId}`);
}
