import { type Micros, toMicros } from '../../../../platform/amounts/cents.ts';
import type { PlanEntry } from '../../../catalog/import-format/import-format.ts';
import { dayFields } from '../day-plan-fields.ts';
import { type Json, numberOf, textOf } from '../loose.ts';
import { priceFields } from '../plan-fields.ts';
import { microsOfUnits } from './units.ts';

/** A package that is sold by the day, and the number of days to order. */
export interface OrderedDays {
  readonly packageCode: string;
  readonly days: number;
}

const TOTAL_ALLOWANCE = 1;
const BYTES_PER_MB = 1_048_576;

export const isByTheDay = (sold: Json): boolean => (numberOf(sold.dataType) ?? TOTAL_ALLOWANCE) !== TOTAL_ALLOWANCE;

/** Our code of a plan by the day: theirs and the days. A package of theirs whose own code looks like this is not imported. */
export const codeOfDays = ({ packageCode, days }: OrderedDays): string => `${packageCode}@${days}d`;

/** Undefined: the code is that of an ordinary package. */
export function orderedDays(code: string): OrderedDays | undefined {
  const [, packageCode, days] = /^(.+)@([1-9]\d{0,3})d$/.exec(code) ?? [];
  return packageCode === undefined ? undefined : { packageCode, days: Number(days) };
}

/** Why a package by the day cannot be sold: its data or cost per day is not documented. */
export function unclearDay(sold: Json): string | undefined {
  const [duration, unit] = [numberOf(sold.duration) ?? 1, (textOf(sold.durationUnit) ?? 'DAY').toUpperCase()];
  if (duration !== 1 || unit !== 'DAY')
    return 'sold by the day, but listed for a period: what its price is for is not documented';
  if (dailyMbOf(sold) <= 0) return "sold by the day, without a figure of the day's data";
  return undefined;
}

const dailyMbOf = (sold: Json): number => Math.round((numberOf(sold.volume) ?? 0) / BYTES_PER_MB);

/** Cost and price are a day's, times the days. `plan`: the package for a single day. */
export function dayPlansOf(sold: Json, plan: PlanEntry, place: string, periods: readonly number[]): PlanEntry[] {
  const [price, cost] = [microsOfUnits(sold.retailPrice), microsOfUnits(sold.price)];
  const [dailyMb, policy] = [dailyMbOf(sold), plan.fair_use_text ?? null];
  return periods.map((days) => ({
    ...plan,
    ...dayFields({ place, dailyMb, days, policy }),
    code: codeOfDays({ packageCode: plan.code, days }),
    ...priceFields(price && times(price, days), cost && times(cost, days)),
    // Their refills are for a period of their own; whether they fit is not documented.
    operator: { ...plan.operator, rechargeability: false },
  }));
}

const times = (amount: Micros, days: number): Micros => toMicros(amount * BigInt(days));
