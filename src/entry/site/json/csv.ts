/** One cell. Amounts are texts like `-2.59`; null is an empty cell. */
export type Cell = string | number | bigint | null;

/** A file for people who open it in a spreadsheet, or for programs; what an action returns to have it streamed. */
export interface Download {
  /** Without its extension; letters, digits, dots and hyphens. */
  readonly name: string;
  readonly header: readonly string[];
  /** Read only as fast as the client receives them; reading stops when it disconnects. */
  readonly rows: AsyncIterable<readonly Cell[]>;
  /** Set: the file is JSON, with a list of this name that has an object for each row. */
  readonly json?: string;
}

/** A spreadsheet holds 1,048,576 rows, the header included. */
export const MAX_ROWS = 1_000_000;
/** Written at once: large enough that a row costs next to nothing, small enough that a slow reader makes us hold little. */
const PIECE_CHARS = 32 * 1024;
/** Without it Excel reads UTF-8 as the machine's old code page. */
const BYTE_ORDER_MARK = '\ufeff';

export const csvDownload = (name: string, header: readonly string[], rows: Download['rows']): Download => ({
  name,
  header,
  rows,
});

/** A line as in RFC 4180, with its CRLF. */
export const csvLine = (cells: readonly Cell[]): string => `${cells.map(cellOf).join(',')}\r\n`;

/** The file piece by piece. A file that would be longer than `maxRows` says so in its last line. */
export async function* csvPieces({ header, rows }: Download, maxRows = MAX_ROWS): AsyncGenerator<string> {
  let piece = BYTE_ORDER_MARK + csvLine(header);
  let count = 0;
  for await (const row of rows) {
    if (count === maxRows) {
      piece += csvLine([`This file ends after ${maxRows} rows, and there are more. Choose a shorter time.`]);
      break;
    }
    count += 1;
    piece += csvLine(row);
    if (piece.length < PIECE_CHARS) continue;
    yield piece;
    piece = '';
  }
  if (piece !== '') yield piece;
}

/** The same as JSON, without a row limit, because a program reads it. */
export async function* jsonPieces({ header, rows, json = 'rows' }: Download): AsyncGenerator<string> {
  let piece = `{${JSON.stringify(json)}:[`;
  let isFirst = true;
  for await (const row of rows) {
    const cells = header.map((name, i) => [name, typeof row[i] === 'bigint' ? String(row[i]) : (row[i] ?? null)]);
    piece += `${isFirst ? '' : ','}\n${JSON.stringify(Object.fromEntries(cells))}`;
    isFirst = false;
    if (piece.length < PIECE_CHARS) continue;
    yield piece;
    piece = '';
  }
  yield `${piece}\n]}\n`;
}

/**
 * All rows of a list, read page by page: no transaction stays open while a client takes its time. `read` gets the last row of
 * the page before, and returns an empty page at the end.
 */
export async function* inPages<Row>(read: (last: Row | undefined) => Promise<readonly Row[]>): AsyncGenerator<Row> {
  for (let page = await read(undefined); page.length > 0; page = await read(page.at(-1))) yield* page;
}

/** Spreadsheets read a plain number as a number, whatever sign it begins with. */
const NUMBER = /^-?\d+(\.\d+)?$/;
/**
 * What makes a spreadsheet take a cell for a formula, the full-width forms included; it would run as the person who opens the file.
 */
const FORMULA = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;
const NEEDS_QUOTES = /[",;\t\r\n]|^\s|\s$/;

function cellOf(cell: Cell): string {
  if (cell === null) return '';
  const given = String(cell);
  const text = FORMULA.test(given) && !NUMBER.test(given) ? `'${given}` : given;
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
