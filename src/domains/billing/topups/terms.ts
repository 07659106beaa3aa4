import { type Cents, toCents } from '../../../platform/amounts/cents.ts';
import type { Db } from '../../../platform/db/database.ts';
import type { Notices } from '../../messages/mail/mail.ts';
import type { Webhooks } from '../../messages/webhooks/webhooks.ts';
import type { LedgerAccount } from '../../money/ledger/ledger.ts';
import type { CardPayments } from './cards.ts';

/** What one top-up may be, in both worlds. */
export const topupRange = { min: toCents(10_00n), max: toCents(10_000_00n) } as const;

/** What a world decides about its top-ups, independent of the provider. */
export interface TopupTerms {
  readonly keyPrefix: string;
  /** The status of a top-up that waits for its payment, in the contract's words. */
  readonly openStatus: 'requires_payment' | 'requires_confirmation';
  /** The account a credit comes from. */
  readonly clearing: LedgerAccount;
  readonly maxBalance?: Cents;
}

export interface CardWorld {
  readonly db: Db;
  readonly cards: CardPayments | undefined;
  readonly topupTerms: TopupTerms;
  /** Notifies the partner's people of failures; undefined where no real money is lost. */
  readonly notices?: Notices;
  readonly webhooks: Pick<Webhooks, 'publish'>;
}
