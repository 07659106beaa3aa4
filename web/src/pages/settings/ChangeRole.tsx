import { Button, Group, Modal, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type UseMutationResult, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Problem } from '../../components/Problem.tsx';
import type { RoleWords } from '../../roleName.ts';
import { RoleField } from './RoleField.tsx';

interface ChangeRoleProps<R extends string> {
  of: { readonly id: number; readonly email: string; readonly role: R };
  roles: RoleWords<R>;
  change: UseMutationResult<unknown, Error, { id: number; role: R }>;
}

export function ChangeRole<R extends string>({ of: member, roles, change }: ChangeRoleProps<R>) {
  const client = useQueryClient();
  const [opened, { open, close }] = useDisclosure();
  const [role, setRole] = useState(member.role);
  const start = () => {
    change.reset();
    setRole(member.role);
    open();
  };
  /** It may have been one's own, which decides what is shown. */
  const whenDone = () => {
    close();
    return client.invalidateQueries();
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
            <RoleField roles={roles} value={role} onChange={setRole} />
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
