import { Button, Modal, Stack, Text } from '@mantine/core';
import type { InvitedView } from '../../../../src/entry/panel/account/members.ts';
import { SecretDialog } from '../../parts/SecretDialog.tsx';

export type MadeLink = Pick<InvitedView, 'email' | 'link' | 'mailed'>;

interface InvitationLinkProps {
  made: MadeLink | undefined;
  /** What the link is, at the beginning of a title. */
  kind?: 'Invitation' | 'Password link';
  onClose: () => void;
}

/** What became of a new link: it was mailed, is shown here once, or both. */
export function InvitationLink({ made, kind = 'Invitation', onClose }: InvitationLinkProps) {
  const title = `${kind} for ${made?.email ?? ''}`;
  const sent = `We have sent it to ${made?.email ?? ''}.`;
  const terms = 'It works once and expires after seven days.';
  return (
    <>
      <Modal opened={made?.link === null} onClose={onClose} title={title}>
        <Stack>
          <Text size="sm">
            {sent} {terms}
          </Text>
          <Button onClick={onClose}>OK</Button>
        </Stack>
      </Modal>
      <SecretDialog
        title={title}
        what={kind === 'Invitation' ? 'the invitation link' : 'the link'}
        secret={made?.link ?? undefined}
        onClose={onClose}
      >
        {made?.mailed
          ? `${sent} If it doesn’t arrive, give them this link yourself.`
          : 'Send them this link yourself, because we have not sent it by email.'}{' '}
        {terms}
      </SecretDialog>
    </>
  );
}
