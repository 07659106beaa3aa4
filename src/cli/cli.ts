import { parseArgs } from 'node:util';
import { once, requireActionKey } from '../audit/action-keys.ts';
import { timestamp } from '../clock.ts';
import { Refused, Relayed } from '../contract/refused.ts';
import type { Command, OperatorContext } from './command.ts';
import { usageLine } from './help.ts';
import { UsageError } from './options.ts';
import { printResult } from './print.ts';

/** Reads the words of a command line by the command's own options. Throws `UsageError`. */
export function parseCommand(command: Command, words: readonly string[]): Record<string, unknown> {
  const options = command.options ?? {};
  let parsed: { values: Record<string, string | boolean | undefined>; positionals: string[] };
  try {
    parsed = parseArgs({
      args: [...words],
      allowPositionals: true,
      options: Object.fromEntries(
        Object.entries(options).map(([name, { isSwitch }]) => [
          name,
          { type: isSwitch ? 'boolean' : 'string' } as const,
        ]),
      ),
    }) as typeof parsed;
  } catch (error) {
    throw new UsageError((error as Error).message.split('. ')[0]);
  }
  const args = Object.entries(command.args ?? {});
  if (parsed.positionals.length > args.length)
    throw new UsageError(`"${parsed.positionals[args.length]}" is one argument too many`);
  const input: Record<string, unknown> = {};
  for (const [i, [name, arg]] of args.entries()) input[name] = arg.read(parsed.positionals[i]);
  for (const [name, option] of Object.entries(options)) {
    const value = parsed.values[name];
    if (value === undefined && option.required) throw new UsageError(`--${name} is missing`);
    input[name] = named(`--${name}`, () => option.read(value === undefined ? undefined : String(value)));
  }
  return input;
}

/** Of several options, the refusal says which one is wrong. */
function named<T>(name: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof UsageError ? new UsageError(`${name}: ${error.message}`) : error;
  }
}

/** The command whose path the words begin with; the rest are its arguments. */
export function findCommand(commands: readonly Command[], words: readonly string[]): Command | undefined {
  return commands.find(({ path }) => path.every((word, i) => words[i] === word));
}

export async function runCommand(
  command: Command,
  words: readonly string[],
  json: boolean,
  open: () => Promise<AsyncDisposable>,
  key?: string,
): Promise<number> {
  try {
    const input = parseCommand(command, words.slice(command.path.length));
    await using context = await open();
    const operator = context as OperatorContext;
    const result = await (key === undefined
      ? command.run(operator, input as never)
      : runOnce(operator, command, input, key));
    process.stdout.write(json ? `${JSON.stringify(plain(result))}\n` : asText(command, result, process.stdout.columns));
    return isFailed(result) ? 1 : 0;
  } catch (error) {
    if (error instanceof UsageError) return refuse(json, 'usage', error.message, usageLine(command));
    if (error instanceof Refused || error instanceof Relayed) return refuse(json, error.code, error.message);
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
  const { path, console: rule } = command;
  const isMoney = typeof rule === 'object' && 'may' in rule && rule.may === 'money';
  const keyed = { scope: 'command line', key: requireActionKey(key), action: path.join(' '), args: input, isMoney };
  const run = (steps: OperatorContext['steps']) => command.run({ ...context, steps }, input as never);
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

export function refuse(json: boolean, code: string, message: string, hint?: string): number {
  if (json) process.stdout.write(`${JSON.stringify({ error: code, message })}\n`);
  else process.stderr.write(`wayfare: ${message}\n${hint ? `usage: npm run -s wayfare -- ${hint}\n` : ''}`);
  return 1;
}

/** Dates in the contract's format and ids as numbers, for both ways to print. */
export function plain(value: unknown): unknown {
  if (value instanceof Date) return timestamp(value);
  if (typeof value === 'bigint') return Number(value);
  if (Array.isArray(value)) return value.map(plain);
  if (value !== null && typeof value === 'object') {
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, plain(inner)]));
  }
  return value;
}
