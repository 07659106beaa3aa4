import { type OperatorPermission, operatorRoles } from '../domains/partners/people/people.ts';
import { type Cents, formatCents } from '../platform/amounts/cents.ts';
import { type Json, type Snake, snake } from '../platform/contract/json.ts';
import type { OperatorContext } from './actor.ts';
import type { Fields, Sent, Values } from './fields.ts';
import { type FourEyes, runReported } from './four-eyes.ts';

/*
 * An action is a value: one thing an operator can do or ask, declared once.
 *
 *   action({
 *     name: 'order refund',
 *     console: { may: 'money', fresh: true },
 *     summary: 'Refund an order in full or in part, …',
 *     args: { id: required(bigId('ORDER_ID', 'the order')) },
 *     options: { amount: usd('how much; by default the rest of the price'), note, version, mode },
 *     run: (context, { id, amount, note, version, mode }) => …,
 *   })
 *
 * Everything else follows from the declaration:
 *
 * - The command line (`src/entry/cli/`) offers it as `order refund ORDER_ID [--amount USD] …`, with its help.
 * - The console serves it at `/operator/api/run/order/refund` (`src/entry/console/run.ts`), if `console` says who may run it there.
 *   Both run the same code, so neither can do what the other cannot.
 * - The console's pages call `useAction('order refund', …)`: the type `Actions` in `actions.ts` has the input and the result of
 *   every action by its name, so a page that misspells one of them does not compile.
 *
 * `run` gets its input read and typed (`fields.ts`), and returns what `--json` prints. What cannot be used is thrown as `InvalidInput`,
 * which knows fields by their names only: the command line says `--amount: …` and a page “Amount: …” of the same error.
 *
 * A change goes through `change` or `amend` (`src/platform/audit/audit-log.ts`), which write its entry in the audit log in the same
 * transaction. Where members or API keys can do the same, `run` calls a function that takes an `Actor` (`actor.ts`), and so do they.
 *
 * A function `shown…` writes a thing as the command line and the audit log show it.
 *
 * How an entry reads is not declared here but in one table, `src/platform/audit/sentences.ts`: members, jobs and imports write
 * entries, too, from below this folder, and `change` accepts only a kind that has a sentence.
 */

export type { OperatorContext } from './actor.ts';

/** For checks inside an action: its address only requires the action's own permission. */
export const mayHere = ({ role }: OperatorContext, permission: OperatorPermission): boolean =>
  role === undefined || operatorRoles.may(role, permission);

/**
 * What the console does with an action: `shown`, it changes nothing and a page shows the same; who may run it there, `fresh` only
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

export interface Action<
  Name extends string = string,
  In extends InConsole = InConsole,
  A extends Fields = Fields,
  O extends Fields = Fields,
  // biome-ignore lint/suspicious/noExplicitAny: each action knows what its own `run` returns.
  Result = any,
> {
  /** Its words at the command line, and in its address in the console. */
  readonly name: Name;
  readonly summary: string;
  readonly console: In;
  /** Positional at the command line, in this order. */
  readonly args?: A;
  readonly options?: O;
  /** Returns what `--json` prints; with `ok: false` in it the exit code is 1. */
  run(context: OperatorContext, input: Values<A> & Values<O>): Promise<Result>;
  /** What people read where it differs from the JSON, e.g. a status as a word; a string is printed as it is. */
  text?(result: Result): unknown;
  /** What it moves or promises, if it can: above a limit, a second operator has to approve it (`four-eyes.ts`). */
  readonly fourEyes?: FourEyes<Values<A> & Values<O>>;
}

export const action = <
  const Name extends string,
  const In extends InConsole,
  Result,
  A extends Fields = Record<never, never>,
  O extends Fields = Record<never, never>,
>(
  declared: Action<Name, In, A, O, Result>,
): Action<Name, In, A, O, Result> => {
  const { fourEyes, run } = declared;
  if (!fourEyes) return declared;
  return {
    ...declared,
    // In the console it does not get here before it is approved, or known to be below the limit.
    run: (context, input) =>
      context.operatorId === undefined
        ? runReported(context, fourEyes, input, (reported) => run(reported, input))
        : run(context, input),
  };
};

/** What a page sends to run an action, and what it gets. */
export type SentTo<D> = D extends Action<string, InConsole, infer A, infer O> ? Sent<A & O> : never;
export type ResultOf<D> = D extends Action<string, InConsole, Fields, Fields, infer Result> ? Json<Result> : never;

/** These amounts of a record, in USD with two decimals, under the names they have in JSON. */
export const inUsd = <const K extends string>(of: { readonly [Name in NoInfer<K>]: Cents }, ...names: readonly K[]) =>
  Object.fromEntries(names.map((name) => [snake(name), formatCents(of[name])])) as {
    readonly [Name in K as Snake<Name>]: string;
  };

/** One line of text. Others wrote some of it, so whatever could move the cursor or reverse the text is replaced. */
export function cell(value: unknown): string {
  if (value === null || value === undefined || value === '') return '-';
  if (Array.isArray(value) && !isNested(value)) return cell(value.join(', '));
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return text.replaceAll(/[\p{Cc}\u2028-\u202e\u2066-\u2069]/gu, '·');
}

const isObject = (value: unknown): boolean => value !== null && typeof value === 'object';

/** Whether it takes more than one line: a list of things, or one thing with fields. */
export const isNested = (value: unknown): boolean =>
  Array.isArray(value) ? value.some(isObject) : isObject(value) && Object.keys(value as object).length > 0;
