import { randomInt } from 'node:crypto';
import { invoicePass } from '../../../src/domains/billing/invoices/invoices.ts';
import { lockWallets, post, refundOrders } from '../../../src/domains/money/ledger/ledger.ts';
import { toCents } from '../../../src/platform/amounts/cents.ts';
import { sql } from '../../../src/platform/db/query/sql.ts';
import type { InvoiceSettings } from '../../../src/platform/settings/invoices.ts';
import type { TestApp } from '../program/app.ts';

/** A seller in Germany, so that a partner without details is charged 19 %. */
export const invoicing: InvoiceSettings = {
  seller: {
    name: 'Example Travel GmbH',
    address: ['Hauptstraße 1', '10115 Berlin'],
    country: 'DE',
    vatId: 'DE123456789',
    id: 'HRB 12345',
    taxRate: '19.00',
  },
  prefix: 'INV',
  text: 'Thank you.',
  suspendDays: undefined,
  minOverdue: toCents(10_00n),
};

export interface Sale {
  readonly price: bigint;
  readonly at: Date;
  readonly title?: string;
  readonly book?: 'wallet' | 'debt';
}

/** A delivered order with its charge, as a purchase leaves it. */
export async function sell(
  t: TestApp,
  partnerId: number,
  sale: Sale,
  mode: 'live' | 'sandbox' = 'live',
): Promise<bigint> {
  const { price, at, title = 'France 5 GB', book = 'wallet' } = sale;
  const amount = toCents(price);
  return t.base.worlds[mode].db.tx(async (tx) => {
    const wallets = await lockWallets(tx, [partnerId]);
    const { id } = await tx.one<{ id: bigint }>(sql`
      insert into orders (partner_id, plan_id, product_id, status, delivery, billing_mode, product_price, sale_price, cost_micros,
        product_title, data, amount_mb, day, is_unlimited, country_code, supplier, supplier_plan, iccid, created_at, paid_at, delivered_at)
      values (${partnerId}, 1, 'esc_00000000000000aa', 1, 'delivered', ${book === 'wallet' ? 'prepaid' : 'postpaid'}, ${price}, ${price},
        1000000, ${title}, '5 GB', 5120, 30, false, 'FR', 'simulated', 'fr-5', ${`89${String(randomInt(2 ** 47)).padStart(17, '0')}`}, ${at}, ${at}, ${at})
      returning id`);
    const line = { partnerId, at, note: title };
    await post(tx, wallets, [
      ...(book === 'wallet'
        ? [
            {
              ...{ ...line, book, type: 'topup' as const },
              transfers: [{ debit: 'bank_clearing', credit: 'cash', amount } as const],
            },
            {
              ...{ ...line, book, type: 'purchase' as const, orderId: id },
              transfers: [{ debit: 'cash', credit: 'revenue', amount } as const],
            },
          ]
        : [
            {
              ...{ ...line, book, type: 'charge' as const, orderId: id },
              transfers: [{ debit: 'receivable', credit: 'revenue', amount } as const],
            },
          ]),
    ]);
    return id;
  });
}

/** Gives a part of a sale back, or all that is left of it; `failed`: because it was never delivered. */
export async function giveBack(
  t: TestApp,
  partnerId: number,
  orderId: bigint,
  { at, amount, failed = false }: { readonly at: Date; readonly amount?: bigint; readonly failed?: boolean },
): Promise<void> {
  await t.base.worlds.live.db.tx(async (tx) => {
    const wallets = await lockWallets(tx, [partnerId]);
    const given = { orderId, partnerId, amount: amount === undefined ? undefined : toCents(amount) };
    await refundOrders(tx, wallets, [given], 'refund', at);
    if (failed)
      await tx.run(sql`update orders set status = 2, delivered_at = null, failed_at = ${at} where id = ${orderId}`);
  });
}

export async function pay(t: TestApp, partnerId: number, amount: bigint, at: Date): Promise<void> {
  await t.base.worlds.live.db.tx(async (tx) => {
    const wallets = await lockWallets(tx, [partnerId]);
    const transfers = [{ debit: 'bank_clearing', credit: 'receivable', amount: toCents(amount) } as const];
    await post(tx, wallets, [{ partnerId, book: 'debt', type: 'payment', transfers, at }]);
    await t.base.worlds.live.invoices.settle(tx, partnerId);
  });
}

/** Closes every month that is over. */
export async function closeAll(t: TestApp): Promise<void> {
  const { invoices } = t.base.worlds.live;
  while ((await invoices.closeDue()) > 0);
}

/** What the audit finds wrong with invoices. */
export const breaches = (t: TestApp, mode: 'live' | 'sandbox' = 'live'): Promise<{ rule: string; id: bigint }[]> =>
  t.base.worlds[mode].db.query(invoicePass.breaches);
