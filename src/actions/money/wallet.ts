import { balanceLow } from '../../domains/messages/events/events.ts';
import type { Line } from '../../domains/money/books/books.ts';
import {
  lockWallets,
  type ManualMovement,
  type Movement,
  manualMovements,
  NotEnoughMoney,
  post,
  spendable,
  type Wallet,
} from '../../domains/money/ledger/ledger.ts';
import { findPartner, requireOpenPartner } from '../../domains/partners/accounts/accounts.ts';
import { type Cents, formatCents, toCents, ZERO } from '../../platform/amounts/cents.ts';
import { change } from '../../platform/audit/audit-log.ts';
import type { AuditKind } from '../../platform/audit/sentences.ts';
import { snaked } from '../../platform/contract/json.ts';
import type { Mode } from '../../platform/contract/mode.ts';
import { Refused } from '../../platform/contract/refused.ts';
import type { Tx } from '../../platform/db/database.ts';
import { enterSchema } from '../../platform/db/search-path.ts';
import { action, inUsd, type OperatorContext } from '../action.ts';
import { integer, invalid, required, someUsd, text, the, toggle } from '../fields.ts';
import { namedPartner, type Subject } from '../four-eyes.ts';

export const shownWallet = (wallet: { cash: Cents; promo: Cents; outstanding: Cents }) => ({
  balance: formatCents(spendable(wallet)),
  ...inUsd(wallet, 'promo', 'cash'),
  debt: formatCents(wallet.outstanding),
});

const shownLine = (line: Line<string>) => ({
  movement_id: line.id,
  type: line.type,
  ...inUsd(line, 'amount', 'balanceAfter'),
  ...snaked(line, 'orderId', 'note', 'at'),
});

const partner = required(integer('PARTNER_ID', 'whose wallet'));
const note = text('TEXT', 'the partner sees it with the movement');

interface WalletChange {
  readonly what: AuditKind;
  readonly target: string;
  readonly partnerId: number;
  readonly details: object;
  readonly ofOrder?: true;
  readonly mode?: Mode;
}

/**
 * Changes one wallet, a live one unless `mode` says otherwise: locks it, lets `work` move money, and records the balances before
 * and after. Only what follows from an order may still reach the wallet of a closed account.
 */
export async function changeWallet<T extends object>(
  context: OperatorContext,
  entry: WalletChange,
  work: (tx: Tx, wallet: Wallet) => Promise<T>,
) {
  return change(context, entry.what, async (tx) => {
    if (!entry.ofOrder) await requireOpenPartner(tx, entry.partnerId);
    await enterSchema(tx, entry.mode ?? 'live');
    const wallet = (await lockWallets(tx, [entry.partnerId])).get(entry.partnerId);
    if (!wallet) throw new Refused('partner_not_found');
    const before = shownWallet(wallet);
    const result = await work(tx, wallet);
    const after = { ...shownWallet(wallet), ...entry.details, ...result };
    return {
      target: entry.target,
      partnerId: entry.partnerId,
      before,
      after,
      result: { partner_id: entry.partnerId, ...result, ...shownWallet(wallet) },
    };
  });
}

/** One movement with one transfer, which is what every action here does. */
function move(
  context: OperatorContext,
  what: AuditKind,
  input: { partner: number; amount: Cents; note: string | undefined },
  lineFor: (wallet: Wallet) => ManualMovement,
) {
  const { partner: partnerId, amount, note = '' } = input;
  const details = { amount: formatCents(amount), note };
  return changeWallet(context, { what, target: `partner ${partnerId}`, partnerId, details }, async (tx, wallet) => {
    const { transfer, ...line } = lineFor(wallet);
    const at = new Date(context.clock.now());
    const movement: Movement = { ...line, partnerId, note, at, transfers: [{ ...transfer, amount }] };
    const low = await post(tx, new Map([[partnerId, wallet]]), [movement]).catch((error) => {
      throw error instanceof NotEnoughMoney ? new Refused('insufficient_balance') : error;
    });
    const events = low.map((one) => balanceLow(one, at));
    if (events.length > 0) await context.worlds.live.webhooks.publish(tx, events);
    if (line.book === 'debt') await context.worlds.live.invoices.settle(tx, partnerId);
    return {};
  });
}

/** What is decided is the amount; the balance moves with every sale. */
const moving = async (
  context: OperatorContext,
  { partner: partnerId, note = '' }: { readonly partner: number; readonly note?: string | undefined },
  amount: Cents,
  words: (partner: string, usd: string) => string,
): Promise<Subject> => ({
  amounts: [{ partnerId, amount }],
  words: `${words(await namedPartner(context, partnerId), `${formatCents(amount)} USD`)}${note === '' ? '' : `: “${note}”`}`,
  terms: {},
});

