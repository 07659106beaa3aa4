import { type Cents, formatCents, toCents } from '../../../platform/amounts/cents.ts';
import type { Db, Tx } from '../../../platform/db/database.ts';
import { type AccountEvent, balanceLow } from '../../messages/events/events.ts';
import type { Notices } from '../../messages/mail/mail.ts';
import type { Webhooks } from '../../messages/webhooks/webhooks.ts';
import {
  fundsOf,
  type LedgerAccount,
  lockWallets,
  type Movement,
  post,
  spendable,
  type Wallet,
  walletTx,
} from '../../money/ledger/ledger.ts';
import { buyerOf } from '../invoices/invoices.ts';
import type { CardPayments, Intent } from './cards.ts';
import { outcome, smaller, type TopupStatus } from './outcome.ts';
import { lockTopup, type Topup, writeOutcome } from './rows.ts';

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
  /** Mails receipts, and notifies the partner's people of failures; undefined where no real money moves. */
  readonly notices?: Notices;
  readonly webhooks: Pick<Webhooks, 'publish'>;
}

/** The credit would lift the balance above the world's ceiling; the transaction was rolled back. */
export class BalanceAboveCeiling extends Error {
  /** What the wallet holds, unchanged. */
  readonly balance: Cents;
  readonly max: Cents;

  constructor(balance: Cents, max: Cents) {
    super('the top-up would lift the balance above its ceiling');
    this.balance = balance;
    this.max = max;
  }
}

/**
 * Brings a top-up and the wallet in line with what the provider says, in one transaction under the locks of the wallet and then the top-up. However
 * often and from wherever it is called, the wallet is credited once. `seen` is the row as it was before the provider was
 * asked. If it has changed since, the answer may be older than what is recorded; undefined: the caller has to read it again.
 */
export function settle(world: CardWorld, seen: Topup, intent: Intent, now: number): Promise<TopupStatus | undefined> {
  const at = new Date(now);
  return walletTx(world.db, seen.partnerId, async (tx) => {
    // Sent together and run in this order.
    const [wallets, topup] = await Promise.all([lockWallets(tx, [seen.partnerId]), lockTopup(tx, seen.id)]);
    if (topup.revision !== seen.revision) return undefined;
    const next = outcome(topup, intent, now);
    let { recovered } = topup;
    if (next.credit > 0n || next.owed !== 0n) {
      const wallet = wallets.get(topup.partnerId);
      if (!wallet) throw new Error(`partner ${topup.partnerId} has no wallet`);
      const before = spendable(wallet);
      // A debit takes at most the cash there is, because a wallet never goes below zero. A credit is always whole.
      const taken = smaller(next.owed, wallet.cash + next.credit);
      recovered = toCents(recovered + taken);
      if (next.credit > 0n) wallet.topupEvents += 1;
      const low = await post(tx, wallets, movements(world, topup, next.credit, taken, at));
      const { maxBalance } = world.topupTerms;
      if (maxBalance !== undefined && spendable(wallet) > maxBalance) throw new BalanceAboveCeiling(before, maxBalance);
      const succeeded = next.credit > 0n ? [credited(wallet, next.credit, at)] : [];
      const events = [...succeeded, ...low.map((one) => balanceLow(one, at))];
      if (events.length > 0) await world.webhooks.publish(tx, events);
    }
    const { refunded, disputed, id: intentId } = intent;
    const { status, mismatch } = next;
    const written = { status, mismatch, refunded, disputed, recovered, intentId };
    if (!isSubset(written, topup)) await writeOutcome(tx, topup.id, { ...written, at });
    if (world.notices) await mailNotice(tx, world.notices, topup, { ...written, at });
    return status;
  });
}

type Written = Pick<Topup, 'status' | 'disputed' | 'recovered'> & { readonly at: Date };

/** An unpaid top-up that expires is not reported: its card holder has left. */
async function mailNotice(tx: Tx, notices: Notices, before: Topup, after: Written): Promise<void> {
  const { partnerId, paymentKey, currency } = before;
  const now = after.at.getTime();
  if (after.status === 'succeeded' && before.status !== 'succeeded') {
    const { mailTo: to } = await buyerOf(tx, partnerId);
    const facts = { paymentKey, currency, amount: formatCents(before.amount), to };
    await notices.noticeFor(tx, partnerId, 'topup_receipt', facts, now);
  }
  if (after.status === 'failed' && before.status !== 'failed') {
    const facts = { paymentKey, currency, amount: formatCents(before.amount) };
    await notices.noticeFor(tx, partnerId, 'topup_failed', facts, now);
  }
  if (after.disputed > before.disputed) {
    const amount = formatCents(toCents(after.disputed - before.disputed));
    const taken = formatCents(toCents(after.recovered - before.recovered));
    await notices.noticeFor(tx, partnerId, 'topup_disputed', { paymentKey, currency, amount, taken }, now);
  }
}

const credited = (wallet: Wallet, amount: Cents, at: Date): AccountEvent => ({
  partnerId: wallet.partnerId,
  event: 'topup.succeeded',
  n: wallet.topupEvents,
  balance: fundsOf(wallet).available(wallet),
  amount,
  occurredAt: at.getTime(),
});

const isSubset = <T extends object>(part: Partial<T>, whole: T): boolean =>
  Object.entries(part).every(([name, value]) => whole[name as keyof T] === value);

function movements(world: CardWorld, topup: Topup, credit: Cents, taken: bigint, at: Date): Movement[] {
  const { clearing } = world.topupTerms;
  const line = (type: 'topup' | 'adjust', what: string, debit: LedgerAccount, to: LedgerAccount, amount: bigint) => ({
    partnerId: topup.partnerId,
    book: 'wallet' as const,
    type,
    note: `${what} ${topup.paymentKey}`,
    transfers: [{ debit, credit: to, amount: toCents(amount) }],
    at,
  });
  const lines: Movement[] = [];
  if (credit > 0n) lines.push(line('topup', 'Card payment', clearing, 'cash', credit));
  if (taken > 0n) lines.push(line('adjust', 'Card payment returned:', 'cash', clearing, taken));
  if (taken < 0n) lines.push(line('adjust', 'Returned card payment restored:', clearing, 'cash', -taken));
  return lines;
}
