import type { Queryable } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import type { Cents } from './cents.ts';
import { type ChargeableWallet, fundsOf } from './funds.ts';
import type { Wallet } from './wallet.ts';

/** What decides whether the next purchase goes through. */
export interface Standing {
  readonly suspended: boolean;
  readonly isOnCredit: boolean;
  /** What can be spent now; on credit terms the free credit. */
  readonly available: Cents;
  /** The partner's alert level; null: none. */
  readonly level: Cents | null;
}

type Row = ChargeableWallet & Pick<Wallet, 'billingMode' | 'suspended' | 'balanceAlert'>;

export async function readStanding(db: Queryable, partnerId: number): Promise<Standing> {
  const wallet = await db.one<Row>(sql`
    select billing_mode as "billingMode", credit_limit as "creditLimit", status = 2 as suspended, cash, promo, outstanding,
      balance_alert as "balanceAlert"
    from wallets where partner_id = ${partnerId}`);
  return {
    suspended: wallet.suspended,
    isOnCredit: wallet.billingMode === 'postpaid',
    available: fundsOf(wallet).available(wallet),
    level: wallet.balanceAlert,
  };
}
