import { cell, isNested } from '../../actions/action.ts';

type Row = Readonly<Record<string, string>>;

type Column = ReturnType<typeof columnOf>;

const GAP = '  ';
/** A text cut shorter than this says nothing. */
const LEAST_TEXT = 12;

/** Rows as a table no wider than `width`; where that is impossible, as `otherwise` prints them. */
function printTable(
  rows: readonly Row[],
  width: number,
  otherwise: (rows: readonly Row[], width: number) => string,
): string {
  const names = [...new Set(rows.flatMap(Object.keys))];
  const columns = names.map((name) => columnOf(name, rows));
  const widths = fit(columns, width - GAP.length * (columns.length - 1));
  if (!widths) return otherwise(rows, width);
  const line = (cellOf: (column: Column) => string) =>
    `${columns
      .map((column, i) => aligned(cellOf(column), widths[i] as number, column.isFigure))
      .join(GAP)
      .trimEnd()}\n`;
  return line(({ name }) => name) + rows.map((_, n) => line(({ cells }) => cells[n] as string)).join('');
}

function columnOf(name: string, rows: readonly Row[]) {
  const cells = rows.map((row) => row[name] ?? '-');
  // Numbers and times are aligned and never cut: a part of one would be read as another.
  const isFigure = cells.every((text) => /^(-|-?\d+(\.\d+)?|\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)$/.test(text));
  const width = Math.max(name.length, ...cells.map(lengthOf));
  // What it can be cut to.
  const least = isFigure ? width : Math.min(width, Math.max(name.length, LEAST_TEXT));
  return { name, cells, isFigure, width, least };
}

/** Cuts the widest columns first, all to the same width, so that short ones stay whole. */
function fit(columns: readonly Column[], room: number): number[] | undefined {
  const totalAt = (most: number) => columns.reduce((sum, column) => sum + widthAt(column, most), 0);
  let most = Math.max(...columns.map(({ width }) => width));
  while (totalAt(most) > room && most > 0) most -= 1;
  return totalAt(most) > room ? undefined : columns.map((column) => widthAt(column, most));
}

const widthAt = ({ width, least }: Column, most: number): number => Math.max(least, Math.min(width, most));

function aligned(text: string, width: number, isFigure: boolean): string {
  const letters = [...text];
  const cut = letters.length > width ? `${letters.slice(0, width - 1).join('')}…` : text;
  const padding = ' '.repeat(width - lengthOf(cut));
  return isFigure ? padding + cut : cut + padding;
}

const lengthOf = (text: string): number => [...text].length;

/**
 * A result as people read it: a list is a table, one thing is lines of name and value, and what is inside it is indented below
 * its name. No line is longer than `width`, the terminal's: a table cuts its texts, one thing goes on below. A result that is piped
 * somewhere is printed in full.
 */
export function printResult(result: unknown, width = Number.POSITIVE_INFINITY): string {
  if (typeof result === 'string') return result;
  if (Array.isArray(result)) return result.length > 0 ? printTable(result.map(cellsOf), width, vertical) : 'nothing\n';
  if (result !== null && typeof result === 'object') return record(result, width);
  return result === undefined ? '' : `${cell(result)}\n`;
}

const INDENT = '  ';

function record(value: object, width: number): string {
  const entries = Object.entries(value);
  const flat = entries.filter(([, inner]) => !isNested(inner));
  const nameWidth = Math.max(0, ...flat.map(([name]) => name.length));
  return entries
    .map(([name, inner]) =>
      isNested(inner)
        ? `${name}\n${indented(printResult(inner, width - INDENT.length))}`
        : wrapped(`${name.padEnd(nameWidth)}  `, cell(inner), width),
    )
    .join('');
}

/** The least room for a value beside its name. Where there is less, it gets a line as long as it is. */
const LEAST_VALUE = 20;

/** A value too long for its line goes on below itself, whole: unlike a table, a record cuts nothing. */
function wrapped(name: string, value: string, width: number): string {
  const room = width - name.length;
  const letters = [...value];
  if (letters.length <= room || room < LEAST_VALUE) return `${name}${value}\n`;
  const lines: string[] = [];
  for (let at = 0; at < letters.length; ) {
    const rest = letters.slice(at, at + room);
    // Between words, or between the parts of a list, if that leaves a line at least half full.
    const end = at + room >= letters.length ? -1 : rest.findLastIndex((letter) => letter === ' ' || letter === ',');
    const taken = end >= room / 2 ? rest.slice(0, end + 1) : rest;
    lines.push(taken.join('').trimEnd());
    at += taken.length;
  }
  return `${name}${lines.join(`\n${' '.repeat(name.length)}`)}\n`;
}

const indented = (text: string): string => text.replaceAll(/^(?=.)/gm, INDENT);

/** Rows too wide for a table: one below the other. */
const vertical = (rows: readonly Readonly<Record<string, string>>[], width: number): string =>
  rows.map((row) => record(row, width)).join('\n');

const cellsOf = (row: object): Record<string, string> =>
  Object.fromEntries(Object.entries(row).map(([name, value]) => [name, cell(value)]));

/** What is being done, on terminals only; the next one, or '' at the end, takes its place. */
export function step(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[2K${text}`);
}

/** A progress bar, on terminals only. */
export function progressBar(label: string, done: number, total: number): void {
  if (!process.stderr.isTTY) return;
  const share = total > 0 ? Math.min(1, done / total) : 1;
  const filled = Math.round(share * 30);
  const bar = '█'.repeat(filled) + '░'.repeat(30 - filled);
  process.stderr.write(`\r${label} ${bar} ${Math.floor(share * 100)}% ${done}/${total}${share === 1 ? '\n' : ''}`);
}
