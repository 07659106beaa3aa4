const figure = new Intl.NumberFormat('en-US');
const money = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });
const wholeMoney = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD', maximumFractionDigits: 0 });

export const whole = (value: number): string => figure.format(value);
/** Amounts from a thousand dollars on are read better without cents. */
export const dollars = (value: number): string => (Math.abs(value) >= 1_000 ? wholeMoney : money).format(value);

export const share = (part: number, all: number): string =>
  all === 0 ? '–' : `${percentOf(part, all).toFixed(part === all ? 0 : 1)}%`;

/** Rounded to one decimal, but all only if it is all, and none only if it is none: 1,999 of 2,000 are 99.9 %. */
export function percentOf(part: number, all: number): number {
  const rounded = Math.round((part / all) * 1000) / 10;
  return part === 0 || part === all ? rounded : Math.min(99.9, Math.max(0.1, rounded));
}

/** "0.4 s", "12 s", "3.5 min", "2.1 h". */
export function duration(seconds: number | null): string {
  if (seconds === null) return '–';
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
