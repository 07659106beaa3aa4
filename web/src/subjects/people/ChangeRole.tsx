import { type UseMutationResult, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { FormDialog } from '../../parts/FormDialog.tsx';
import { RoleField } from './RoleField.tsx';
import type { RoleWords } from './roleName.ts';

interface ChangeRoleProps<R extends string> {
  of: { readonly id: number; readonly email: string; readonly role: R };
  roles: RoleWords<R>;
  change: UseMutationResult<unknown, Error, { id: number; role: R }>;
}

export function ChangeRole<R extends string>({ of: member, roles, change }: ChangeRoleProps<R>) {
  const client = useQueryClient();
  const [role, setRole] = useState(member.role);
  const save = async () => {
    await change.mutateAsync({ id: member.id, role });
    // It may be the reader's own role, which decides what is shown.
    void client.invalidateQueries();
  };
  return (
    <FormDialog
      label="Role"
      title={`Role of ${member.email}`}
      submitLabel="Change role"
      isReady={role !== member.role}
      change={change}
      onOpen={() => setRole(member.role)}
      onSubmit={save}
    >
      <RoleField roles={roles} value={role} onChange={setRole} />
    </FormDialog>
  );
}
