type Row = Readonly<Record<string, string>>;

interface Column {
  readonly name: string;
  readonly cells: readonly string[];
  /** Numbers and times are aligned and never cut: a part of one would be read as another. */
  readonly isFigure: boolean;
  /** What its longest cell takes. */
  readonly width: number;
  /** The least it can be cut to. */
  readonly least: number;
}

const GAP = '  ';
/** A text cut shorter than this says nothing. */
const LEAST_TEXT = 12;

/** Rows as a table no wider than `width`; where that is impossible, as `otherwise` prints them. */
export function printTable(
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

function columnOf(name: string, rows: readonly Row[]): Column {
  const cells = rows.map((row) => row[name] ?? '-');
  const isFigure = cells.every((text) => /^(-|-?\d+(\.\d+)?|\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)$/.test(text));
  const width = Math.max(name.length, ...cells.map(lengthOf));
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
