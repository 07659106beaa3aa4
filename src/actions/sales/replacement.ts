import type { Wallet } from '../../domains/money/ledger/ledger.ts';
import { type Replacement, replacementStatuses } from '../../domains/sales/replacements/replacements.ts';
import { formatCents, formatMicros, microsToCentsHalfUp } from '../../platform/amounts/cents.ts';
import { snaked } from '../../platform/contract/json.ts';
import { Refused } from '../../platform/contract/refused.ts';
import type { Tx } from '../../platform/db/database.ts';
import { action, type OperatorContext } from '../action.ts';
import { bigId, choice, integer, required } from '../fields.ts';
import { namedPartner, type Subject } from '../four-eyes.ts';
import { decideOnOrder, mode } from './refund.ts';

const orderId = required(bigId('ORDER_ID', 'the order of the old eSIM'));

const shownReplacement = (replacement: Replacement) => ({
  // `order_id` is that of the new eSIM; `old_esim` says what became of the old one.
  ...snaked(replacement, 'oldOrderId', 'status', 'orderId'),
  cost: replacement.cost === null ? null : formatMicros(replacement.cost),
  ...snaked(replacement, 'reason', 'requestedBy', 'requestedAt', 'decidedAt', 'replacedAt', 'oldEsim'),
});

interface Input {
  readonly id: bigint;
  readonly mode: 'live' | 'sandbox' | undefined;
}

/** One decision. It moves no money. */
const decide = (
  context: OperatorContext,
  what: 'replacement approve' | 'replacement reject',
  input: Input,
  work: (tx: Tx, wallet: Wallet, at: Date) => Promise<Replacement>,
) =>
  decideOnOrder(context, { what, details: {} }, input, async (tx, wallet, { at }) =>
    shownReplacement(await work(tx, wallet, at)),
  );

/** What the operator pays a supplier for the new eSIM. One whose cost is not known needs a second operator whatever it is. */
async function approving(context: OperatorContext, { id, mode }: Input): Promise<Subject | undefined> {
  if (mode === 'sandbox') return undefined;
  const { orders, replacements } = context.worlds.live;
  const [order, replacement, cost] = await Promise.all([
    orders.all.read(id),
    replacements.ofOrder(id),
    replacements.costOf(id),
  ]);
  if (!order) throw new Refused('order_not_found');
  const { partnerId } = order;
  const amounts = cost === null ? 'any' : [{ partnerId, amount: microsToCentsHalfUp(cost) }];
  const costs = cost === null ? 'a cost that is not known' : `${formatCents(microsToCentsHalfUp(cost))} USD`;
  return {
    amounts,
    partnerId,
    words: `Replace the eSIM of order ${id} of ${await namedPartner(context, partnerId)}, at your cost: ${costs}`,
    terms: { replacement: replacement?.status ?? 'not requested', cost: costs },
  };
}

export const replacementActions = [
  action({
    name: 'replacement list',
    console: 'shown',
    summary: 'List replacements of eSIMs, newest first; `requested` ones wait for you',
    options: {
      status: choice(replacementStatuses, 'only those in this state'),
      partner: integer('PARTNER_ID', 'only of this partner'),
      mode,
      limit: integer('N', 'at most this many; 50 by default'),
    },
    async run({ worlds }, { status, partner: partnerId, mode = 'live', limit = 50 }) {
      const replacements = await worlds[mode].replacements.list({ status, partnerId, limit });
      return replacements.map((replacement) => ({
        partner_id: replacement.partnerId,
        ...shownReplacement(replacement),
      }));
    },
  }),
  action({
    name: 'replacement approve',
    console: { may: 'money' },
    summary:
      'Approve a requested replacement, also one that was rejected: a new eSIM of the same plan is ordered at your cost',
    args: { id: orderId },
    options: { mode },
    run: (context, input) =>
      decide(context, 'replacement approve', input, (tx, wallet, at) =>
        context.worlds[input.mode ?? 'live'].replacements.approve(tx, wallet, { oldOrderId: input.id, at }),
      ),
    fourEyes: { subject: approving },
  }),
  action({
    name: 'replacement reject',
    console: { may: 'money' },
    summary: 'Reject a requested replacement; the eSIM stays as it is',
    args: { id: orderId },
    options: { mode },
    run: (context, input) =>
      decide(context, 'replacement reject', input, (tx, _wallet, at) =>
        context.worlds[input.mode ?? 'live'].replacements.reject(tx, { oldOrderId: input.id, at }),
      ),
  }),
];
