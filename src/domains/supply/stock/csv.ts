/** One line of fields, and the line of the text it starts on: a quoted field may go over several. */
interface CsvRow {
  readonly line: number;
  readonly fields: readonly string[];
}

export class CsvBroken extends Error {
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
export function readCsv(text: string): CsvRow[] {
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
