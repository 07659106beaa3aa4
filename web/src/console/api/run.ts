import type { QueryKey } from '@tanstack/react-query';
import { andThen, type Change, post } from '../../parts/server/client.ts';
import { useChange } from '../../parts/server/useChange.ts';

/** What a command takes, as it would be typed; true for a switch. */
export type CommandInput = Readonly<Record<string, string | boolean>>;

/** Runs an operator command by its words, e.g. `wallet credit`; answers what `--json` prints. */
export const run = <T = unknown>(command: string, input: CommandInput): Change<T> =>
  andThen(post<{ result: T }>(`/operator/api/run/${command.replaceAll(' ', '/')}`, { input }), ({ result }) => result);

/** A command as a change: afterwards what is under `touches` is read again. */
export const useRun = <T = unknown>(command: string, touches: QueryKey) =>
  useChange((input: CommandInput) => run<T>(command, input), touches);
