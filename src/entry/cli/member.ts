import { changeRole, inviteOrRemind, remove, resetSecondFactor, shownMember } from '../../actions/members.ts';
import { findPartner } from '../../domains/partners/accounts/accounts.ts';
import { memberAccess, memberRoles, members, type Role } from '../../domains/partners/people/people.ts';
import { Refused } from '../../platform/contract/refused.ts';
import { command, mayHere, type OperatorContext } from './command.ts';
import { choice, integer, required, text } from './options.ts';

const member = required(integer('MEMBER_ID', 'the member'));
const partner = required(integer('PARTNER_ID', 'the partner'));

export const memberCommands = [
  command({
    path: ['member', 'invite'],
    console: { may: 'invite', fresh: true },
    summary:
      'Create a one-time link to the panel for a new member, or for one who forgot their password; it is shown only once, and mailed to them if SMTP_URL is set',
    options: {
      partner,
      email: required(text('EMAIL', 'who the link is for; it works for 7 days')),
      role: choice(memberRoles.names, 'what a new member may do in the panel; owner by default'),
    },
    async run(context, input) {
      const wanted = { partnerId: input.partner, email: input.email, role: requireGivable(context, input.role) };
      const sight = { maySeeLink: mayHere(context, 'manage') };
      const { member, token, mailed } = await inviteOrRemind(context, wanted, sight);
      const link = token ? memberAccess.links.address(context.config.panelUrl, token) : null;
      return { member_id: member.memberId, link, mailed };
    },
  }),
  command({
    path: ['member', 'list'],
    console: 'shown',
    summary: 'List the members of a partner, who may sign in to the panel',
    options: { partner },
    async run({ db }, input) {
      await findPartner(db, input.partner);
      return (await members.list(db, input.partner)).map(shownMember);
    },
  }),
  command({
    path: ['member', 'set'],
    console: { may: 'manage', fresh: true },
    summary: 'Change what a member may do in the panel; takes effect on their next request',
    args: { id: member },
    options: { role: required(choice(memberRoles.names, 'their role')) },
    run: async (context, { id, role }) => shownMember(await changeRole(context, id, role)),
  }),
  command({
    path: ['member', 'reset-second-factor'],
    console: { may: 'manage', fresh: true },
    summary:
      'Turn off the second factor of a member who lost their phone and their recovery codes, at all their partners, and sign them out',
    args: { id: member },
    async run(context, { id }) {
      await resetSecondFactor(context, id);
      return { member_id: id, second_factor: false };
    },
  }),
  command({
    path: ['member', 'remove'],
    console: { may: 'manage', fresh: true },
    summary: 'Remove a member and end their sessions at this partner',
    args: { id: member },
    async run(context, { id }) {
      await remove(context, id);
      return { member_id: id, removed: true };
    },
  }),
];

/** An operator who can invite owners can make themselves one, so only those who may move the partner's money can. */
function requireGivable(context: OperatorContext, role: Role | undefined): Role {
  const least = 'read-only';
  if (mayHere(context, 'money')) return role ?? 'owner';
  if (role === undefined || role === least) return least;
  throw new Refused('role_forbids', 'your role can only invite read-only members; finance and admins give other roles');
}
