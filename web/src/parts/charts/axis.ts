import { type ChartData, sum, type Unit } from './series.ts';

/** A mark of the value axis: where it is, and what it says. */
export interface Mark {
  readonly value: number;
  readonly label: string;
}

/** The approximate number of marks, besides zero. */
const WANTED = 4;

/**
 * The marks of a chart's value axis, from zero, or from below the lowest line, to at least the highest value. They are round numbers
 * of the unit that fits the highest one, with as many decimals as tell them apart.
 */
export function marksOf({ kind, series, points, measure }: ChartData): Mark[] {
  const at = (i: number) => series.map(({ values }) => values[i] ?? 0);
  const heights = points.map((_, i) => (kind === 'bars' ? sum(at(i)) : Math.max(...at(i))));
  const most = Math.max(0, ...heights);
  const least = kind === 'bars' ? 0 : Math.min(0, ...points.flatMap((_, i) => at(i)));
  const largest = Math.max(most, -least);
  const unit = measure.units.find(({ upTo = Number.POSITIVE_INFINITY }) => largest <= upTo) as Unit;
  const step = stepOf(largest / unit.size, measure.whole ?? false);
  const [from, to] = [Math.floor(least / unit.size / step + 1e-9), Math.ceil(most / unit.size / step - 1e-9)];
  const label = labeller(unit, step);
  return Array.from({ length: Math.max(1, to - from) + 1 }, (_, i) => {
    // Multiplied, not added up, so that 0.1 three times is not 0.30000000000000004.
    const value = Number(((from + i) * step).toPrecision(12));
    return { value: Number((value * unit.size).toPrecision(12)), label: label(value) };
  });
}

/** The distance between two marks. With `whole` it is a whole number: there is no half order. */
function stepOf(largest: number, whole: boolean): number {
  if (!(largest > 0)) return 1;
  const rough = roundUp(largest / WANTED);
  return whole ? Math.max(1, Math.ceil(rough)) : rough;
}

/** A round number at or above the given one: 1, 2, 2.5 or 5 times a power of ten. */
function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  const factor = [1, 2, 2.5, 5, 10].find((one) => one * power >= value * 0.999999) ?? 10;
  return factor * power;
}

function labeller({ text, decimals = 0 }: Unit, step: number): (value: number) => string {
  const needed =
    [0, 1, 2, 3, 4, 5, 6].find((digits) => Math.abs(step - Number(step.toFixed(digits))) < step / 1e6) ?? 6;
  const digits = needed === 0 ? 0 : Math.max(needed, decimals);
  const format = new Intl.NumberFormat('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });
  return (value) => (value < 0 ? `−${text(format.format(-value))}` : text(format.format(value)));
}
