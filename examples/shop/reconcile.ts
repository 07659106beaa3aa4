import { dollars } from './money.ts';
import type { Order } from './store.ts';

/** A charge (negative) or a refund in Wayfare's books, with our order's id as its reference. */
export interface Movement {
  readonly id: number;
  readonly reference: string;
  readonly title: string;
  readonly cents: number;
}

/** An order as Wayfare lists it. */
export interface Listed {
  readonly id: string;
  readonly reference: string;
  readonly status: string;
}

export interface Difference {
  readonly order: string;
  readonly what: string;
}

const STATUS_CODES: Readonly<Record<string, Order['status']>> = {
  1: 'delivered',
  2: 'failed',
  3: 'waiting',
  4: 'waiting',
};

/** What does not agree, to the cent. `movements` are all there are of these orders, whatever their day. */
export function differences(
  ours: readonly Order[],
  movements: readonly Movement[],
  listed: readonly Listed[],
): Difference[] {
  const known = new Map(ours.map((order) => [order.id, order]));
  const booked = Map.groupBy(movements, ({ reference }) => reference);
  const statuses = new Map(listed.map(({ reference, status }) => [reference, STATUS_CODES[status] ?? status]));
  const strangers = [...booked].flatMap(([reference, lines]) => {
    if (known.has(reference)) return [];
    return lines.map(({ id, title, cents }) => {
      const what = cents < 0 ? 'charged us' : 'gave us back';
      return {
        order: reference,
        what: `Wayfare ${what} ${size(cents)} for an order we do not have: ${title}, movement ${id}`,
      };
    });
  });
  return [
    ...strangers,
    ...ours.flatMap((order) => problems(order, booked.get(order.id) ?? [], statuses.get(order.id))),
  ];
}

function problems(order: Order, lines: readonly Movement[], there: string | undefined): Difference[] {
  const sum = (sign: 1 | -1) => lines.reduce((total, { cents }) => total + Math.max(0, sign * cents), 0);
  const [charged, refunded] = [sum(-1), sum(1)];
  const { status, cost_cents, refunded_cents, owed_cents, returned_cents } = order;
  const found: string[] = [];
  if (status === 'delivered' || status === 'waiting') {
    if (charged === 0) found.push(`bought for ${dollars(cost_cents)} here, but Wayfare never charged it`);
    else if (charged !== cost_cents)
      found.push(`cost ${dollars(cost_cents)} here, but Wayfare charged ${dollars(charged)}`);
    if (refunded !== refunded_cents)
      found.push(`${dollars(refunded_cents)} came back here, but Wayfare gave back ${dollars(refunded)}`);
  } else if (charged !== refunded) {
    found.push(`${status} here, but Wayfare charged ${dollars(charged)} and gave back ${dollars(refunded)}`);
  }
  if (there !== undefined && there !== status) found.push(`${status} here, but ${there} at Wayfare`);
  if (returned_cents !== owed_cents)
    found.push(`the customer is owed ${dollars(owed_cents)} and got ${dollars(returned_cents)}`);
  return found.map((what) => ({ order: order.id, what }));
}

const size = (cents: number): string => dollars(Math.abs(cents));
