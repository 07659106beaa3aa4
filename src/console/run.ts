import { Type } from 'typebox';
import { plain } from '../operator/cli.ts';
import type { Command } from '../operator/command.ts';
import { commands } from '../operator/commands.ts';
import { UsageError } from '../operator/options.ts';
import { Refused } from '../refused.ts';
import { type OperatorAction, operatorAction } from './action.ts';

/** As typed at the command line: text for an option or argument, true for a switch. */
const input = Type.Record(Type.String(), Type.Union([Type.String({ maxLength: 1_000 }), Type.Boolean()]));

/**
 * Each command that the console may run, at `/operator/api/run/` and its words. It is read, checked, made and recorded by the code
 * of the command line, so neither can do what the other cannot. `ok: false` in a result is a result, not a refusal.
 */
export const runActions: readonly OperatorAction[] = commands.flatMap((command) => {
  const { path, console: rule } = command;
  if (rule === 'shown' || 'never' in rule) return [];
  return operatorAction({
    verb: 'POST',
    path: `/operator/api/run/${path.join('/')}`,
    ...rule,
    body: Type.Object({ input }),
    async handle({ context }, { input: given }) {
      const result = await asInput(async () => command.run(context, readInput(command, given) as never));
      return { body: { result: plain(result) } };
    },
  });
});

/** What `parseCommand` does with words, for fields. */
export function readInput(
  { args = {}, options = {} }: Pick<Command, 'args' | 'options'>,
  given: Readonly<Record<string, string | boolean>>,
) {
  const known = { ...args, ...options };
  const unknown = Object.keys(given).find((name) => !Object.hasOwn(known, name));
  if (unknown !== undefined) throw new Refused('invalid_input', `unknown option ${unknown}`);
  const values = Object.entries(known).map(([name, option]) => {
    const value = given[name];
    const text = value === false || value === '' ? undefined : value === true ? '' : value;
    if ((value === true) !== option.isSwitch && text !== undefined)
      throw new Refused('invalid_input', `${name} ${option.isSwitch ? 'is a switch' : 'needs a value'}`);
    try {
      return [name, option.read(text)];
    } catch (error) {
      throw error instanceof UsageError ? new Refused('invalid_input', `${name}: ${error.message}`) : error;
    }
  });
  return Object.fromEntries(values);
}

/** What the command line answers with the usage is bad input here. */
export async function asInput<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof UsageError ? new Refused('invalid_input', error.message) : error;
  }
}
