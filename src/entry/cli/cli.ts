import { parseArgs } from 'node:util';
import type { OperatorContext } from '../../actions/action.ts';
import { type Fields, InvalidInput, readFields, reasonText } from '../../actions/fields.ts';
import { once, requireActionKey } from '../../platform/audit/action-keys.ts';
import { plain } from '../../platform/contract/json.ts';
import { Refused, Relayed } from '../../platform/contract/refused.ts';
import { type Command, usage, valueName, wordsOf } from './help.ts';
import { printResult } from './print.ts';

/** Of the known words, those most like what was typed in their place; none if nothing is alike. At most three. */
function nearest(known: readonly string[], typedFor: (known: string) => string): string[] {
  const rated = known.map((word) => {
    const typed = typedFor(word);
    const edits = editsBetween(typed, word);
    // One error in three letters is likely; with more, any short word is like any other.
    return { word, edits: edits <= Math.max(1, typed.length / 3) ? edits : Number.POSITIVE_INFINITY };
  });
  const least = Math.min(...rated.map(({ edits }) => edits));
  return rated
    .filter(({ edits }) => edits === least && Number.isFinite(edits))
    .map(({ word }) => word)
    .slice(0, 3);
}

/** `; did you mean --name?`, or nothing. */
function didYouMean(candidates: readonly string[]): string {
  return candidates.length === 0 ? '' : `; did you mean ${candidates.join(' or ')}?`;
}

/** How many letters have to be added, removed, replaced or swapped with the next one to make `b` of `a`. */
function editsBetween(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = (last[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1);
      let least = Math.min(replaced, (last[j] as number) + 1, (row[j - 1] as number) + 1);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        least = Math.min(least, (beforeLast[j - 2] as number) + 1);
      row.push(least);
    }
    [beforeLast, last] = [last, row];
  }
  return last[b.length] as number;
}

/** The command line cannot be understood: the usage is shown, and the exit code is 2. */
export class UsageError extends Error {}

/** Reads the words of a command line by the command's own fields. Throws `UsageError`. */
export function parseCommand(command: Command, words: readonly string[]): Record<string, unknown> {
  const { args = {}, options = {} } = command;
  const { given, values } = split(options, words);
  const names = Object.keys(args);
  if (given.length > names.length) throw new UsageError(`"${given[names.length]}" is one argument too many`);
  const texts = { ...Object.fromEntries(given.map((text, i) => [names[i], text])), ...Object.fromEntries(values) };
  try {
    return readFields({ ...args, ...options }, texts);
  } catch (error) {
    throw asUsage(command, error);
  }
}

/** Input that cannot be used, as it was typed: `--amount: "x" is not …`. Anything else is as it was. */
export function asUsage({ args = {}, options = {} }: Command, error: unknown): unknown {
  if (!(error instanceof InvalidInput)) return error;
  const named = (field: string): string => {
    const arg = args[field];
    return arg ? valueName(field, arg) : `--${field}`;
  };
  const { field: name, reason } = error;
  if (name === undefined) return new UsageError(reasonText(reason, named));
  if (typeof reason === 'string') return new UsageError(`${named(name)} ${reasonText(reason, named)}`);
  // An argument is not named before the reason: only one can be meant.
  const prefix = name in options ? `--${name}: ` : '';
  const { isNumber, placeholder } = (options[name] ?? args[name]) as Fields[string];
  const shown = isNumber && 'given' in reason ? { ...reason, expected: `${placeholder}, ${reason.expected}` } : reason;
  return new UsageError(`${prefix}${reasonText(shown, named)}`);
}

/** Which words are arguments, and which are the values of which options; a switch has the value ''. */
function split(options: Fields, words: readonly string[]): { given: string[]; values: Map<string, string> } {
  const types = Object.entries(options).map(
    ([name, { isSwitch }]) => [name, { type: isSwitch ? 'boolean' : 'string' } as const] as const,
  );
  const { tokens } = parseArgs({
    args: [...words],
    options: Object.fromEntries(types),
    allowPositionals: true,
    // The refusals are our own.
    strict: false,
    tokens: true,
  });
  const given: string[] = [];
  const values = new Map<string, string>();
  for (const token of tokens) {
    if (token.kind === 'positional') given.push(token.value);
    if (token.kind !== 'option') continue;
    const { name, rawName, value, inlineValue } = token;
    const option = Object.hasOwn(options, name) && rawName === `--${name}` ? options[name] : undefined;
    if (!option) {
      const known = Object.keys(options).map((other) => `--${other}`);
      throw new UsageError(`there is no option ${rawName}${didYouMean(nearest(known, () => rawName))}`);
    }
    const earlier = option.isList ? values.get(name) : undefined;
    if (values.has(name) && earlier === undefined) throw new UsageError(`${rawName} is given twice`);
    if (option.isSwitch && value !== undefined) throw new UsageError(`${rawName} takes no value`);
    if (!option.isSwitch && value === undefined) throw new UsageError(`${rawName} needs a value`);
    // Somebody who forgot the value would get the next option as one.
    if (!option.isSwitch && !inlineValue && value?.startsWith('-') && value.length > 1)
      throw new UsageError(`${rawName} needs a value; one that begins with "-" is written ${rawName}=${value}`);
    values.set(name, earlier === undefined ? (value ?? '') : `${earlier},${value}`);
  }
  return { given, values };
}

