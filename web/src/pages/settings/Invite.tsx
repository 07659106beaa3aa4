import { Button, Group, Modal, Stack, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus } from '@tabler/icons-react';
import type { UseMutationResult } from '@tanstack/react-query';
import { useState } from 'react';
import { Problem } from '../../components/Problem.tsx';
import type { RoleWords } from '../../roleName.ts';
import { InvitationLink, type MadeLink } from './InvitationLink.tsx';
import { RoleField } from './RoleField.tsx';

interface InviteProps<R extends string> {
  title: string;
  roles: RoleWords<R>;
  /** The least somebody can have: more is given on purpose. */
  firstRole: R;
  change: UseMutationResult<MadeLink, Error, { email: string; role: R }>;
}

export function Invite<R extends string>({ title, roles, firstRole, change }: InviteProps<R>) {
  const [opened, { open, close }] = useDisclosure();
  const [role, setRole] = useState(firstRole);
  const start = () => {
    change.reset();
    setRole(firstRole);
    open();
  };
  return (
    <>
      <Button size="xs" leftSection={<IconPlus size={14} />} onClick={start}>
        Invite
      </Button>
      <Modal opened={opened} onClose={close} title={title}>
        <form
          onSubmit={(event) => {
            event.preventDefault();
            const email = String(new FormData(event.currentTarget).get('email'));
            change.mutate({ email, role }, { onSuccess: close });
          }}
        >
          <Stack>
            <TextInput name="email" type="email" label="Email" autoComplete="off" required data-autofocus />
            <RoleField roles={roles} value={role} onChange={setRole} />
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
      <InvitationLink made={change.data} onClose={change.reset} />
    </>
  );
}
