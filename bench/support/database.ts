import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from '../../src/db/embedded.ts';
import { createLog } from '../../src/log.ts';

/** A PostgreSQL for one bench, with production's settings: what a commit promises is on disk. */
export async function benchDatabase(): Promise<{ url: string; folder: string } & AsyncDisposable> {
  const folder = await mkdtemp(join(tmpdir(), 'wayfare-bench-'));
  // As root the server runs as another user, who must be able to walk in.
  await chmod(folder, 0o711);
  const postgres = await startPostgres(folder, createLog('error'));
  return {
    url: postgres.url,
    folder,
    async [Symbol.asyncDispose]() {
      await postgres.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
