/** For reading: a list becomes a table, a single object becomes lines of name and value. */
export function printResult(result: unknown): string {
  if (Array.isArray(result)) return result.length > 0 ? table(result) : 'nothing\n';
  if (result !== null && typeof result === 'object') {
    const entries = Object.entries(result);
    const width = Math.max(0, ...entries.map(([name]) => name.length));
    return entries
      .map(([name, value]) => (isTable(value) ? `${name}\n${table(value)}` : `${name.padEnd(width)}  ${cell(value)}\n`))
      .join('');
  }
  return result === undefined ? '' : `${cell(result)}\n`;
}

const isTable = (value: unknown): value is object[] =>
  Array.isArray(value) && value.length > 0 && value.every((row) => row !== null && typeof row === 'object');

function table(rows: readonly object[]): string {
  const names = Object.keys(rows[0] ?? {});
  const cells = rows.map((row) => names.map((name) => cell((row as Record<string, unknown>)[name])));
  const widths = names.map((name, i) => Math.max(name.length, ...cells.map((row) => row[i]?.length ?? 0)));
  const line = (row: readonly string[]) =>
    `${row
      .map((text, i) => text.padEnd(widths[i] ?? 0))
      .join('  ')
      .trimEnd()}\n`;
  return line(names) + cells.map(line).join('');
}

function cell(value: unknown): string {
  if (value === null || value === undefined) return '-';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** A progress bar, on terminals only. */
export function progressBar(label: string, done: number, total: number): void {
  if (!process.stderr.isTTY) return;
  const share = total > 0 ? Math.min(1, done / total) : 1;
  const filled = Math.round(share * 30);
  const bar = '█'.repeat(filled) + '░'.repeat(30 - filled);
  process.stderr.write(`\r${label} ${bar} ${Math.floor(share * 100)}% ${done}/${total}${share === 1 ? '\n' : ''}`);
}
