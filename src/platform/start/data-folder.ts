import { chmod, mkdir, open, rm, stat } from 'node:fs/promises';
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
