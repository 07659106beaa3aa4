import { andThen, type Change } from '../../../parts/server/client.ts';
import type { MadeLink } from '../../../subjects/people/InvitationLink.tsx';
import { run } from '../../api/run.ts';
import { inviteInput } from './inputs.ts';

/** Invites a member, or makes a new link for one. The role applies to new members only; the link is mailed, and admins see it once. */
export const invite = (partnerId: number, { email, role }: { email: string; role?: string }): Change<MadeLink> =>
  andThen(run<Omit<MadeLink, 'email'>>('member invite', inviteInput(partnerId, email, role)), ({ link, mailed }) => ({
    email: email.trim(),
    link,
    mailed,
  }));
