import type { OperatorContext } from '../../actions/action.ts';
import { operatorRoles, operators } from '../../domains/partners/people/people.ts';
import { type Proposal, proposalClosed, proposals, type Terms } from '../../domains/partners/proposals/proposals.ts';
import { formatCents } from '../../platform/amounts/cents.ts';
import { aroundFirst } from '../../platform/audit/action-keys.ts';
import { change, listChanges, recordApproval } from '../../platform/audit/audit-log.ts';
import { DAY } from '../../platform/clock.ts';
import { plain } from '../../platform/contract/json.ts';
import { Refused } from '../../platform/contract/refused.ts';
import { Type } from '../../platform/contract/schema.ts';
import type { Db, Queryable } from '../../platform/db/database.ts';
import { idOf, iso, jsonOf, shortText } from '../site/json/action.ts';
import { type OperatorCall, operatorChange, operatorRead } from './action.ts';
import type { Guarded } from './four-eyes.ts';

/** The list is for what waits; what was decided is in the audit log, too. */
const LISTED = 100;
const NO_COMMAND = 'the command line is exempt: it needs no second operator';

/** What operators proposed, and what another one decides about it. `all` is everything that can be proposed. */
export const proposalActions = (all: readonly Guarded[]) => {
  const guardedBy = new Map(all.map((one) => [one.name, one]));
  const requireGuarded = ({ action }: Proposal): Guarded => {
    const found = guardedBy.get(action);
    if (!found) throw new Refused('proposal_closed', 'this version of the program cannot do it any more; reject it');
    return found;
  };
  return [
    operatorRead('/operator/api/proposals', async (call) => {
      const found = await proposals.list(call.context.db, call.now, LISTED);
      return { proposals: await Promise.all(found.map((one) => view(call, guardedBy.get(one.action), one))) };
    }),
    operatorChange('/operator/api/proposals/{id}/approve', {
      may: 'see',
      fresh: true,
      noCommand: NO_COMMAND,
      async handle(call) {
        const { context, now } = call;
        const proposal = await proposals.find(context.db, idOf(call), now);
        return { body: { result: plain(await approve(call, requireGuarded(proposal), proposal)) } };
      },
    }),
    operatorChange('/operator/api/proposals/{id}/reject', {
      may: 'see',
      noCommand: NO_COMMAND,
      body: Type.Object({ reason: Type.Optional(shortText) }),
      async handle(call, { reason = '' }) {
        const { context, operator, now, key = '' } = call;
        const { id, operatorId } = await proposals.find(context.db, idOf(call), now);
        const isOwn = operatorId === operator.operatorId;
        const decision = {
          state: isOwn ? 'withdrawn' : 'rejected',
          by: context.who,
          key,
          reason: reason.trim(),
        } as const;
        await change(context, isOwn ? 'proposal withdraw' : 'proposal reject', async (tx) => {
          const found = await proposals.lockWaiting(tx, id, now);
          if (!isOwn) await requireMay(tx, call, guardedBy.get(found.action));
          await proposals.decide(tx, id, decision, now);
          return { ...entryOf(found, { reason: decision.reason }), result: undefined };
        });
        return { body: { proposal: id, status: decision.state } };
      },
    }),
  ];
};

const entryOf = ({ id, words, who, partnerId }: Proposal, more: object = {}) => ({
  target: `proposal ${id}`,
  partnerId: partnerId ?? undefined,
  after: { words, proposed_by: who, ...more },
});

/**
 * Carries out what was proposed. The proposal is locked, checked and marked in the transaction of the change itself: killed at any
 * line, either both happened or neither, and of two who approve it at once, the second finds it closed.
 */
async function approve(call: OperatorCall, guarded: Guarded, proposal: Proposal): Promise<unknown> {
  const { context, operator, now, key = '' } = call;
  const given = proposals.inputOf(context.vault, proposal);
  // A repeat of the request that approved it continues with what is left to do, e.g. the rest of many refunds.
  const isRepeat = proposal.status === 'approved' && proposal.decidedBy === context.who && proposal.decidedKey === key;
  if (!isRepeat) {
    if (proposal.status !== 'waiting') throw proposalClosed(proposal);
    await requireMayDecide(context.db, call, guarded, proposal);
    await requireSameTerms(context, guarded, proposal, given);
  }
  const steps = aroundFirst(context, async (tx, work) => {
    const locked = await proposals.lockWaiting(tx, proposal.id, now);
    await requireMayDecide(tx, call, guarded, locked);
    await guarded.hold?.(tx, given);
    // Read here again, in case it was changed a moment ago. Suppliers are not asked within a transaction.
    if (!guarded.isSlow) await requireSameTerms({ ...context, db: tx as Queryable as Db }, guarded, locked, given);
    await proposals.decide(tx, proposal.id, { state: 'approved', by: context.who, key, reason: '' }, now);
    const { target, partnerId, after } = entryOf(locked);
    await recordApproval(tx, { who: context.who, target, after }, partnerId);
    return work();
  });
  const as = { ...context, who: proposal.who, approvedBy: context.who, operatorId: operator.operatorId, steps };
  const result = await guarded.run(as, given);
  if (!steps.isBegun())
    throw new Refused('proposal_changed', 'nothing was done: it cannot be carried out as things stand now');
  return result;
}

