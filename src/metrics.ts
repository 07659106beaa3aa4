/** Counters in memory and figures read when asked, printed in Prometheus' text form. */
export class Metrics {
  private readonly series = new Map<string, number>();
  private readonly help = new Map<string, { type: 'counter' | 'gauge'; text: string }>();
  private readonly readers: (() => void)[] = [];

  describe(name: string, type: 'counter' | 'gauge', text: string): void {
    this.help.set(name, { type, text });
  }

  /**
   * A counter to call with its labels' values. Each line's name is put together once, not at every count: this stands on
   * the path of every request.
   */
  counter(name: string, text: string, ...labels: readonly string[]): (...values: readonly string[]) => void {
    this.describe(name, 'counter', text);
    const names = new Map<string, string>();
    return (...values) => {
      const known = values.join();
      let key = names.get(known);
      if (key === undefined) {
        key = seriesName(name, Object.fromEntries(labels.map((label, i) => [label, values[i] ?? ''])));
        names.set(known, key);
      }
      this.series.set(key, (this.series.get(key) ?? 0) + 1);
    };
  }

  /** Read when the page is asked for. */
  read(name: string, labels: Readonly<Record<string, string>>, figure: () => number): void {
    const key = seriesName(name, labels);
    this.readers.push(() => this.series.set(key, figure()));
  }

  print(): string {
    for (const read of this.readers) read();
    const lines: string[] = [];
    for (const [name, { type, text }] of this.help) {
      lines.push(`# HELP ${name} ${text}`, `# TYPE ${name} ${type}`);
      for (const [key, value] of this.series) {
        if (key === name || key.startsWith(`${name}{`)) lines.push(`${key} ${value}`);
      }
    }
    return `${lines.join('\n')}\n`;
  }
}

function seriesName(name: string, labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).map(([label, value]) => `${label}=${JSON.stringify(value)}`);
  return pairs.length > 0 ? `${name}{${pairs.join(',')}}` : name;
}
