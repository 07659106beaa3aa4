import { Type } from 'typebox';
import { linkAddress, listMembers, type Member } from '../../accounts/accounts.ts';
import { type Invited, invite, remove } from '../../actions/members.ts';
import type { Base } from '../../base.ts';
import { idOf, iso, type MemberAction, memberAction, shortText } from './action.ts';

/** The partner's members. */
export const memberActions = ({ db, config }: Base): MemberAction[] => [
  memberAction({
    verb: 'GET',
    path: '/api/members',
    may: 'see',
    handle: async ({ member }) => ({ body: { members: (await listMembers(db, member.partnerId)).map(view) } }),
  }),
  memberAction({
    verb: 'POST',
    path: '/api/members',
    may: 'manage',
    body: Type.Object({ email: shortText }),
    async handle({ actor, member }, { email }) {
      const invited = await invite(actor, { partnerId: member.partnerId, email: email.trim(), role: 'owner' });
      return { body: invitedView(invited, linkAddress(config.panelUrl, invited.token)) };
    },
  }),
  memberAction({
    verb: 'POST',
    path: '/api/members/{id}/remove',
    may: 'manage',
    async handle(call) {
      await remove(call.actor, idOf(call));
      return { body: {} };
    },
  }),
];

const view = ({ memberId, email, accepted, invitedAt, lastSignInAt }: Member) => ({
  id: memberId,
  email,
  invited_at: iso(invitedAt),
  last_sign_in_at: iso(lastSignInAt),
  accepted,
});

const invitedView = ({ member: { memberId, email }, mailed }: Invited, link: string) => ({
  id: memberId,
  email,
  link,
  /** Whether we have also sent it to them. */
  mailed,
});

export type MemberView = ReturnType<typeof view>;
export type InvitedView = ReturnType<typeof invitedView>;
