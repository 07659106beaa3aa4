import { Wayfare } from '../client.ts';

/** Where a command runs. */
export interface Terminal {
  /** WAYFARE_KEY, for when the command line gives no key. */
  readonly key: string | undefined;
  /** WAYFARE_URL, for when the command line gives no address. */
  readonly url: string | undefined;
  now(): number;
  write(text: string): void;
  /** Aborted by Ctrl-C. */
  readonly stop: AbortSignal;
}

/** Without a placeholder it is a switch. */
export interface CommandOption {
  readonly placeholder?: string;
  readonly summary: string;
  readonly isRequired?: true;
}

export type Given = Readonly<Record<string, string | boolean | undefined>>;

/**
 * A command for developers who have a key and no server of their own. The package's `wayfare-dev` runs it, and so does the server's
 * command line, each with its own parsing and printing.
 */
export interface DeveloperCommand {
  readonly name: string;
  readonly summary: string;
  readonly argument?: { readonly name: string; readonly summary: string; readonly choices: readonly string[] };
  readonly options: Readonly<Record<string, CommandOption>>;
  /** Its output is a protocol, so its result is not printed. */
  readonly isSilent?: true;
  run(terminal: Terminal, given: Given): Promise<Readonly<Record<string, unknown>>>;
}

/** The command line is wrong: nothing was sent. */
export class CommandUsageError extends Error {}

/** The command cannot do what it was asked to. */
export class CommandRefused extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** The options every command shares. */
export const apiOptions = {
  key: { placeholder: 'KEY', summary: 'your API key, a sandbox key (esk_test_…); WAYFARE_KEY by default' },
  url: { placeholder: 'URL', summary: "the API's address, up to /v3; WAYFARE_URL by default, or this machine" },
} as const satisfies DeveloperCommand['options'];

export const isSandboxKey = (key: string): boolean => key.startsWith('esk_test_');

export function requireKey(terminal: Terminal, given: Given): string {
  const key = textOf(given.key) ?? terminal.key;
  if (!key) throw new CommandUsageError('there is no API key: set WAYFARE_KEY, or give --key');
  return key;
}

/** The client of the sandbox. These commands move money and orders, so they take no other key. */
export function requireSandboxClient(terminal: Terminal, given: Given): Wayfare {
  const key = requireKey(terminal, given);
  if (!isSandboxKey(key))
    throw new CommandRefused('sandbox_key_needed', 'this command needs a sandbox key (esk_test_…)');
  return new Wayfare({ key, baseUrl: addressOf(terminal, given), userAgent: 'wayfare-dev' });
}

/** Undefined: the SDK's own default, a server on this machine. */
export function addressOf(terminal: Terminal, given: Given): string | undefined {
  const address = textOf(given.url);
  if (address !== undefined) return requireAddress('--url', address);
  return terminal.url ? requireAddress('WAYFARE_URL', terminal.url) : undefined;
}

export function requireAddress(name: string, text: string): string {
  const protocol = URL.canParse(text) ? new URL(text).protocol : '';
  if (protocol !== 'http:' && protocol !== 'https:')
    throw new CommandUsageError(`${name}: "${text}" is not an http or https address`);
  return text;
}

/** What an option was given; empty counts as not given. */
export const textOf = (value: Given[string]): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;
