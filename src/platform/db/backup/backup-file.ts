import { createHash } from 'node:crypto';
import { open, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { Applied } from '../migrate/migrations.ts';

/**
 * A backup is one gzip file of text:
 *
 *     {"format":1,"version":"0.1.0",…}                      the manifest
 *     {"table":"shared.partners","columns":["id","name"]}   a table, then its rows as `copy` writes them
 *     1	Demo Travel
 *     \.                                                    the end of its rows; no row is written like this
 *     {"rows":{"shared.partners":1},"sequences":[…],"sha256":"…"}
 *
 * Tables come in the order in which they can be loaded. The checksum is that of everything before the last line. Neither side
 * holds more than a piece of it in memory.
 */
export interface Manifest {
  readonly format: typeof FORMAT;
  readonly version: string;
  readonly takenAt: string;
  /** The schema it was taken from. */
  readonly migrations: readonly Applied[];
  /** Shows whether a secret is the one this data was sealed with (`vault/secrets.ts`). */
  readonly mark: unknown;
}

export interface Table {
  /** `live.orders` */
  readonly table: string;
  readonly columns: readonly string[];
}

export interface Totals {
  readonly rows: Readonly<Record<string, number>>;
  readonly sequences: readonly { readonly name: string; readonly value: string; readonly isCalled: boolean }[];
}

export const FORMAT = 1;
export const END_OF_ROWS = Buffer.from('\\.\n');

export const written = (line: Manifest | Table): Buffer => Buffer.from(`${JSON.stringify(line)}\n`);

/**
 * Writes what `content` yields, then the totals it returns with the checksum. The file appears under its name when it is whole
 * and on disk; until then it is `FILE.part`, and whatever had the name stays. Returns its size.
 */
export const writeBackup = (file: string, content: AsyncGenerator<Buffer, Totals>): Promise<number> =>
  writeSummed(file, content, (totals, sha256) => ({ ...totals, sha256 }));

/** Likewise for any file whose last line says what the others are: `end` makes it of what `content` returns and their checksum. */
export async function writeSummed<T>(
  file: string,
  content: AsyncGenerator<Buffer, T>,
  end: (returned: T, sha256: string) => object,
): Promise<number> {
  const part = `${file}.part`;
  // Left by a run that was killed. Created again, so that it has our mode and not the old one's.
  await rm(part, { force: true });
  const target = await open(part, 'wx', 0o600);
  try {
    const output = target.createWriteStream({ flush: true });
    await pipeline(withEnd(content, end), createGzip(), output);
    const { size } = await stat(part);
    await rename(part, file);
    await syncFolder(dirname(file));
    return size;
  } catch (error) {
    await target.close().catch(() => {});
    await rm(part, { force: true });
    throw error;
  }
}

async function* withEnd<T>(
  content: AsyncGenerator<Buffer, T>,
  end: (returned: T, sha256: string) => object,
): AsyncGenerator<Buffer> {
  const hash = createHash('sha256');
  try {
    for (;;) {
      const { value, done } = await content.next();
      if (done) return yield Buffer.from(`${JSON.stringify(end(value, hash.digest('hex')))}\n`);
      hash.update(value);
      yield value;
    }
  } finally {
    await content.return(undefined as T);
  }
}

/** A new name is on disk when its folder is. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  await handle.sync().finally(() => handle.close());
}