async function requireSameTerms(
  context: OperatorContext,
  guarded: Guarded,
  proposal: Proposal,
  given: unknown,
): Promise<void> {
  const subject = await guarded.subject(context, given);
  const changes = differences(proposal.terms, subject?.terms ?? {});
  if (changes.length === 0) return;
  const words = changes.map(({ what, was, is }) => `${what} was ${was ?? 'not set'} and is ${is ?? 'not set'}`);
  throw new Refused('proposal_changed', `nothing was done: it has changed since it was proposed (${words.join('; ')})`);
}

/** The role as it is now, which may be another one than when the request began. */
async function requireMay(db: Queryable, { operator }: OperatorCall, guarded: Guarded | undefined): Promise<void> {
  const { role } = await operators.find(db, operator.operatorId);
  if (guarded && !operatorRoles.may(role, guarded.may))
    throw new Refused('role_forbids', 'your role does not allow this; an admin can change it');
}

/** How long an operator cannot approve for somebody who made their link, changed their role or reset their second factor. */
const INDEPENDENT_AFTER_MS = 7 * DAY;
const MAKES_DEPENDENT = ['operator invite', 'operator set', 'operator reset-second-factor'];

/** An operator cannot approve their own: not in another browser, nor under an account that they have just made or reset. */
async function requireMayDecide(
  db: Queryable,
  call: OperatorCall,
  guarded: Guarded,
  { operatorId, who }: Proposal,
): Promise<void> {
  const { operator, context, now } = call;
  await requireMay(db, call, guarded);
  if (operatorId === operator.operatorId || who.toLowerCase() === context.who.toLowerCase())
    throw new Refused('own_proposal');
  const log = await listChanges(db, { target: `operator ${operator.operatorId}`, who, limit: 20 });
  if (log.some(({ what, at }) => MAKES_DEPENDENT.includes(what) && at.getTime() > now - INDEPENDENT_AFTER_MS))
    throw new Refused(
      'own_proposal',
      'the operator who proposed this invited you, changed your role or reset your sign-in within the last seven days; somebody else has to decide',
    );
}

/** A value that differs from when it was proposed; null: it did not exist, or does not any more. */
interface Difference {
  readonly what: string;
  readonly was: string | null;
  readonly is: string | null;
}

const differences = (then: Terms, now: Terms): Difference[] =>
  [...new Set([...Object.keys(then), ...Object.keys(now)])].flatMap((what) =>
    then[what] === now[what] ? [] : [{ what, was: then[what] ?? null, is: now[what] ?? null }],
  );

async function view(call: OperatorCall, guarded: Guarded | undefined, one: Proposal) {
  const { context, operator } = call;
  const given = guarded && proposals.inputOf(context.vault, one);
  const isWaiting = one.status === 'waiting';
  const isOwn = one.operatorId === operator.operatorId;
  const isComparable = isWaiting && guarded !== undefined && !guarded.isSlow;
  // What it is about may be gone by now: then the refusal says so when somebody approves it.
  const subject = isComparable ? await guarded.subject(context, given).catch(() => undefined) : undefined;
  return {
    ...jsonOf(one, 'id', 'action', 'words'),
    /** What was entered, by label. */
    input: guarded ? guarded.shown(given) : {},
    /** Null: it has none, as prices. */
    amount: one.amount === null ? null : formatCents(one.amount),
    ...jsonOf(one, 'partnerId', 'status'),
    proposed_by: one.who.replace(/^operator:/, ''),
    ...jsonOf(one, 'createdAt', 'expiresAt'),
    decided_by: one.decidedBy?.replace(/^operator:/, '') ?? null,
    decided_at: iso(one.decidedAt),
    reason: one.reason,
    /** What is different from when it was proposed; null: it is only looked up when somebody approves it. */
    changes: isComparable ? differences(one.terms, subject?.terms ?? {}) : null,
    is_own: isOwn,
    may_decide: isWaiting && !isOwn && guarded !== undefined && operatorRoles.may(operator.role, guarded.may),
  };
}

export type ProposalView = Awaited<ReturnType<typeof view>>;
