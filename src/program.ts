import { setTimeout as wait } from 'node:timers/promises';
import { action, type OperatorContext } from './actions/action.ts';
import { actions } from './actions/actions.ts';
import { choice } from './actions/fields.ts';
import type { Role } from './app.ts';
import { backupCommands, openStorage } from './entry/cli/backup.ts';
import { findCommand, parseCommand, refuse, runCommand, takeKey, UsageError, unknownCommand } from './entry/cli/cli.ts';
import { clientCommands, openClient } from './entry/cli/client-commands.ts';
import { type Command, help, usage } from './entry/cli/help.ts';
import { progressBar, step } from './entry/cli/print.ts';
import { SECOND, systemClock } from './platform/clock.ts';
import { DatabaseAway } from './platform/db/database.ts';
import { bufferedWriter, createLog } from './platform/log.ts';
import { ConfigError, readConfig } from './platform/settings/config.ts';
import { version } from './platform/settings/version.ts';
import { FolderInUse, requireOpenFiles, tooFewFilesFor } from './platform/start/requirements.ts';

/** The two commands of the program itself. Help lists them with the operator's. */
const start = action({
  name: 'start',
  console: { never: 'the console is part of the process it starts' },
  summary: 'Start the server; the first start sets up everything it needs',
  options: {
    role: choice(['all', 'api', 'worker', 'panel'], 'which part of the work this process does (default: all)'),
  },
  run: async () => undefined,
});
const migrateOnly = action({
  name: 'migrate',
  console: { never: 'each process migrates the database when it starts' },
  summary: 'Upgrade the database schema to this version and exit; apart from `start`, no other command does that',
  // Already done when the base was opened.
  run: async () => ({ migrated: true }),
});
const everything: readonly Command[] = [start, migrateOnly, ...backupCommands, ...actions, ...clientCommands];

export async function main(words: readonly string[]): Promise<number> {
  const json = words.includes('--json');
  const typed = words.filter((word) => word !== '--json');
  for (const stream of [process.stdout, process.stderr]) stream.on('error', stopReading);
  // Only in first place: some commands have an option of this name.
  if (typed[0] === '--version') {
    process.stdout.write(json ? `${JSON.stringify({ version })}\n` : `wayfare ${version}\n`);
    return 0;
  }
  if (typed.length === 0 || typed[0] === 'help' || typed.includes('--help') || typed.includes('-h')) {
    const named = typed.filter((word) => !word.startsWith('-') && word !== 'help');
    const text = help(everything, named);
    if (text === undefined) return refuse(json, 'unknown_command', unknownCommand(everything, named).message);
    process.stdout.write(text);
    return 0;
  }
  const chosen = findCommand(everything, typed);
  if (!chosen) return refuse(json, 'unknown_command', unknownCommand(everything, typed).message);
  const told = chosen === start || clientCommands.includes(chosen) ? undefined : endWhenTold();
  try {
    if (!clientCommands.includes(chosen)) requireOpenFiles();
    if (chosen === start) return await serve(parseCommand(start, typed.slice(1)).role as Role | undefined);
    const { words: own, key } = mayHaveKey(chosen) ? takeKey(typed) : { words: typed };
    return await runCommand(chosen, own, json, openerOf(chosen, json), key);
  } catch (error) {
    // Nobody asks why: the database was stopped under it.
    if (told?.ending) return told.ending;
    if (error instanceof UsageError) return refuse(json, 'usage', error.message, usage(chosen));
    if (error instanceof ConfigError) return refuse(json, 'invalid_settings', error.message);
    if (error instanceof FolderInUse) return refuse(json, 'already_running', error.message);
    if (error instanceof DatabaseAway) return refuse(json, 'failed', `${error.message} (${howItIsNamed()})`);
    return refuse(json, 'failed', inWords(error));
  }
}

/**
 * A command that is told to end stops the database it started for itself, and then ends by that signal, as it would have without
 * us. What it had not committed never happened.
 */
function endWhenTold(): { readonly ending: Promise<never> | undefined } {
  const told: { ending: Promise<never> | undefined } = { ending: undefined };
  const end = async (signal: NodeJS.Signals): Promise<never> => {
    const { stopEveryPostgres } = await import('./platform/db/embedded/embedded.ts');
    await stopEveryPostgres();
    for (const one of ENDING) process.removeAllListeners(one);
    process.kill(process.pid, signal);
    return await new Promise(() => {});
  };
  for (const one of ENDING)
    process.on(one, (signal: NodeJS.Signals, number?: number) => {
      // Without a number it is `stopReading`, for commands that run until Ctrl-C.
      if (number !== undefined) told.ending ??= end(signal);
    });
  return told;
}
const ENDING = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/**
 * What we print is no longer read, as after `| head`. What runs until Ctrl-C ends as by Ctrl-C; other commands finish their work,
 * which is done by the time they print.
 */
