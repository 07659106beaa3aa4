import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from '../../../src/platform/db/embedded/embedded.ts';
import { createLog } from '../../../src/platform/log.ts';
import { testedPrograms } from '../../../test/support/database/postgres.ts';
import { freePort } from '../../../test/support/program/ports.ts';

/**
 * A PostgreSQL for one bench with production settings, so commits are durable. It is removed at the end, unless a folder is given.
 * `settings` are for a database that is not itself measured.
 */
export async function benchDatabase(
  kept?: string,
  settings: readonly string[] = [],
): Promise<{ url: string; folder: string } & AsyncDisposable> {
  const folder = kept ?? (await mkdtemp(join(tmpdir(), 'wayfare-bench-')));
  if (kept) await mkdir(kept, { recursive: true });
  // As root, the server runs as another user, who must be able to enter the folder.
  await chmod(folder, 0o711);
  const postgres = await startPostgres(folder, createLog('error'), settings, await testedPrograms());
  return {
    url: postgres.url,
    folder,
    async [Symbol.asyncDispose]() {
      await postgres.stop();
      if (!kept) await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The settings of a program that uses this database and serves one world, on a port that is free. */
export async function serving(
  world: 'live' | 'sandbox',
  database: { url: string; folder: string },
): Promise<{ port: number; env: NodeJS.ProcessEnv }> {
  const port = await freePort();
  const env = {
    DATABASE_URL: database.url,
    WAYFARE_DATA: database.folder,
    [`${world.toUpperCase()}_BASE_URL`]: `http://localhost:${port}/v3`,
    LISTEN_PORTS: String(port),
  };
  return { port, env };
}
