import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { createGunzip } from 'node:zlib';
import { Refused } from '../../../platform/contract/refused.ts';
import { writeSummed } from '../../../platform/db/backup/backup-file.ts';
import type { Vault } from '../../../platform/vault/secrets.ts';

/*
 * An archived year is one gzip file of JSON lines:
 *
 *     {"archive":1,"world":"live","year":2024,…,"previous":"…"}            the head, with the checksum of the year before
 *     {"partner":7,"book":"wallet","after":0,"opening":0,"to":812,…}       a book: its lines in this file and the balances around them
 *     {"partner":7,"book":"wallet","line":1,…,"taken":true,"transfers":…}  a line, with the double entries that carry it
 *     {"movements":812,"taken":790,…,"sha256":"…","signature":"…"}         the end, signed with the installation's secret
 *
 * Every line of the year is in it, in the order of partner, book and number. `taken`: it was deleted from the database; the others were kept
 * there. A line from before the year is there only because it was kept then and is taken now.
 */

const FORMAT = 1;
const PURPOSE = 'archive';
const LINES_AT_ONCE = 2_000;
/** Longer than any line of ours. In a damaged file a line may have no end, and memory has one. */
const MAX_LINE_BYTES = 16 * 1024 * 1024;
const TAKEN_TYPES = ['purchase', 'charge', 'refund'];

interface ArchiveHead {
  readonly archive: typeof FORMAT;
  readonly world: 'live';
  readonly year: number;
  readonly until: string;
  readonly version: string;
  /** Of the file of the year before; null: this is the first. */
  readonly previous: string | null;
}

interface ArchivedBook {
  readonly partner: number;
  readonly book: 'wallet' | 'debt';
  /** The last line of the years before, and the balance it left. */
  readonly after: number;
  readonly opening: number;
  /** The last line of the year, and its balance. */
  readonly to: number;
  readonly balance: number;
}

/** Id, debit, credit, amount. */
type ArchivedTransfer = readonly [number, string, string, number];

interface ArchivedLine {
  readonly partner: number;
  readonly book: 'wallet' | 'debt';
  readonly line: number;
  readonly id: number;
  readonly type: string;
  readonly amount: number;
  readonly balance: number;
  readonly order: number | null;
  readonly note: string;
  readonly at: string;
  readonly taken: boolean;
  /** The closed month it belongs to, of lines that are taken. */
  readonly closing: number | null;
  readonly transfers: readonly ArchivedTransfer[];
}

export interface ArchiveCounts {
  movements: number;
  taken: number;
  transfers: number;
  takenTransfers: number;
}

/** What a file that is proved says of itself. */
export interface ProvedArchive extends ArchiveCounts {
  readonly head: ArchiveHead;
  readonly sha256: string;
  readonly books: readonly ArchivedBook[];
  /** Ids of lines from before the year that were taken. */
  readonly takenLate: readonly number[];
  /** Of lines that were taken: transfers by `partner debit credit`. */
  readonly sums: ReadonlyMap<string, { transfers: number; amount: bigint }>;
}

type Ending = ArchiveCounts & { readonly sha256: string; readonly signature: string };

export const archiveName = (year: number): string => `wayfare-live-${year}.archive.gz`;

export const headOf = (head: Omit<ArchiveHead, 'archive' | 'world'>): ArchiveHead => ({
  archive: FORMAT,
  world: 'live',
  ...head,
});

const signed = (sha256: string, counts: ArchiveCounts): string =>
  [sha256, counts.movements, counts.taken, counts.transfers, counts.takenTransfers].join(' ');

/** The file appears under its name when it is whole and on disk. Returns its size. */
export const writeArchive = (
  file: string,
  vault: Pick<Vault, 'sign'>,
  content: AsyncGenerator<Buffer, ArchiveCounts>,
): Promise<number> =>
  writeSummed(file, content, (counts, sha256) => ({
    ...counts,
    sha256,
    signature: vault.sign(PURPOSE, signed(sha256, counts)),
  }));

/**
 * Reads the whole file and proves it: its signature, the order and numbers of its lines, that each follows from the balance before it and is
 * carried by its transfers, and its sums. `each` gets the lines while that goes on, so nothing may be done about them before the end.
 */