type Adjustment = Record<'add' | 'subtract', Cents | undefined> & Record<'promo' | 'debt', boolean>;

function adjustment({ add, subtract, promo, debt }: Adjustment) {
  const amount = add ?? subtract;
  if (amount === undefined || (add !== undefined && subtract !== undefined))
    throw invalid`give either ${the('add')} or ${the('subtract')}`;
  if (promo && debt) throw invalid`${the('promo')} and ${the('debt')} cannot be combined`;
  return { amount, account: debt ? 'receivable' : promo ? 'promo' : 'cash', isAdded: add !== undefined } as const;
}

const accountWords = { receivable: 'debt', promo: 'promo credit', cash: 'cash' } as const;

function paymentTooLarge({ partnerId, outstanding }: Wallet): Refused {
  const debt = formatCents(outstanding > 0n ? outstanding : ZERO);
  const owed = `partner ${partnerId} owes ${debt} USD: record at most that as a payment, and the rest`;
  return new Refused('payment_too_large', { page: `${owed} as credit`, terminal: `${owed} with \`wallet credit\`` });
}

export const walletActions = [
  action({
    name: 'wallet show',
    console: 'shown',
    summary: 'Show what a partner holds and owes, with the latest lines of its wallet and of its debt',
    options: {
      partner: required(integer('PARTNER_ID', 'the partner, open or closed')),
      limit: integer('N', 'at most this many lines of each; 10 by default'),
    },
    async run({ db, worlds }, { partner: id, limit = 10 }) {
      const partner = await findPartner(db, id);
      const { books } = worlds.live;
      const page = { limit, start: 1 };
      const { balances, lines } = await books.history(id, page);
      const statement = await books.statement(id, page);
      const creditLimit = toCents(partner.creditLimit);
      return {
        partner_id: id,
        billing_mode: partner.billingMode,
        suspended: partner.suspended,
        ...shownWallet(balances),
        credit_limit: formatCents(creditLimit),
        ...(partner.billingMode === 'postpaid' && {
          credit_left: formatCents(toCents(creditLimit - balances.outstanding)),
        }),
        history: lines.map(shownLine),
        statement: statement?.lines.map(shownLine) ?? [],
      };
    },
  }),
  action({
    name: 'wallet credit',
    console: { may: 'money', fresh: true },
    summary:
      'Record money received by bank transfer (it counts toward the share tier), or with --promo grant promo credit',
    options: {
      partner,
      amount: required(someUsd('how much')),
      promo: toggle('promo credit: spent first, does not count as a top-up'),
      note,
    },
    run: (context, input) =>
      move(context, 'wallet credit', input, () => (input.promo ? manualMovements.promo : manualMovements.credit)),
    fourEyes: {
      subject: (context, input) =>
        moving(context, input, input.amount, (partner, usd) =>
          input.promo ? `Grant ${usd} of promo credit to ${partner}` : `Credit ${usd} to ${partner}`,
        ),
    },
  }),
  action({
    name: 'wallet payment',
    console: { may: 'money', fresh: true },
    summary: 'Record a payment of postpaid debt; record anything paid beyond the debt as a `wallet credit`',
    options: { partner, amount: required(someUsd('how much was paid; at most the debt')), note },
    run: (context, input) =>
      move(context, 'wallet payment', input, (wallet) => {
        if (wallet.billingMode === 'prepaid' && wallet.outstanding <= 0n) throw new Refused('not_postpaid');
        if (input.amount > wallet.outstanding) throw paymentTooLarge(wallet);
        return manualMovements.payment;
      }),
    fourEyes: {
      subject: (context, input) =>
        moving(context, input, input.amount, (partner, usd) => `Record a payment of ${usd} by ${partner}`),
    },
  }),
  action({
    name: 'wallet adjust',
    console: { may: 'money', fresh: true },
    summary: 'Correct a wallet (or with --debt the postpaid debt): give either --add or --subtract',
    options: {
      partner,
      add: someUsd('how much to add to the balance (or the debt)'),
      subtract: someUsd('how much to subtract; a wallet cannot go below zero'),
      promo: toggle('correct the promo credit instead of the cash'),
      debt: toggle('correct the postpaid debt'),
      note: required(note),
    },
    run(context, input) {
      const { amount, account, isAdded } = adjustment(input);
      const line = manualMovements.adjust(account, isAdded ? 'add' : 'subtract');
      return move(context, 'wallet adjust', { ...input, amount }, () => line);
    },
    fourEyes: {
      subject(context, input) {
        const { amount, account, isAdded } = adjustment(input);
        const what = accountWords[account];
        return moving(context, input, amount, (partner, usd) =>
          isAdded ? `Add ${usd} to the ${what} of ${partner}` : `Subtract ${usd} from the ${what} of ${partner}`,
        );
      },
    },
  }),
];
