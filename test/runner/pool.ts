import { type ChildProcess, spawn } from 'node:child_process';
import { availableParallelism, loadavg } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { processorSeconds } from './processor.ts';
import type { Ended, Remark } from './reporter.ts';

/** One more than the cores: it computes while others wait, unless other programs keep the machine busy. */
const WORKERS = 3;
const ALWAYS = 2;
const BUSY = 4 * availableParallelism();
/** A file that takes longer hangs. */
const FILE_LIMIT_MS = 15 * 60_000;

const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

export interface Told {
  began(file: string): void;
  note(remark: string): void;
  /** Everything but the end of the file itself. */
  ended(file: string, test: Ended): void;
  done(file: string, seconds: number, processor: number): void;
}

export interface Pool {
  /** Resolves when every file has ended. */
  readonly finished: Promise<void>;
  stop(): void;
}

/**
 * Runs files in a few processes, each file as soon as one of them is free. A file that must have a process of its own gets a new
 * one, and so does whatever comes after a process that ended.
 */
export function runFiles(
  files: readonly string[],
  env: NodeJS.ProcessEnv,
  needsOwnProcess: (file: string) => boolean,
  told: Told,
  { workers = WORKERS, hasTimeFor = () => true }: { workers?: number; hasTimeFor?: (file: string) => boolean } = {},
): Pool {
  const waiting = [...files];
  const running = new Set<ChildProcess>();

  async function next(place: number): Promise<string | undefined> {
    while (place >= ALWAYS && waiting.length > 0 && (loadavg()[0] ?? 0) > BUSY) await wait(1_000);
    for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) {
      if (hasTimeFor(file)) return file;
      told.note(`left out, there is no time for it: ${file}`);
    }
    return undefined;
  }

  async function work(place: number): Promise<void> {
    let shared: ChildProcess | undefined;
    for (let file = await next(place); file !== undefined; file = await next(place)) {
      const isAlone = needsOwnProcess(file);
      const worker = isAlone ? start(file) : shared?.connected ? shared : start();
      if (!isAlone) shared = worker;
      await runOne(worker, file, told);
      if (isAlone) await endOf(worker);
    }
    if (shared?.connected) await endOf(shared);
  }

  /** A process for one file also gets its name as an argument, because preloaded modules may depend on it. */
  function start(alone?: string): ChildProcess {
    const worker = spawn(
      process.execPath,
      [
        `--import=${new URL('light-hooks.ts', import.meta.url)}`,
        `--test-reporter=${here('reporter.ts')}`,
        '--test-reporter-destination=stdout',
        here('worker.ts'),
        ...(alone ? [alone] : []),
      ],
      { stdio: ['ignore', 'inherit', 'inherit', 'ipc'], env },
    );
    running.add(worker);
    worker.once('exit', () => running.delete(worker));
    return worker;
  }

  return {
    finished: Promise.all(Array.from({ length: workers }, (_, place) => work(place))).then(() => undefined),
    stop() {
      waiting.length = 0;
      for (const worker of running) worker.kill();
    },
  };
}

async function runOne(worker: ChildProcess, file: string, told: Told): Promise<void> {
  const began = performance.now();
  const before = processorSeconds(worker.pid ?? 0);
  told.began(file);
  const failure = (error: string): Ended => ({
    ...{ name: file, nesting: 0, isSuite: false, seconds: 0, skipped: undefined },
    error,
  });
  const last = await new Promise<Ended>((end) => {
    const finish = (ended: Ended) => {
      worker.off('message', onMessage);
      worker.off('exit', exit);
      clearTimeout(limit);
      end(ended);
    };
    const onMessage = (message: Ended | Remark) => {
      if ('remark' in message) told.note(message.remark);
      else if (message.nesting === 0) finish(message);
      else told.ended(file, message);
    };
    const exit = (code: number | null, signal: string | null) =>
      finish(failure(`its process ended: ${signal ?? code}`));
    const limit = setTimeout(() => {
      worker.kill('SIGKILL');
      finish(failure('it did not end'));
    }, FILE_LIMIT_MS);
    worker.on('message', onMessage);
    worker.on('exit', exit);
    worker.send(file);
  });
  if (last.error !== undefined) told.ended(file, last);
  told.done(file, (performance.now() - began) / 1_000, Math.max(0, processorSeconds(worker.pid ?? 0) - before));
}

/** Lets a process exit by itself; kills it if something is still open after its tests ended. */
async function endOf(worker: ChildProcess): Promise<void> {
  if (worker.exitCode !== null || worker.signalCode !== null) return;
  const ended = new Promise((end) => worker.once('exit', end));
  const limit = setTimeout(() => worker.kill('SIGKILL'), 10_000);
  worker.disconnect();
  await ended;
  clearTimeout(limit);
}
