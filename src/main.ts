import { setTimeout as wait } from 'node:timers/promises';
import { type Role, startApp } from './app.ts';
import { banner, demoKeys } from './banner.ts';
import { openBase } from './base.ts';
import { SECOND, systemClock } from './clock.ts';
import { ConfigError, readConfig } from './config.ts';
import { FolderInUse } from './db/folder-lock.ts';
import { seedDemo } from './demo.ts';
import { bufferedWriter, createLog } from './log.ts';
import { findCommand, parseCommand, refuse, runCommand } from './operator/cli.ts';
import { clientCommands, openClient } from './operator/client-commands.ts';
import type { Command, OperatorContext } from './operator/command.ts';
import { command } from './operator/command.ts';
import { commands } from './operator/commands.ts';
import { help } from './operator/help.ts';
import { choice, UsageError } from './operator/options.ts';
import { progressBar } from './operator/print.ts';

/** The program's own two commands; they are listed with the operator's, and run before any of those could. */
const start = command({
  path: ['start'],
  summary: 'Set up what is missing and serve',
  options: {
    role: choice(['all', 'api', 'worker', 'panel'], 'which part of the work this process takes; all by default'),
  },
  run: async () => undefined,
});
const migrateOnly = command({
  path: ['migrate'],
  summary: 'Bring the database up to date and stop',
  // Opening the base has already done it.
  run: async () => ({ migrated: true }),
});
const everything: readonly Command[] = [start, migrateOnly, ...commands, ...clientCommands];

async function main(words: readonly string[]): Promise<number> {
  const json = words.includes('--json');
  const typed = words.filter((word) => word !== '--json');
  if (typed.length === 0 || typed[0] === 'help' || typed.includes('--help') || typed.includes('-h')) {
    process.stdout.write(
      help(
        everything,
        typed.filter((word) => !word.startsWith('-') && word !== 'help'),
      ),
    );
    return 0;
  }
  const chosen = findCommand(everything, typed);
  if (!chosen) return refuse(json, 'unknown_command', `there is no command "${typed.join(' ')}"; try --help`);
  try {
    if (chosen === start) return await serve(parseCommand(start, typed.slice(1)).role as Role | undefined);
    const open = clientCommands.includes(chosen) ? async () => openClient(json) : openOperator;
    return await runCommand(chosen, typed, json, open);
  } catch (error) {
    if (error instanceof UsageError || error instanceof ConfigError) return refuse(json, 'usage', error.message);
    if (error instanceof FolderInUse) return refuse(json, 'already_running', error.message);
    return refuse(json, 'failed', error instanceof Error ? error.message : String(error));
  }
}

async function openOperator(): Promise<OperatorContext> {
  const config = readConfig();
  const log = createLog('warn', (line) => process.stderr.write(line));
  const base = await openBase({ config, clock: systemClock, log, as: 'guest' });
  const who = process.env.SUDO_USER ?? process.env.USER ?? 'operator';
  return { ...base, who, confinedTo: undefined, progress: progressBar };
}

async function serve(role: Role = 'all'): Promise<number> {
  const config = readConfig();
  const out = bufferedWriter((text) => process.stdout.write(text));
  const log = createLog(config.logLevel, out.write);
  const stopped = Promise.withResolvers<string>();
  // Every time, not once: npm passes on the Ctrl-C that the terminal has sent us already, and a second one that met no handler
  // would end us half-way, with the database left behind.
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stopped.resolve(signal));
  {
    await using base = await openBase({ config, clock: systemClock, log, as: 'server' });
    const demo = config.demo ? await seedDemo(base) : undefined;
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
  return 0;
}

process.exitCode = await main(process.argv.slice(2));
