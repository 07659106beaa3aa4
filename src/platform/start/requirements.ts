import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { chmod, mkdir, open, realpath, rm, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { ConfigError } from '../settings/environment.ts';

/**
 * Makes the data folder if it is missing, and refuses one in which nothing can be written, in a sentence: everything that needs
 * it would fail later, each in words of its own.
 */
export async function requireDataFolder(dataDir: string): Promise<void> {
  try {
    // Other users may traverse the folder (the database's user has to) but not list it. Secret files in it have their own mode.
    if (await makeFolder(dataDir)) await chmod(dataDir, 0o711);
    const probe = join(dataDir, `.writable-${process.pid}`);
    const file = await open(probe, 'w', 0o600);
    await file.close();
    await rm(probe);
  } catch (error) {
    const { code = '', path = dataDir } = error as NodeJS.ErrnoException;
    const why = reasons[code];
    if (!why) throw error;
    throw new ConfigError(`WAYFARE_DATA=${dataDir}: ${why.replace('@', path.startsWith(dataDir) ? dataDir : path)}`);
  }
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: '@ cannot be made there',
  ENOTDIR: 'a part of this path is not a folder',
  EACCES: 'this user may not write in @',
  EPERM: 'this user may not write in @',
  EROFS: '@ is on a read-only file system',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota of this user is used up',
  ENAMETOOLONG: 'this path is too long',
};

/** Each missing folder on its own: the recursive `mkdir` of Node never ends where the file system refuses with ENOENT, as in /proc. */
async function makeFolder(folder: string): Promise<boolean> {
  const found = await stat(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    return undefined;
  });
  if (found?.isDirectory()) return false;
  if (found) throw Object.assign(new Error(`${folder} is not a folder`), { code: 'ENOTDIR', path: folder });
  if (dirname(folder) !== folder) await makeFolder(dirname(folder));
  // Two processes may start at once.
  await mkdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  return true;
}

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

/** What a server opens before its first client comes: its pages, connections to the database, and the embedded database's own. */
const LEAST = 512;

/** How many files and connections this process may have open. Node has already raised it as far as it may. */
function openFilesLimit(): number {
  try {
    const [, limit = ''] = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return limit === '' ? Number.POSITIVE_INFINITY : Number(limit);
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

export function requireOpenFiles(): void {
  const limit = openFilesLimit();
  if (limit < LEAST)
    throw new ConfigError(
      `this process may open ${limit} files and connections, and needs ${LEAST} at least: raise \`ulimit -n\`, or LimitNOFILE= of its unit`,
    );
}

/** The sentence to log if clients can exhaust what the process may open; undefined: they cannot. */
export function tooFewFilesFor(connections: number): string | undefined {
  const limit = openFilesLimit();
  return limit >= connections + LEAST
    ? undefined
    : `MAX_CONNECTIONS is ${connections}, and this process may open only ${limit} files and connections: raise \`ulimit -n\`, or LimitNOFILE= of its unit`;
}
