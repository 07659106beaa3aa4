import type { Role } from '../../../../../src/domains/partners/people/people.ts';
import { andThen, type Change } from '../../../parts/server/client.ts';
import type { MadeLink } from '../../../subjects/people/InvitationLink.tsx';
import { runAction } from '../../api/actions.ts';
import { inviteInput } from './inputs.ts';

/** Invites a member, or makes a new link for one. The role applies to new members only; the link is mailed, and admins see it once. */
export const invite = (partnerId: number, { email, role }: { email: string; role?: Role }): Change<MadeLink> =>
  andThen(runAction('member invite', inviteInput(partnerId, email, role)), ({ link, mailed }) => ({
    email: email.trim(),
    link,
    mailed,
  }));
