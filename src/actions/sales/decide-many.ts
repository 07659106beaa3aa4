import { typedBigIdIn } from '../../platform/contract/ids.ts';
import type { Mode } from '../../platform/contract/mode.ts';
import { Refused } from '../../platform/contract/refused.ts';
import type { OperatorContext } from '../action.ts';
import { field, invalid, required } from '../fields.ts';

/** How many one action decides. */
const MOST = 100;
/** Of an order with the version of what is decided; the longest are about 60. */
const LONGEST = 80;

interface Chosen {
  readonly id: bigint;
}

/** Orders separated by commas; `read` says what else each of them names. */
export const chosenOrders = <C extends Chosen>(
  placeholder: string,
  summary: string,
  expected: string,
  read: (one: string) => C | undefined,
) => ({
  ...required(
    field(placeholder, summary, 'a list of orders', (given): readonly C[] => {
      const list = given.split(',').map((one) => {
        const chosen = read(one.trim());
        if (chosen === undefined) throw invalid`"${one.slice(0, 40)}" is not ${expected}`;
        return chosen;
      });
      if (new Set(list.map(({ id }) => id)).size < list.length) throw invalid`an order is named twice`;
      if (list.length > MOST) throw invalid`decide at most ${MOST} at a time`;
      return list;
    }),
  ),
  longest: MOST * LONGEST,
});

export const orderIds = (summary: string) =>
  chosenOrders('ORDER_ID,…', summary, 'an order id', (one) => {
    const id = typedBigIdIn(one);
    return id === undefined ? undefined : { id };
  });

/**
 * One decision after the other, each in a transaction of its own with its entry in the audit log. A refused one does not stop the
 * others. A repeat with the same key finds the decisions that were made and continues after them: for that, the number of a
 * decision must not depend on the ones before it, so an order that does not exist is refused before the first.
 */
export async function decideEach<C extends Chosen, D extends { readonly order_id: bigint }>(
  { worlds }: OperatorContext,
  { orders, mode = 'live' }: { readonly orders: readonly C[]; readonly mode: Mode | undefined },
  decide: (one: C) => Promise<D>,
) {
  const found = await worlds[mode].orders.all.readMany(orders.map(({ id }) => id));
  const known = new Set(found.map(({ id }) => id));
  const unknown = orders.find(({ id }) => !known.has(id));
  if (unknown) throw new Refused('order_not_found', `order ${unknown.id} does not exist`);
  const decided: D[] = [];
  const refused: { order_id: bigint; code: string; why: string }[] = [];
  for (const one of orders)
    try {
      decided.push(await decide(one));
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      refused.push({ order_id: one.id, code: error.code, why: error.page });
    }
  return { ok: refused.length === 0, decided, refused };
}
