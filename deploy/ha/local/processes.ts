import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync, readdirSync, readFileSync } from 'node:fs';
import { OWNER } from './machine.ts';

export interface Launch {
  readonly command: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly logFile: string;
  /** Runs it on another machine of the network. */
  readonly prefix?: readonly string[];
}

export const AS_OWNER = OWNER ? ['setpriv', `--reuid=${OWNER.uid}`, `--regid=${OWNER.gid}`, '--clear-groups'] : [];

/** A program that is started, killed and started again. */
export class Program {
  readonly #launch: Launch;
  #child: ChildProcess | undefined;

  constructor(launch: Launch) {
    this.#launch = launch;
  }

  start(): void {
    const { command, env, logFile, prefix = [] } = this.#launch;
    const log = openSync(logFile, 'a');
    const [program, ...args] = [...prefix, ...AS_OWNER, ...command];
    this.#child = spawn(program as string, args, {
      // The owner of the data may not be allowed into the folder this was started in.
      cwd: '/',
      env: { PATH: process.env.PATH, ...env },
      stdio: ['ignore', log, log],
    });
  }

  get pid(): number | undefined {
    const child = this.#child;
    return child?.exitCode === null && child.signalCode === null ? child.pid : undefined;
  }

  async end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#child;
    if (!child || this.pid === undefined) return;
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  }
}

/** A process and all its descendants: PostgreSQL has many. */
export function familyOf(pid: number): number[] {
  const children = new Map<number, number[]>();
  for (const name of readdirSync('/proc').filter((name) => /^\d+$/.test(name)))
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
      const parent = Number(stat.slice(stat.lastIndexOf(')') + 4).split(' ')[0]);
      children.set(parent, [...(children.get(parent) ?? []), Number(name)]);
    } catch {}
  const walk = (of: number): number[] => [of, ...(children.get(of) ?? []).flatMap(walk)];
  return walk(pid);
}

/** A process that has already ended cannot be signalled. */
export function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids)
    try {
      process.kill(pid, signal);
    } catch {}
}
