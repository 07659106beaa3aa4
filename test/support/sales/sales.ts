import { randomInt } from 'node:crypto';
import { lockWallets, post } from '../../../src/domains/money/ledger/transfers.ts';
import type { Movement } from '../../../src/domains/money/ledger/wallet.ts';
import { toCents } from '../../../src/platform/amounts/cents.ts';
import { DAY } from '../../../src/platform/clock.ts';
import { sql } from '../../../src/platform/db/query/sql.ts';
import type { TestApp } from '../program/app.ts';

export interface Sold {
  readonly orderId: bigint;
  readonly iccid: string;
}

export interface SaleOptions {
  listPrice?: bigint;
  salePrice?: bigint;
  costMicros?: bigint;
  amountMb?: number;
  isUnlimited?: boolean;
  deliveredAt?: number;
}

/** A live sale as the purchase leaves it behind once it is delivered; its charge is not part of it. */
export async function delivered(t: TestApp, partnerId: number, options: SaleOptions = {}): Promise<Sold> {
  const iccid = `89${String(randomInt(2 ** 47)).padStart(17, '0')}`;
  const at = new Date(options.deliveredAt ?? t.clock.now() - 30 * DAY);
  const listPrice = options.listPrice ?? 2000n;
  const { id } = await t.base.worlds.live.db.one<{ id: bigint }>(sql`
    insert into orders (partner_id, plan_id, product_id, status, delivery, billing_mode, product_price, sale_price,
      cost_micros, product_title, data, amount_mb, day, is_unlimited, country_code, supplier, supplier_plan, iccid,
      created_at, paid_at, delivered_at)
    values (${partnerId}, 1, 'esc_00000000000000aa', 1, 'delivered', 'prepaid', ${listPrice},
      ${options.salePrice ?? listPrice}, ${options.costMicros ?? 8_000_000n}, 'France 5 GB', '5 GB',
      ${options.amountMb ?? 5120}, 30, ${options.isUnlimited ?? false}, 'FR', 'simulated', 'fr-5', ${iccid},
      ${at}, ${at}, ${at})
    returning id`);
  return { orderId: id, iccid };
}

/** A reading kept of an eSIM, as if the supplier had given it. */
export async function keepReading(
  t: TestApp,
  { iccid }: Sold,
  reading: { usedMb: number; totalMb?: number | null; expiresAt: number | null; fetchedAt?: number },
): Promise<void> {
  const { usedMb, totalMb = null, expiresAt } = reading;
  const fetchedAt = reading.fetchedAt ?? (expiresAt ?? t.clock.now()) + 1;
  await t.base.worlds.live.db.run(sql`
    insert into usage_readings as kept (iccid, state, total_mb, used_mb, expires_at, fetched_at)
    values (${iccid}, 'active', ${totalMb}, ${usedMb}, ${expiresAt === null ? null : new Date(expiresAt)}, ${new Date(fetchedAt)})
    on conflict (iccid) do update set total_mb = excluded.total_mb, used_mb = excluded.used_mb,
      expires_at = excluded.expires_at, fetched_at = excluded.fetched_at`);
}

type Posted = Pick<Movement, 'transfers' | 'orderId'> &
  Partial<Pick<Movement, 'note' | 'at'>> &
  ({ book: 'wallet'; type: 'purchase' | 'topup' | 'adjust' } | { book: 'debt'; type: 'charge' });

/** Writes movements of the live ledger directly, for tests that only need a history. */
export async function posted(t: TestApp, partnerId: number, movements: readonly Posted[]): Promise<void> {
  await t.base.worlds.live.db.tx(async (tx) => {
    const wallets = await lockWallets(tx, [partnerId]);
    const lines = movements.map((movement): Movement => ({ at: new Date(t.clock.now()), ...movement, partnerId }));
    await post(tx, wallets, lines);
  });
}

export const charge = (cents: bigint, orderId: bigint): Posted => ({
  book: 'debt',
  type: 'charge',
  orderId,
  transfers: [{ debit: 'receivable', credit: 'revenue', amount: toCents(cents) }],
});

export const purchase = (parts: { promo?: bigint; cash?: bigint }, orderId: bigint): Posted => ({
  book: 'wallet',
  type: 'purchase',
  orderId,
  transfers: (['promo', 'cash'] as const).flatMap((source) =>
    parts[source] ? [{ debit: source, credit: 'revenue', amount: toCents(parts[source]) } as const] : [],
  ),
});
