import { changeRole, type Invited, invite, inviteAgain, remove } from '../../../actions/partners/members.ts';
import { memberAccess, memberRoles, members } from '../../../domains/partners/people/people.ts';
import { Type } from '../../../platform/contract/schema.ts';
import type { Base } from '../../../worlds/base.ts';
import { idOf, shortText } from '../../site/json/action.ts';
import { memberView } from '../../site/views/records.ts';
import { fields, memberChange, memberRead } from '../member-action.ts';

const role = Type.Enum([...memberRoles.names]);

export const memberActions = ({ db, config }: Base) => {
  const answer = (made: Invited) => ({
    body: invitedView(made, made.token ? memberAccess.links.address(config.panelUrl, made.token) : null),
  });
  return [
    memberRead('/api/members', {
      may: 'see',
      viewed: {
        members: fields('id', 'email', 'role', 'invited_at', 'last_sign_in_at', 'accepted'),
      },
      read: async ({ member }) => ({ members: (await members.list(db, member.partnerId)).map(memberView) }),
    }),
    memberChange('/api/members', {
      may: 'manage',
      fresh: true,
      body: Type.Object({ email: shortText, role: Type.Optional(role) }),
      handle: async ({ actor, member: { partnerId } }, { email, role = 'owner' }) =>
        answer(await invite(actor, { partnerId, email: email.trim(), role })),
    }),
    memberChange('/api/members/{id}/invite-again', {
      may: 'manage',
      fresh: true,
      handle: async (call) => answer(await inviteAgain(call.actor, idOf(call))),
    }),
    memberChange('/api/members/{id}/role', {
      may: 'manage',
      fresh: true,
      body: Type.Object({ role }),
      handle: async (call, { role }) => ({
        body: { member: memberView(await changeRole(call.actor, idOf(call), role)) },
      }),
    }),
    memberChange('/api/members/{id}/remove', {
      may: 'manage',
      async handle(call) {
        await remove(call.actor, idOf(call));
        return { body: {} };
      },
    }),
  ];
};

const invitedView = ({ member: { memberId, email }, mailed }: Invited, link: string | null) => ({
  id: memberId,
  email,
  /** Null: we have sent it to them. */
  link,
  mailed,
});

export type InvitedView = ReturnType<typeof invitedView>;
