import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { Refused } from '../../contract/refused.ts';
import { END_OF_ROWS, FORMAT, type Manifest, type Table, type Totals } from './backup-file.ts';

const NEWLINE = 10;

/** Reads a backup from front to back: `manifest`, then `next` until it gives the totals, with `rows` after each table. */
export class BackupReader implements AsyncDisposable {
  readonly #file: string;
  readonly #input: Readable;
  readonly #pieces: AsyncIterator<Buffer>;
  readonly #hash: Hash = createHash('sha256');
  #buffer: Buffer = Buffer.alloc(0);

  constructor(file: string) {
    this.#file = file;
    const source = createReadStream(file);
    const input = createGunzip();
    source.on('error', (error) => input.destroy(error));
    input.on('close', () => source.destroy());
    this.#input = source.pipe(input);
    this.#pieces = input[Symbol.asyncIterator]();
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
      if (this.#buffer.indexOf(END_OF_ROWS) === 0) return void this.#take(END_OF_ROWS.length);
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

  async #more(): Promise<boolean> {
    try {
      const { value, done } = await this.#pieces.next();
      if (done) return false;
      this.#buffer = this.#buffer.length === 0 ? value : Buffer.concat([this.#buffer, value]);
      return true;
    } catch (error) {
      if (!(error as NodeJS.ErrnoException).code?.startsWith('Z_')) throw error;
      throw this.#damaged((error as Error).message);
    }
  }

  #damaged(why: string): Refused {
    return new Refused('not_a_backup', `${this.#file} is not a whole backup: ${why}`);
  }
}
