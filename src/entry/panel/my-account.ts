import { memberAccess } from '../../domains/partners/people/people.ts';
import { securityActions } from '../site/json/account-security.ts';
import { savedViewActions } from '../site/json/saved-views.ts';
import { type MemberAction, type MemberCall, memberAction } from './member-action.ts';
import { fields } from './viewed.ts';

/** What members do for themselves, whatever their role. Their sessions are those at all partners of theirs. */
const accessActions: readonly MemberAction[] = securityActions({
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

/** An operator viewing the panel has none here. */
const memberViewActions: readonly MemberAction[] = savedViewActions<MemberCall>({
  at: '/api',
  desk: ({ actor }) => actor,
  owner: ({ member }) => ({ memberId: member.memberId }),
}).map((action) =>
  memberAction({
    ...action,
    may: 'see',
    viewed: {
      views: {
        ...fields('id', 'list', 'name'),
        filters: 'values',
      },
    },
  }),
);

export const memberAccountActions: readonly MemberAction[] = [...accessActions, ...memberViewActions];
