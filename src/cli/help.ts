import type { Command, Options } from './command.ts';

type Option = Options[string];

const LONGEST_PLACEHOLDER = 48;

/** Help at every level: all commands, one group, one command with its options. */
export function help(commands: readonly Command[], words: readonly string[]): string {
  const named = commands.filter(({ path }) => words.every((word, i) => i >= path.length || path[i] === word));
  // Grouped by the first word, whichever file declares the command; unknown words list everything.
  const groups = Map.groupBy(named.length > 0 ? named : commands, ({ path }) => path[0]);
  const below = [...groups.values()].flat();
  const exact = named.find(({ path }) => path.length <= words.length && path.every((word, i) => word === words[i]));
  if (exact) return details(exact);
  const width = Math.max(0, ...below.map(({ path }) => path.join(' ').length));
  const lines = below.map(({ path, summary }) => `  ${path.join(' ').padEnd(width)}  ${summary}`);
  return [
    'usage: npm run -s wayfare -- COMMAND [--json]',
    '',
    ...lines,
    '',
    'COMMAND --help shows its options. --json prints one JSON document. Exits with 1 if the command is refused.',
    '--key KEY, with any command that changes something: a repeat with the same key changes nothing and prints the same result.',
    'TS is a time: "YYYY-MM-DD HH:MM:SS" in UTC, or ISO 8601. USD is an amount like 12.50. DURATION is like 90s, 15m, 2h or 3d.',
    '',
  ].join('\n');
}

function details(command: Command): string {
  const args = Object.entries(command.args ?? {}).flatMap(([name, arg]) => [
    [valueName(name, arg), arg.summary],
    ...choicesOf(arg),
  ]);
  const options = Object.entries(command.options ?? {}).flatMap(([name, option]) => [
    [optionName(name, option), option.required ? `${option.summary} (required)` : option.summary],
    ...choicesOf(option),
  ]);
  const rows = [...args, ...options];
  const width = Math.max(0, ...rows.map(([name = '']) => name.length));
  const lines = rows.map(([name = '', summary]) => `  ${name.padEnd(width)}  ${summary}`);
  return [
    `usage: npm run -s wayfare -- ${usageLine(command)}`,
    '',
    command.summary,
    ...(lines.length > 0 ? ['', ...lines] : []),
    '',
  ].join('\n');
}

export function usageLine({ path, args = {}, options = {} }: Command): string {
  const optional = (written: string, { required }: Option) => (required ? written : `[${written}]`);
  return [
    ...path,
    ...Object.entries(args).map(([name, arg]) => optional(valueName(name, arg), arg)),
    ...Object.entries(options).map(([name, option]) => optional(optionName(name, option), option)),
  ].join(' ');
}

const optionName = (name: string, option: Option): string =>
  option.isSwitch ? `--${name}` : `--${name} ${valueName(name, option)}`;

const isLong = ({ placeholder }: Option): boolean => placeholder.length > LONGEST_PLACEHOLDER;

/** A long choice is written as its name; help lists below it what can be chosen. */
const valueName = (name: string, option: Option): string => (isLong(option) ? name.toUpperCase() : option.placeholder);
const choicesOf = (option: Option): string[][] =>
  isLong(option) ? option.placeholder.split('|').map((choice) => ['', `  ${choice}`]) : [];
