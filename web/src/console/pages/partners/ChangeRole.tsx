import { useState } from 'react';
import { FormDialog } from '../../../parts/FormDialog.tsx';
import { RoleField } from '../../../subjects/people/RoleField.tsx';
import { memberRoles } from '../../../subjects/people/roleName.ts';
import { allPartners, type PartnerMember } from '../../api/partners.ts';
import { useRun } from '../../api/run.ts';

export function ChangeRole({ of: member }: { of: PartnerMember }) {
  const [role, setRole] = useState(member.role);
  const set = useRun('member set', allPartners);
  return (
    <FormDialog
      label="Role"
      title={`Role of ${member.email}`}
      submitLabel="Change role"
      isReady={role !== member.role}
      change={set}
      onOpen={() => setRole(member.role)}
      onSubmit={() => set.mutateAsync({ id: String(member.id), role })}
    >
      <RoleField roles={memberRoles} value={role} onChange={setRole} />
    </FormDialog>
  );
}
