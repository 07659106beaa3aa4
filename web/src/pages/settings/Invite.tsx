import { Button, Group, Modal, Stack, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus } from '@tabler/icons-react';
import { invite } from '../../api/members.ts';
import { useChange } from '../../api/queries.ts';
import { Problem } from '../../components/Problem.tsx';
import { SecretDialog } from '../../components/SecretDialog.tsx';

export function Invite() {
  const [opened, { open, close }] = useDisclosure();
  const change = useChange(invite, ['members']);
  const start = () => {
    change.reset();
    open();
  };
  return (
    <>
      <Button size="xs" leftSection={<IconPlus size={14} />} onClick={start}>
        Invite
      </Button>
      <Modal opened={opened} onClose={close} title="Invite a member">
        <form
          onSubmit={(event) => {
            event.preventDefault();
            change.mutate(String(new FormData(event.currentTarget).get('email')), { onSuccess: close });
          }}
        >
          <Stack>
            <TextInput name="email" type="email" label="Email" autoComplete="off" required data-autofocus />
            <Problem error={change.error} />
            <Group justify="flex-end">
              <Button variant="default" onClick={close}>
                Cancel
              </Button>
              <Button type="submit" loading={change.isPending}>
                Create invitation
              </Button>
            </Group>
          </Stack>
        </form>
      </Modal>
      <SecretDialog
        title={`Invitation for ${change.data?.email ?? ''}`}
        what="the invitation link"
        secret={change.data?.link}
        onClose={change.reset}
      >
        {change.data?.mailed
          ? `We have sent the invitation to ${change.data.email}. If it doesn’t arrive, give them this link yourself.`
          : 'Send them this link yourself, because we have not sent it by email.'}{' '}
        It works once and expires after seven days.
      </SecretDialog>
    </>
  );
}
