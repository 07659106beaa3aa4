import { type JSONVisitor, visit } from 'jsonc-parser';
import { firstJsonError, START } from '../../catalog/import-format/import-format.ts';

/** What an item can have. Items are named by ICCID. */
export const FIELDS = [
  'iccid',
  'activation_code',
  'smdp_address',
  'matching_id',
  'confirmation_code',
  'msisdn',
  'apn',
  'cost',
  'expires_at',
  'label',
] as const;
export type Field = (typeof FIELDS)[number];

/** One thing wrong with a file. It never repeats a value that could be part of an activation code. */
export interface StockProblem {
  readonly line: number;
  /** The field's name, or where in the line: `character 12`. */
  readonly column: string;
  readonly reason: string;
}

export class StockRefused extends Error {
  readonly problems: readonly StockProblem[];

  constructor(problems: readonly StockProblem[]) {
    super(`nothing was imported: ${problems.length} ${problems.length === 1 ? 'problem' : 'problems'}`);
    this.problems = problems;
  }
}

/** An item as it was written; a field that is empty is missing. */
export interface RawItem {
  readonly line: number;
  readonly fields: Readonly<Partial<Record<Field, unknown>>>;
}

const isField = (name: string): name is Field => (FIELDS as readonly string[]).includes(name);
const NOT_KNOWN = `is not a known column (${FIELDS.join(', ')})`;
/** A misspelt name is repeated; in a file without names a value may stand in its place, and is not. */
const isName = (text: string): boolean => /^[A-Za-z][A-Za-z_ -]{0,39}$/.test(text);
const at = (character: number): string => `character ${character}`;

