import { type ChildProcess, type SpawnOptions, type StdioOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chown, lchown, lstat, mkdir, mkdtemp, open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import type { Log } from '../../log.ts';
import { ensurePassword, readPassword, USER } from './embedded-password.ts';
import { type Place, placeFor, SYSTEM_DIR } from './embedded-place.ts';

/**
 * The folder that holds the embedded server's socket. It is `<data>/postgres-run`, unless that path is too long for a socket
 * address. Then it is a new folder with a random name, and a file in the data folder remembers which, so that commands beside
 * a running server find it.
 *
 * The folder for long paths is made where other users may write too, so nothing there is taken on trust: a name we did not just
 * make must be a real folder (not a link), owned by the server's user and closed to everybody else, or it is refused. Root
 * makes its folder in a place only root can write, because root hands the folder to `nobody`, and a stranger who could swap it
 * for a link would choose what is handed over.
 */

/** sun_path holds 108 bytes including `/.s.PGSQL.5432` and the final zero. */
const PATH_LIMIT = 108 - '/.s.PGSQL.5432'.length - 1;

class UnsafeSocketFolder extends Error {}

const beside = ({ dataDir }: Place): string => `${dataDir}-run`;
const noteFile = ({ dataDir }: Place): string => `${dataDir}-socket`;
const fits = (folder: string): boolean => Buffer.byteLength(folder) <= PATH_LIMIT;

/** Where a running server's socket is; undefined when the folder is missing or somebody else could have made it. */
async function findSocketFolder(place: Place): Promise<string | undefined> {
  const folder = fits(beside(place)) ? beside(place) : await noted(place);
  return folder && (await isPrivate(folder, place)) ? folder : undefined;
}

async function chooseSocketFolder(place: Place): Promise<string> {
  if (fits(beside(place))) return beside(place);
  const kept = await findSocketFolder(place);
  if (kept) return kept;
  if (place.owner) await mkdir(SYSTEM_DIR, { recursive: true });
  const folder = await mkdtemp(place.owner ? join(SYSTEM_DIR, 'run-') : '/tmp/wayfare-');
  const draft = `${noteFile(place)}.${process.pid}`;
  await writeFile(draft, folder, { mode: 0o600 });
  await rename(draft, noteFile(place));
  return folder;
}

/** Makes the chosen folder if it is missing and hands it to the server's user. Throws if it is not theirs alone. */
async function prepareSocketFolder(folder: string, place: Place): Promise<void> {
  await mkdir(folder, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  const found = await lstat(folder);
  // lchown: if the name became a link in the meantime, only the link would change hands.
  if (place.owner && found.isDirectory() && found.uid === process.getuid?.())
    await lchown(folder, place.owner.uid, place.owner.gid);
  if (!(await isPrivate(folder, place)))
    throw new UnsafeSocketFolder(`${folder} must be a folder that only uid ${serverUid(place)} can enter; remove it`);
}

async function removeSocketFolder(folder: string, place: Place): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await rm(noteFile(place), { force: true });
}

const noted = (place: Place): Promise<string | undefined> => readFile(noteFile(place), 'utf8').catch(() => undefined);

const serverUid = ({ owner }: Place): number | undefined => owner?.uid ?? process.getuid?.();

async function isPrivate(folder: string, place: Place): Promise<boolean> {
  const found = await lstat(folder).catch(() => undefined);
  return found?.isDirectory() === true && found.uid === serverUid(place) && (found.mode & 0o077) === 0;
}

/** The PostgreSQL we bring: server binaries from the lock file, data in a folder, reached only by a Unix socket and a password. */
export type EmbeddedPostgres = Awaited<ReturnType<typeof startPostgres>>;

interface Access {
  readonly socketDir: string;
  /** Undefined for a running server of an earlier version, which asks for none. */
  readonly password: string | undefined;
}

const DATABASE = 'wayfare';
const STOP_LIMIT_MS = 20_000;
const START_LIMIT_MS = 60_000;
const RESTART_WAIT_MS = 300;
/** SQLSTATE. */
const INVALID_PASSWORD = '28P01';

const SETTINGS = [
  'listen_addresses=',
  'unix_socket_permissions=0700',
  'max_connections=120',
  'shared_buffers=128MB',
  'max_wal_size=2GB',
  'log_min_messages=warning',
  // A failed statement's text and parameters could hold secrets.
  'log_min_error_statement=panic',
];

const urlOf = ({ socketDir, password }: Access, database = DATABASE): string =>
  `postgres://${USER}${password ? `:${password}` : ''}@localhost/${database}?host=${encodeURIComponent(socketDir)}`;

export async function runningPostgres(dataDir: string): Promise<string | undefined> {
  const place = await placeFor(dataDir);
  if ((await postmasterPid(place)) === undefined) return undefined;
  const socketDir = await findSocketFolder(place);
  if (socketDir === undefined) return undefined;
  const access = { socketDir, password: await readPassword(place) };
  return (await accepts(access, place)) ? urlOf(access) : undefined;
}

/**
 * Starts the server (creating its files on first use) and restarts it until `stop`. The caller holds the folder's lock. `binDir`: the
 * programs of another PostgreSQL, for tests. `meanwhile` is called when it has begun to make its files, or to start.
 */
export async function startPostgres(
  dataDir: string,
  log: Log,
  settings: readonly string[] = [],
  binDir?: string,
  meanwhile: () => void = () => {},
) {
  const place = await placeFor(dataDir, binDir);
  await clearStale(place);
  await initialise(place, meanwhile);
  const access = { password: await ensurePassword(place), socketDir: await chooseSocketFolder(place) };

  let stopping = false;
  let child = await launch(place, access, settings, meanwhile);
  const stop = async () => {
    stopping = true;
    await end(child);
    await removeSocketFolder(access.socketDir, place);
  };
  const supervise = (current: ChildProcess) => {
    current.once('exit', async (code, signal) => {
      if (stopping || !mayStart) return;
      log.error({ code, signal }, 'PostgreSQL stopped unexpectedly; restarting it');
      while (!stopping) {
        await wait(RESTART_WAIT_MS);
        try {
          await clearStale(place);
          child = await launch(place, access, settings);
          if (stopping) child.kill('SIGINT');
          return supervise(child);
        } catch (error) {
          log.error({ err: error }, 'PostgreSQL did not start');
        }
      }
    });
  };
  supervise(child);

  return {
    /** Contains the password: never log it. */
    url: urlOf(access),
    /** The postmaster's process id; it changes when the server had to be restarted. */
    get pid(): number {
      return child.pid ?? 0;
    },
    stop,
  };
}

/** Every server of this process that runs or is being made. One that is left outlives us, because it is detached. */
const started = new Set<ChildProcess>();
let mayStart = true;

/** For a process that is told to end while it still works: its databases end with it, wherever that work is, and none is started again. */
export async function stopEveryPostgres(): Promise<void> {
  mayStart = false;
  await Promise.all([...started].map(end));
}

function start(program: string, args: readonly string[], options: SpawnOptions): ChildProcess {
  if (!mayStart) throw new Error('PostgreSQL is not started: this process is ending');
  const child = spawn(program, args, options);
  started.add(child);
  return child.once('exit', () => started.delete(child)).once('error', () => started.delete(child));
}

/** Ends its connections first (what PostgreSQL calls a fast shutdown). */
async function end(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGINT');
  await Promise.race([ended, wait(STOP_LIMIT_MS, undefined, { ref: false })]);
}

async function initialise(place: Place, meanwhile: () => void): Promise<void> {
  if (await readFile(join(place.dataDir, 'PG_VERSION')).catch(() => undefined)) return;
  // Created under another name and renamed when finished: a half-made cluster is never started.
  const making = `${place.dataDir}.making`;
  await rm(making, { recursive: true, force: true });
  await mkdir(making, { mode: 0o700 });
  if (place.owner) await chown(making, place.owner.uid, place.owner.gid);
  const args = ['-D', making, '-U', USER, '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-instructions'];
  const stdio: StdioOptions = ['ignore', 'ignore', 'pipe'];
  const child = start(join(place.binDir, 'initdb'), args, { ...place.owner, stdio });
  let complaint = '';
  child.stderr?.on('data', (chunk) => {
    complaint += chunk;
  });
  const ended = once(child, 'exit');
  meanwhile();
  const [code] = await ended;
  if (code !== 0) throw new Error(`initdb failed: ${complaint.trim()}`);
  await rename(making, place.dataDir);
}

async function launch(
  place: Place,
  access: Access,
  extra: readonly string[],
  meanwhile: () => void = () => {},
): Promise<ChildProcess> {
  await prepareSocketFolder(access.socketDir, place);
  const out = await open(place.logFile, 'a', 0o600);
  const files = [`unix_socket_directories=${access.socketDir}`, `hba_file=${place.rulesFile}`];
  const settings = [...SETTINGS, ...files, ...extra];
  // Detached: a Ctrl-C meant for us must not stop the database before the requests in flight are done.
  const args = ['-D', place.dataDir, ...settings.flatMap((s) => ['-c', s])];
  const stdio: StdioOptions = ['ignore', out.fd, out.fd];
  const child = start(join(place.binDir, 'postgres'), args, { ...place.owner, detached: true, stdio });
  let failure: Error | undefined;
  child.once('error', (error) => {
    failure = error;
  });
  child.once('exit', () => {
    failure ??= new Error(`PostgreSQL did not start; see ${place.logFile}`);
  });
  await out.close();
  meanwhile();
  const deadline = Date.now() + START_LIMIT_MS;
  try {
    while (!(await accepts(access, place))) {
      if (failure) throw failure;
      if (Date.now() > deadline)
        throw new Error(`PostgreSQL was not ready in ${START_LIMIT_MS / 1000} s; see ${place.logFile}`);
      await wait(30);
    }
  } catch (error) {
    child.kill('SIGQUIT');
    throw error;
  }
  return child;
}

/** True once a connection to the `postgres` database works; our own database is created on the way if it is missing. */
async function accepts(access: Access, { passwordFile }: Place): Promise<boolean> {
  const client = new pg.Client({
    connectionString: urlOf(access, 'postgres'),
    connectionTimeoutMillis: 2_000,
  });
  client.on('error', () => {});
  try {
    await client.connect();
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [DATABASE]);
    if (!rowCount) await client.query(`create database ${DATABASE}`);
    return true;
  } catch (error) {
    if ((error as { code?: unknown }).code === INVALID_PASSWORD)
      throw new Error(`the database does not accept the password in ${passwordFile}: remove that file and start again`);
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}

/** The process id in postmaster.pid, if that process is alive and really is the server of this folder. */
async function postmasterPid(place: Place): Promise<number | undefined> {
  const text = await readFile(join(place.dataDir, 'postmaster.pid'), 'utf8').catch(() => '');
  const pid = Number(text.split('\n')[0]);
  if (!Number.isInteger(pid) || pid <= 0) return undefined;
  const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
  return command.split('\0').includes(place.dataDir) ? pid : undefined;
}

/** Stops a server that a killed process left behind; removes a pid file whose process id now belongs to another program. */
async function clearStale(place: Place): Promise<void> {
  const pid = await postmasterPid(place);
  if (pid === undefined) {
    await rm(join(place.dataDir, 'postmaster.pid'), { force: true });
    return;
  }
  process.kill(pid, 'SIGINT');
  const deadline = Date.now() + STOP_LIMIT_MS;
  while ((await postmasterPid(place)) !== undefined) {
    if (Date.now() > deadline)
      throw new Error(`a PostgreSQL left running on ${place.dataDir} (pid ${pid}) did not stop`);
    await wait(50);
  }
}
