import type { Measure } from '../../parts/charts/series.ts';
import { count } from '../../parts/count.ts';

const figure = new Intl.NumberFormat('en-US');
const money = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });
const wholeMoney = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD', maximumFractionDigits: 0 });

export const whole = (value: number): string => figure.format(value);
/** Amounts from a thousand dollars on are read better without cents. */
export const dollars = (value: number): string => (Math.abs(value) >= 1_000 ? wholeMoney : money).format(value);

export const share = (part: number, all: number): string =>
  all === 0 ? '–' : `${percentOf(part, all).toFixed(part === all ? 0 : 1)}%`;

/** Rounded to one decimal, but 100 % and 0 % only if that is exact: 1,999 of 2,000 are 99.9 %. */
export function percentOf(part: number, all: number): number {
  const rounded = Math.round((part / all) * 1000) / 10;
  return part === 0 || part === all ? rounded : Math.min(99.9, Math.max(0.1, rounded));
}

/** "40 ms", "0.4 s", "12 s", "3.5 min", "2.1 h". */
export function duration(seconds: number | null): string {
  if (seconds === null) return '–';
  if (seconds > 0 && seconds < 0.0005) return '< 1 ms';
  if (seconds < 0.1) return `${Math.round(seconds * 1_000)} ms`;
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  if (seconds < 90) return `${Math.round(seconds)} s`;
  if (seconds < 5_400) return `${(seconds / 60).toFixed(1)} min`;
  return `${(seconds / 3_600).toFixed(1)} h`;
}

/** How long ago, for figures that are seconds old. */
export function ago(seconds: number): string {
  if (seconds < 2) return 'just now';
  if (seconds < 90) return `${seconds} seconds ago`;
  if (seconds < 5_400) return `${Math.round(seconds / 60)} minutes ago`;
  return `${Math.round(seconds / 3_600)} hours ago`;
}

const plain = (text: string): string => text;

/** What charts measure. */
export const counts: Measure = { format: whole, whole: true, units: [{ size: 1, text: plain }] };
export const amounts: Measure = {
  format: dollars,
  units: [{ size: 1, text: (text) => `$${text}`, decimals: 2 }],
};
export const percents: Measure = {
  format: (value) => `${value}%`,
  units: [{ size: 1, text: (text) => `${text}%` }],
};
export const times: Measure = {
  format: duration,
  units: [
    { upTo: 1, size: 0.001, text: (text) => `${text} ms` },
    { upTo: 120, size: 1, text: (text) => `${text} s` },
    { upTo: 7_200, size: 60, text: (text) => `${text} min` },
    { size: 3_600, text: (text) => `${text} h` },
  ],
};

interface Outcomes {
  readonly orders: number;
  readonly delivered: number;
  readonly failed: number;
  readonly cancelled: number;
}

/** Charged orders by outcome. The parts add up to all of them. */
export function outcomes({ orders, delivered, failed, cancelled }: Outcomes): string {
  const waiting = orders - delivered - failed - cancelled;
  return [
    `${whole(delivered)} delivered`,
    `${whole(failed)} failed after payment`,
    ...(cancelled > 0 ? [`${whole(cancelled)} cancelled`] : []),
    ...(waiting > 0 ? [`${whole(waiting)} on the way`] : []),
  ].join(', ');
}

const notCharged = (refused: number, more = ''): string =>
  `${whole(refused)}${more} failed and ${refused === 1 ? 'was' : 'were'} not charged`;

/** Beside the number of charged orders; undefined: there are no others. */
export const moreNotCharged = (refused: number): string | undefined =>
  refused === 0 ? undefined : notCharged(refused, ' more');

/** All orders by outcome, including those that were not charged. The parts add up to the number in front. */
export function allOutcomes({ refused, ...charged }: Outcomes & { readonly refused: number }): string {
  const all = charged.orders + refused;
  if (all === 0) return 'No orders';
  const parts = [...(charged.orders > 0 ? [outcomes(charged)] : []), ...(refused > 0 ? [notCharged(refused)] : [])];
  return `${count(all, 'order')}: ${parts.join(', ')}`;
}
