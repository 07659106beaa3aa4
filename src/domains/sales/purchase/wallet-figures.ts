import type { Cents } from '../../../platform/amounts/cents.ts';
import type { Queryable } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/query/sql.ts';
import { spendable, type Wallet } from '../../money/ledger/ledger.ts';

/** A wallet as answers quote it. */
export interface WalletFigures {
  readonly billingMode: Wallet['billingMode'];
  readonly spendable: Cents;
  readonly outstanding: Cents;
  readonly creditLimit: Cents;
}

export const figuresOf = (wallet: Wallet): WalletFigures => ({
  billingMode: wallet.billingMode,
  spendable: spendable(wallet),
  outstanding: wallet.outstanding,
  creditLimit: wallet.creditLimit,
});

export function readWallet(db: Queryable, partnerId: number): Promise<WalletFigures> {
  return db.one<WalletFigures>(sql`
    select billing_mode as "billingMode", cash + promo as spendable, outstanding, credit_limit as "creditLimit"
    from wallets where partner_id = ${partnerId}`);
}
