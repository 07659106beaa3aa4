import { count } from '../../../parts/count.ts';
import { dollars, whole } from '../../../subjects/insight/words.ts';

/** The sales of one day. */
interface Day {
  readonly orders: number;
  readonly revenue: string;
  readonly margin: string;
}

/** The newer half of the days beside the older one; undefined: there are too few to compare, or nothing changed from nothing. */
export function ordersTrend(days: readonly Day[]): string | undefined {
  const halves = halvesOf(days, ({ orders }) => orders);
  if (!halves) return undefined;
  const { each, older, newer } = halves;
  if (older === 0) return newer === 0 ? undefined : `${whole(newer)} in the last ${count(each, 'day')}, none before`;
  const change = newer - older;
  if (change === 0) return `As many as in the ${count(each, 'day')} before`;
  return `${whole(Math.abs(change))} ${change > 0 ? 'more' : 'fewer'} than in the ${count(each, 'day')} before`;
}

export function moneyTrend(days: readonly Day[], of: 'revenue' | 'margin'): string | undefined {
  // In cents: sums of dollars are not exact.
  const halves = halvesOf(days, (day) => Math.round(Number(day[of]) * 100));
  if (!halves || halves.newer === halves.older) return undefined;
  const change = halves.newer - halves.older;
  return `${dollars(Math.abs(change) / 100)} ${change > 0 ? 'more' : 'less'} than in the ${count(halves.each, 'day')} before`;
}

function halvesOf(days: readonly Day[], figure: (day: Day) => number) {
  const sumOf = (some: readonly Day[]) => some.reduce((sum, day) => sum + figure(day), 0);
  const each = Math.floor((days.length - 1) / 2);
  if (each < 1) return undefined;
  // Today is not over, so it is left out of both.
  return { each, older: sumOf(days.slice(-2 * each - 1, -each - 1)), newer: sumOf(days.slice(-each - 1, -1)) };
}
