import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';

/** The measured program has one core to itself, the load generator the next; a machine with one core shares it. */
const SERVER_CORE = 0;
export const LOAD_CORE = availableParallelism() > 1 ? 1 : 0;

export function pinned(core: number, command: string, args: readonly string[]): [string, string[]] {
  return ['taskset', ['-c', String(core), command, ...args]];
}

export interface PinnedServer<Told> extends AsyncDisposable {
  readonly pid: number;
  readonly told: Told;
}

/** Runs a program on the server core (or on any, with `core: undefined`) with `input` as its first message. It answers with one when it serves. */
export async function pinnedServer<Told>(
  file: URL,
  input: object,
  options: { nodeArgs?: readonly string[]; logTo?: 'ignore' | number; core?: number | undefined } = {},
): Promise<PinnedServer<Told>> {
  const program = fileURLToPath(file);
  const { nodeArgs = [], logTo = 'ignore' } = options;
  const core = 'core' in options ? options.core : SERVER_CORE;
  const [command, args] =
    core === undefined
      ? [process.execPath, [...nodeArgs, program]]
      : pinned(core, process.execPath, [...nodeArgs, program]);
  const child = spawn(command, args, { stdio: ['ignore', logTo, 'inherit', 'ipc'] });
  child.send(input);
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`${program} ended with ${code} before it served`);
  });
  const [told] = (await Promise.race([once(child, 'message'), ended])) as [Told];
  ended.catch(() => {});
  return {
    pid: child.pid ?? 0,
    told,
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, 'exit');
      child.disconnect();
      await gone;
    },
  };
}

/** The other side of `pinnedServer`: serves what `start` opens until the parent disconnects. */
export function servePinned<Input, Told>(start: (input: Input) => Promise<{ told: Told } & AsyncDisposable>): void {
  process.once('message', async (input: Input) => {
    const server = await start(input);
    process.once('disconnect', async () => {
      await server[Symbol.asyncDispose]();
      process.exit();
    });
    process.send?.(server.told);
  });
}
