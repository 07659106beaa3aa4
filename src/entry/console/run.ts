import { Refused } from '../../platform/contract/refused.ts';
import { Type } from '../../platform/contract/schema.ts';
import { plain } from '../cli/cli.ts';
import type { Command } from '../cli/command.ts';
import { commands } from '../cli/commands.ts';
import { UsageError } from '../cli/options.ts';
import { type OperatorAction, operatorAction } from './action.ts';

/** As typed at the command line: text for an option or argument, true for a switch. */
export const commandInput = Type.Record(Type.String(), Type.Union([Type.String({ maxLength: 1_000 }), Type.Boolean()]));

/**
 * Each command that the console may run, at `/operator/api/run/` and its words. It runs through the code of the command line, so
 * neither can do what the other cannot. `ok: false` in a result is a result, not a refusal.
 */
export const runActions: readonly OperatorAction[] = commands.flatMap((command) => {
  const { path, console: rule } = command;
  if (rule === 'shown' || 'never' in rule) return [];
  return operatorAction({
    verb: 'POST',
    path: `/operator/api/run/${path.join('/')}`,
    ...rule,
    body: Type.Object({ input: commandInput }),
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
  if (unknown !== undefined) throw new Refused('invalid_input', `there is no field “${unknown.slice(0, 40)}”`);
  const values = Object.entries(known).map(([name, option]) => {
    const value = given[name];
    const text = value === false || value === '' ? undefined : value === true ? '' : value;
    if (text === undefined && option.required) throw new Refused('invalid_input', `${label(name)} is missing`);
    if ((value === true) !== option.isSwitch && text !== undefined)
      throw new Refused('invalid_input', `${label(name)} ${option.isSwitch ? 'is a switch' : 'needs a value'}`);
    try {
      return [name, option.read(text)];
    } catch (error) {
      throw error instanceof UsageError ? new Refused('invalid_input', `${label(name)}: ${onPage(error)}`) : error;
    }
  });
  return Object.fromEntries(values);
}

/** What the command line answers with the usage is bad input here. */
export async function asInput<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof UsageError ? new Refused('invalid_input', onPage(error)) : error;
  }
}

/**
 * A page has fields where the command line has options and placeholders: `--on-sale` is “on sale” there, `ORDER_ID` an order id.
 */
const onPage = ({ message }: UsageError): string =>
  message
    .replace(/^--([a-z-]+)(?=:)/, (_, name: string) => label(name))
    .replace(/--([a-z-]+)/g, (_, name: string) => `“${words(name)}”`)
    .replace(/\b[A-Z_]+, (?=a whole number)/, '')
    .replace(/\b[A-Z]+(_[A-Z]+)+\b/g, (name) => words(name.toLowerCase()));

const words = (name: string): string => name.replaceAll(/[-_]/g, ' ');
const label = (name: string): string => words(name).replace(/^./, (first) => first.toUpperCase());

const MB = 1024 * 1024;

/** The text of a file that a page sends, with the fields of its form. Reading more at once would make requests wait. */
export const upload = (maxMb: number) => ({
  // A string in JSON has up to twice the bytes of its text: every quote and every line break is two.
  maxBytes: 2 * maxMb * MB + 16 * 1024,
  body: Type.Object({ input: commandInput, text: Type.String() }),
  /** Throws if the file is too large. */
  requireShort(text: string): void {
    if (Buffer.byteLength(text) > maxMb * MB)
      throw new Refused('invalid_input', `the file is larger than ${maxMb} MB; the command line takes any size`);
  },
});
