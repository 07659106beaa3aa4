import { readFile, writeFile } from 'node:fs/promises';
import { cpus, totalmem } from 'node:os';

/** What the walks together have to reach. */
export const GOAL = { operations: 1_130_000, faults: 1_000 };

export interface WalkRow {
  readonly seed: number;
  readonly date: string;
  readonly minutes: number;
  readonly rounds: number;
  readonly operations: number;
  readonly faults: number;
  readonly orders: number;
  readonly events: number;
  readonly result: string;
}

const COLUMNS = ['seed', 'date', 'minutes', 'rounds', 'operations', 'faults', 'orders', 'events', 'result'] as const;
const MARK = '## Walks\n';

/** The walks that a report has; none if there is no report yet. */
export async function readWalks(path: string): Promise<WalkRow[]> {
  const text = await readFile(path, 'utf8').catch(() => '');
  return [...text.matchAll(/^\| *(\d+) *\|.*$/gm)].map(([line]) => {
    const cells = line.split('|').map((cell) => cell.trim());
    const at = (i: number) => Number(cells[i + 1]);
    return {
      seed: at(0),
      date: cells[2] as string,
      minutes: at(2),
      rounds: at(3),
      operations: at(4),
      faults: at(5),
      orders: at(6),
      events: at(7),
      result: cells[9] as string,
    };
  });
}

export function totalsOf(rows: readonly WalkRow[]) {
  const sum = (name: 'operations' | 'faults' | 'orders' | 'events' | 'minutes') =>
    rows.filter(({ result }) => result === '0 wrong').reduce((all, row) => all + row[name], 0);
  return {
    operations: sum('operations'),
    faults: sum('faults'),
    orders: sum('orders'),
    events: sum('events'),
    minutes: sum('minutes'),
  };
}

/** Adds a walk to the report. What is written above the list stays; the totals and the machine are written anew. */
export async function addWalk(path: string, row: WalkRow): Promise<void> {
  const rows = [...(await readWalks(path)), row];
  const [head = ''] = (await readFile(path, 'utf8').catch(() => '# The random walk\n\n')).split(MARK);
  const { operations, faults, orders, events, minutes } = totalsOf(rows);
  const wrong = rows.filter(({ result }) => result !== '0 wrong').length;
  const machine = `${cpus().length} × ${cpus()[0]?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}`;
  const asText = (count: number) => count.toLocaleString('en-US');
  const widths = COLUMNS.map((name) =>
    Math.max(...[name, ...rows.map((one) => `${one[name]}`)].map((cell) => cell.length)),
  );
  const table = (cells: readonly (string | number)[], fill = ' ') =>
    `| ${cells.map((cell, i) => `${cell}`.padEnd(widths[i] ?? 0, fill)).join(' | ')} |`;
  const lines = [
    `Machine of the last walk: ${machine}.`,
    '',
    `Together: **${asText(operations)} operations** of ${asText(GOAL.operations)}, **${asText(faults)} faults** of ${asText(GOAL.faults)}, ${asText(orders)} orders, ${asText(events)} events, ${asText(minutes)} minutes. Walks that found something: ${wrong}, which count for nothing.`,
    '',
    table(COLUMNS),
    table(
      COLUMNS.map(() => ''),
      '-',
    ),
    ...rows.map((one) => table(COLUMNS.map((name) => one[name]))),
  ];
  await writeFile(path, `${head.trimEnd()}\n\n${MARK}\n${lines.join('\n')}\n`);
}
