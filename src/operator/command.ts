import type { Base } from '../base.ts';
import type { Option } from './options.ts';

export interface OperatorContext extends Base {
  /** Whose name the audit log gets. */
  readonly who: string;
  readonly confinedTo: undefined;
  /** Shows how far something long has come, when somebody is looking. */
  progress(label: string, done: number, total: number): void;
}

export type Options = Readonly<Record<string, Option<unknown>>>;
export type Values<O extends Options> = { readonly [K in keyof O]: O[K] extends Option<infer T> ? T : never };

/** One thing an operator can do. The command line and the console run the same table. */
export interface Command<A extends Options = Options, O extends Options = Options> {
  readonly path: readonly string[];
  readonly summary: string;
  /** Positional, in order. */
  readonly args?: A;
  readonly options?: O;
  /** The result is what `--json` prints; `ok: false` in it makes the exit code 1. */
  run(context: OperatorContext, input: Values<A> & Values<O>): Promise<unknown>;
}

export function command<A extends Options = Record<never, never>, O extends Options = Record<never, never>>(
  declared: Command<A, O>,
): Command {
  return declared as unknown as Command;
}
