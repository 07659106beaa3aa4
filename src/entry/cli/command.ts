import { type OperatorPermission, type OperatorRole, operatorRoles } from '../../domains/partners/people/people.ts';
import type { Steps } from '../../platform/audit/action-keys.ts';
import type { Base } from '../../worlds/base.ts';
import type { Option } from './options.ts';

export interface OperatorContext extends Base {
  /** Who the audit log names: the login at the command line, `operator:EMAIL` in the console. */
  readonly who: string;
  readonly confinedTo: undefined;
  /** Of the operator, in the console; the command line has none. */
  readonly operatorId?: number;
  /** The operator's permissions. At the command line everything is allowed. */
  readonly role?: OperatorRole;
  /** Of a command with a key: its changes. */
  readonly steps?: Steps | undefined;
  /** In the console, where the name of a file would be that of one on the server. */
  readonly withoutFiles?: true;
  /** Shows the progress of a long command on a terminal. */
  progress(label: string, done: number, total: number): void;
}

/** For checks inside a command: its address only requires the command's own permission. */
export const mayHere = ({ role }: OperatorContext, permission: OperatorPermission): boolean =>
  role === undefined || operatorRoles.may(role, permission);

export type Options = Readonly<Record<string, Option<unknown>>>;
export type Values<O extends Options> = { readonly [K in keyof O]: O[K] extends Option<infer T> ? T : never };

/**
 * What the console does with a command: `shown`, it changes nothing and a page shows the same; who may run it there, `fresh` only
 * with the password given minutes ago, `tier` with another rate limit than that of changes, `keyless` without a key for repeats, and
 * why; or why it is left to the command line.
 */
export type InConsole =
  | 'shown'
  | {
      readonly may: OperatorPermission;
      readonly fresh?: true;
      readonly tier?: 'outbound';
      readonly keyless?: string;
    }
  | { readonly never: string };

/**
 * One command of the command line, and of the console (`src/entry/console/run.ts`), which runs it by the same code. Where members can do
 * the same in the panel, `run` calls an action of `src/actions/`, so that both make the change and its audit entry by the same
 * code.
 */
export interface Command<A extends Options = Options, O extends Options = Options> {
  readonly path: readonly string[];
  readonly summary: string;
  readonly console: InConsole;
  /** Positional, in order. */
  readonly args?: A;
  readonly options?: O;
  /** `--json` prints the result; with `ok: false` in it the exit code is 1. */
  run(context: OperatorContext, input: Values<A> & Values<O>): Promise<unknown>;
  /** What people read where it differs from the JSON, e.g. a status as a word; a string is printed as it is. */
  // biome-ignore lint/suspicious/noExplicitAny: each command knows what its own `run` returns.
  text?(result: any): unknown;
}

export function command<A extends Options = Record<never, never>, O extends Options = Record<never, never>>(
  declared: Command<A, O>,
): Command {
  return declared as unknown as Command;
}
