import {
  type Operator,
  type OperatorRole,
  operatorAccess,
  operatorRoles,
  operators,
} from '../../domains/partners/people/people.ts';
import { amend, change } from '../../platform/audit/audit-log.ts';
import { snaked } from '../../platform/contract/json.ts';
import { Refused } from '../../platform/contract/refused.ts';
import type { Tx } from '../../platform/db/database.ts';
import { action } from '../action.ts';
import type { Actor } from '../actor.ts';
import { choice, integer, required, text } from '../fields.ts';

/** Who changes operators: an operator in the console, or somebody at the command line, who controls the machine anyway. */
interface StaffActor extends Actor {
  readonly operatorId?: number | undefined;
}

/** Invites a new operator, or gives one who is known a new link; the older link stops working. */
function inviteOperator(
  actor: StaffActor,
  { email, role }: { readonly email: string; readonly role: OperatorRole | undefined },
) {
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

/** The token is that of the one-time link; it is in the result only. */
async function invited(tx: Tx, { mail, clock }: Actor, operator: Operator) {
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
function changeOperatorRole(actor: StaffActor, operatorId: number, role: OperatorRole): Promise<Operator> {
  const set = async (tx: Tx) => {
    if (actor.operatorId !== undefined && role !== 'admin') await operators.requireNotLastAdmin(tx, operatorId);
    await operators.setRole(tx, operatorId, role);
  };
  const read = (tx: Tx) => operators.find(tx, operatorId);
  return amend(actor, 'operator set', `operator ${operatorId}`, read, set, shownOperator);
}

/** Their sessions end at once. In the console the last admin must stay. */
function removeOperatorBy(actor: StaffActor, operatorId: number): Promise<void> {
  return change(actor, 'operator remove', async (tx) => {
    if (actor.operatorId !== undefined) await operators.requireNotLastAdmin(tx, operatorId);
    const before = await operators.find(tx, operatorId);
    await operators.remove(tx, operatorId);
    return { target: `operator ${operatorId}`, before: shownOperator(before), result: undefined };
  });
}

/** For an operator who lost their phone and their recovery codes: turns the factor off and signs them out. */
function resetOperatorFactor(actor: StaffActor, operatorId: number): Promise<void> {
  return change(actor, 'operator reset-second-factor', async (tx) => {
    const { email } = await operators.find(tx, operatorId);
    return operatorAccess.resetFactor(tx, operatorId, { personId: operatorId, email });
  });
}

const shownOperator = (operator: Operator) => ({
  ...snaked(operator, 'operatorId', 'email', 'role'),
  accepted: operator.hasAccepted,
  second_factor: operator.hasSecondFactor,
  ...snaked(operator, 'createdAt', 'lastSignInAt'),
});

const operator = required(integer('OPERATOR_ID', 'the operator'));

export const operatorActions = [
  action({
    name: 'operator invite',
    console: { may: 'manage', fresh: true },
    summary:
      'Create a one-time link to the console for a new operator, or for one who forgot their password; it is shown only once, and mailed to them if SMTP_URL is set',
    options: {
      email: required(text('EMAIL', 'who the link is for; it works for 7 days')),
      role: choice(operatorRoles.names, 'what a new operator may do in the console; admin by default'),
    },
    async run(context, { email, role }) {
      const { operator, token, mailed } = await inviteOperator(context, { email: email.trim(), role });
      const link = operatorAccess.links.address(context.config.panelUrl, token);
      return { operator_id: operator.operatorId, role: operator.role, link, mailed };
    },
  }),
  action({
    name: 'operator list',
    console: 'shown',
    summary: 'List the operators, who may sign in to the console',
    run: async ({ db }) => (await operators.list(db)).map(shownOperator),
  }),
  action({
    name: 'operator set',
    console: { may: 'manage', fresh: true },
    summary: 'Change what an operator may do in the console; takes effect on their next request',
    args: { id: operator },
    options: { role: required(choice(operatorRoles.names, 'their role')) },
    run: async (context, { id, role }) => shownOperator(await changeOperatorRole(context, id, role)),
  }),
  action({
    name: 'operator reset-second-factor',
    console: { may: 'manage', fresh: true },
    summary:
      'Turn off the second factor of an operator who lost their phone and their recovery codes, and sign them out',
    args: { id: operator },
    async run(context, { id }) {
      await resetOperatorFactor(context, id);
      return { operator_id: id, second_factor: false };
    },
  }),
  action({
    name: 'operator remove',
    console: { may: 'manage', fresh: true },
    summary: 'Remove an operator and end their sessions; the audit log keeps their name',
    args: { id: operator },
    async run(context, { id }) {
      await removeOperatorBy(context, id);
      return { operator_id: id, removed: true };
    },
  }),
];
