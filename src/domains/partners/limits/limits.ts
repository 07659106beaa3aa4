/** What a key or a partner may spend: reading, writing and storing limits, and the windows they count in. */
import { type Cents, formatCents, parseCents, toCents } from '../../../platform/amounts/cents.ts';
import { HOUR } from '../../../platform/clock.ts';
import { Refused } from '../../../platform/contract/refused.ts';

const limitPeriods = ['order', 'hour', 'day', 'month'] as const;
type LimitPeriod = (typeof limitPeriods)[number];

/** An amount or a number of orders: one of the two is null. A limit per order is an amount. */
export interface Limit {
  readonly per: LimitPeriod;
  readonly amount: Cents | null;
  readonly count: number | null;
}

export interface BindingLimit extends Limit {
  readonly scope: 'key' | 'partner';
}

const MAX_LIMITS = 10;
const AMOUNT = /^[0-9]{1,9}(\.\d{1,2})?$/;
const COUNT = /^([1-9]\d{0,8})x$/;

/** Reads `day=500.00` or `hour=20x`; undefined: it is neither. */
function readLimit(text: string): Limit | undefined {
  const [named, value = '', ...more] = text.split('=');
  const per = limitPeriods.find((known) => known === named);
  if (!per || more.length > 0) return undefined;
  const count = COUNT.exec(value)?.[1];
  if (count !== undefined) return per === 'order' ? undefined : { per, amount: null, count: Number(count) };
  const amount = AMOUNT.test(value) ? parseCents(value) : undefined;
  return amount === undefined || amount <= 0n ? undefined : { per, amount, count: null };
}

/** Reads a whole set, separated by commas, spaces or line breaks: `day=500.00, hour=20x`. `none` and '' are the empty set. */
export function readLimits(text: string): Limit[] {
  const given = text.split(/[\s,]+/).filter((part) => part !== '');
  if (given.length === 0 || (given.length === 1 && given[0] === 'none')) return [];
  const limits = [...new Set(given)].map((part) => {
    const limit = readLimit(part);
    if (limit) return limit;
    throw new Refused(
      'invalid_limit',
      `"${part}" is not a limit: write an amount in USD as day=500.00, or a number of orders as hour=20x; an order, an hour, a day and a month can be limited`,
    );
  });
  if (limits.length > MAX_LIMITS) throw new Refused('too_many_limits');
  return limits;
}

/** As `readLimits` reads it. */
const limitText = ({ per, amount, count }: Limit): string =>
  `${per}=${amount === null ? `${count}x` : formatCents(amount)}`;
export const limitsText = (limits: readonly Limit[]): string => limits.map(limitText).join(', ');

/** As the command line and the audit log show it. */
export const shownLimit = ({ per, amount, count }: Limit) => ({
  per,
  amount: amount === null ? null : formatCents(amount),
  count,
});

/** A set as its column has it: amounts in cents. */
export type StoredLimits = readonly {
  readonly per: LimitPeriod;
  readonly amount: number | null;
  readonly count: number | null;
}[];

export const storedLimits = (limits: readonly Limit[]): string =>
  JSON.stringify(
    limits.map(({ per, amount, count }) => ({ per, amount: amount === null ? null : Number(amount), count })),
  );

export const limitsIn = (stored: StoredLimits): Limit[] =>
  stored.map(({ per, amount, count }) => ({ per, amount: amount === null ? null : toCents(BigInt(amount)), count }));

/** All that bind a caller, the key's first. */
export const bindingLimits = (key: StoredLimits, partner: StoredLimits): readonly BindingLimit[] =>
  key.length + partner.length === 0 ? NONE : [...scoped('key', key), ...scoped('partner', partner)];

const NONE: readonly BindingLimit[] = [];
const scoped = (scope: BindingLimit['scope'], stored: StoredLimits): BindingLimit[] =>
  limitsIn(stored).map((limit) => ({ ...limit, scope }));

/** The hour, day or month of the calendar (UTC) that a time is in: from its start to the start of the next. */
interface Window {
  readonly from: Date;
  readonly to: Date;
}

export function windowOf(per: Exclude<LimitPeriod, 'order'>, at: Date): Window {
  const [year, month, day] = [at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate()];
  if (per === 'month') return { from: new Date(Date.UTC(year, month)), to: new Date(Date.UTC(year, month + 1)) };
  if (per === 'day')
    return { from: new Date(Date.UTC(year, month, day)), to: new Date(Date.UTC(year, month, day + 1)) };
  const from = Math.floor(at.getTime() / HOUR) * HOUR;
  return { from: new Date(from), to: new Date(from + HOUR) };
}