function stopReading(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE' && error.code !== 'ERR_STREAM_DESTROYED') throw error;
  process.emit('SIGINT');
}

/** What the operating system refused, without its jargon. */
function inWords(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code, path, port } = error as NodeJS.ErrnoException & { port?: number };
  if (port !== undefined && code === 'EADDRINUSE')
    return `port ${port} is in use by another program: stop that, or change the addresses or LISTEN_PORTS`;
  if (port !== undefined && code === 'EACCES') return `port ${port} may not be opened by this user`;
  const problem = path !== undefined && code !== undefined && FILE_PROBLEMS[code];
  return problem ? `${path}: ${problem}` : error.message;
}
const FILE_PROBLEMS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder',
  ENOTDIR: 'a part of this path is not a folder',
  EISDIR: 'this is a folder, not a file',
  EACCES: 'this user may not open it',
  EROFS: 'this is on a read-only file system',
  ENOSPC: 'the disk is full',
};

/** The setting that an unreachable database address came from. */
function howItIsNamed(): string {
  const { databaseUrl, dataDir } = readConfig();
  return databaseUrl
    ? 'DATABASE_URL names it'
    : `DATABASE_URL is not set, so it is the embedded one in WAYFARE_DATA, ${dataDir}`;
}

/** Commands that change the database accept a key, so that they take effect once. */
const mayHaveKey = (chosen: Command): boolean =>
  actions.includes(chosen) && chosen.console !== 'shown' && !('keyless' in chosen.console);

function openerOf(chosen: Command, json: boolean): () => Promise<AsyncDisposable> {
  if (clientCommands.includes(chosen)) return async () => openClient(json);
  if (backupCommands.includes(chosen)) return async () => openStorage();
  return () => openOperator(chosen === migrateOnly ? 'migrator' : 'guest');
}

async function openOperator(as: 'migrator' | 'guest'): Promise<OperatorContext> {
  const config = readConfig();
  const log = createLog('warn', (line) => process.stderr.write(line));
  const { openBase } = await import('./worlds/base.ts');
  const base = await openBase({ config, clock: systemClock, log, as });
  const who = process.env.SUDO_USER ?? process.env.USER ?? 'operator';
  return { ...base, who, confinedTo: undefined, progress: progressBar };
}

/**
 * From the end of draining to the end of the process, whatever happens. Everything that is closed has its own limit; this one is
 * for what those miss, such as a start that waits for another process to migrate.
 */
const STOP_LIMIT_MS = 60 * SECOND;

async function serve(role: Role = 'all'): Promise<never> {
  const config = readConfig();
  const out = bufferedWriter((text) => process.stdout.write(text));
  const log = createLog(config.logLevel, out.write);
  const tooFewFiles = tooFewFilesFor(config.connections.max);
  if (tooFewFiles) log.warn(tooFewFiles);
  const stopped = Promise.withResolvers<string>();
  // `on`, not `once`: npm passes on the Ctrl-C that the terminal has already sent us, and a second one without a handler would
  // end us half-way and leave the database running.
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stopped.resolve(signal));
  void stopped.promise.then(() => {
    setTimeout(() => {
      log.error('not stopped in time; what is left is found again by its lease');
      out.flush();
      process.exit(1);
    }, config.drainMs + STOP_LIMIT_MS).unref();
  });
  {
    // Only a server needs these: a command reads a third of the files. They are read while the database starts.
    const load = () => Promise.all([import('./app.ts'), import('./worlds/demo.ts'), import('./entry/cli/banner.ts')]);
    const { openBase } = await import('./worlds/base.ts');
    // The first start makes a database, which takes seconds.
    step(config.databaseUrl ? 'Opening the database …' : `Starting the database in ${config.dataDir} …`);
    await using base = await openBase({ config, clock: systemClock, log, as: 'server', meanwhile: load }).finally(() =>
      step(''),
    );
    const [{ startApp }, { seedDemo }, { banner, demoKeys }] = await load();
    if (config.demo) step('Preparing the demo: a catalog, a partner and keys …');
    const demo = config.demo ? await seedDemo(base).finally(() => step('')) : undefined;
    await using app = await startApp(base, role).catch((error) => {
      if (demo) process.stdout.write(demoKeys(config, demo));
      throw error;
    });
    process.stdout.write(banner(config, app.served, demo));
    const signal = await stopped.promise;
    app.drain();
    log.info({ signal, drainSeconds: config.drainMs / SECOND }, 'stopping: finishing what is in flight');
    await wait(config.drainMs);
  }
  log.info('stopped');
  out.flush();
  // A connection to a frozen database would keep the process for as long as the other side does not close it.
  process.exit(0);
}
