import { Radio, Stack } from '@mantine/core';
import type { Role } from '../../../../src/accounts/accounts.ts';
import { roleAbout, roleName } from '../../roleName.ts';

/** What a member may do, as a choice of roles. */
export function RoleField({ value, onChange }: { value: Role; onChange: (role: Role) => void }) {
  return (
    <Radio.Group label="Role" value={value} onChange={(chosen) => onChange(chosen as Role)}>
      <Stack gap="sm" mt="xs">
        {Object.entries(roleName).map(([role, name]) => (
          <Radio key={role} value={role} label={name} description={roleAbout[role as Role]} />
        ))}
      </Stack>
    </Radio.Group>
  );
}
