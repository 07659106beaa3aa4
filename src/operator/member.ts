import { findPartner, linkAddress, listMembers } from '../accounts/accounts.ts';
import { inviteOrRemind, remove } from '../actions/members.ts';
import { command } from './command.ts';
import { integer, required, text } from './options.ts';

const partner = required(integer('PARTNER_ID', 'whose people'));

export const memberCommands = [
  command({
    path: ['member', 'invite'],
    summary: 'A one-time link to the panel, for a new member or one who forgot the password; it is shown this once',
    options: { partner, email: required(text('EMAIL', 'who gets the link; valid for 7 days')) },
    async run(context, input) {
      const { member, token } = await inviteOrRemind(context, input.partner, input.email);
      return { member_id: member.member_id, link: linkAddress(context.config.panelUrl, token) };
    },
  }),
  command({
    path: ['member', 'list'],
    summary: 'Who of a partner may sign in to the panel',
    options: { partner },
    async run({ db }, input) {
      await findPartner(db, input.partner);
      return listMembers(db, input.partner);
    },
  }),
  command({
    path: ['member', 'remove'],
    summary: 'Take a member out of the panel; her sessions end at once',
    args: { id: required(integer('MEMBER_ID', 'the member')) },
    async run(context, { id }) {
      await remove(context, id);
      return { member_id: id, removed: true };
    },
  }),
];
