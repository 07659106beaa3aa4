import { formatCents, formatMicros, type Micros, microsToCentsHalfUp } from '../../../platform/amounts/cents.ts';
import type { PlanEntry } from '../../catalog/import-format/import-format.ts';
import { numberOf, textOf } from './loose.ts';

/** Free texts are cut to the length the catalog accepts. */
const MAX_TEXT = 2_000;
/** Names of networks that the catalog accepts. */
export const MAX_NETWORKS = 200;

export const clip = (value: unknown): string | null => textOf(value)?.slice(0, MAX_TEXT) ?? null;

export const isIso = (code: string | undefined): code is string => code !== undefined && /^[A-Z]{2}$/.test(code);

/** An empty list would take everything off sale. */
export function requireSome(plans: readonly unknown[]): void {
  if (plans.length === 0) throw new Error('the list is empty');
}

/** Without a price it is imported but not listed. */
export const priceFields = (price: Micros | null, cost: Micros | null): Pick<PlanEntry, 'price' | 'cost'> => ({
  price: price === null ? '0' : formatCents(microsToCentsHalfUp(price)),
  cost: cost === null ? null : formatMicros(cost),
});

type FairUse = Pick<PlanEntry, 'fup_kind' | 'fup_daily_mb' | 'fup_speed_kbps' | 'fair_use_text'>;

const SPEED = /(\d+(?:\.\d+)?)\s*([km])b(?:ps|it\/s|\/s)/i;
const DAILY = /(\d+(?:\.\d+)?)\s*([mg])b\s*(?:per\s+day|a\s+day|\/\s*day|daily)/i;

/** The data that a text promises for each day, in MB: 1024 for "1 GB/day". */
export function dailyMbIn(text: string): number | undefined {
  const [, daily, unit] = DAILY.exec(text) ?? [];
  return daily === undefined ? undefined : scaled(daily, unit === 'G' || unit === 'g' ? 1_024 : 1);
}

/** Reads "1 Mbps after 3 GB per day". Anything else keeps its text, with the kind unknown. */
export function readFairUse(text: string | null): FairUse {
  if (text === null) return {};
  const [, speed, speedUnit] = SPEED.exec(text) ?? [];
  const dailyMb = dailyMbIn(text);
  const known = speed !== undefined && dailyMb !== undefined;
  return {
    fup_kind: known ? 'daily_throttle' : 'unknown',
    fup_speed_kbps: scaled(speed, speedUnit === 'M' || speedUnit === 'm' ? 1_000 : 1),
    fup_daily_mb: dailyMb ?? 0,
    fair_use_text: text,
  };
}

const scaled = (count: string | undefined, unit: number): number => Math.round(Number(count ?? 0) * unit);

/**
 * The number of days within which an eSIM must be installed. An invalid value counts as missing, so that the plan is not rejected
 * for it.
 */
export function installWindow(days: unknown): Pick<PlanEntry, 'install_window_days'> {
  const count = Math.round(numberOf(days) ?? 0);
  return count >= 1 && count <= 3_650 ? { install_window_days: count } : {};
}

let names: Intl.DisplayNames | undefined;

/** The English name of a country by its ISO code; undefined when it is not one. The list is made when first used: that takes 8 ms. */
export function countryName(code: string): string | undefined {
  if (!/^[A-Z]{2}$/.test(code)) return undefined;
  names ??= new Intl.DisplayNames(['en'], { type: 'region' });
  return names.of(code);
}

/** What a plan by the day includes, and for how long. */
interface DayPlan {
  readonly place: string;
  readonly dailyMb: number;
  readonly days: number;
  /** What the supplier says about the day's data; null: nothing. */
  readonly policy: string | null;
}

type DayFields = Pick<
  PlanEntry,
  'title' | 'amount' | 'day' | 'fup_kind' | 'fup_daily_mb' | 'fup_speed_kbps' | 'fair_use_text'
>;

/** A plan by the day as an ordinary plan for some days: its data is that of all days together, and its fair use that of one. */
export function dayFields({ place, dailyMb, days, policy }: DayPlan): DayFields {
  const { fup_speed_kbps: speed = 0 } = readFairUse(policy);
  const aDay = `${dataText(dailyMb)} a day`;
  const rest = speed > 0 ? ` at full speed, then ${speedText(speed)}.` : policy === null ? '.' : `. ${policy}`;
  return {
    title: `${place.slice(0, 150)} ${aDay}, ${days} ${days === 1 ? 'day' : 'days'}`,
    amount: dailyMb * days,
    day: days,
    // Without a speed it may stop until the next day.
    fup_kind: speed > 0 ? 'daily_throttle' : 'unknown',
    fup_daily_mb: dailyMb,
    fup_speed_kbps: speed,
    fair_use_text: `${aDay}${rest}`.slice(0, 2_000),
  };
}

const dataText = (mb: number): string => (mb < 1_024 ? `${mb} MB` : `${Number((mb / 1_024).toFixed(2))} GB`);
const speedText = (kbps: number): string => (kbps < 1_000 ? `${kbps} kbps` : `${kbps / 1_000} Mbps`);
