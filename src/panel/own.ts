import { memberAccess } from '../people/people.ts';
import { ownActions } from '../site/own.ts';
import { type MemberAction, type MemberCall, memberAction } from './member-action.ts';

/** What members do for themselves, whatever their role. Their sessions are those at all partners of theirs. */
export const memberOwnActions: readonly MemberAction[] = ownActions({
  at: '/api',
  access: memberAccess,
  self: ({ actor, member, token, address }: MemberCall) => ({
    ...actor,
    personId: member.personId,
    email: member.email,
    target: `member ${member.memberId}`,
    token,
    address,
  }),
}).map((action) => memberAction({ ...action, may: 'see' }));
