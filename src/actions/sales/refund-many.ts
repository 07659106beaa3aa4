import { formatCents, parseCents, toCents } from '../../platform/amounts/cents.ts';
import { typedBigIdIn } from '../../platform/contract/ids.ts';
import { action, type OperatorContext } from '../action.ts';
import { required, text, type Values } from '../fields.ts';
import { chosenOrders, decideEach } from './decide-many.ts';
import { approve, mode, refunding, reject } from './refund.ts';

interface Chosen {
  readonly id: bigint;
  /** The version it applies to; optional only at the command line. */
  readonly version: string | undefined;
}

const chosen = chosenOrders(
  'ORDER_ID=VERSION,…',
  'the orders, each with the version you decide on, as for `refund approve`',
  'an order id with its version',
  (one): Chosen | undefined => {
    const [, digits = '', version] = /^(\d+)(?:=([\w-]{1,60}))?$/.exec(one) ?? [];
    const id = typedBigIdIn(digits);
    return id === undefined ? undefined : { id, version };
  },
);

const note = text('TEXT', 'the partners see it with their refunds');
const options = { note, mode };
/** Of one order; a rejection refunds nothing. */
type Decide = (
  context: OperatorContext,
  input: Parameters<typeof reject>[1],
) => Promise<{ readonly order_id: bigint; readonly refunded?: string }>;
type Input = { readonly orders: readonly Chosen[] } & Values<typeof options>;

async function each(context: OperatorContext, { orders, note, mode }: Input, decide: Decide) {
  const done = await decideEach(context, { orders, mode }, async (one) => {
    const { refunded } = await decide(context, { ...one, note, mode });
    return { order_id: one.id, ...(refunded === undefined ? {} : { refunded }) };
  });
  const sum = done.decided.reduce((all, { refunded = '0' }) => all + (parseCents(refunded) ?? 0n), 0n);
  return { ...done, refunded: formatCents(toCents(sum)) };
}

export const refundManyActions = [
  action({
    name: 'refund approve-many',
    console: { may: 'money', fresh: true },
    summary: 'Approve several requested refunds, each for the rest of its price; reports which were refused and why',
    args: { orders: chosen },
    options,
    run: (context, input) => each(context, input, approve),
    fourEyes: {
      async subject(context, { orders, mode, note }) {
        const found = await Promise.all(orders.map(({ id }) => refunding(context, { id, mode })));
        const live = found.filter((one) => one !== undefined);
        if (live.length === 0) return undefined;
        const sum = toCents(live.reduce((all, { given }) => all + given, 0n));
        const byPartner = Map.groupBy(live, ({ order }) => order.partnerId);
        return {
          amounts: [...byPartner].map(([partnerId, of]) => ({
            partnerId,
            amount: toCents(of.reduce((all, { given }) => all + given, 0n)),
          })),
          words: `Approve ${live.length} refunds of ${formatCents(sum)} USD in total, to ${byPartner.size} partner${byPartner.size === 1 ? '' : 's'}${note ? `: “${note}”` : ''}`,
          terms: Object.fromEntries(live.map(({ order, version }) => [`refund of order ${order.id}`, version])),
        };
      },
    },
  }),
  action({
    name: 'refund reject-many',
    console: { may: 'money' },
    summary: 'Reject several requested refunds for one reason; reports which could not be rejected and why',
    args: { orders: chosen },
    options: { ...options, note: required(note) },
    run: (context, input) => each(context, input, reject),
  }),
];
