import { spawn } from 'node:child_process';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

/** Runs a command beside the tests with low priority. Returns its output if it failed. */
export async function beside(command: string, args: readonly string[]): Promise<string | undefined> {
  const child = spawn('nice', [command, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  const code = new Promise((end) => child.once('close', end));
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return (await code) === 0 ? undefined : out + err;
}

/** What the pages are built from. Of `src/` they use types and the table of errors. */
const SOURCES = ['web', 'docs/guides', 'openapi.json', 'src/platform/contract', 'package-lock.json'];
const BUILT = 'web/dist';

/** Whether the pages were built after the last change of what they are made of, as `npm ci` does. */
export async function isBuilt(): Promise<boolean> {
  const built = await stat(join(BUILT, 'operator.html')).catch(() => undefined);
  if (!built) return false;
  const changed = await Promise.all(SOURCES.map(lastChange));
  return Math.max(...changed) < built.mtimeMs;
}

async function lastChange(path: string): Promise<number> {
  if (path === BUILT) return 0;
  const found = await stat(path);
  if (!found.isDirectory()) return found.mtimeMs;
  const below = await Promise.all((await readdir(path)).map((name) => lastChange(join(path, name))));
  return Math.max(0, ...below);
}
