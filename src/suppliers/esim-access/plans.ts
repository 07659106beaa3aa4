import { type PlanEntry, slugOf } from '../../catalog/catalog.ts';
import { formatCents, formatMicros, microsToCentsHalfUp } from '../../money/money.ts';
import { readFairUse } from '../fair-use.ts';
import { type Json, listOf, numberOf, textOf } from '../loose.ts';
import { microsOfUnits } from './units.ts';

export interface EsimAccessPlans {
  readonly plans: readonly PlanEntry[];
  /** How many packages we cannot sell: those sold by the day or not in dollars. */
  readonly leftOut: number;
}

const MAX_TEXT = 2_000;
const MAX_NETWORKS = 200;
const clip = (value: unknown): string | null => textOf(value)?.slice(0, MAX_TEXT) ?? null;
const BYTES_PER_MB = 1_048_576;
const TOTAL_ALLOWANCE = 1;
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

export function readPackages(packages: readonly Json[]): EsimAccessPlans {
  const plans = new Map<string, PlanEntry>();
  let leftOut = 0;
  for (const sold of packages) {
    const plan = planOf(sold);
    if (!plan) leftOut += 1;
    else if (!plans.has(plan.code)) plans.set(plan.code, plan);
  }
  return { plans: [...plans.values()], leftOut };
}

/** Undefined: sold by the day (the number is chosen when ordering), valid for an unknown unit of time, or not in dollars. */
export function planOf(sold: Json): PlanEntry | undefined {
  const daysPerUnit = days[(textOf(sold.durationUnit) ?? 'DAY').toUpperCase()];
  const currency = textOf(sold.currencyCode) ?? 'USD';
  if ((numberOf(sold.dataType) ?? TOTAL_ALLOWANCE) !== TOTAL_ALLOWANCE || !daysPerUnit || currency !== 'USD')
    return undefined;
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
    // Without a price it is imported but not listed.
    price: price === null ? '0' : formatCents(microsToCentsHalfUp(price)),
    cost: cost === null ? null : formatMicros(cost),
    ...(coverage.length > 0 ? { coverage } : {}),
    short_info: clip(sold.description),
    operator: {
      ...(coverage.length === 1 ? { title: operatorsOf(sold).join(', ').slice(0, MAX_TEXT) } : {}),
      ...(operatorsOf(sold).length > 0 ? { networks: operatorsOf(sold).slice(0, MAX_NETWORKS) } : {}),
      rechargeability: isRefillable(sold),
    },
    ...readFairUse(clip(sold.fupPolicy)),
  };
}

/** 2: its data can be refilled, for the same area. */
export const isRefillable = (sold: Json): boolean => numberOf(sold.supportTopUpType) === 2;

const isIso = (code: string): boolean => /^[A-Z]{2}$/.test(code);

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
