import { DAY, HOUR } from '../../../platform/clock.ts';

export type Step = 'hour' | 'day' | 'month';

/** Whole days in UTC: `from` is included, `to` is not. Figures are given for each `per`. */
export interface Span {
  readonly from: Date;
  readonly to: Date;
  readonly per: Step;
}

/** Charts are read by people: more points than this are not drawn. */
export const MAX_POINTS = 400;

/** The beginnings of all hours, days or months of a span; the first month may have begun before it. */
function beginnings({ from, to, per }: Span): Date[] {
  const all: Date[] = [];
  for (let at = floor(from, per); at < to; at = next(at, per)) all.push(at);
  return all;
}

const floor = (at: Date, per: Step): Date =>
  per === 'month' ? new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), 1)) : at;

const next = (at: Date, per: Step): Date =>
  per === 'month'
    ? new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 1))
    : new Date(at.getTime() + (per === 'hour' ? HOUR : DAY));

/** How many points a span has; an estimate from above for months. */
export const stepsOf = ({ from, to, per }: Span): number =>
  (to.getTime() - from.getTime()) / (per === 'hour' ? HOUR : per === 'day' ? DAY : 28 * DAY);

/** A row for every beginning: the one that was read, or an empty one. */
export function filled<Row extends { readonly at: Date }>(
  span: Span,
  rows: readonly Row[],
  empty: (at: Date) => Row,
): Row[] {
  const read = new Map(rows.map((row) => [row.at.getTime(), row]));
  return beginnings(span).map((at) => read.get(at.getTime()) ?? empty(at));
}
