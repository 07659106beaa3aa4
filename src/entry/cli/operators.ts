import {
  changeOperatorRole,
  inviteOperator,
  removeOperatorBy,
  resetOperatorFactor,
  shownOperator,
} from '../../actions/operators.ts';
import { operatorAccess, operatorRoles, operators } from '../../domains/partners/people/people.ts';
import { command } from './command.ts';
import { choice, integer, required, text } from './options.ts';

const operator = required(integer('OPERATOR_ID', 'the operator'));

/** The people who sign in to the console. */
export const operatorCommands = [
  command({
    path: ['operator', 'invite'],
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
  command({
    path: ['operator', 'list'],
    console: 'shown',
    summary: 'List the operators, who may sign in to the console',
    run: async ({ db }) => (await operators.list(db)).map(shownOperator),
  }),
  command({
    path: ['operator', 'set'],
    console: { may: 'manage', fresh: true },
    summary: 'Change what an operator may do in the console; takes effect on their next request',
    args: { id: operator },
    options: { role: required(choice(operatorRoles.names, 'their role')) },
    run: async (context, { id, role }) => shownOperator(await changeOperatorRole(context, id, role)),
  }),
  command({
    path: ['operator', 'reset-second-factor'],
    console: { may: 'manage', fresh: true },
    summary:
      'Turn off the second factor of an operator who lost their phone and their recovery codes, and sign them out',
    args: { id: operator },
    async run(context, { id }) {
      await resetOperatorFactor(context, id);
      return { operator_id: id, second_factor: false };
    },
  }),
  command({
    path: ['operator', 'remove'],
    console: { may: 'manage', fresh: true },
    summary: 'Remove an operator and end their sessions; the audit log keeps their name',
    args: { id: operator },
    async run(context, { id }) {
      await removeOperatorBy(context, id);
      return { operator_id: id, removed: true };
    },
  }),
];
