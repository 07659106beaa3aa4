import { type Cents, divideHalfUp, toCents } from '../../../platform/amounts/cents.ts';
import { type NetworkType, networkTypes, scopes } from '../import-format/import-format.ts';
import type { Plan } from './plan.ts';

/** Plans under 1 GB are small: they are listed only with `include_small`. */
const SMALL_BELOW_MB = 1024;

export const isSmall = (plan: Plan): boolean => !plan.isUnlimited && plan.amountMb < SMALL_BELOW_MB;

/** Keeps the winner of each (destination, days, data) group, in the order the groups first appear. */
export function winners(plans: readonly Plan[]): Plan[] {
  const best = new Map<string, Plan>();
  for (const plan of plans) {
    const group = groupOf(plan);
    const leader = best.get(group);
    if (!leader || beats(plan, leader)) best.set(group, plan);
  }
  return [...best.values()];
}

/** Unlimited plans group by days alone. */
const groupOf = ({ destination, day, amountMb, isUnlimited }: Plan): string =>
  `${destination.code} ${day} ${isUnlimited ? 'unlimited' : amountMb}`;

/** Lowest list price, then 5G before 4G, then lowest internal id. */
function beats(plan: Plan, other: Plan): boolean {
  if (plan.listPrice !== other.listPrice) return plan.listPrice < other.listPrice;
  if (plan.networkType !== other.networkType) return plan.networkType === '5G';
  return plan.id < other.id;
}

/** An undefined field does not filter. Bounds are inclusive; prices are in USD. */
export interface Filters {
  readonly usage_metered?: boolean | undefined;
  readonly unlimited?: boolean | undefined;
  readonly network_type?: NetworkType | undefined;
  readonly min_data_mb?: number | undefined;
  readonly max_data_mb?: number | undefined;
  readonly day?: number | undefined;
  readonly min_day?: number | undefined;
  readonly max_day?: number | undefined;
  readonly min_price?: number | undefined;
  readonly max_price?: number | undefined;
}

/** Unlimited plans have `amountMb` 0 and compare as such. Prices compare with what the caller pays. */
export function matches(plan: Plan, filters: Filters, partnerPrice: (plan: Plan) => number): boolean {
  const { min_price, max_price } = filters;
  return (
    same(plan.isUsageMetered, filters.usage_metered) &&
    same(plan.isUnlimited, filters.unlimited) &&
    same(plan.networkType, filters.network_type) &&
    same(plan.day, filters.day) &&
    within(plan.amountMb, filters.min_data_mb, filters.max_data_mb) &&
    within(plan.day, filters.min_day, filters.max_day) &&
    ((min_price === undefined && max_price === undefined) || within(partnerPrice(plan), min_price, max_price))
  );
}

const same = <T>(value: T, wanted: T | undefined): boolean => wanted === undefined || value === wanted;
const within = (value: number, min: number | undefined, max: number | undefined): boolean =>
  (min === undefined || value >= min) && (max === undefined || value <= max);

/** List price per GB in whole cents; null for plans without a per-GB value. */
export function pricePerGb({ isUnlimited, amountMb, listPrice }: Plan): Cents | null {
  return isUnlimited || amountMb === 0 ? null : toCents(divideHalfUp(listPrice * 1024n, BigInt(amountMb)));
}

export const directions = ['asc', 'desc'] as const;
type Direction = (typeof directions)[number];

const english = new Intl.Collator('en', { sensitivity: 'accent' });
const byValue = (a: bigint | number, b: bigint | number): number => (a < b ? -1 : a > b ? 1 : 0);
const byTitle = (a: Plan, b: Plan): number => english.compare(a.title, b.title);

/** The value to sort by for each key. Null goes last in both directions. */
const keys = {
  price: (plan: Plan) => plan.listPrice,
  price_per_gb: pricePerGb,
  data: (plan: Plan) => plan.amountMb,
  day: (plan: Plan) => plan.day,
  title: undefined,
} as const;

type SortKey = keyof typeof keys;
export const sortKeys = Object.keys(keys) as SortKey[];

/** A sorted copy. Ties are always ascending: title, then alias. */
export function sorted(plans: readonly Plan[], sort: SortKey, order: Direction): Plan[] {
  const sign = order === 'asc' ? 1 : -1;
  const keyOf = keys[sort];
  const ties = (a: Plan, b: Plan) => byTitle(a, b) || (a.alias < b.alias ? -1 : 1);
  if (keyOf === undefined) return plans.toSorted((a, b) => sign * byTitle(a, b) || ties(a, b));
  return plans.toSorted((a, b) => {
    const [left, right] = [keyOf(a), keyOf(b)];
    if (left === null || right === null) {
      return left === right ? ties(a, b) : left === null ? 1 : -1;
    }
    return sign * byValue(left, right) || ties(a, b);
  });
}

export const selection = { matches, isSmall, winners, sorted, sortKeys, directions, networkTypes, scopes };
