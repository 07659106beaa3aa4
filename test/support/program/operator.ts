import { findCommand, parseCommand } from '../../../src/entry/cli/cli.ts';
import type { OperatorContext } from '../../../src/entry/cli/command.ts';
import { commands } from '../../../src/entry/cli/commands.ts';
import { record } from './app.ts';

/** Runs one operator command as it would be typed: run(t.operator(), 'key revoke 7'). */
// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the command answers.
export async function run(context: OperatorContext, line: string | readonly string[]): Promise<any> {
  const words = typeof line === 'string' ? line.split(' ') : line;
  const command = findCommand(commands, words);
  if (!command) throw new Error(`no such command: ${words.join(' ')}`);
  const result = await command.run(context, parseCommand(command, words.slice(command.path.length)) as never);
  const { key, secret, link } = (result ?? {}) as { key?: string; secret?: string; link?: string };
  for (const issued of [key, secret, link?.split('#')[1]])
    if (typeof issued === 'string') record('secrets', `${issued}\n`);
  return result;
}
