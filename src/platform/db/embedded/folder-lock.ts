import { createHash } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import { createServer } from 'node:net';

/** Another server is using this data folder. */
export class FolderInUse extends Error {}

/**
 * Ensures one server per data folder, which exists. The lock is a name in the kernel's abstract socket namespace. The kernel releases it when
 * the process ends, however it ends, so there is no stale lock file to clean up.
 */
export async function lockFolder(dataDir: string): Promise<{ release(): Promise<void> }> {
  const name = createHash('sha256')
    .update(await realpath(dataDir))
    .digest('hex');
  const server = createServer((socket) => socket.destroy());
  await new Promise<void>((locked, refused) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      refused(error.code === 'EADDRINUSE' ? new FolderInUse(`Wayfare is already running on ${dataDir}`) : error),
    );
    server.listen(`\0wayfare-${name}`, locked);
  });
  server.unref();
  return { release: () => new Promise((released) => server.close(() => released())) };
}
