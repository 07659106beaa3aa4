/** One figure over time. `tolerance` is how much it may move and still be flat, in its own unit. */
export interface Series {
  readonly name: string;
  readonly unit: string;
  readonly tolerance: number;
  readonly values: readonly number[];
}

export interface Verdict {
  readonly name: string;
  readonly unit: string;
  readonly median: number;
  readonly highest: number;
  /** How much it moved over the second half, by the line through its values. */
  readonly moved: number;
  readonly allowed: number;
  readonly isFlat: boolean;
}

/** Of the median; a figure may also move by its own tolerance. */
const ALLOWED_SHARE = 0.1;

/**
 * The rule: a straight line is fitted to the second half of the values, when everything has warmed up. What it rises from its
 * beginning to its end must not be more than a tenth of the median, or than the figure's own tolerance if that is more. Falling is
 * flat: only growth without an end is a fault.
 */
export function verdict({ name, unit, tolerance, values }: Series): Verdict {
  const half = values.slice(Math.floor(values.length / 2));
  const sorted = half.toSorted((a, b) => a - b);
  const median = sorted[sorted.length >> 1] ?? 0;
  const moved = slope(half) * Math.max(0, half.length - 1);
  const allowed = Math.max(Math.abs(median) * ALLOWED_SHARE, tolerance);
  return { name, unit, median, highest: Math.max(0, ...values), moved, allowed, isFlat: moved <= allowed };
}

/** Of the line through the values by least squares, per step. */
function slope(values: readonly number[]): number {
  const middle = (values.length - 1) / 2;
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  let [above, below] = [0, 0];
  for (const [i, value] of values.entries()) {
    above += (i - middle) * (value - mean);
    below += (i - middle) ** 2;
  }
  return below === 0 ? 0 : above / below;
}
