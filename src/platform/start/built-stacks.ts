import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { fileURLToPath } from 'node:url';

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
