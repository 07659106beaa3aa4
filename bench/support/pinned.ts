import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** What is measured has one core to itself, what measures it the next; a machine with one core shares it. */
export const SERVER_CORE = 0;
export const LOAD_CORE = availableParallelism() > 1 ? 1 : 0;

export function pinned(core: number, command: string, args: readonly string[]): [string, string[]] {
  return ['taskset', ['-c', String(core), command, ...args]];
}

export interface PinnedServer extends AsyncDisposable {
  readonly pid: number;
  /** The first line it printed, parsed. */
  readonly told: unknown;
}

/** Runs a program on the server core. It prints one line of JSON once it serves, and ends at end of input. */
export async function pinnedServer(file: URL, input: unknown, nodeArgs: readonly string[] = []): Promise<PinnedServer> {
  const program = fileURLToPath(file);
  const [command, args] = pinned(SERVER_CORE, process.execPath, [...nodeArgs, program]);
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.write(`${JSON.stringify(input)}\n`);
  const lines = createInterface(child.stdout);
  const [line] = (await Promise.race([once(lines, 'line'), once(child, 'exit')])) as [unknown];
  if (typeof line !== 'string') throw new Error(`${program} ended with ${line} before it served`);
  return {
    pid: child.pid ?? 0,
    told: JSON.parse(line),
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null) return;
      const gone = once(child, 'exit');
      child.stdin.end();
      await gone;
    },
  };
}
