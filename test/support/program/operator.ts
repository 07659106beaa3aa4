import type { OperatorContext } from '../../../src/actions/action.ts';
import { actions } from '../../../src/actions/actions.ts';
import { asUsage, findCommand, parseCommand } from '../../../src/entry/cli/cli.ts';
import { wordsOf } from '../../../src/entry/cli/help.ts';
import { record } from './app.ts';

/** Runs one operator command as it would be typed: run(t.operator(), 'key revoke 7'). */
// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the command answers.
export async function run(context: OperatorContext, line: string | readonly string[]): Promise<any> {
  const words = typeof line === 'string' ? line.split(' ') : line;
  const command = findCommand(actions, words);
  if (!command) throw new Error(`no such command: ${words.join(' ')}`);
  const input = parseCommand(command, words.slice(wordsOf(command).length));
  const result = await Promise.try(() => command.run(context, input)).catch((error) => {
    throw asUsage(command, error);
  });
  const { key, secret, link } = (result ?? {}) as { key?: string; secret?: string; link?: string };
  for (const issued of [key, secret, link?.split('#')[1]])
    if (typeof issued === 'string') record('secrets', `${issued}\n`);
  return result;
}
