import { Button, Group, Modal, Stack, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import type { Role } from '../../../../src/accounts/accounts.ts';
import { invite } from '../../api/members.ts';
import { useChange } from '../../api/queries.ts';
import { Problem } from '../../components/Problem.tsx';
import { InvitationLink } from './InvitationLink.tsx';
import { RoleField } from './RoleField.tsx';

/** The least a member can have: more is given on purpose. */
const FIRST_ROLE: Role = 'read-only';

export function Invite() {
  const [opened, { open, close }] = useDisclosure();
  const [role, setRole] = useState(FIRST_ROLE);
  const change = useChange(invite, ['members']);
  const start = () => {
    change.reset();
    setRole(FIRST_ROLE);
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
            const email = String(new FormData(event.currentTarget).get('email'));
            change.mutate({ email, role }, { onSuccess: close });
          }}
        >
          <Stack>
            <TextInput name="email" type="email" label="Email" autoComplete="off" required data-autofocus />
            <RoleField value={role} onChange={setRole} />
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
