import { dollars } from '../../parts/Money.tsx';

/** A limit on spending, with what was used of it. One of `amount`, in USD, and `count`, of orders, is null. */
export interface Limit {
  readonly per: 'order' | 'hour' | 'day' | 'month';
  readonly amount: number | null;
  readonly count: number | null;
  readonly used_amount: number;
  readonly used_count: number;
  /** Null for a limit per order, which is never used up. */
  readonly resets_at: string | null;
}

export const perWords: Readonly<Record<Limit['per'], string>> = {
  order: 'per order',
  hour: 'per hour',
  day: 'per day',
  month: 'per month',
};

const orders = (count: number): string => `${count.toLocaleString('en-US')} ${count === 1 ? 'order' : 'orders'}`;

/** `$500.00 per day`, `20 orders per hour`. */
export const limitWords = ({ per, amount, count }: Limit): string =>
  `${amount === null ? orders(count ?? 0) : dollars(amount)} ${perWords[per]}`;

/** What was used, what is left, and the share of it in percent. */
export function usedOf({ amount, count, used_amount, used_count }: Limit) {
  const [most, used, say] = amount === null ? [count ?? 0, used_count, orders] : [amount, used_amount, dollars];
  const left = Math.max(0, most - used);
  return { used: say(used), left: say(left), isUsedUp: left === 0, percent: Math.min(100, (used / most) * 100) };
}

/** Whether one more order at this price is beyond the limit. In cents: sums of dollars are not exact. */
export function isBeyond({ per, amount, count, used_amount, used_count }: Limit, price: number): boolean {
  if (amount === null) return used_count + 1 > (count ?? 0);
  const used = per === 'order' ? 0 : used_amount;
  return Math.round((used + price) * 100) > Math.round(amount * 100);
}
