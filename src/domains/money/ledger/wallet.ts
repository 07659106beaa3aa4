import { type Cents, toCents } from '../../../platform/amounts/cents.ts';
import type { Db, Tx } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/query/sql.ts';
import { bounded, type Turns } from '../../../platform/limits/turns.ts';

/** Named accounts of the double entry. The first three belong to the partner, the rest to the operator. */
export type LedgerAccount =
  | 'cash'
  | 'promo'
  | 'receivable'
  | 'revenue'
  | 'card_clearing'
  | 'bank_clearing'
  | 'promo_expense'
  | 'share_expense'
  | 'adjustment'
  | 'play_money';

export const walletMovementTypes = ['topup', 'purchase', 'refund', 'adjust', 'promo', 'profit_share'] as const;
export type WalletMovementType = (typeof walletMovementTypes)[number];
export const debtMovementTypes = ['charge', 'payment', 'adjust', 'refund', 'profit_share'] as const;
export type DebtMovementType = (typeof debtMovementTypes)[number];

export interface Transfer {
  debit: LedgerAccount;
  credit: LedgerAccount;
  amount: Cents;
}

/** One line of a partner's history (book `wallet`) or statement (book `debt`), with the transfers that carry it. */
export type Movement = {
  partnerId: number;
  transfers: readonly Transfer[];
  orderId?: bigint;
  note?: string;
  at: Date;
} & ({ book: 'wallet'; type: WalletMovementType } | { book: 'debt'; type: DebtMovementType });

/** A wallet row locked by the transaction. `post` keeps it in step with what it writes. */
export interface Wallet {
  readonly partnerId: number;
  readonly billingMode: 'prepaid' | 'postpaid';
  readonly creditLimit: Cents;
  readonly suspended: boolean;
  cash: Cents;
  promo: Cents;
  outstanding: Cents;
  /** How many lines each book has. The next line takes the next number. */
  walletLines: bigint;
  debtLines: bigint;
  /** The partner is notified when what it can spend falls below this; null: no alert. */
  readonly balanceAlert: Cents | null;
  /** How many balance-low and top-up events were published. They number the events. */
  balanceLowEvents: number;
  topupEvents: number;
}

export const spendable = (wallet: Pick<Wallet, 'cash' | 'promo'>): Cents => toCents(wallet.cash + wallet.promo);

/** A partner account grows when credited; the receivable is an asset, so it grows when debited. */
const signs = { cash: 1n, promo: 1n, receivable: -1n } as const;

/** What one transfer does to a wallet's balances. */
export function apply(
  wallet: Pick<Wallet, 'cash' | 'promo' | 'outstanding'>,
  { debit, credit, amount }: Transfer,
): void {
  const change = (account: LedgerAccount, by: bigint) => {
    if (account === 'cash') wallet.cash = toCents(wallet.cash + signs.cash * by);
    else if (account === 'promo') wallet.promo = toCents(wallet.promo + signs.promo * by);
    else if (account === 'receivable') wallet.outstanding = toCents(wallet.outstanding + signs.receivable * by);
  };
  change(debit, -amount);
  change(credit, amount);
}

/** The terms on which a partner pays in live. */
interface WalletTerms {
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

/*
 * Who waits for a wallet, and with what.
 *
 * Everything that moves a partner's money locks the wallet before any other row of the partner's: before orders, refunds, top-ups
 * and shares. Transactions that take their locks in one order cannot deadlock.
 *
 * A transaction that waits for a lock keeps its connection. If every request of a partner waited like that, thirty of them would
 * hold all connections of the pool, and other partners would get none. So those that go through here wait for their turn first,
 * without a connection: of each partner one runs at a time. They would have run one after the other anyway, because of the lock.
 * Purchases have lanes of their own instead (domains/sales/purchase/charge-lanes.ts).
 */

interface Queue {
  readonly turn: Turns;
  users: number;
}

const queues = new WeakMap<Db, Map<number, Queue>>();

/**
 * A transaction about one partner's money: the work has to begin with `lockWallets`. The queue has no limit of its own; the callers
 * must have one.
 */
export async function walletTx<T>(db: Db, partnerId: number, work: (tx: Tx) => Promise<T>): Promise<T> {
  const ofDb = queues.get(db) ?? new Map<number, Queue>();
  queues.set(db, ofDb);
  const queue = ofDb.get(partnerId) ?? { turn: oneAtATime(), users: 0 };
  ofDb.set(partnerId, queue);
  queue.users++;
  try {
    return await queue.turn(() => db.tx(work));
  } finally {
    if (--queue.users === 0) ofDb.delete(partnerId);
  }
}

const oneAtATime = (): Turns =>
  bounded({ atOnce: 1, maxWaiting: Number.POSITIVE_INFINITY }, () => new Error('unreachable'));
