import { fundsOf } from '../../../../../src/domains/money/ledger/funds.ts';
import { apply, manualMovements, spendable } from '../../../../../src/domains/money/ledger/wallet.ts';
import { type Cents, formatCents, parseCents, toCents, ZERO } from '../../../../../src/platform/amounts/cents.ts';

export type MoveKind = 'credit' | 'promo' | 'payment' | 'adjust';
export type Corrected = 'cash' | 'promo' | 'debt';

/** What is typed into the form that moves money. */
export interface Move {
  readonly kind: MoveKind;
  readonly amount: string;
  /** For adjustments only. */
  readonly by: 'add' | 'subtract';
  readonly what: Corrected;
}

/** Decimal strings, as the server writes them. */
export interface Balances {
  readonly balance: string;
  readonly cash: string;
  readonly promo: string;
  readonly debt: string;
  readonly available: string;
}

export interface Held extends Balances {
  readonly credit_limit: string;
}

export type After =
  | { readonly outcome: 'moved'; readonly after: Balances }
  /** Not a valid amount yet. */
  | { readonly outcome: 'unread' }
  /** The server will refuse it. */
  | { readonly outcome: 'refused'; readonly why: string };

/** The balances after this change if it is made now: by the server's own rules, in whole cents. */
export function balanceAfter(held: Held, billingMode: 'prepaid' | 'postpaid', move: Move): After {
  const amount = amountOf(move.amount);
  if (amount === undefined) return { outcome: 'unread' };
  const wallet = {
    cash: cents(held.cash),
    promo: cents(held.promo),
    outstanding: cents(held.debt),
    creditLimit: cents(held.credit_limit),
  };
  if (move.kind === 'payment' && amount > wallet.outstanding)
    return { outcome: 'refused', why: 'This is more than the partner owes. Record the rest as credit.' };
  apply(wallet, { ...lineOf(move).transfer, amount });
  if (wallet.cash < 0n) return { outcome: 'refused', why: 'The wallet holds less cash than that.' };
  if (wallet.promo < 0n) return { outcome: 'refused', why: 'The wallet holds less promotional credit than that.' };
  return {
    outcome: 'moved',
    after: {
      balance: formatCents(spendable(wallet)),
      cash: formatCents(wallet.cash),
      promo: formatCents(wallet.promo),
      debt: formatCents(wallet.outstanding),
      available: formatCents(fundsOf({ billingMode }).available(wallet)),
    },
  };
}

/** What could be spent under other terms; undefined: the limit is not an amount. */
export function availableUnder(
  held: Held,
  billingMode: 'prepaid' | 'postpaid',
  creditLimit: string,
): string | undefined {
  const limit = parseCents(creditLimit.trim() || '0');
  if (limit === undefined || limit < 0n) return undefined;
  return formatCents(
    fundsOf({ billingMode }).available({
      cash: cents(held.cash),
      promo: cents(held.promo),
      outstanding: cents(held.debt),
      creditLimit: limit,
    }),
  );
}

/** Whether the server's resulting balances differ from those shown. */
export const isOtherwise = (
  expected: Balances,
  now: { readonly balance: string; readonly cash: string; readonly promo: string; readonly debt: string },
): boolean => (['balance', 'cash', 'promo', 'debt'] as const).some((part) => expected[part] !== now[part]);

function lineOf({ kind, by, what }: Move) {
  return kind === 'adjust' ? manualMovements.adjust(what === 'debt' ? 'receivable' : what, by) : manualMovements[kind];
}

/** An amount of at least a cent, written as the action takes it. */
function amountOf(text: string): Cents | undefined {
  const amount = parseCents(text.trim());
  return amount !== undefined && amount > 0n ? amount : undefined;
}

const cents = (text: string): Cents => parseCents(text) ?? ZERO;

export const difference = (from: string, to: string): string => formatCents(toCents(cents(to) - cents(from)));
