import type { OperatorContext } from '../../actions/action.ts';
import { countSubject, isAbove, type Subject, totalOf } from '../../actions/four-eyes.ts';
import { type OperatorPermission, operatorRoles, operators } from '../../domains/partners/people/people.ts';
import { proposals } from '../../domains/partners/proposals/proposals.ts';
import { aroundFirst } from '../../platform/audit/action-keys.ts';
import { change } from '../../platform/audit/audit-log.ts';
import { timestamp } from '../../platform/clock.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { OperatorCall } from './action.ts';

/*
 * Where the console carries out what can move or promise money (`src/actions/four-eyes.ts`), or proposes it.
 *
 * Above the limit it is proposed at once. Below, the amount is counted in the transaction of the change itself, together with what
 * the same operator gave the same partner in the last hour; if that is above the limit, the transaction is rolled back and the
 * change is proposed. So however many requests arrive at once, no two of them get past the limit together, and a request that is
 * refused counts for nothing.
 *
 * A repeat of the same request finds its proposal by its key, also after a kill.
 */

/** What the console may have to propose, with its input as it was sent. */
// biome-ignore lint/suspicious/noExplicitAny: each knows its own input.
export interface Guarded<Given = any> {
  readonly name: string;
  readonly may: OperatorPermission;
  /** Undefined: this input moves and promises nothing. */
  subject(context: OperatorContext, given: Given): Promise<Subject | undefined>;
  hold?(tx: Tx, given: Given): Promise<unknown>;
  readonly isSlow?: true | undefined;
  run(context: OperatorContext, given: Given): Promise<unknown>;
  /** The input for the one who decides, by label, without secrets. */
  shown(given: Given): Readonly<Record<string, string>>;
}

export type CarriedOut = { readonly result: unknown } | { readonly proposal: number };

class AboveLimit extends Error {}

/** Runs it, or proposes it and answers with the proposal. */
export async function carryOut<Given>(call: OperatorCall, guarded: Guarded<Given>, given: Given): Promise<CarriedOut> {
  const { context, operator, key = '' } = call;
  const limit = context.config.fourEyes;
  if (limit === undefined) return { result: await guarded.run(context, given) };
  const earlier = await proposals.byKey(context.db, operator.operatorId, key);
  if (earlier) return { proposal: earlier.id };
  const subject = await guarded.subject(context, given);
  if (!subject) return { result: await guarded.run(context, given) };
  if (isAbove(limit, subject)) return propose(call, guarded, given, subject);
  const steps = aroundFirst(context, async (tx, work) => {
    const result = await work();
    if ((await countSubject(tx, context, subject, result)) > limit) throw new AboveLimit();
    return result;
  });
  try {
    return { result: await guarded.run({ ...context, steps }, given) };
  } catch (error) {
    if (!(error instanceof AboveLimit)) throw error;
    return propose(call, guarded, given, subject);
  }
}

function propose<Given>(
  { context, operator, key = '', now }: OperatorCall,
  { name, may }: Guarded<Given>,
  given: Given,
  subject: Subject,
): Promise<{ readonly proposal: number }> {
  const { words, terms, amounts, fixed } = subject;
  const [only, another] = amounts === 'any' ? [{ partnerId: subject.partnerId }] : amounts;
  const partnerId = (another ? null : only?.partnerId) ?? null;
  const wanted = {
    action: name,
    input: fixed ? { ...given, ...fixed } : given,
    operatorId: operator.operatorId,
    who: context.who,
    key,
    partnerId,
    amount: totalOf(subject),
    words,
    terms,
  };
  return change(context, 'proposal create', async (tx) => {
    const { id, expiresAt } = await proposals.add(tx, context.vault, wanted, now);
    await countSubject(tx, context, subject, undefined, id);
    const facts = { who: operator.email, words, until: timestamp(expiresAt) };
    for (const { operatorId, role, email: to } of await operators.list(tx))
      if (operatorId !== operator.operatorId && operatorRoles.may(role, may))
        await context.mail.queue(tx, { kind: 'proposal', to, facts, partnerId: null }, now);
    return {
      target: `proposal ${id}`,
      partnerId: partnerId ?? undefined,
      after: { words, expires_at: expiresAt },
      result: { proposal: id },
    };
  });
}
