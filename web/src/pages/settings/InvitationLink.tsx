import type { InvitedView } from '../../../../src/panel/api/members.ts';
import { SecretDialog } from '../../components/SecretDialog.tsx';

export type MadeLink = Pick<InvitedView, 'email' | 'link' | 'mailed'>;

/** The link of a new invitation, which is shown once. */
export function InvitationLink({ made, onClose }: { made: MadeLink | undefined; onClose: () => void }) {
  return (
    <SecretDialog
      title={`Invitation for ${made?.email ?? ''}`}
      what="the invitation link"
      secret={made?.link}
      onClose={onClose}
    >
      {made?.mailed
        ? `We have sent the invitation to ${made.email}. If it doesn’t arrive, give them this link yourself.`
        : 'Send them this link yourself, because we have not sent it by email.'}{' '}
      It works once and expires after seven days.
    </SecretDialog>
  );
}
