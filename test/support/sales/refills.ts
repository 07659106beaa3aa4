import { sql } from '../../../src/platform/db/query/sql.ts';
import type { Answer, TestApp } from '../program/app.ts';
import { batchOf, entry, type StockedApp, stockedApp } from './catalog.ts';
import { buy, credit } from './shop.ts';

/** A shop with two eSIMs of Aurora, refills for one of them, and a refill of another supplier and of another country. */
export const refillShop = (): Promise<StockedApp> =>
  stockedApp([
    batchOf([
      entry({ code: 'tr-1', title: 'Türkiye 1 GB' }),
      entry({ code: 'tr-big', title: 'Türkiye 5 GB', amount: 5120, day: 30, price: '20.00' }),
      entry({ code: 'fr-1', title: 'France 1 GB', destination: 'FR' }),
      entry({ code: 'more', title: 'Two more', amount: 2048, day: 30, price: '12.00', refills: ['tr-1'] }),
      entry({
        code: 'some',
        title: 'Half a GB',
        amount: 512,
        day: 3,
        price: '3.00',
        cost: '1.000000',
        refills: ['tr-1'],
      }),
      entry({ code: 'gone', title: 'No longer', refills: ['tr-1'], on_sale: false }),
      entry({ code: 'fr-more', title: 'France more', destination: 'FR', refills: ['fr-1'] }),
    ]),
    batchOf([entry({ code: 'other', title: 'Elsewhere', refills: ['tr-1'] })], { slug: 'borealis' }),
  ]);

export interface Shopper {
  readonly partnerId: number;
  readonly key: string;
}

/** In live with 100.00 in the wallet; the sandbox opens with play money. */
export async function shopperIn(t: TestApp, mode: 'live' | 'sandbox'): Promise<Shopper> {
  const partnerId = await t.partner();
  if (mode === 'live') await credit(t, partnerId, '100.00');
  return { partnerId, key: await t.key(partnerId, mode) };
}

export interface OwnedEsim {
  readonly iccid: string;
  readonly orderId: number;
}

export async function ownEsim(
  t: StockedApp,
  { key }: Shopper,
  more: Record<string, string> = {},
  code = 'tr-1',
): Promise<OwnedEsim> {
  const { order_id } = (await buy(t, key, await t.alias(code), more)).body;
  const { iccid } = (await t.get(`/order/detail/${order_id}`, { key })).body.esim;
  return { iccid, orderId: order_id };
}

/** Adds `code` to the eSIM. */
export async function refill(
  t: StockedApp,
  { key }: Shopper,
  { iccid }: Pick<OwnedEsim, 'iccid'>,
  code = 'more',
  more: Record<string, string> = {},
): Promise<Answer> {
  return t.post('/purchase/refill', { iccid, product_id: await t.alias(code), ...more }, { key });
}

/** As a refund leaves it behind. */
export async function withdraw(t: TestApp, mode: 'live' | 'sandbox', { orderId }: OwnedEsim): Promise<void> {
  await t.base.worlds[mode].db.run(sql`update orders set withdrawn_at = now() where id = ${orderId}`);
}
