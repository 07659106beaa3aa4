import { type Cents, formatCents, toCents, ZERO } from '../../../platform/amounts/cents.ts';
import { HOUR } from '../../../platform/clock.ts';
import type { Intent, Payment } from './cards.ts';

export type TopupStatus = 'requires_payment' | 'succeeded' | 'failed' | 'expired';

export interface TopupState extends Payment {
  readonly status: TopupStatus;
  /** Taken back from the wallet because the money went back to the card holder. */
  readonly recovered: Cents;
  readonly createdAt: Date;
}

export const EXPIRES_AFTER_MS = 24 * HOUR;

export const smaller = (a: bigint, b: bigint): bigint => (a < b ? a : b);

/** What a top-up becomes, given what the provider says. Repeated or out-of-order answers change nothing. */
export function outcome(topup: TopupState, intent: Intent, now: number) {
  const mismatch = mismatchOf(topup, intent);
  const status = statusAfter(topup, intent, mismatch, now);
  const credited = status === 'succeeded' && topup.status !== 'succeeded';
  return {
    status,
    mismatch,
    /** What the wallet gains now; zero unless this is the moment the top-up succeeds. */
    credit: credited ? topup.amount : ZERO,
    /** What the wallet owes because the money went back. Negative: it came back after all and is due to the wallet. */
    owed: status === 'succeeded' && mismatch === null ? openAmount(topup, intent) : ZERO,
  };
}

/** What went back to the card holder and has not been taken from the wallet yet. */
export function openAmount(
  { amount, recovered }: Pick<TopupState, 'amount' | 'recovered'>,
  { refunded, disputed }: Pick<Intent, 'refunded' | 'disputed'>,
): Cents {
  return toCents(smaller(refunded + disputed, amount) - recovered);
}

function statusAfter(topup: TopupState, intent: Intent, mismatch: string | null, now: number): TopupStatus {
  if (topup.status === 'succeeded') return 'succeeded';
  if (mismatch !== null) return 'failed';
  // Money that arrived counts, even for a top-up that was given up earlier.
  if (intent.state === 'succeeded') return 'succeeded';
  if (intent.state !== 'canceled' || topup.status !== 'requires_payment') return topup.status;
  return now - topup.createdAt.getTime() >= EXPIRES_AFTER_MS ? 'expired' : 'failed';
}

/** How a payment differs from what was asked for; null when it does not, or when nothing was paid. */
function mismatchOf(topup: TopupState, intent: Intent): string | null {
  if (intent.paymentKey !== topup.paymentKey) return 'intent belongs to another payment';
  if (intent.state !== 'succeeded') return null;
  if (intent.amount === topup.amount && intent.currency === topup.currency) return null;
  const money = ({ amount, currency }: Payment) => `${formatCents(amount)} ${currency}`;
  return `paid ${money(intent)}, asked for ${money(topup)}`;
}
