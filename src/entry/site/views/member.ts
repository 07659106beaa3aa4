import type { Member } from '../../../domains/partners/people/people.ts';
import { iso } from '../json/action.ts';

export const memberView = ({ memberId, email, role, accepted, invitedAt, lastSignInAt }: Member) => ({
  id: memberId,
  email,
  role,
  invited_at: iso(invitedAt),
  last_sign_in_at: iso(lastSignInAt),
  accepted,
});

export type MemberView = ReturnType<typeof memberView>;
