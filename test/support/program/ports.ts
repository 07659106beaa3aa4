import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Below those that Linux gives to outgoing connections, any of which could take the port before the test does. */
const [LOWEST, HIGHEST] = [15_000, 32_000];
/** Shared by all runs of this user on this machine, whatever folder each has for its own files; another user could not write there. */
const folder = process.env.WAYFARE_TEST_PORTS ?? join(tmpdir(), `wayfare-test-ports-${process.getuid?.()}`);
const reserved: string[] = [];
process.once('exit', () => {
  for (const file of reserved) rmSync(file, { force: true });
});

/** A port on which nothing listens now, and which no other test gets while this process runs: it may be bound late, or twice. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(LOWEST, HIGHEST);
    if (isReserved(port) && (await isFree(port))) return port;
  }
}

/** Whether it is now reserved for this process. */
function isReserved(port: number): boolean {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, String(port));
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' });
    reserved.push(file);
    return true;
  } catch {
    if (!isOwned(file)) rmSync(file, { force: true });
    return false;
  }
}

/** Whether the process that reserved it is still there; one that was killed left its file behind. */
function isOwned(file: string): boolean {
  try {
    process.kill(Number(readFileSync(file, 'utf8')) || process.pid, 0);
    return true;
  } catch {
    return false;
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1');
  try {
    // Rejects when the port is taken.
    await once(server, 'listening');
  } catch {
    return false;
  }
  server.close();
  await once(server, 'close');
  return true;
}
