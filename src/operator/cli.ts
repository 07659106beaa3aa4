import { parseArgs } from 'node:util';
import { timestamp } from '../clock.ts';
import { Refused, Relayed } from '../refused.ts';
import type { Command, OperatorContext } from './command.ts';
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
): Promise<number> {
  try {
    const input = parseCommand(command, words.slice(command.path.length));
    await using context = await open();
    const result = await command.run(context as OperatorContext, input as never);
    process.stdout.write(json ? `${JSON.stringify(plain(result))}\n` : asText(command, result, process.stdout.columns));
    return result !== null && typeof result === 'object' && 'ok' in result && result.ok === false ? 1 : 0;
  } catch (error) {
    if (error instanceof UsageError) return refuse(json, 'usage', error.message, usageLine(command));
    if (error instanceof Refused || error instanceof Relayed) return refuse(json, error.code, error.message);
    throw error;
  }
}

/** What a person reads of a result, on a terminal of that many columns. */
export function asText(command: Command, result: unknown, columns?: number): string {
  return printResult(plain(command.text ? command.text(result) : result), columns);
}

export function refuse(json: boolean, code: string, message: string, hint?: string): number {
  if (json) process.stdout.write(`${JSON.stringify({ error: code, message })}\n`);
  else process.stderr.write(`wayfare: ${message}\n${hint ? `usage: npm run -s wayfare -- ${hint}\n` : ''}`);
  return 1;
}

export function usageLine({ path, args = {}, options = {} }: Command): string {
  const parts = Object.values(args).map((arg) => (arg.required ? arg.placeholder : `[${arg.placeholder}]`));
  for (const [name, option] of Object.entries(options)) {
    const written = option.isSwitch ? `--${name}` : `--${name} ${option.placeholder}`;
    parts.push(option.required ? written : `[${written}]`);
  }
  return [...path, ...parts].join(' ');
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
