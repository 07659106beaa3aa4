import type { Queryable } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import { type Cents, fundsOf, type Shortfall, type Wallet } from '../money/money.ts';

/** Whether a wallet could pay a price now. */
export interface Means {
  readonly billingMode: Wallet['billingMode'];
  /** What can be spent. */
  readonly available: Cents;
  readonly isSuspended: boolean;
  /** Why the price does not fit; undefined: it does. */
  readonly shortfall: Shortfall | undefined;
}

/** Looks without locking: by the time of a purchase it may have changed. */
export async function readMeans(db: Queryable, partnerId: number, price: Cents): Promise<Means> {
  const wallet = await db.one<
    Pick<Wallet, 'billingMode' | 'creditLimit' | 'cash' | 'promo' | 'outstanding' | 'suspended'>
  >(sql`
    select billing_mode as "billingMode", credit_limit as "creditLimit", cash, promo, outstanding, status = 2 as suspended
    from wallets where partner_id = ${partnerId}`);
  const funds = fundsOf(wallet);
  const charge = funds.charge(wallet, price);
  return {
    billingMode: wallet.billingMode,
    available: funds.available(wallet),
    isSuspended: wallet.suspended,
    shortfall: 'code' in charge ? charge : undefined,
  };
}
