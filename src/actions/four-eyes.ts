import { findPartner } from '../domains/partners/accounts/accounts.ts';
import { operators } from '../domains/partners/people/people.ts';
import { countAmounts, type PartnerAmount, type Terms } from '../domains/partners/proposals/proposals.ts';
import { type Cents, formatCents, toCents } from '../platform/amounts/cents.ts';
import { aroundFirst } from '../platform/audit/action-keys.ts';
import { Refused } from '../platform/contract/refused.ts';
import type { Tx } from '../platform/db/database.ts';
import type { OperatorContext } from './actor.ts';

/*
 * Four eyes. With `FOUR_EYES_USD` set, what an operator moves or promises in the console above that amount is not carried out but
 * proposed, and another operator approves it (`src/entry/console/four-eyes.ts`). An action that can move or promise money declares
 * `fourEyes`, which says what it would do. The command line is exempt: there, admins are notified by mail.
 */

/** What an action would do, as far as a second operator has to know it. */
export interface Subject {
  /** `any`: it needs a second operator whatever the amount, because prices and credentials have none. A null partner is a new one. */
  readonly amounts: 'any' | readonly { readonly partnerId: number | null; readonly amount: Cents }[];
  /** What will happen, in one sentence. */
  readonly words: string;
  /** The values the decision rests on. If they are others when it is approved, it is refused. */
  readonly terms: Terms;
  /** Whom it is about; only for `any`. */
  readonly partnerId?: number | undefined;
  /** Fields to keep in place of those that were sent, e.g. the time that “now” was. */
  readonly fixed?: Readonly<Record<string, string>>;
}

export interface FourEyes<Input> {
  /** Undefined: this input moves and promises nothing. */
  subject(context: OperatorContext, input: Input): Promise<Subject | undefined>;
  /** Locks what the terms are read from, so that they stay as they are until the change is made. */
  hold?(tx: Tx, input: Input): Promise<unknown>;
  /** It asks suppliers, so it is read when somebody decides, and not for a list. */
  readonly isSlow?: true;
}

export const namedPartner = async ({ db }: Pick<OperatorContext, 'db'>, partnerId: number): Promise<string> =>
  `${(await findPartner(db, partnerId)).name} (partner ${partnerId})`;

export const totalOf = ({ amounts }: Subject): Cents | null =>
  amounts === 'any' ? null : toCents(amounts.reduce((sum, { amount }) => sum + amount, 0n));

export const isAbove = (limit: Cents, subject: Subject): boolean => {
  const total = totalOf(subject);
  return total === null || total > limit;
};

/**
 * Counts the amounts of an action that was just carried out or proposed; a new partner is in its result. Returns the largest sum of an
 * hour.
 */
export function countSubject(
  tx: Tx,
  { who, clock }: Pick<OperatorContext, 'who' | 'clock'>,
  { amounts }: Subject,
  result: unknown,
  proposalId?: number,
): Promise<Cents> {
  const created = (result as { readonly partner_id?: number } | undefined)?.partner_id;
  const known = (amounts === 'any' ? [] : amounts).flatMap(({ partnerId, amount }): PartnerAmount[] => {
    const id = partnerId ?? created;
    return id === undefined || amount === 0n ? [] : [{ partnerId: id, amount }];
  });
  return countAmounts(tx, who, known, clock.now(), proposalId);
}

/**
 * Runs an action at the command line. If it goes above the limit, that is mailed to all admins, in the transaction that does it. What
 * cannot be proposed is refused by the action itself, in words for the command line.
 */
export async function runReported<Input, Result>(
  context: OperatorContext,
  { subject: subjectOf }: FourEyes<Input>,
  input: Input,
  run: (context: OperatorContext) => Promise<Result>,
): Promise<Result> {
  const { config, db, mail, clock, who } = context;
  const limit = config.fourEyes;
  if (limit === undefined) return run(context);
  const subject = await subjectOf(context, input).catch(refusalOnly);
  if (subject === undefined) return run(context);
  if (subject instanceof Refused) {
    // If it is not refused after all, it changes nothing, as no admin would hear of it.
    const steps = aroundFirst(context, async (_, work) => {
      await work();
      throw subject;
    });
    return run({ ...context, steps });
  }
  const admins = (await operators.list(db)).filter(({ role }) => role === 'admin');
  const steps = aroundFirst(context, async (tx, work) => {
    const result = await work();
    const sum = await countSubject(tx, context, subject, result);
    const facts = { who, words: subject.words, limit: formatCents(limit) };
    if (isAbove(limit, subject) || sum > limit)
      for (const { email: to } of admins)
        await mail.queue(tx, { kind: 'command_above_limit', to, facts, partnerId: null }, clock.now());
    return result;
  });
  return run({ ...context, steps });
}

function refusalOnly(error: unknown): Refused {
  if (error instanceof Refused) return error;
  throw error;
}
