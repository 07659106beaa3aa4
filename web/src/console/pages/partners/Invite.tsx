import { Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Role } from '../../../../../src/people/people.ts';
import { FormDialog } from '../../../parts/FormDialog.tsx';
import { InvitationLink } from '../../../subjects/people/InvitationLink.tsx';
import { RoleField } from '../../../subjects/people/RoleField.tsx';
import { memberRoles } from '../../../subjects/people/roleName.ts';
import type { Partner } from '../../api/partners.ts';
import { useMay } from '../../useMay.ts';
import { useInvite } from './useInvite.ts';

/** Invites a member: by those who may not give another role, as read-only. */
export function Invite({ of }: { of: Partner }) {
  const givesAnyRole = useMay()('money');
  const first = givesAnyRole ? 'owner' : 'read-only';
  const [role, setRole] = useState<Role>(first);
  const invite = useInvite(of.id);
  return (
    <>
      <FormDialog
        label="Invite"
        title={`Invite a member of ${of.name}`}
        submitLabel="Create invitation"
        variant="filled"
        change={invite}
        onOpen={() => setRole(first)}
        onSubmit={(form) => invite.mutateAsync({ email: String(form.get('email')), role })}
      >
        <TextInput
          name="email"
          type="email"
          label="Email"
          description="Somebody who is a member already gets a new link and keeps their role."
          autoComplete="off"
          required
          data-autofocus
        />
        {givesAnyRole ? (
          <RoleField roles={memberRoles} value={role} onChange={setRole} />
        ) : (
          <Text size="sm">A new member becomes read-only. Finance and admins can invite with another role.</Text>
        )}
      </FormDialog>
      <InvitationLink made={invite.data} onClose={invite.reset} />
    </>
  );
}