/** A JSON array of objects, or CSV with a line of names. Throws `StockRefused`. */
export function readStockFile(given: string): RawItem[] {
  const text = given.replace(/^\uFEFF/, '');
  const items = /^\s*[[{]/.test(text) ? fromJson(text) : fromCsv(text);
  if (items.length === 0) throw new StockRefused([{ line: 1, column: 'iccid', reason: 'there is no item in it' }]);
  return items;
}

function fromCsv(text: string): RawItem[] {
  let rows: ReturnType<typeof readCsv>;
  try {
    rows = readCsv(text);
  } catch (error) {
    if (!(error instanceof CsvBroken)) throw error;
    throw new StockRefused([{ line: error.line, column: at(error.character), reason: error.message }]);
  }
  const [head, ...lines] = rows;
  const names = (head?.fields ?? []).map((name) => name.trim().toLowerCase());
  const line = head?.line ?? 1;
  const hasNames = names.some(isField);
  const problems = names.flatMap((name, i): StockProblem[] => {
    if (!isField(name)) return [{ line, column: hasNames && isName(name) ? name : String(i + 1), reason: NOT_KNOWN }];
    return names.indexOf(name) < i ? [{ line, column: name, reason: `${name} is there twice` }] : [];
  });
  for (const row of problems.length > 0 ? [] : lines) {
    if (row.fields.length === names.length) continue;
    const column = names[Math.min(row.fields.length, names.length) - 1] ?? '';
    const reason = `has ${row.fields.length} values, not ${names.length}`;
    problems.push({ line: row.line, column, reason });
  }
  if (problems.length > 0) throw new StockRefused(problems);
  return lines.map((row) => ({
    line: row.line,
    fields: Object.fromEntries(row.fields.map((value, i) => [names[i] ?? '', value.trim()])),
  }));
}

// `JSON.parse` decides what is valid and makes the values; a second pass finds their lines. Its own message quotes the text, so it is
// not passed on.
const STRICT = { disallowComments: true, allowTrailingComma: false };

function fromJson(text: string): RawItem[] {
  let file: unknown;
  try {
    file = JSON.parse(text);
  } catch {
    const { line, column } = firstJsonError(text) ?? START;
    throw new StockRefused([{ line, column: at(column), reason: 'is not valid JSON' }]);
  }
  const first = { line: 1, column: at(1) };
  if (!Array.isArray(file)) throw new StockRefused([{ ...first, reason: 'must be an array of objects' }]);
  const lines = linesOfItems(text);
  const problems: StockProblem[] = [];
  const items = file.map((entry: unknown, i): RawItem => {
    const line = lines[i] ?? 1;
    const fields = entry as Record<string, unknown>;
    if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) {
      problems.push({ line, column: 'iccid', reason: `item ${i + 1} must be an object` });
      return { line, fields: {} };
    }
    const strange = Object.keys(fields).find((name) => !isField(name));
    if (strange !== undefined)
      problems.push({ line, column: isName(strange) ? strange : `of item ${i + 1}`, reason: NOT_KNOWN });
    return { line, fields };
  });
  if (problems.length > 0) throw new StockRefused(problems);
  return items;
}

/** The line each item of a valid JSON array starts on. */
function linesOfItems(text: string): number[] {
  const lines: number[] = [];
  let depth = 0;
  const begin = (_offset: number, _length: number, line: number): boolean => {
    if (depth === 1) lines.push(line + 1);
    depth += 1;
    // What is inside an item has no line of interest.
    return depth < 2;
  };
  const end = () => {
    depth -= 1;
  };
  const visitor: JSONVisitor = {
    onObjectBegin: begin,
    onArrayBegin: begin,
    onObjectEnd: end,
    onArrayEnd: end,
    onLiteralValue(_value, _offset, _length, line) {
      if (depth === 1) lines.push(line + 1);
    },
  };
  visit(text, visitor, STRICT);
  return lines;
}

/** One line of fields, and the line of the text it starts on: a quoted field may go over several. */
interface CsvRow {
  readonly line: number;
  readonly fields: readonly string[];
}

class CsvBroken extends Error {
  readonly line: number;
  /** The number of the character in that line, from 1. */
  readonly character: number;

  constructor(message: string, line: number, character: number) {
    super(message);
    this.line = line;
    this.character = character;
  }
}

/** Up to the next separator or the end of the line; a field in quotes is read by hand. */
const PLAIN = { ',': /[^,\r\n]*/y, ';': /[^;\r\n]*/y, '\t': /[^\t\r\n]*/y } as const;
type Separator = keyof typeof PLAIN;

/** CSV as in RFC 4180, also with semicolons or tabs, as spreadsheets write it: whichever the first line has. Empty lines are left out. */
function readCsv(text: string): CsvRow[] {
  const [head = ''] = text.split(/[\r\n]/, 1);
  const separator = ([',', ';', '\t'] as const).find((one) => head.includes(one)) ?? ',';
  const rows: CsvRow[] = [];
  let at = 0;
  let line = 1;
  let lineStart = 0;
  while (at < text.length) {
    const startedOn = line;
    const fields: string[] = [];
    for (;;) {
      const field = text[at] === '"' ? quoted() : plain(separator);
      fields.push(field);
      if (text[at] !== separator) break;
      at += 1;
    }
    if (text[at] === '\r') at += 1;
    if (text[at] === '\n') at += 1;
    line += 1;
    lineStart = at;
    if (fields.length > 1 || fields[0]?.trim() !== '') rows.push({ line: startedOn, fields });
  }
  return rows;

  function plain(by: Separator): string {
    const pattern = PLAIN[by];
    pattern.lastIndex = at;
    const [found = ''] = pattern.exec(text) ?? [];
    at += found.length;
    return found;
  }

  function quoted(): string {
    const [openedOn, openedAt] = [line, at - lineStart + 1];
    let value = '';
    for (;;) {
      const end = text.indexOf('"', at + 1);
      if (end < 0) throw new CsvBroken('a quote is opened and never closed', openedOn, openedAt);
      const part = text.slice(at + 1, end);
      for (let from = part.indexOf('\n'); from >= 0; from = part.indexOf('\n', from + 1)) {
        line += 1;
        lineStart = at + 1 + from + 1;
      }
      value += part;
      at = end + 1;
      if (text[at] !== '"') break;
      value += '"';
    }
    const isEnd = at >= text.length || text[at] === separator || text[at] === '\r' || text[at] === '\n';
    if (!isEnd) throw new CsvBroken('a quoted value must end with its quote', line, at - lineStart + 1);
    return value;
  }
}
