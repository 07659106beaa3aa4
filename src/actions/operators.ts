import { type Operator, type OperatorRole, operatorAccess, operators } from '../domains/partners/people/people.ts';
import { change, type Recorded } from '../platform/audit/audit-log.ts';
import { Refused } from '../platform/contract/refused.ts';
import type { Tx } from '../platform/db/database.ts';
import type { Actor } from './actor.ts';

/** Who changes operators: an operator in the console, or somebody at the command line, who controls the machine anyway. */
export interface StaffActor extends Actor {
  readonly operatorId?: number | undefined;
}

export interface InvitedOperator {
  readonly operator: Operator;
  /** Of the one-time link; it is in the result only. */
  readonly token: string;
  /** Whether the link is also on its way by mail. */
  readonly mailed: boolean;
}

/** Invites a new operator, or gives one who is known a new link; the older link stops working. */
export function inviteOperator(
  actor: StaffActor,
  { email, role }: { readonly email: string; readonly role: OperatorRole | undefined },
): Promise<InvitedOperator> {
  return change(actor, 'operator invite', async (tx) => {
    const known = await operators.byEmail(tx, email);
    if (known && role !== undefined && role !== known.role)
      throw new Refused('operator_exists', `${email} is an operator already, with the role ${known.role}`);
    return invited(
      tx,
      actor,
      known ?? (await operators.create(tx, { email, role: role ?? 'admin' }, actor.clock.now())),
    );
  });
}

async function invited(tx: Tx, { mail, clock }: Actor, operator: Operator): Promise<Recorded<InvitedOperator>> {
  const token = await operatorAccess.links.create(tx, operator.operatorId, clock.now());
  const kind = operator.hasAccepted ? 'operator_link' : 'operator_invitation';
  const mailed = await mail.queue(tx, { kind, to: operator.email, facts: { token }, partnerId: null }, clock.now());
  return {
    target: `operator ${operator.operatorId}`,
    after: shownOperator(operator),
    result: { operator, token, mailed },
    shownOnce: 'the link was created and shown once; if you do not have it, create a new one',
  };
}

/** Takes effect on their next request. In the console the last admin must stay one. */
export function changeOperatorRole(actor: StaffActor, operatorId: number, role: OperatorRole): Promise<Operator> {
  return change(actor, 'operator set', async (tx) => {
    if (actor.operatorId !== undefined && role !== 'admin') await operators.requireNotLastAdmin(tx, operatorId);
    const before = await operators.find(tx, operatorId);
    await operators.setRole(tx, operatorId, role);
    const after = await operators.find(tx, operatorId);
    return {
      target: `operator ${operatorId}`,
      before: shownOperator(before),
      after: shownOperator(after),
      result: after,
    };
  });
}

/** Their sessions end at once. In the console the last admin must stay. */
export function removeOperatorBy(actor: StaffActor, operatorId: number): Promise<void> {
  return change(actor, 'operator remove', async (tx) => {
    if (actor.operatorId !== undefined) await operators.requireNotLastAdmin(tx, operatorId);
    const before = await operators.find(tx, operatorId);
    await operators.remove(tx, operatorId);
    return { target: `operator ${operatorId}`, before: shownOperator(before), result: undefined };
  });
}

/** For an operator who lost their phone and their recovery codes: turns the factor off and signs them out. */
export function resetOperatorFactor(actor: StaffActor, operatorId: number): Promise<void> {
  return change(actor, 'operator reset-second-factor', async (tx) => {
    const { email } = await operators.find(tx, operatorId);
    return operatorAccess.resetFactor(tx, operatorId, { personId: operatorId, email });
  });
}

/** An operator as the command line, the console and the audit log show them. */
export const shownOperator = (operator: Operator) => ({
  operator_id: operator.operatorId,
  email: operator.email,
  role: operator.role,
  accepted: operator.hasAccepted,
  second_factor: operator.hasSecondFactor,
  created_at: operator.createdAt,
  last_sign_in_at: operator.lastSignInAt,
});
