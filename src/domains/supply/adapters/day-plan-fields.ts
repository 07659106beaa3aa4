import type { PlanEntry } from '../../catalog/import-format/import-format.ts';
import { readFairUse } from './plan-fields.ts';

/** What a plan by the day includes, and for how long. */
export interface DayPlan {
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
