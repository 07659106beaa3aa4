import type { Member } from '../../people/people.ts';
import { iso } from '../action.ts';

export const memberView = ({ memberId, email, role, accepted, invitedAt, lastSignInAt }: Member) => ({
  id: memberId,
  email,
  role,
  invited_at: iso(invitedAt),
  last_sign_in_at: iso(lastSignInAt),
  accepted,
});

export type MemberView = ReturnType<typeof memberView>;
