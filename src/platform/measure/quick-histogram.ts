import { Histogram, type Registry } from 'prom-client';

export interface Series {
  readonly count: number;
  observe(seconds: number): void;
}

interface Observed extends Series {
  readonly labels: Readonly<Record<string, string>>;
  sum: number;
  /** Observations per bucket; one more than the bounds, for what is longer than all of them. */
  readonly buckets: number[];
}

interface Options<Label extends string> {
  readonly name: string;
  readonly help: string;
  readonly labelNames: readonly Label[];
  /** Upper bounds in seconds, ascending. */
  readonly bounds: readonly number[];
  readonly registers: Registry[];
}

type Printed<Label extends string> = Awaited<ReturnType<Histogram<Label>['get']>>;

/**
 * A prom-client histogram for the path of every request. The library looks a series up by hashing its labels at each observation,
 * even through `labels(…)`; here a caller keeps the series it observes, and prom-client only prints them.
 *
 * Measured with prom-client 15.1.3, a million observations with 13 buckets, median of 5 rounds: 1.77 µs with labels, 1.67 µs through
 * a kept `labels(…)`, 0.21 µs here. It relies on how the registry
 * prints (`get`, `getForPromString`); drop it when the library keeps its series.
 */
export class QuickHistogram<Label extends string> extends Histogram<Label> {
  readonly #options: Options<Label>;
  readonly #series: Observed[] = [];

  constructor(options: Options<Label>) {
    const { name, help, labelNames, bounds, registers } = options;
    super({ name, help, labelNames: [...labelNames], buckets: [...bounds], registers });
    this.#options = options;
  }

  /** A new series. Ask once for each set of label values, in the order of the label names, and keep it. */
  series(...values: readonly string[]): Series {
    const { labelNames, bounds } = this.#options;
    const labels = Object.fromEntries(labelNames.map((label, i) => [label, values[i] ?? '']));
    const made = { labels, count: 0, sum: 0, buckets: Array<number>(bounds.length + 1).fill(0), observe };
    function observe(seconds: number): void {
      let at = 0;
      while (at < bounds.length && seconds > (bounds[at] as number)) at += 1;
      made.buckets[at] = (made.buckets[at] as number) + 1;
      made.count += 1;
      made.sum += seconds;
    }
    this.#series.push(made);
    return made;
  }

  override async get(): Promise<Printed<Label>> {
    const { name, help, bounds } = this.#options;
    const values = this.#series.flatMap(({ labels, buckets, count, sum }) => {
      let upTo = 0;
      const cumulative = buckets.map((n, i) => {
        upTo += n;
        return { metricName: `${name}_bucket`, labels: { ...labels, le: bounds[i] ?? '+Inf' }, value: upTo };
      });
      return [
        ...cumulative,
        { metricName: `${name}_sum`, labels, value: sum },
        { metricName: `${name}_count`, labels, value: count },
      ];
    });
    // Typed as an enum that exists in the library's types only, and without the label `le`.
    return { name, help, type: 'histogram', aggregator: 'sum', values } as unknown as Printed<Label>;
  }

  /** What the registry prints a histogram from. */
  getForPromString(): Promise<Printed<Label>> {
    return this.get();
  }
}

/** Series by their label values, each made at its first observation. For paths that are not every request's. */
export function observer<Label extends string>(
  histogram: QuickHistogram<Label>,
): (seconds: number, ...values: readonly string[]) => void {
  const known = new Map<string, Series>();
  return (seconds, ...values) => {
    const key = values.join('\n');
    let series = known.get(key);
    if (!series) {
      series = histogram.series(...values);
      known.set(key, series);
    }
    series.observe(seconds);
  };
}
