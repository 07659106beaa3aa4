import type { Wallet } from '../../domains/money/ledger/ledger.ts';
import {
  accountTimeAt,
  type Decision,
  type GivenBack,
  type Refund,
  readRefund,
  refundStatuses,
  refundVersion,
} from '../../domains/sales/refunds/refunds.ts';
import { type Cents, formatCents, toCents } from '../../platform/amounts/cents.ts';
import { listChanges } from '../../platform/audit/audit-log.ts';
import type { AuditKind } from '../../platform/audit/sentences.ts';
import { timestamp } from '../../platform/clock.ts';
import { snaked } from '../../platform/contract/json.ts';
import type { Mode } from '../../platform/contract/mode.ts';
import { Refused } from '../../platform/contract/refused.ts';
import type { Tx } from '../../platform/db/database.ts';
import { action, type OperatorContext } from '../action.ts';
import { bigId, choice, integer, required, someUsd, text } from '../fields.ts';
import { namedPartner, type Subject } from '../four-eyes.ts';
import { changeWallet } from '../money/wallet.ts';

const orderId = required(bigId('ORDER_ID', 'the order'));
const amount = someUsd('how much; by default the rest of the price');
const note = text('TEXT', 'the partner sees it with the refund');
export const mode = choice(['live', 'sandbox'], 'whether the order is live or sandbox; live by default');
const version = text(
  'VERSION',
  'the version you decide on, from `order show`; refused if somebody else has decided since',
);

export const shownRefund = (refund: Refund) => ({
  status: refund.status,
  version: refundVersion(refund),
  amount: formatCents(refund.amount),
  ...snaked(refund, 'reason', 'note', 'requestedAt', 'decidedAt', 'attempts'),
  next_attempt_at: refund.dueAt,
});

export interface Input {
  readonly id: bigint;
  readonly note: string | undefined;
  readonly mode: Mode | undefined;
  readonly version: string | undefined;
}

/** How a refusal describes what each action did. */
const decisions: Readonly<Record<string, string>> = {
  'order refund': 'refunded',
  'refund approve': 'approved',
  'refund reject': 'rejected',
};

/**
 * A decision based on outdated figures would refund on top of what was already given back. The caller holds the wallet, so no
 * other decision can come between this check and its own. A page always sends the version it showed; at the command line it is
 * optional.
 */
async function requireCurrent(tx: Tx, context: OperatorContext, target: string, { id, version }: Input): Promise<void> {
  if (version === undefined) {
    if (context.operatorId === undefined) return;
    throw new Refused('invalid_input', 'version: name the version you decide on');
  }
  const refund = await readRefund(tx, id);
  if (refundVersion(refund) === version) return;
  const log = await listChanges(tx, { target, who: undefined, limit: 20 });
  const last = log.find(({ what }) => what in decisions);
  const given = (last?.after as { refunded?: string } | undefined)?.refunded;
  const decided =
    last && `${last.who.replace(/^operator:/, '')} ${decisions[last.what]} it at ${timestamp(last.at)} UTC`;
  throw new Refused(
    'refund_changed',
    [
      `the refund of order ${id} is not as you saw it:`,
      decided === undefined
        ? 'it was changed meanwhile'
        : `${decided}${given === undefined ? '' : `, and ${given} USD went back`}`,
      `(${refund ? `${refund.status}, ${formatCents(refund.amount)} USD given back` : 'nothing was requested'} now). Look at it again`,
    ].join(' '),
  );
}

/** One decision about an order, under its wallet's lock and with its entry in the audit log. `at` is the time of its account. */
export async function decideOnOrder<T extends object>(
  context: OperatorContext,
  entry: { readonly what: AuditKind; readonly details: object },
  { id, mode = 'live' }: { readonly id: bigint; readonly mode: Mode | undefined },
  work: (tx: Tx, wallet: Wallet, of: { readonly partnerId: number; readonly at: Date }) => Promise<T>,
  check: (tx: Tx, target: string) => Promise<void> = async () => {},
) {
  const order = await context.worlds[mode].orders.all.read(id);
  if (!order) throw new Refused('order_not_found');
  const { partnerId } = order;
  const target = mode === 'live' ? `order ${id}` : `${mode} order ${id}`;
  return changeWallet(context, { ...entry, target, partnerId, ofOrder: true, mode }, async (tx, wallet) => {
    await check(tx, target);
    const at = await accountTimeAt(tx, id, context.clock.now());
    // Its sandbox was reset meanwhile.
    if (!at) throw new Refused('order_not_found');
    return work(tx, wallet, { partnerId, at });
  });
}

