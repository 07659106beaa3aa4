import { andThen } from '../../../parts/server/client.ts';
import { useChange } from '../../../parts/server/useChange.ts';
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
  useChange(
    ({ email, role }: { email: string; role?: string }) =>
      andThen(
        run<Made>('member invite', inviteInput(partnerId, email, role)),
        ({ member_id: id, link, mailed }): Invitation => ({ id, email: email.trim(), link, mailed }),
      ),
    allPartners,
  );
