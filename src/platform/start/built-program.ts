import { createHash } from 'node:crypto';
import { closeSync, openSync, readFileSync, readSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/**
 * `npm run build` puts the program together in `dist/`: some 20 files instead of 900, because finding, stripping and linking each of them
 * is most of what a start or a command costs. It is used only while it matches the sources: the build records which files it read and
 * a hash of their contents, and a start reads them again and compares. It compares contents, not modification times, because copying a
 * file changes those, too. If anything differs, the sources run.
 */
const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
export const BUILT = join(ROOT, 'dist');
/** Written when the rest is there. */
export const RECORD = join(BUILT, 'made-from.json');

export interface MadeFrom {
  /** Relative to the checkout. */
  readonly files: readonly string[];
  readonly bytes: number;
  readonly hash: string;
  readonly entry: string;
}

/** The built program's address, if it was made from the sources as they are now. */
export function builtProgram(): string | undefined {
  try {
    const { files, bytes, hash, entry } = JSON.parse(readFileSync(RECORD, 'utf8')) as MadeFrom;
    // Into one buffer: a command waits for this, and 900 buffers take twice as long. Its last byte is there to notice that there is more.
    const all = Buffer.allocUnsafe(bytes + 1);
    let end = 0;
    const lengths = files.map((file) => {
      const opened = openSync(ROOT + file, 'r');
      const length = readSync(opened, all, end, all.length - end, 0);
      closeSync(opened);
      end += length;
      return length;
    });
    return hashOf(lengths, all.subarray(0, end)) === hash ? pathToFileURL(join(BUILT, entry)).href : undefined;
  } catch {
    // Never built, or a file it was made from is gone.
    return undefined;
  }
}

/** Of files one after the other. Their lengths say where one ends. */
export const hashOf = (lengths: readonly number[], all: Buffer): string =>
  createHash('sha1').update(lengths.join()).update(all).digest('hex');

/**
 * Stacks of the built program name the files and lines that were built. Node's own way reads every map when the program starts, which
 * costs a command a quarter of its time; here a map is read when the first stack that needs it is.
 */
export function nameSourcesInStacks(built: string): void {
  const maps = new Map<string, SourceMap | undefined>();
  const mapOf = (file: string): SourceMap | undefined => {
    if (!maps.has(file)) maps.set(file, readMap(file));
    return maps.get(file);
  };
  const folder = new URL('.', built).href;
  const place = new RegExp(`(${RegExp.escape(folder)}[^/:]+):(\\d+):(\\d+)`, 'g');
  const inSource = (shown: string, file: string, line: string, column: string): string => {
    // Maps count from 0, stacks from 1.
    const found = mapOf(file)?.findEntry(Number(line) - 1, Number(column) - 1);
    if (!found || !('originalSource' in found)) return shown;
    return `${new URL(found.originalSource, folder).href}:${found.originalLine + 1}:${found.originalColumn + 1}`;
  };
  Error.prepareStackTrace = (error, calls) =>
    [Error.prototype.toString.call(error), ...calls.map((call) => `    at ${call}`.replace(place, inSource))].join(
      '\n',
    );
}

/** None if the program was built again while this process runs: a stack without sources is better than none. */
function readMap(file: string): SourceMap | undefined {
  try {
    return new SourceMap(JSON.parse(readFileSync(fileURLToPath(`${file}.map`), 'utf8')));
  } catch {
    return undefined;
  }
}
