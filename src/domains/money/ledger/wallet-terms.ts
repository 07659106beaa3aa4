import type { Cents } from '../../../platform/amounts/cents.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/query/sql.ts';
import type { Wallet } from './wallet.ts';

/** The terms on which a partner pays in live. */
export interface WalletTerms {
  readonly billingMode: Wallet['billingMode'];
  readonly creditLimit: Cents;
  readonly suspended: boolean;
  /** Since when it has terms of its own; null: it keeps those it has had. */
  readonly openedAt: Date | null;
}

/** A new partner's wallets, one in each world. On the owner's connection, like all of these. */
export async function openWallets(tx: Tx, partnerId: number, terms: Omit<WalletTerms, 'suspended'>): Promise<void> {
  await tx.run(sql`
    insert into live.wallets (partner_id, billing_mode, credit_limit, opened_at)
    values (${partnerId}, ${terms.billingMode}, ${terms.creditLimit}, ${terms.openedAt})`);
  await tx.run(sql`insert into sandbox.wallets (partner_id) values (${partnerId})`);
}

export async function setWalletTerms(tx: Tx, partnerId: number, terms: WalletTerms): Promise<void> {
  await tx.run(sql`
    update live.wallets set
      billing_mode = ${terms.billingMode}, credit_limit = ${terms.creditLimit}, status = ${terms.suspended ? 2 : 1},
      opened_at = coalesce(opened_at, ${terms.openedAt})
    where partner_id = ${partnerId}`);
}

/** A level above what the partner can spend now counts as crossed: the next fall below it is reported. */
export async function setBalanceAlert(tx: Tx, partnerId: number, level: Cents | null): Promise<void> {
  await tx.run(sql`update live.wallets set balance_alert = ${level} where partner_id = ${partnerId}`);
  await tx.run(sql`update sandbox.wallets set balance_alert = ${level} where partner_id = ${partnerId}`);
}
