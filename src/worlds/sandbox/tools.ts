import type { Webhooks } from '../../domains/messages/webhooks/webhooks.ts';
import type { ProfileNews, SoldEsim } from '../../domains/sales/esims/esims.ts';
import { noteProfileNews, type PhoneWorld } from '../../domains/sales/usage/usage.ts';
import type { Cents } from '../../platform/amounts/cents.ts';
import type { Db } from '../../platform/db/database.ts';
import { type BalanceOperation, type ChangedBalance, changeBalance } from './play-funds.ts';
import { type Reset, resetAccount } from './reset.ts';

/** What only a sandbox can do. */
export interface SandboxTools {
  changeBalance(partnerId: number, operation: BalanceOperation, amount: Cents, now: number): Promise<ChangedBalance>;
  reset(partnerId: number, now: number): Promise<Reset>;
  /** Plays the phone of an eSIM: what is sent becomes known of it, at this time, and its events are sent. */
  playProfile(esim: SoldEsim, played: Omit<ProfileNews, 'seenAt'>, now: number): Promise<void>;
}

interface ToolWorld extends PhoneWorld {
  readonly db: Db;
  readonly webhooks: Webhooks;
}

export const sandboxTools = ({ db, webhooks, newProfile }: ToolWorld): SandboxTools => ({
  changeBalance: (partnerId, operation, amount, now) =>
    changeBalance({ db, webhooks }, partnerId, operation, amount, new Date(now)),
  reset: (partnerId, now) => resetAccount(db, partnerId, new Date(now)),
  async playProfile(esim, played, now) {
    if (Object.values(played).every((value) => value === undefined)) return;
    // A phone is seen in a country; where it is does not change with the rest.
    const news = { ...played, ...(played.country !== undefined && { seenAt: new Date(now) }) };
    await db.tx((tx) => noteProfileNews(tx, { webhooks, newProfile }, esim, news, now));
  },
});
