import type { Webhooks } from '../../domains/messages/webhooks/webhooks.ts';
import type { Cents } from '../../platform/amounts/cents.ts';
import type { Db } from '../../platform/db/database.ts';
import { type BalanceOperation, type ChangedBalance, changeBalance } from './play-funds.ts';
import { type Reset, resetAccount } from './reset.ts';

/** What only a sandbox can do. */
export interface SandboxTools {
  changeBalance(partnerId: number, operation: BalanceOperation, amount: Cents, now: number): Promise<ChangedBalance>;
  reset(partnerId: number, now: number): Promise<Reset>;
}

export const sandboxTools = ({ db, webhooks }: { readonly db: Db; readonly webhooks: Webhooks }): SandboxTools => ({
  changeBalance: (partnerId, operation, amount, now) =>
    changeBalance({ db, webhooks }, partnerId, operation, amount, new Date(now)),
  reset: (partnerId, now) => resetAccount(db, partnerId, new Date(now)),
});
