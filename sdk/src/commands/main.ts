#!/usr/bin/env node
import { parseArgs } from 'node:util';
import { VERSION } from '../version.ts';
import { CommandUsageError, type DeveloperCommand, developerCommands, type Given, WayfareError } from './commands.ts';

const NAME = 'wayfare-dev';

/** Runs one command: `npx wayfare-dev listen --forward http://localhost:3000/hook`. */
async function main(words: readonly string[]): Promise<number> {
  const isJson = words.includes('--json');
  const typed = words.filter((word) => word !== '--json');
  const command = developerCommands.find(({ name }) => name === typed.find((word) => !word.startsWith('-')));
  if (typed.includes('--version')) return say(`${VERSION}\n`);
  if (typed.length === 0 || typed[0] === 'help' || typed.includes('--help') || typed.includes('-h'))
    return say(command ? usage(command) : help());
  try {
    if (!command) throw new CommandUsageError(`there is no command "${typed.join(' ')}"; try --help`);
    const given = read(command, typed.toSpliced(typed.indexOf(command.name), 1));
    const stop = new AbortController();
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
    const out = isJson ? process.stderr : process.stdout;
    const result = await command.run(
      {
        key: process.env.WAYFARE_KEY,
        url: process.env.WAYFARE_URL,
        now: Date.now,
        write: (text) => void out.write(text),
        stop: stop.signal,
      },
      given,
    );
    if (!command.isSilent) say(isJson ? `${JSON.stringify(result)}\n` : table(result));
    return 0;
  } catch (error) {
    const isUsage = error instanceof CommandUsageError;
    const message = error instanceof Error ? error.message : String(error);
    const code = isUsage ? 'usage' : error instanceof WayfareError || isCoded(error) ? error.code : 'failed';
    if (isJson) say(`${JSON.stringify({ error: code, message })}\n`);
    else process.stderr.write(`${NAME}: ${message}\n`);
    return isUsage ? 2 : 1;
  }
}

const isCoded = (error: unknown): error is Error & { code: string } =>
  error instanceof Error && 'code' in error && typeof error.code === 'string';

function say(text: string): 0 {
  process.stdout.write(text);
  return 0;
}

function read({ argument, options }: DeveloperCommand, words: readonly string[]): Given {
  const types = Object.entries(options).map(([name, { placeholder }]): [string, { type: 'string' | 'boolean' }] => [
    name,
    { type: placeholder === undefined ? 'boolean' : 'string' },
  ]);
  let parsed: { values: Record<string, string | boolean | undefined>; positionals: string[] };
  try {
    parsed = parseArgs({
      args: [...words],
      allowPositionals: true,
      options: Object.fromEntries(types),
    }) as typeof parsed;
  } catch (error) {
    throw new CommandUsageError((error as Error).message.split('. ')[0]);
  }
  const { values, positionals } = parsed;
  const extra = positionals[argument ? 1 : 0];
  if (extra !== undefined) throw new CommandUsageError(`"${extra}" is one argument too many`);
  for (const [name, { isRequired }] of Object.entries(options))
    if (isRequired && !values[name]) throw new CommandUsageError(`--${name} is missing`);
  if (!argument) return values;
  const { name, choices } = argument;
  const [word] = positionals;
  if (word === undefined || !choices.includes(word))
    throw new CommandUsageError(
      `${word === undefined ? `the ${name} is missing` : `"${word}" is unknown`}: ${choices.join(', ')}`,
    );
  return { ...values, [name]: word };
}

const COLUMNS = 80;

/** Lines of at most 80 columns, all of them indented. */
function wrapped(text: string, indent: number): string[] {
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = lines.at(-1) ?? '';
    if (line !== '' && indent + line.length + 1 + word.length > COLUMNS) lines.push(word);
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
  }
  return lines.map((line) => ' '.repeat(indent) + line);
}

function help(): string {
  return [
    `usage: npx ${NAME} COMMAND [OPTIONS] [--json]`,
    '',
    ...developerCommands.flatMap(({ name, summary }) => [`  ${name}`, ...wrapped(summary, 6)]),
    '',
    ...wrapped(
      'COMMAND --help shows its options. WAYFARE_KEY holds your API key, WAYFARE_URL the address of the API, up to /v3. A command that is refused exits with 1, one that is misused with 2.',
      0,
    ),
    '',
  ].join('\n');
}

function usage({ name, summary, argument, options }: DeveloperCommand): string {
  const rows = Object.entries(options).map(([option, { placeholder, summary: about, isRequired }]) => [
    `--${option}${placeholder === undefined ? '' : ` ${placeholder}`}`,
    `${about}${isRequired ? ' (required)' : ''}`,
  ]);
  return [
    `usage: npx ${NAME} ${name}${argument ? ` ${argument.name.toUpperCase()}` : ''} [OPTIONS] [--json]`,
    '',
    ...wrapped(summary, 0),
    '',
    ...rows.flatMap(([option = '', about = '']) => [`  ${option}`, ...wrapped(about, 6)]),
    ...(argument
      ? ['', `${argument.name.toUpperCase()} is one of:`, ...argument.choices.map((one) => `  ${one}`)]
      : []),
    '',
  ].join('\n');
}

/** One field to a line. */
function table(result: Readonly<Record<string, unknown>>): string {
  const rows = Object.entries(result).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value]);
  const width = Math.max(0, ...rows.map(([name]) => String(name).length));
  return rows.map(([name, value]) => `${String(name).padEnd(width)}  ${value}\n`).join('');
}

void main(process.argv.slice(2)).then((code) => {
  process.exitCode = code;
});
