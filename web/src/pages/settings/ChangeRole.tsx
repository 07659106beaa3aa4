import { Button, Group, Modal, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { changeRole, type Member } from '../../api/members.ts';
import { useChange } from '../../api/queries.ts';
import { me } from '../../api/session.ts';
import { Problem } from '../../components/Problem.tsx';
import { RoleField } from './RoleField.tsx';

export function ChangeRole({ of: member }: { of: Member }) {
  const client = useQueryClient();
  const [opened, { open, close }] = useDisclosure();
  const [role, setRole] = useState(member.role);
  const change = useChange(changeRole, ['members']);
  const start = () => {
    change.reset();
    setRole(member.role);
    open();
  };
  /** It may have been one's own. */
  const whenDone = () => {
    close();
    return client.invalidateQueries({ queryKey: me.queryKey });
  };
  return (
    <>
      <Button size="xs" variant="default" onClick={start}>
        Role
      </Button>
      <Modal opened={opened} onClose={close} title={`Role of ${member.email}`}>
        <form
          onSubmit={(event) => {
            event.preventDefault();
            change.mutate({ id: member.id, role }, { onSuccess: whenDone });
          }}
        >
          <Stack>
            <RoleField value={role} onChange={setRole} />
            <Problem error={change.error} />
            <Group justify="flex-end">
              <Button variant="default" onClick={close}>
                Cancel
              </Button>
              <Button type="submit" loading={change.isPending} disabled={role === member.role}>
                Change role
              </Button>
            </Group>
          </Stack>
        </form>
      </Modal>
    </>
  );
}
