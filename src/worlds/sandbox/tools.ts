import type { Webhooks } from '../../domains/messages/webhooks/webhooks.ts';
import type { ProfileNews, SoldEsim } from '../../domains/sales/esims/esims.ts';
import { noteProfileNews, type PhoneWorld } from '../../domains/sales/usage/usage.ts';
import type { Cents } from '../../platform/amounts/cents.ts';
import type { Db } from '../../platform/db/database.ts';
import { type BalanceOperation, changeBalance } from './play-funds.ts';
import { resetAccount } from './reset.ts';

export type SandboxTools = ReturnType<typeof sandboxTools>;

/** What only a sandbox can do. */
export const sandboxTools = ({
  db,
  webhooks,
  newProfile,
}: PhoneWorld & { readonly db: Db; readonly webhooks: Webhooks }) => ({
  changeBalance: (partnerId: number, operation: BalanceOperation, amount: Cents, now: number) =>
    changeBalance({ db, webhooks }, partnerId, operation, amount, new Date(now)),
  reset: (partnerId: number, now: number) => resetAccount(db, partnerId, new Date(now)),
  /** Plays the phone of an eSIM: what is sent becomes known of it, at this time, and its events are sent. */
  async playProfile(esim: SoldEsim, played: Omit<ProfileNews, 'seenAt'>, now: number): Promise<void> {
    if (Object.values(played).every((value) => value === undefined)) return;
    // A phone is seen in a country; where it is does not change with the rest.
    const news = { ...played, ...(played.country !== undefined && { seenAt: new Date(now) }) };
    await db.tx((tx) => noteProfileNews(tx, { webhooks, newProfile }, esim, news, now));
  },
});
