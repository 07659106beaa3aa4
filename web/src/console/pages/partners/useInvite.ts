import { useChange } from '../../../api/queries.ts';
import { allPartners } from '../../api/partners.ts';
import { run } from '../../api/run.ts';
import { inviteInput } from './inputs.ts';

/** A link that lets its holder in. It is mailed, and admins see it once. */
export interface Invitation {
  readonly id: number;
  readonly email: string;
  readonly link: string | null;
  readonly mailed: boolean;
}

interface Made {
  readonly member_id: number;
  readonly link: string | null;
  readonly mailed: boolean;
}

/** Invites a member, or makes a new link for one. A role counts for new members only. */
export const useInvite = (partnerId: number) =>
  useChange(async ({ email, role }: { email: string; role?: string }): Promise<Invitation> => {
    const made = await run<Made>('member invite', inviteInput(partnerId, email, role));
    return { id: made.member_id, email: email.trim(), link: made.link, mailed: made.mailed };
  }, allPartners);
