import { findPartner, linkAddress, listMembers } from '../accounts/accounts.ts';
import { inviteOrRemind, remove, shownMember } from '../actions/members.ts';
import { command } from './command.ts';
import { integer, required, text } from './options.ts';

const partner = required(integer('PARTNER_ID', 'the partner'));

export const memberCommands = [
  command({
    path: ['member', 'invite'],
    summary:
      'Make a one-time link to the panel for a new member, or for one who forgot their password; it is shown only once, and mailed to them if SMTP_URL is set',
    options: { partner, email: required(text('EMAIL', 'who the link is for; it works for 7 days')) },
    async run(context, input) {
      const { member, token, mailed } = await inviteOrRemind(context, {
        partnerId: input.partner,
        email: input.email,
        role: 'owner',
      });
      return { member_id: member.memberId, link: linkAddress(context.config.panelUrl, token), mailed };
    },
  }),
  command({
    path: ['member', 'list'],
    summary: 'List the members of a partner, who may sign in to the panel',
    options: { partner },
    async run({ db }, input) {
      await findPartner(db, input.partner);
      return (await listMembers(db, input.partner)).map(shownMember);
    },
  }),
  command({
    path: ['member', 'remove'],
    summary: 'Remove a member and end their sessions at this partner',
    args: { id: required(integer('MEMBER_ID', 'the member')) },
    async run(context, { id }) {
      await remove(context, id);
      return { member_id: id, removed: true };
    },
  }),
];
