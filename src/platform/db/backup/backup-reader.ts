import { createHash, type Hash } from 'node:crypto';
import { createReadStream, type ReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { Refused } from '../../contract/refused.ts';
import { END_OF_ROWS, FORMAT, type Manifest, type Table, type Totals } from './backup-file.ts';

const NEWLINE = 10;
/** Longer than any row of ours. In a damaged file a line may have no end, and memory has one. */
const MAX_LINE_MB = 64;
const UNZIPPED_PIECE_BYTES = 256 * 1024;

/**
 * Reads the whole file and changes nothing: what is damaged is refused before a database is started for it. `checked` gets the
 * bytes read so far.
 */
export async function requireWholeBackup(
  file: string,
  checked: (bytes: number, ofBytes: number) => void,
): Promise<void> {
  const { size } = await stat(file);
  await using backup = new BackupReader(file);
  let reported = 0;
  await backup.manifest();
  while ('table' in (await backup.next())) {
    for await (const _ of backup.rows()) {
      if (backup.bytesRead === reported) continue;
      reported = backup.bytesRead;
      checked(reported, size);
    }
  }
}

/** Reads a backup from front to back: `manifest`, then `next` until it gives the totals, with `rows` after each table. */
export class BackupReader implements AsyncDisposable {
  readonly #file: string;
  readonly #source: ReadStream;
  readonly #input: Readable;
  readonly #pieces: AsyncIterator<Buffer>;
  readonly #hash: Hash = createHash('sha256');
  #buffer: Buffer = Buffer.alloc(0);

  constructor(file: string) {
    this.#file = file;
    const source = createReadStream(file);
    const input = createGunzip({ chunkSize: UNZIPPED_PIECE_BYTES });
    source.on('error', (error) => input.destroy(error));
    input.on('close', () => source.destroy());
    this.#source = source;
    this.#input = source.pipe(input);
    this.#pieces = input[Symbol.asyncIterator]();
  }

  /** Of the file, as it is on disk. */
  get bytesRead(): number {
    return this.#source.bytesRead;
  }

  async manifest(): Promise<Manifest> {
    const manifest = (await this.#line()) as Manifest | null;
    if (typeof manifest?.format !== 'number') throw this.#damaged('it has no manifest');
    if (manifest.format !== FORMAT)
      throw new Refused('newer_backup', `${this.#file} was made by Wayfare ${manifest.version}: restore it with that`);
    return manifest;
  }

  async next(): Promise<Table | Totals> {
    const soFar = this.#hash.copy().digest('hex');
    const line = (await this.#line()) as Table | (Totals & { sha256: string });
    if ('table' in line) return line;
    if (line.sha256 !== soFar) throw this.#damaged('its checksum is wrong');
    if (this.#buffer.length > 0 || (await this.#more())) throw this.#damaged('something follows its end');
    return line;
  }

  /** The rows of the table that `next` gave, in pieces of whole rows. */
  async *rows(): AsyncGenerator<Buffer> {
    for (;;) {
      if (this.#buffer.subarray(0, END_OF_ROWS.length).equals(END_OF_ROWS)) return void this.#take(END_OF_ROWS.length);
      const end = this.#buffer.indexOf('\n\\.\n');
      // What is after the last newline is the beginning of a row, or of the end.
      const whole = (end >= 0 ? end : this.#buffer.lastIndexOf(NEWLINE)) + 1;
      if (whole > 0) yield this.#take(whole);
      else if (!(await this.#more())) throw this.#damaged('it ends within a table');
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#input.destroy();
  }

  async #line(): Promise<unknown> {
    for (;;) {
      const end = this.#buffer.indexOf(NEWLINE);
      if (end < 0) {
        if (await this.#more()) continue;
        throw this.#damaged('it ends too early');
      }
      try {
        return JSON.parse(this.#take(end + 1).toString('utf8'));
      } catch {
        throw this.#damaged('it is not in the form of a backup');
      }
    }
  }

  #take(bytes: number): Buffer {
    const taken = this.#buffer.subarray(0, bytes);
    this.#buffer = this.#buffer.subarray(bytes);
    this.#hash.update(taken);
    return taken;
  }

  /**
   * Reads on until another newline has come, or the file ends; true if it read anything. Called when what we have contains no
   * newline, so nothing is searched or copied twice, however long a line is.
   */
  async #more(): Promise<boolean> {
    const pieces = [this.#buffer];
    let bytes = this.#buffer.length;
    for (;;) {
      const piece = await this.#piece();
      if (piece) pieces.push(piece);
      bytes += piece?.length ?? 0;
      if (bytes > MAX_LINE_MB * 1024 * 1024) throw this.#damaged(`it has a row of more than ${MAX_LINE_MB} MB`);
      if (piece && !piece.includes(NEWLINE)) continue;
      const readAny = bytes > this.#buffer.length;
      this.#buffer = Buffer.concat(pieces);
      return readAny;
    }
  }

  async #piece(): Promise<Buffer | undefined> {
    try {
      const { value, done } = await this.#pieces.next();
      return done ? undefined : value;
    } catch (error) {
      if (!(error as NodeJS.ErrnoException).code?.startsWith('Z_')) throw error;
      throw this.#damaged((error as Error).message);
    }
  }

  #damaged(why: string): Refused {
    return new Refused('not_a_backup', `${this.#file} is not a whole backup: ${why}`);
  }
}
