import { findPartner, setPartner } from '../domains/partners/accounts/accounts.ts';
import { type Cents, formatCents } from '../platform/amounts/cents.ts';
import { amend } from '../platform/audit/audit-log.ts';
import type { Queryable } from '../platform/db/database.ts';
import type { Actor } from './actor.ts';

export interface BalanceAlert {
  /** Decimal string; null: off. */
  readonly balance_alert: string | null;
}

const shown = async (db: Queryable, partnerId: number): Promise<BalanceAlert> => {
  const { balanceAlert } = await findPartner(db, partnerId);
  return { balance_alert: balanceAlert === null ? null : formatCents(balanceAlert) };
};

/** The level below which account.balance_low is sent, in both worlds; null: off. */
export const setBalanceAlert = (actor: Actor, partnerId: number, level: Cents | null): Promise<BalanceAlert> =>
  amend(
    actor,
    'partner set',
    `partner ${partnerId}`,
    (tx) => shown(tx, partnerId),
    (tx) => setPartner(tx, partnerId, { balanceAlert: level }, new Date(actor.clock.now())),
  );