export async function proveArchive(
  file: string,
  vault: Pick<Vault, 'verify'>,
  each: (lines: readonly ArchivedLine[], texts: readonly string[]) => Promise<void> = async () => {},
): Promise<ProvedArchive> {
  const damaged = (why: string) => new Refused('not_an_archive', `${file} is not a whole archive: ${why}`);
  const require = (isRight: boolean, why: string) => {
    if (!isRight) throw damaged(why);
  };
  const hash = createHash('sha256');
  const books = new Map<string, ArchivedBook & { line: number; left: number }>();
  const sums = new Map<string, { transfers: number; amount: bigint }>();
  const takenLate: number[] = [];
  const counts: ArchiveCounts = { movements: 0, taken: 0, transfers: 0, takenTransfers: 0 };
  let head: ArchiveHead | undefined;
  let ending: Ending | undefined;
  let sha256 = '';
  let before: ArchivedLine | undefined;
  let lines: ArchivedLine[] = [];
  let texts: string[] = [];

  const isIndeedAfter = (line: ArchivedLine, earlier: ArchivedLine): boolean =>
    line.partner > earlier.partner ||
    (line.partner === earlier.partner &&
      (line.book > earlier.book || (line.book === earlier.book && line.line > earlier.line)));

  function checkLine(line: ArchivedLine): void {
    const named = `line ${line.line} of the ${line.book} of partner ${line.partner}`;
    const book = books.get(`${line.partner} ${line.book}`);
    if (!book) throw damaged(`${named} belongs to no book`);
    require(!before || isIndeedAfter(line, before), `${named} is out of order`);
    before = line;
    if (line.line > book.after) {
      require(line.line === book.line + 1, `${named} does not follow line ${book.line}`);
      require(line.balance === book.left + line.amount, `${named} does not follow from the balance before it`);
      book.line = line.line;
      book.left = line.balance;
    } else {
      require(line.taken, `${named} was archived before`);
      takenLate.push(line.id);
    }
    const by = (is: (account: string) => boolean) =>
      line.transfers.reduce(
        (sum, [, debit, credit, amount]) => sum + (is(credit) ? amount : 0) - (is(debit) ? amount : 0),
        0,
      );
    const [inWallet, inDebt] = [
      by((account) => account === 'cash' || account === 'promo'),
      -by((a) => a === 'receivable'),
    ];
    const isWallet = line.book === 'wallet';
    require(inWallet === (isWallet ? line.amount : 0) &&
      inDebt === (isWallet ? 0 : line.amount), `${named} is not the sum of its transfers`);
    counts.movements += 1;
    counts.transfers += line.transfers.length;
    if (!line.taken) return;
    require(line.order !== null && TAKEN_TYPES.includes(line.type), `${named} may not be taken`);
    counts.taken += 1;
    counts.takenTransfers += line.transfers.length;
    for (const [, debit, credit, amount] of line.transfers) {
      const key = `${line.partner} ${debit} ${credit}`;
      const sum = sums.get(key) ?? { transfers: 0, amount: 0n };
      sums.set(key, { transfers: sum.transfers + 1, amount: sum.amount + BigInt(amount) });
    }
  }

  for await (const text of linesOf(file, damaged)) {
    if (ending) throw damaged('something follows its end');
    const record = parsed(text) as (ArchiveHead | ArchivedBook | ArchivedLine | Ending) | undefined;
    if (!record) throw damaged('it is not in the form of an archive');
    if (!head) {
      if (!('archive' in record)) throw damaged('it has no head');
      require(record.archive === FORMAT, `it was made by Wayfare ${record.version}`);
      head = record;
    } else if ('signature' in record) {
      ending = record;
      sha256 = hash.copy().digest('hex');
      continue;
    } else if ('after' in record) {
      books.set(`${record.partner} ${record.book}`, { ...record, line: record.after, left: record.opening });
    } else if ('line' in record) {
      checkLine(record);
      lines.push(record);
      texts.push(text);
    }
    hash.update(text).update('\n');
    if (lines.length < LINES_AT_ONCE) continue;
    await each(lines, texts);
    [lines, texts] = [[], []];
  }
  if (!head || !ending) throw damaged('it ends too early');
  require(ending.sha256 === sha256, 'its checksum is wrong');
  require((Object.keys(counts) as (keyof ArchiveCounts)[]).every(
    (name) => counts[name] === ending?.[name],
  ), 'its counts are wrong');
  require(vault.verify(PURPOSE, signed(sha256, counts), ending.signature), 'its signature is wrong');
  for (const { partner, book, to, balance, line, left } of books.values())
    require(line === to && left === balance, `lines of the ${book} of partner ${partner} are missing`);
  if (lines.length > 0) await each(lines, texts);
  return {
    head,
    sha256,
    ...counts,
    takenLate,
    sums,
    books: [...books.values()].map(({ line: _, left: __, ...book }) => book),
  };
}

function parsed(text: string): unknown {
  try {
    const record = JSON.parse(text);
    return typeof record === 'object' && record !== null ? record : undefined;
  } catch {
    return undefined;
  }
}

/** By newlines alone: a note may contain anything else that ends a line elsewhere. */
async function* linesOf(file: string, damaged: (why: string) => Refused): AsyncGenerator<string> {
  const source = createReadStream(file);
  const input = createGunzip();
  source.on('error', (error) => input.destroy(error));
  let kept: Buffer = Buffer.alloc(0);
  try {
    for await (const piece of source.pipe(input)) {
      let from = 0;
      const pieces = kept.length > 0 ? Buffer.concat([kept, piece]) : (piece as Buffer);
      for (let end = pieces.indexOf(10); end >= 0; end = pieces.indexOf(10, from)) {
        yield pieces.toString('utf8', from, end);
        from = end + 1;
      }
      kept = pieces.subarray(from);
      if (kept.length > MAX_LINE_BYTES) throw damaged('it has a line without an end');
    }
  } catch (error) {
    if (error instanceof Refused) throw error;
    const { code } = error as NodeJS.ErrnoException;
    throw damaged(code === 'ENOENT' ? 'there is no such file' : (error as Error).message);
  } finally {
    source.destroy();
    input.destroy();
  }
  if (kept.length > 0) throw damaged('it ends too early');
}