/** A decision about an order's money. */
function decide<T extends object>(
  context: OperatorContext,
  what: AuditKind,
  input: Input,
  work: (tx: Tx, wallets: ReadonlyMap<number, Wallet>, of: Omit<Decision, 'amount'>) => Promise<T>,
) {
  const { id: orderId, note } = input;
  return decideOnOrder(
    context,
    { what, details: { note: note ?? '' } },
    input,
    (tx, wallet, of) => work(tx, new Map([[of.partnerId, wallet]]), { ...of, orderId, note }),
    (tx, target) => requireCurrent(tx, context, target, input),
  );
}

/** What is left of a live order's price, or the part that is asked for, goes back; the sandbox's money is not real. */
export async function refunding(
  context: OperatorContext,
  { id, amount, mode }: Pick<Input, 'id' | 'mode'> & { readonly amount?: Cents | undefined },
) {
  if (mode === 'sandbox') return undefined;
  const { orders, refunds } = context.worlds.live;
  const [order, refund] = await Promise.all([orders.all.read(id), refunds.read(id)]);
  if (!order) throw new Refused('order_not_found');
  const given = amount ?? toCents(order.salePrice - order.refunded);
  return { order, given, version: refundVersion(refund), status: refund?.status ?? 'not requested' };
}

const refundSubject =
  (verb: string) =>
  async (
    context: OperatorContext,
    input: Input & { readonly amount: Cents | undefined },
  ): Promise<Subject | undefined> => {
    const found = await refunding(context, input);
    if (!found) return undefined;
    const { order, given, status, version } = found;
    const partner = await namedPartner(context, order.partnerId);
    return {
      amounts: [{ partnerId: order.partnerId, amount: given }],
      words: `${verb} ${formatCents(given)} USD of order ${input.id} to ${partner}${input.note ? `: “${input.note}”` : ''}`,
      terms: { refund: status, 'refunded so far': formatCents(order.refunded), version },
    };
  };

const shownGiven = ({ refund, given, takenBack }: GivenBack) => ({
  order_id: refund.orderId,
  refunded: formatCents(given),
  ...(takenBack > 0n ? { share_taken_back: formatCents(takenBack) } : {}),
});

export const approve = (
  context: OperatorContext,
  { amount, ...input }: Input & { readonly amount?: Cents | undefined },
) =>
  decide(context, 'refund approve', input, async (tx, wallets, of) => {
    const { refunds } = context.worlds[input.mode ?? 'live'];
    const given = await refunds.approve(tx, wallets, { ...of, amount });
    return { ...shownGiven(given), refund: shownRefund(given.refund) };
  });

export const reject = (context: OperatorContext, input: Input) =>
  decide(context, 'refund reject', input, async (tx, _wallets, of) => {
    const refund = await context.worlds[input.mode ?? 'live'].refunds.reject(tx, of);
    return { order_id: refund.orderId, refund: shownRefund(refund) };
  });

export const refundActions = [
  action({
    name: 'order refund',
    console: { may: 'money', fresh: true },
    summary: 'Refund an order in full or in part, to where the money came from; its status does not change',
    args: { id: orderId },
    options: { amount, note, version, mode },
    run: (context, { amount, ...input }) =>
      decide(context, 'order refund', input, async (tx, wallets, of) =>
        shownGiven(await context.worlds[input.mode ?? 'live'].refunds.giveManually(tx, wallets, { ...of, amount })),
      ),
    fourEyes: { subject: refundSubject('Refund') },
  }),
  action({
    name: 'refund list',
    console: 'shown',
    summary: 'List refunds, newest orders first; `requested` ones wait for you, `withdrawing` ones for the supplier',
    options: {
      status: choice(refundStatuses, 'only those in this state'),
      partner: integer('PARTNER_ID', 'only of this partner'),
      mode,
      limit: integer('N', 'at most this many; 50 by default'),
    },
    async run({ worlds }, { status, partner: partnerId, mode = 'live', limit = 50 }) {
      const refunds = await worlds[mode].refunds.list({ status, partnerId, limit });
      return refunds.map((refund) => ({
        order_id: refund.orderId,
        partner_id: refund.partnerId,
        ...shownRefund(refund),
      }));
    },
    text: (refunds: readonly (ReturnType<typeof shownRefund> & object)[]) =>
      refunds.map(({ attempts, next_attempt_at, version, ...refund }) => refund),
  }),
  action({
    name: 'refund approve',
    console: { may: 'money', fresh: true },
    summary:
      'Approve a requested refund in full or in part; also one that was rejected, or the rest of one approved in part',
    args: { id: orderId },
    options: { amount, note, version, mode },
    run: approve,
    fourEyes: { subject: refundSubject('Approve the refund of') },
  }),
  action({
    name: 'refund reject',
    console: { may: 'money' },
    summary: 'Reject a requested refund; the partner sees your note',
    args: { id: orderId },
    options: { note, version, mode },
    run: reject,
  }),
];
