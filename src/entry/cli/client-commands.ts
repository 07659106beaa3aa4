import {
  type CommandOption,
  CommandRefused,
  CommandUsageError,
  type DeveloperCommand,
  developerCommands,
  type Given,
  type Terminal,
  WayfareConnectionError,
  WayfareError,
} from '../../../sdk/src/commands/commands.ts';
import { choice, type Fields, required, text, toggle } from '../../actions/fields.ts';
import { systemClock } from '../../platform/clock.ts';
import { Refused, Relayed } from '../../platform/contract/refused.ts';
import { readConfig } from '../../platform/settings/config.ts';
import { UsageError } from './cli.ts';
import type { Command } from './help.ts';

/** The SDK's commands at this command line: they need a key and the API's address, but no database and no operator rights. */
export const clientCommands: readonly Command[] = developerCommands.map(asCommand);

function asCommand({ name, summary, argument, options, isSilent, run }: DeveloperCommand): Command {
  return {
    name,
    console: { never: 'it runs on a developer’s own machine, with a key' },
    summary,
    ...(argument && { args: { [argument.name]: required(choice(argument.choices, argument.summary)) } }),
    options: Object.fromEntries(Object.entries(options).map(([option, one]) => [option, asOption(one)])) as Fields,
    run: (context, input) => run(context as unknown as Terminal, input as Given).catch(asRefusal),
    ...(isSilent && { text: () => '' }),
  };
}

function asOption({ placeholder, summary, isRequired }: CommandOption): Fields[string] {
  if (placeholder === undefined) return toggle(summary);
  return isRequired ? required(text(placeholder, summary)) : text(placeholder, summary);
}

function asRefusal(error: unknown): never {
  if (error instanceof CommandUsageError) throw new UsageError(error.message);
  if (error instanceof CommandRefused || error instanceof WayfareError) throw new Relayed(error.code, error.message);
  if (error instanceof WayfareConnectionError) throw new Refused('api_away', error.message);
  throw error;
}

/** With `--json` stdout carries one document only, so messages go to stderr. */
export function openClient(json: boolean): Terminal & AsyncDisposable {
  const stop = new AbortController();
  const end = () => stop.abort();
  process.once('SIGINT', end).once('SIGTERM', end);
  const out = json ? process.stderr : process.stdout;
  const { clientKey: key, clientUrl, sandboxBaseUrl } = readConfig();
  return {
    key,
    url: clientUrl ?? sandboxBaseUrl.href,
    now: () => systemClock.now(),
    write: (line) => void out.write(line),
    stop: stop.signal,
    async [Symbol.asyncDispose]() {
      process.off('SIGINT', end).off('SIGTERM', end);
    },
  };
}
