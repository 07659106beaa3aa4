import type { Wallet } from '../../domains/money/ledger/ledger.ts';
import { type Replacement, replacementStatuses } from '../../domains/sales/replacements/replacements.ts';
import { formatCents, formatMicros, microsToCentsHalfUp, toCents } from '../../platform/amounts/cents.ts';
import { snaked } from '../../platform/contract/json.ts';
import type { Mode } from '../../platform/contract/mode.ts';
import { Refused } from '../../platform/contract/refused.ts';
import type { Tx } from '../../platform/db/database.ts';
import { action, type OperatorContext } from '../action.ts';
import { bigId, choice, integer, required } from '../fields.ts';
import { namedPartner, type Subject } from '../four-eyes.ts';
import { decideEach, orderIds } from './decide-many.ts';
import { decideOnOrder, mode } from './refund.ts';

const orderId = required(bigId('ORDER_ID', 'the order of the old eSIM'));
const orders = orderIds('the orders of the old eSIMs');

const shownReplacement = (replacement: Replacement) => ({
  // `order_id` is that of the new eSIM; `old_esim` says what became of the old one.
  ...snaked(replacement, 'oldOrderId', 'status', 'orderId'),
  cost: replacement.cost === null ? null : formatMicros(replacement.cost),
  ...snaked(replacement, 'reason', 'requestedBy', 'requestedAt', 'decidedAt', 'replacedAt', 'oldEsim'),
});

interface Input {
  readonly id: bigint;
  readonly mode: Mode | undefined;
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

const approve = (context: OperatorContext, { id, mode }: Input) =>
  decide(context, 'replacement approve', { id, mode }, (tx, wallet, at) =>
    context.worlds[mode ?? 'live'].replacements.approve(tx, wallet, { oldOrderId: id, at }),
  );

const reject = (context: OperatorContext, { id, mode }: Input) =>
  decide(context, 'replacement reject', { id, mode }, (tx, _wallet, at) =>
    context.worlds[mode ?? 'live'].replacements.reject(tx, { oldOrderId: id, at }),
  );

interface Several {
  readonly orders: readonly { readonly id: bigint }[];
  readonly mode: Mode | undefined;
}

const each = (context: OperatorContext, input: Several, decide: typeof approve) =>
  decideEach(context, input, async ({ id }) => {
    const { status } = await decide(context, { id, mode: input.mode });
    return { order_id: id, status };
  });

/** Their sum; one whose cost is not known makes it any amount. */
async function approvingSeveral(context: OperatorContext, { orders, mode }: Several): Promise<Subject | undefined> {
  const found = await Promise.all(orders.map(({ id }) => approving(context, { id, mode })));
  const live = found.filter((one) => one !== undefined);
  if (live.length === 0) return undefined;
  const known = live.flatMap(({ amounts }) => (amounts === 'any' ? [] : amounts));
  const unknown = live.length - known.length;
  const sum = formatCents(toCents(known.reduce((all, { amount }) => all + amount, 0n)));
  return {
    amounts: unknown > 0 ? 'any' : known,
    words: `Replace ${live.length} eSIMs, at your cost: ${sum} USD${unknown > 0 ? ` and ${unknown} whose cost is not known` : ''}`,
    terms: Object.fromEntries(
      found.flatMap((one, i) =>
        one ? [[`replacement of order ${orders[i]?.id}`, `${one.terms.replacement}, ${one.terms.cost}`]] : [],
      ),
    ),
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
    run: approve,
    fourEyes: { subject: approving },
  }),
  action({
    name: 'replacement reject',
    console: { may: 'money' },
    summary: 'Reject a requested replacement; the eSIM stays as it is',
    args: { id: orderId },
    options: { mode },
    run: reject,
  }),
  action({
    name: 'replacement approve-many',
    console: { may: 'money' },
    summary: 'Approve several requested replacements; reports which were refused and why',
    args: { orders },
    options: { mode },
    run: (context, input) => each(context, input, approve),
    fourEyes: { subject: approvingSeveral },
  }),
  action({
    name: 'replacement reject-many',
    console: { may: 'money' },
    summary: 'Reject several requested replacements; reports which could not be rejected and why',
    args: { orders },
    options: { mode },
    run: (context, input) => each(context, input, reject),
  }),
];
