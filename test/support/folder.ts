import { chmod, mkdtemp, readlink, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** A folder of the test's own, gone with it; with what the program keeps elsewhere for it (root's database files). */
export async function testFolder(mode: number): Promise<{ path: string } & AsyncDisposable> {
  const path = await mkdtemp(join(tmpdir(), 'wayfare-process-'));
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
