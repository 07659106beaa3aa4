import { formatCents, parseCents, toCents, ZERO } from '../../platform/amounts/cents.ts';
import { typedBigIdIn } from '../../platform/contract/ids.ts';
import { Refused } from '../../platform/contract/refused.ts';
import { action, type OperatorContext } from '../action.ts';
import { field, invalid, required, text, type Values } from '../fields.ts';
import { approve, mode, refunding, reject } from './refund.ts';

/** How many one action decides. */
const MOST = 100;

interface Chosen {
  readonly id: bigint;
  /** The version it applies to; optional only at the command line. */
  readonly version: string | undefined;
}

const chosen = required(
  field(
    'ORDER_ID=VERSION,…',
    'the orders, each with the version you decide on, as for `refund approve`',
    'a list of orders',
    (given): readonly Chosen[] => {
      const list = given.split(',').map((one): Chosen => {
        const [, digits = '', version] = /^(\d+)(?:=([\w-]{1,60}))?$/.exec(one.trim()) ?? [];
        const id = typedBigIdIn(digits);
        if (id === undefined) throw invalid`"${one.slice(0, 40)}" is not an order id with its version`;
        return { id, version };
      });
      if (new Set(list.map(({ id }) => id)).size < list.length) throw invalid`an order is named twice`;
      if (list.length > MOST) throw invalid`decide at most ${MOST} at a time`;
      return list;
    },
  ),
);

const note = text('TEXT', 'the partners see it with their refunds');
const options = { note, mode };
/** Of one order; a rejection refunds nothing. */
type Decide = (
  context: OperatorContext,
  input: Parameters<typeof reject>[1],
) => Promise<{ readonly order_id: bigint; readonly refunded?: string }>;
type Input = { readonly orders: readonly Chosen[] } & Values<typeof options>;

/**
 * One decision after the other, each in a transaction of its own with its entry in the audit log. A refused one does not stop the
 * others. A repeat with the same key finds the decisions that were made and continues after them: for that, the number of a
 * decision must not depend on the ones before it, so an order that does not exist is refused before the first.
 */
async function each(context: OperatorContext, { orders, note, mode }: Input, decide: Decide) {
  const world = context.worlds[mode ?? 'live'];
  const known = new Set((await world.orders.all.readMany(orders.map(({ id }) => id))).map(({ id }) => id));
  const unknown = orders.find(({ id }) => !known.has(id));
  if (unknown) throw new Refused('order_not_found', `order ${unknown.id} does not exist`);
  const decided: { order_id: bigint; refunded?: string }[] = [];
  const refused: { order_id: bigint; code: string; why: string }[] = [];
  let sum = ZERO;
  for (const { id, version } of orders)
    try {
      const { refunded } = await decide(context, { id, version, note, mode });
      sum = toCents(sum + (parseCents(refunded ?? '0') ?? 0n));
      decided.push({ order_id: id, ...(refunded === undefined ? {} : { refunded }) });
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      refused.push({ order_id: id, code: error.code, why: error.page });
    }
  return { ok: refused.length === 0, refunded: formatCents(sum), decided, refused };
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
