import { relative } from 'node:path';
import type { TestEvent } from 'node:test/reporters';

const SHOWN = 25;

/** A reporter that ends the run with the files that took longest, starting and ending their process included. */
// biome-ignore lint/style/noDefaultExport: how Node finds a reporter.
export default async function* slowestFiles(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const took: { file: string; seconds: number }[] = [];
  for await (const event of events)
    if (event.type === 'test:summary' && event.data.file !== undefined)
      took.push({ file: relative('.', event.data.file), seconds: event.data.duration_ms / 1000 });
  took.sort((a, b) => b.seconds - a.seconds);
  const all = took.reduce((sum, { seconds }) => sum + seconds, 0);
  yield `\n# ${took.length} files took ${all.toFixed()} s one after the other; the slowest:\n`;
  for (const { file, seconds } of took.slice(0, SHOWN)) yield `${seconds.toFixed(1).padStart(8)} s  ${file}\n`;
}
