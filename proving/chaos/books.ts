import type { Order } from './model.ts';
import { chainOf, isReplaced } from './replacements.ts';
import type { Scene } from './scene.ts';
import { requireThat } from './violation.ts';

interface Booked {
  readonly reference: string;
  readonly plan: string;
  readonly withdrawn: boolean;
  readonly suspended: boolean;
}

/**
 * The suppliers' own records, once every order is finished: a delivered order was bought exactly once, from the supplier we have on
 * record, and returned or suspended exactly if we say so; a failed order was not bought at all. Of a replaced eSIM and the new one only one
 * works, unless its replacement says that the old one was left.
 */
export async function requireBooks({ site, model }: Scene): Promise<void> {
  const rows = await site.snapshot(async (client) => {
    const { rows } = await client.query<Booked>(`
      select reference, plan, withdrawn_at is not null as withdrawn, suspended_at is not null as suspended from simulated.orders
      where not refused and reference like 'wf-live-%'`);
    return rows;
  });
  const booked = Map.groupBy(rows, ({ reference }) => Number(reference.split('-')[2]));
  for (const order of model.orders.values()) {
    if (order.world !== 'live') continue;
    const bought = booked.get(order.id) ?? [];
    const what = `order ${order.id}, ${order.state} (${order.reason})`;
    if (order.state === 'failed') {
      // An order that an operator gave up may still be at its supplier.
      requireThat(bought.length === 0 || order.mayFail, `${what}, was bought`, bought);
      continue;
    }
    const by = order.deliveredBy;
    requireThat(by, `${what}, has no supplier that delivered it`);
    const names = bought.map(({ plan }) => plan);
    const must = by.isStock ? [] : [`${by.supplier}/${by.code}`];
    requireThat(JSON.stringify(names) === JSON.stringify(must), `${what}, was bought elsewhere`, { is: names, must });
    const [first] = bought;
    if (first && order.withdrawal !== 'perhaps')
      requireThat(first.withdrawn === (order.withdrawal === 'done'), `${what}, withdrawn or not`, historyOf(order));
    if (first && !order.isSwitchUnclear)
      requireThat(first.suspended === order.isSuspended.value, `${what}, suspended or not`, order.isSuspended.value);
    if (isReplaced(order)) requireOff(order, first, what);
  }
}

/** What may have led to its withdrawal. */
const historyOf = (order: Order) => ({
  withdrawal: order.withdrawal,
  chain: chainOf(order).map(({ id, state, price, refunded, refund, cancel, withdrawal, replacements }) => ({
    ...{ id, state, price, refunded, withdrawal, refund: refund.value, cancel: cancel.value },
    replacements: replacements.map(({ status, became }) => [status, became]),
  })),
});

function requireOff(order: Order, esim: Booked | undefined, what: string): void {
  const became = order.replacements.at(-1)?.became;
  const isOff = esim ? esim.withdrawn || esim.suspended : order.withdrawal === 'done';
  requireThat(isOff || became === 'left', `${what}, was replaced and still works`, { became, esim });
}
