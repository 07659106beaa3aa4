import type { Action } from '../../actions/action.ts';
import type { Fields } from '../../actions/fields.ts';

/** What can be typed: the actions, and a few things that only a terminal can do, such as a backup. */
export type Command = Action;

type Field = Fields[string];

export const wordsOf = ({ name }: Pick<Command, 'name'>): string[] => name.split(' ');

/** No line of help is longer: the width of a plain terminal. */
const WIDTH = 80;
const PROGRAM = 'npm run -s wayfare --';
/** A longer choice is written as its name, and its values are listed below. */
const LONGEST_PLACEHOLDER = 48;
/** A longer name has a line of its own, so that there is room for the text beside the others. */
const LONGEST_NAME = 28;

/** Help at every level: all commands, one group, one command with its options. Undefined: no command begins with these words. */
export function help(commands: readonly Command[], words: readonly string[]): string | undefined {
  const named = commands.filter((command) => {
    const path = wordsOf(command);
    return words.every((word, i) => i >= path.length || path[i] === word);
  });
  if (named.length === 0) return undefined;
  const exact = named.find((command) => wordsOf(command).every((word, i) => word === words[i]));
  if (exact) return details(exact);
  // Grouped by the first word, whichever file declares the command.
  const groups = Map.groupBy(named, (command) => wordsOf(command)[0]);
  const rows = [...groups.values()].flat().map(({ name, summary }) => [name, inShort(summary)] as const);
  return [
    `usage: ${PROGRAM} COMMAND [--json]`,
    '',
    ...table(rows),
    '',
    ...notes.flatMap((note) => wrap(note, WIDTH)),
    '',
  ].join('\n');
}

const notes = [
  'COMMAND --help shows its options. --version prints the version.',
  '--json prints one JSON document. The exit code is 0, or 1 if the command was refused, or 2 if the command line is wrong.',
  '--key KEY, with any command that changes something: a repeat with the same key changes nothing and prints the same result.',
  'TS is a time: "YYYY-MM-DD HH:MM:SS" in UTC, or ISO 8601. USD is an amount like 12.50. DURATION is like 90s, 15m, 2h or 3d.',
];

/** Up to the first semicolon; what follows is on the command's own page. */
const inShort = (summary: string): string => summary.split(';')[0] as string;

function details(command: Command): string {
  const args = Object.entries(command.args ?? {}).flatMap(([name, arg]) => [
    [valueName(name, arg), arg.summary] as const,
    ...choicesOf(arg),
  ]);
  const options = Object.entries(command.options ?? {}).flatMap(([name, option]) => [
    [optionName(name, option), option.required ? `${option.summary} (required)` : option.summary] as const,
    ...choicesOf(option),
  ]);
  const lines = table([...args, ...options]);
  return [usage(command), '', ...wrap(command.summary, WIDTH), ...(lines.length > 0 ? ['', ...lines] : []), ''].join(
    '\n',
  );
}

/** Names on the left, texts on the right. */
function table(rows: readonly (readonly [name: string, text: string])[]): string[] {
  const fitting = rows.map(([name]) => name.length).filter((length) => length <= LONGEST_NAME);
  const room = Math.max(0, ...fitting) + 4;
  return rows.flatMap(([name, text]) => {
    const lines = wrap(text, WIDTH - room).map((line) => `${' '.repeat(room)}${line}`);
    return name.length > LONGEST_NAME
      ? [`  ${name}`, ...lines]
      : [`  ${name.padEnd(room - 2)}${lines[0]?.slice(room) ?? ''}`.trimEnd(), ...lines.slice(1)];
  });
}

/** `usage: …` on as many lines as it needs. An option and its value stay together. */
export function usage(command: Command): string {
  const start = `usage: ${PROGRAM} `;
  const lines = wrapParts(usageParts(command), WIDTH - start.length, WIDTH - 'usage: '.length);
  return `${start}${lines.join(`\n${' '.repeat('usage: '.length)}`)}`;
}

function usageParts(command: Command): string[] {
  const { args = {}, options = {} } = command;
  const optional = (written: string, { required }: Field) => (required ? written : `[${written}]`);
  return [
    ...wordsOf(command),
    ...Object.entries(args).map(([name, arg]) => optional(valueName(name, arg), arg)),
    ...Object.entries(options).map(([name, option]) => optional(optionName(name, option), option)),
  ];
}

const wrap = (text: string, width: number): string[] => wrapParts(text.split(' '), width, width);

/** Parts separated by spaces, in lines of at most `first` and then `width` characters; a part that is longer has its own. */
function wrapParts(parts: readonly string[], first: number, width: number): string[] {
  const lines = [''];
  for (const part of parts) {
    const line = lines.at(-1) as string;
    if (line === '') lines[lines.length - 1] = part;
    else if (line.length + 1 + part.length <= (lines.length === 1 ? first : width))
      lines[lines.length - 1] = `${line} ${part}`;
    else lines.push(part);
  }
  return lines;
}

const optionName = (name: string, option: Field): string =>
  option.isSwitch ? `--${name}` : `--${name} ${valueName(name, option)}`;

const isLong = ({ placeholder }: Field): boolean => placeholder.length > LONGEST_PLACEHOLDER;

export const valueName = (name: string, option: Field): string =>
  isLong(option) ? name.toUpperCase() : option.placeholder;
const choicesOf = (option: Field): (readonly [string, string])[] =>
  isLong(option) ? [['', `one of ${option.placeholder.replaceAll('|', ', ')}`]] : [];
