import { type Micros, toMicros } from '../../../../platform/amounts/cents.ts';
import { type PlanEntry, type SkippedRow, slugOf } from '../../../catalog/import-format/import-format.ts';
import { type Json, listOf, numberOf, textOf } from '../loose.ts';
import {
  clip,
  countryName,
  dayFields,
  installWindow,
  isIso,
  MAX_NETWORKS,
  priceFields,
  readFairUse,
} from '../plan-fields.ts';
import { microsOfUnits } from './client.ts';

const BYTES_PER_MB = 1_048_576;
const days: Readonly<Record<string, number>> = { DAY: 1, MONTH: 30 };

/** Our regions, by the letters that their region codes begin with (`AF-29`, `!GL`). */
const regions: Readonly<Record<string, string>> = {
  EU: 'europe',
  AS: 'asia',
  ME: 'middle-east',
  AF: 'africa',
  NA: 'north-america',
  SA: 'latin-america',
  CB: 'caribbean',
  OC: 'oceania',
  GL: 'global',
};

/**
 * `titles`: their names of destinations, by our code; `leftOut`: packages we cannot sell. A package sold by the day becomes one plan for
 * each of `dayPlanDays`, because the number of days is chosen when ordering.
 */
export function readPackages(
  packages: readonly Json[],
  titles: ReadonlyMap<string, string>,
  dayPlanDays: readonly number[],
) {
  const plans = new Map<string, PlanEntry>();
  const leftOut: SkippedRow[] = [];
  for (const sold of packages) {
    const reason = unsellable(sold) ?? (isByTheDay(sold) ? unclearDay(sold) : undefined);
    if (reason === undefined) for (const plan of plansOf(sold)) plans.set(plan.code, plans.get(plan.code) ?? plan);
    else leftOut.push({ code: textOf(sold.packageCode) ?? '', reason });
  }
  return { plans: [...plans.values()], leftOut };

  function plansOf(sold: Json): PlanEntry[] {
    const plan = entryOf(sold);
    if (!isByTheDay(sold)) return [plan];
    const { destination } = plan;
    const place = titles.get(destination) || countryName(destination) || destination;
    return dayPlansOf(sold, plan, place, dayPlanDays);
  }
}

/** Why a package cannot be sold; undefined: it can. */
function unsellable(sold: Json): string | undefined {
  const currency = textOf(sold.currencyCode) ?? 'USD';
  if (currency !== 'USD') return `priced in ${currency}, not USD`;
  const unit = (textOf(sold.durationUnit) ?? 'DAY').toUpperCase();
  if (!days[unit]) return `valid for an unknown unit of time: ${unit}`;
  return orderedDays(textOf(sold.packageCode) ?? '') && 'its code looks like one of ours for a plan by the day';
}

/** Undefined: it cannot be sold, or only by the day. */
export const planOf = (sold: Json): PlanEntry | undefined =>
  isByTheDay(sold) || unsellable(sold) !== undefined ? undefined : entryOf(sold);

function entryOf(sold: Json): PlanEntry {
  const daysPerUnit = days[(textOf(sold.durationUnit) ?? 'DAY').toUpperCase()] ?? 1;
  const code = textOf(sold.packageCode) ?? '';
  const coverage = (textOf(sold.location) ?? '')
    .split(',')
    .map((one) => one.trim().toUpperCase())
    .filter(isIso);
  const price = microsOfUnits(sold.retailPrice);
  const cost = microsOfUnits(sold.price);
  return {
    code,
    destination: destinationOf(textOf(sold.locationCode) ?? '', coverage),
    title: (textOf(sold.name) ?? code).slice(0, 200),
    amount: Math.round((numberOf(sold.volume) ?? 0) / BYTES_PER_MB),
    day: Math.round((numberOf(sold.duration) ?? 0) * daysPerUnit),
    network_type: networksOf(sold).some((type) => type.includes('5G')) ? '5G' : '4G',
    ...priceFields(price, cost),
    ...(coverage.length > 0 ? { coverage } : {}),
    short_info: clip(sold.description),
    ...installWindow(sold.unusedValidTime),
    operator: {
      ...(coverage.length === 1 ? { title: clip(operatorsOf(sold).join(', ')) ?? '' } : {}),
      ...(operatorsOf(sold).length > 0 ? { networks: operatorsOf(sold).slice(0, MAX_NETWORKS) } : {}),
      rechargeability: isRefillable(sold),
    },
    ...readFairUse(clip(sold.fupPolicy)),
  };
}

/** 2: its data can be refilled, for the same area. */
export const isRefillable = (sold: Json): boolean => numberOf(sold.supportTopUpType) === 2;

/** One country is that country. Several are one of our regions, or else a region under their own code. */
export function destinationOf(locationCode: string, coverage: readonly string[]): string {
  const [only, ...more] = coverage;
  if (only && more.length === 0) return only;
  if (isIso(locationCode)) return locationCode;
  const [, letters = ''] = /^!?([A-Z]{2})(?:-\d+)?$/.exec(locationCode) ?? [];
  return regions[letters] ?? slugOf(locationCode);
}

const networks = (sold: Json): readonly Json[] =>
  (listOf(sold.locationNetworkList) ?? []).flatMap(({ operatorList }) => listOf(operatorList) ?? []);

const networksOf = (sold: Json): string[] => [
  textOf(sold.speed) ?? '',
  ...networks(sold).map(({ networkType }) => textOf(networkType) ?? ''),
];

const operatorsOf = (sold: Json): string[] => [
  ...new Set(networks(sold).flatMap(({ operatorName }) => textOf(operatorName) ?? [])),
];

/** A package that is sold by the day, and the number of days to order. */
interface OrderedDays {
  readonly packageCode: string;
  readonly days: number;
}

const TOTAL_ALLOWANCE = 1;

export const isByTheDay = (sold: Json): boolean => (numberOf(sold.dataType) ?? TOTAL_ALLOWANCE) !== TOTAL_ALLOWANCE;

/** Our code of a plan by the day: theirs and the days. A package of theirs whose own code looks like this is not imported. */
const codeOfDays = ({ packageCode, days }: OrderedDays): string => `${packageCode}@${days}d`;

/** Undefined: the code is that of an ordinary package. */
export function orderedDays(code: string): OrderedDays | undefined {
  const [, packageCode, days] = /^(.+)@([1-9]\d{0,3})d$/.exec(code) ?? [];
  return packageCode === undefined ? undefined : { packageCode, days: Number(days) };
}

/** Why a package by the day cannot be sold: its data or cost per day is not documented. */
function unclearDay(sold: Json): string | undefined {
  const [duration, unit] = [numberOf(sold.duration) ?? 1, (textOf(sold.durationUnit) ?? 'DAY').toUpperCase()];
  if (duration !== 1 || unit !== 'DAY')
    return 'sold by the day, but listed for a period: what its price is for is not documented';
  if (dailyMbOf(sold) <= 0) return "sold by the day, without a figure of the day's data";
  return undefined;
}

const dailyMbOf = (sold: Json): number => Math.round((numberOf(sold.volume) ?? 0) / BYTES_PER_MB);

/** Cost and price are a day's, times the days. `plan`: the package for a single day. */
function dayPlansOf(sold: Json, plan: PlanEntry, place: string, periods: readonly number[]): PlanEntry[] {
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
