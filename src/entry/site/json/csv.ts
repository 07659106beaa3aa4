import { MINUTE } from '../../../platform/clock.ts';
import { TooManyAttempts } from '../../../platform/contract/refused.ts';
import { NOT_STORED } from '../../../platform/http/headers.ts';
import { StreamedBody } from '../../../platform/http/large-body.ts';
import { page, type SiteReply } from '../routes.ts';

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
async function* jsonPieces({ header, rows, json = 'rows' }: Download): AsyncGenerator<string> {
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

/** A partner's downloads at the same time, and those of all partners, in this process. Each reads the database page by page. */
const AT_ONCE_PER_PARTNER = 2;
const AT_ONCE = 16;
/** The longest a download may take; a client that reads a byte now and then would keep its place forever. */
const LIMIT_MS = 15 * MINUTE;
const BUSY_RETRY_SECONDS = 10;
const HEADERS = { 'cache-control': NOT_STORED, vary: 'cookie' } as const;

export class Downloads {
  readonly #running = new Map<string, number>();
  #all = 0;

  /** Throws `TooManyAttempts` when the account, or everybody together, is downloading as much as they may. */
  async reply(download: Download, account: string): Promise<SiteReply> {
    const running = this.#running.get(account) ?? 0;
    if (running >= AT_ONCE_PER_PARTNER || this.#all >= AT_ONCE) throw new TooManyAttempts(BUSY_RETRY_SECONDS);
    this.#running.set(account, running + 1);
    this.#all += 1;
    const body = await StreamedBody.begin(download.json === undefined ? csvPieces(download) : jsonPieces(download), {
      limitMs: LIMIT_MS,
      onEnd: () => this.#ended(account),
    });
    return page(200, download.json === undefined ? 'text/csv; charset=utf-8' : 'application/json', body, {
      ...HEADERS,
      'content-disposition': `attachment; filename="${download.name}.${download.json === undefined ? 'csv' : 'json'}"`,
    });
  }

  #ended(account: string): void {
    this.#all -= 1;
    const left = (this.#running.get(account) ?? 1) - 1;
    if (left > 0) this.#running.set(account, left);
    else this.#running.delete(account);
  }
}
