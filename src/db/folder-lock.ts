import { createHash } from 'node:crypto';
import { chmod, mkdir, realpath } from 'node:fs/promises';
import { createServer } from 'node:net';

/** Somebody else runs on this data folder. */
export class FolderInUse extends Error {}

/**
 * One server per data folder. The lock is a name in the kernel's abstract socket namespace: exclusive, and gone with the
 * process however it ends, so there is never a stale lock file to judge.
 */
export async function lockFolder(dataDir: string): Promise<{ release(): Promise<void> }> {
  // Others may walk through it (the database's user must), not list it; what is secret in it has its own mode.
  if (await mkdir(dataDir, { recursive: true })) await chmod(dataDir, 0o711);
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