/** The command whose name the words begin with; the rest are its arguments. */
export function findCommand(commands: readonly Command[], words: readonly string[]): Command | undefined {
  return commands.find((command) => wordsOf(command).every((word, i) => words[i] === word));
}

/** The words are no command: what they could mean. */
export function unknownCommand(commands: readonly Command[], typed: readonly string[]): UsageError {
  const options = typed.findIndex((word) => word.startsWith('-'));
  // Options first: the first of them is what is not understood.
  const words = typed.slice(0, options > 0 ? options : undefined);
  const begun = commands.map(wordsOf).filter((path) => words.every((word, i) => path[i] === word));
  const next = [...new Set(begun.map((path) => path[words.length]))];
  if (begun.length > 0) return new UsageError(`"${words.join(' ')}" needs one more word: ${next.join(', ')}`);
  const names = commands.map(({ name }) => name);
  // As many of the words as the command has: what follows is its arguments.
  const alike = nearest(names, (name) => words.slice(0, name.split(' ').length).join(' '));
  return new UsageError(`there is no command "${words.join(' ')}"${didYouMean(alike) || '; --help lists all'}`);
}

export async function runCommand(
  command: Command,
  words: readonly string[],
  json: boolean,
  open: () => Promise<AsyncDisposable>,
  key?: string,
): Promise<number> {
  try {
    const input = parseCommand(command, words.slice(wordsOf(command).length));
    await using context = await open();
    const operator = context as OperatorContext;
    const result = await (key === undefined ? command.run(operator, input) : runOnce(operator, command, input, key));
    process.stdout.write(json ? `${JSON.stringify(plain(result))}\n` : asText(command, result, process.stdout.columns));
    return isFailed(result) ? 1 : 0;
  } catch (thrown) {
    const error = asUsage(command, thrown);
    if (error instanceof UsageError) return refuse(json, 'usage', error.message, usage(command));
    if (error instanceof Refused || error instanceof Relayed) {
      const exitCode = refuse(json, error.code, error.message);
      // A value that only the action itself can judge is as wrong as any other.
      return error instanceof Refused && error.status === 400 ? 2 : exitCode;
    }
    throw error;
  }
}

const isFailed = (result: unknown): boolean =>
  result !== null && typeof result === 'object' && 'ok' in result && result.ok === false;

/** Runs a command under a key: with the same key it takes effect once and gives the same answer each time, for every login. */
export function runOnce(
  context: OperatorContext,
  command: Command,
  input: Record<string, unknown>,
  key: string,
): Promise<unknown> {
  const { name, console: rule } = command;
  const isMoney = typeof rule === 'object' && 'may' in rule && rule.may === 'money';
  const keyed = { scope: 'command line', key: requireActionKey(key), action: name, args: input, isMoney };
  const run = (steps: OperatorContext['steps']) => command.run({ ...context, steps }, input);
  return once(context, keyed, run, (result) => (isFailed(result) ? 'nothing' : 'answer'));
}

/** Takes `--key KEY` out of the words of a command that changes something. */
export function takeKey(words: readonly string[]): { readonly words: readonly string[]; readonly key?: string } {
  const at = words.findIndex((word) => word === '--key' || word.startsWith('--key='));
  if (at < 0) return { words };
  const joined = words[at]?.startsWith('--key=');
  const key = joined ? words[at]?.slice('--key='.length) : words[at + 1];
  if (key === undefined || key === '') throw new UsageError('--key: KEY is missing');
  return { words: words.toSpliced(at, joined ? 1 : 2), key };
}

/** A result as printed on a terminal of this width. */
export function asText(command: Command, result: unknown, columns?: number): string {
  return printResult(plain(command.text ? command.text(result) : result), columns);
}

/** A command line that cannot be understood is the typist's mistake, with the exit code that shells and most programs use for it. */
const WRONG_USAGE = ['usage', 'unknown_command'];

/** Says why, and returns the exit code. */
export function refuse(json: boolean, code: string, message: string, hint?: string): number {
  if (json) process.stdout.write(`${JSON.stringify({ error: code, message })}\n`);
  else process.stderr.write(`wayfare: ${message}\n${hint ? `${hint}\n` : ''}`);
  return WRONG_USAGE.includes(code) ? 2 : 1;
}
