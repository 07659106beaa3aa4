/** One of five colours, by number, that are easy to distinguish in both themes. */
export type Colour = 1 | 2 | 3 | 4 | 5;

/** What is measured, with a value for each point. */
export interface Series {
  readonly name: string;
  readonly colour: Colour;
  readonly values: readonly number[];
  /** Their sum where it is known more exactly: the values are rounded. */
  readonly total?: number;
}

/** A place on the horizontal axis. */
export interface Point {
  /** In full: "15 November 2026, 14:00". */
  readonly name: string;
  /** Below the axis: "15 Nov". */
  readonly short: string;
}

/** A unit of the value axis. */
export interface Unit {
  /** The highest value it is used for; without one it fits any. */
  readonly upTo?: number;
  /** The size of one, in the unit of the values. */
  readonly size: number;
  readonly text: (figure: string) => string;
  /** The fewest decimals, if there are any: cents have two. */
  readonly decimals?: number;
}

/** How values are written: one by one, and as the marks of an axis, which share a unit and must differ. */
export interface Measure {
  readonly format: (value: number) => string;
  /** From the smallest to the largest. */
  readonly units: readonly Unit[];
  /** Values are counts: the axis has whole numbers. */
  readonly whole?: boolean;
}

export interface ChartData {
  /** What the chart shows: "Orders by day". */
  readonly label: string;
  /** The heading of the points as a column: "Day (UTC)". */
  readonly pointsLabel: string;
  readonly kind: 'bars' | 'line';
  readonly points: readonly Point[];
  /** Bars are stacked in this order, from the bottom. */
  readonly series: readonly Series[];
  readonly measure: Measure;
}

export const colourOf = (colour: Colour): string => `var(--chart-${colour})`;
export const sum = (values: readonly number[]): number => values.reduce((all, one) => all + one, 0);

/** With fewer points than this a chart says little about time. */
const FEWEST = 7;

/**
 * The chart cut to where its data begins, so that an account opened last week is not a sliver at the end of a year. The empty part after
 * the last value stays: it shows that nothing happened since. Undefined: there is nothing to cut.
 */
export function zoomed(data: ChartData): ChartData | undefined {
  const first = data.points.findIndex((_, i) => data.series.some(({ values }) => (values[i] ?? 0) !== 0));
  const from = Math.min(first, data.points.length - FEWEST);
  if (from <= 0) return undefined;
  return {
    ...data,
    points: data.points.slice(from),
    series: data.series.map((one) => ({ ...one, values: one.values.slice(from) })),
  };
}
