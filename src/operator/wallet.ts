import { enterWorld } from '../actions/actor.ts';
import { change } from '../audit-log.ts';
import type { Tx } from '../db/database.ts';
import {
  type Cents,
  type DebtMovementType,
  formatCents,
  lockWallets,
  type Movement,
  NotEnoughMoney,
  post,
  spendable,
  type Transfer,
  type Wallet,
  type WalletMovementType,
} from '../money/money.ts';
import { Refused } from '../refused.ts';
import { command, type OperatorContext } from './command.ts';
import { integer, type Option, required, text, toggle, UsageError, usd } from './options.ts';

const partner = required(integer('PARTNER_ID', 'whose wallet'));
const note = text('TEXT', 'shown with the movement');

/** An amount of at least one cent. */
export const someUsd = (summary: string): Option<Cents | undefined> => {
  const amount = usd(summary);
  return {
    ...amount,
    read(given) {
      const cents = amount.read(given);
      if (cents === 0n) throw new UsageError('the amount must be more than zero');
      return cents;
    },
  };
};

const shown = (wallet: Wallet) => ({
  balance: formatCents(spendable(wallet)),
  promo: formatCents(wallet.promo),
  cash: formatCents(wallet.cash),
  debt: formatCents(wallet.outstanding),
});

/** Changes one live wallet: locks it, lets `work` move money, and records the balances before and after. */
export async function changeWallet(
  context: OperatorContext,
  entry: { what: string; target: string; partnerId: number; details: object },
  work: (tx: Tx, wallet: Wallet) => Promise<object>,
): Promise<object> {
  return change(context, entry.what, async (tx) => {
    await enterWorld(tx, 'live');
    const wallet = (await lockWallets(tx, [entry.partnerId])).get(entry.partnerId);
    if (!wallet) throw new Refused('partner_not_found');
    const before = shown(wallet);
    const result = await work(tx, wallet);
    const after = { ...shown(wallet), ...entry.details, ...result };
    return {
      target: entry.target,
      before,
      after,
      result: { partner_id: entry.partnerId, ...result, ...shown(wallet) },
    };
  });
}

type OneTransfer = { readonly transfer: Omit<Transfer, 'amount'> } & (
  | { readonly book: 'wallet'; readonly type: WalletMovementType }
  | { readonly book: 'debt'; readonly type: DebtMovementType }
);

/** One movement with one transfer: what every command here comes down to. */
function move(
  context: OperatorContext,
  what: string,
  input: { partner: number; amount: Cents; note: string | undefined },
  movementOf: (wallet: Wallet) => OneTransfer,
): Promise<object> {
  const { partner: partnerId, amount, note = '' } = input;
  const details = { amount: formatCents(amount), note };
  return changeWallet(context, { what, target: `partner ${partnerId}`, partnerId, details }, async (tx, wallet) => {
    const { transfer, ...line } = movementOf(wallet);
    const at = new Date(context.clock.now());
    const movement: Movement = { ...line, partnerId, note, at, transfers: [{ ...transfer, amount }] };
    await post(tx, new Map([[partnerId, wallet]]), [movement]).catch((error) => {
      throw error instanceof NotEnoughMoney
        ? new Refused('insufficient_balance', 'the wallet holds less than that')
        : error;
    });
    return {};
  });
}

export const walletCommands = [
  command({
    path: ['wallet', 'credit'],
    summary: 'Record a bank transfer (counts toward the share tier), or grant promo credit with --promo',
    options: {
      partner,
      amount: required(someUsd('how much')),
      promo: toggle('promo credit: spent first, does not count as a top-up'),
      note,
    },
    run: (context, input) =>
      move(context, 'wallet credit', input, () =>
        input.promo
          ? { book: 'wallet', type: 'promo', transfer: { debit: 'promo_expense', credit: 'promo' } }
          : { book: 'wallet', type: 'topup', transfer: { debit: 'bank_clearing', credit: 'cash' } },
      ),
  }),
  command({
    path: ['wallet', 'payment'],
    summary: 'Record a payment against postpaid debt',
    options: { partner, amount: required(someUsd('how much was paid')), note },
    run: (context, input) =>
      move(context, 'wallet payment', input, (wallet) => {
        if (wallet.billingMode === 'prepaid' && wallet.outstanding <= 0n)
          throw new Refused('not_postpaid', 'a prepaid account without debt has nothing to pay off');
        return { book: 'debt', type: 'payment', transfer: { debit: 'bank_clearing', credit: 'receivable' } };
      }),
  }),
  command({
    path: ['wallet', 'adjust'],
    summary: 'Correct a wallet, or with --debt the postpaid debt, by adding or subtracting an amount',
    options: {
      partner,
      add: someUsd('raises the balance (or the debt)'),
      subtract: someUsd('lowers it; a wallet cannot go below zero'),
      promo: toggle('correct the promo credit instead of the cash'),
      debt: toggle('correct the postpaid debt'),
      note: required(note),
    },
    run(context, { add, subtract, promo, debt, ...input }) {
      const amount = add ?? subtract;
      if (amount === undefined || (add !== undefined && subtract !== undefined))
        throw new UsageError('give either --add or --subtract');
      if (promo && debt) throw new UsageError('--promo and --debt cannot be combined');
      const account = debt ? 'receivable' : promo ? 'promo' : 'cash';
      // A wallet grows when credited; a debt is the operator's asset and grows when debited.
      const credits = (add !== undefined) !== debt;
      const transfer = credits
        ? ({ debit: 'adjustment', credit: account } as const)
        : ({ debit: account, credit: 'adjustment' } as const);
      return move(context, 'wallet adjust', { ...input, amount }, () => ({
        book: debt ? 'debt' : 'wallet',
        type: 'adjust',
        transfer,
      }));
    },
  }),
];
