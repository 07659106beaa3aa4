import { Text, TextInput } from '@mantine/core';
import type { UseMutationResult } from '@tanstack/react-query';
import { useState } from 'react';
import { FormDialog } from '../../parts/FormDialog.tsx';
import { IconPlus } from '../../parts/icons.ts';
import { InvitationLink, type MadeLink } from './InvitationLink.tsx';
import { RoleField } from './RoleField.tsx';
import type { RoleWords } from './roleName.ts';

interface InviteProps<R extends string> {
  title: string;
  /** What is said about the address. */
  about?: string;
  /** What can be chosen, or why nothing can. */
  roles: RoleWords<R> | string;
  firstRole: NoInfer<R>;
  change: UseMutationResult<MadeLink, Error, { email: string; role: R }>;
}

export function Invite<R extends string>({ title, about, roles, firstRole, change }: InviteProps<R>) {
  const [role, setRole] = useState<R>(firstRole);
  return (
    <>
      <FormDialog
        label="Invite"
        title={title}
        submitLabel="Create invitation"
        variant="filled"
        leftSection={<IconPlus size={14} />}
        change={change}
        onOpen={() => setRole(firstRole)}
        onSubmit={(form) => change.mutateAsync({ email: String(form.get('email')), role })}
      >
        <TextInput
          name="email"
          type="email"
          label="Email"
          description={about}
          autoComplete="off"
          required
          data-autofocus
        />
        {typeof roles === 'string' ? (
          <Text size="sm">{roles}</Text>
        ) : (
          <RoleField roles={roles} value={role} onChange={setRole} />
        )}
      </FormDialog>
      <InvitationLink made={change.data} onClose={change.reset} />
    </>
  );
}
