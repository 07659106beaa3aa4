import { chmod, mkdtemp, readlink, rm, statfs } from 'node:fs/promises';
import { freemem, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** A folder of the test's own, gone with it; with what the program keeps elsewhere for it (root's database files). */
export async function testFolder(
  mode: number,
  make: (prefix: string) => Promise<string> = (prefix) => mkdtemp(join(tmpdir(), prefix)),
): Promise<{ path: string } & AsyncDisposable> {
  const path = await make('wayfare-process-');
  await chmod(path, mode);
  return {
    path,
    async [Symbol.asyncDispose]() {
      const elsewhere = await readlink(join(path, 'data', 'postgres')).catch(() => undefined);
      if (elsewhere) await rm(dirname(elsewhere), { recursive: true, force: true });
      await rm(path, { recursive: true, force: true });
    },
  };
}

const MEMORY = '/dev/shm';
const TMPFS = 0x01021994;
const PLENTY = 4 * 2 ** 30;

/**
 * For temporary databases: in memory where there is plenty, otherwise among the other temporary files. Each database is
 * hundreds of files, and on ext4 making them takes ten times as long while others have just been removed.
 */
export async function scratchFolder(prefix: string): Promise<string> {
  const memory = await statfs(MEMORY).catch(() => undefined);
  const isRoomy = memory?.type === TMPFS && memory.bavail * memory.bsize > PLENTY && freemem() > 2 * PLENTY;
  return mkdtemp(join(isRoomy ? MEMORY : tmpdir(), prefix));
}
