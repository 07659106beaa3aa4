import type { Cents } from '../../../platform/amounts/cents.ts';
import type { Queryable } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/query/sql.ts';
import { type Funds, fundsOf, readBalance, type Shortfall, type Wallet } from '../ledger/ledger.ts';

/** What decides whether the next purchase goes through. */
export interface SpendingPower {
  readonly billingMode: Wallet['billingMode'];
  readonly isSuspended: boolean;
  /** What can be spent now; on credit terms the free credit. */
  readonly available: Cents;
  /** The partner is notified when less than this can be spent; null: never. */
  readonly alertLevel: Cents | null;
  /** Why a price does not fit; undefined: it does. */
  shortfallOf(price: Cents): Shortfall | undefined;
}

/** What a partner has now. */
export interface Wallets {
  /** What the partner can spend: promo and cash. */
  balance(partnerId: number): Promise<Cents>;
  spendingPower(partnerId: number): Promise<SpendingPower>;
}

export const ledgerWallets = (db: Queryable): Wallets => ({
  balance: (partnerId) => readBalance(db, partnerId),
  spendingPower: (partnerId) => readSpendingPower(db, partnerId),
});

type Row = Parameters<Funds['available']>[0] & Pick<Wallet, 'billingMode' | 'suspended' | 'balanceAlert'>;

/** Reads without locking: by the time of a purchase it may have changed. */
async function readSpendingPower(db: Queryable, partnerId: number): Promise<SpendingPower> {
  const wallet = await db.one<Row>(sql`
    select billing_mode as "billingMode", credit_limit as "creditLimit", status = 2 as suspended, cash, promo, outstanding,
      balance_alert as "balanceAlert"
    from wallets where partner_id = ${partnerId}`);
  const funds = fundsOf(wallet);
  return {
    billingMode: wallet.billingMode,
    isSuspended: wallet.suspended,
    available: funds.available(wallet),
    alertLevel: wallet.balanceAlert,
    shortfallOf(price) {
      const charge = funds.charge(wallet, price);
      return 'code' in charge ? charge : undefined;
    },
  };
}
