import { Radio, Stack } from '@mantine/core';
import type { RoleWords } from './roleName.ts';

interface RoleFieldProps<R extends string> {
  roles: RoleWords<R>;
  value: R;
  onChange: (role: R) => void;
}

/** What somebody may do, as a choice of roles. */
export function RoleField<R extends string>({ roles: { name, about }, value, onChange }: RoleFieldProps<R>) {
  return (
    <Radio.Group label="Role" value={value} onChange={(chosen) => onChange(chosen as R)}>
      <Stack gap="sm" mt="xs">
        {(Object.keys(name) as R[]).map((role) => (
          <Radio key={role} value={role} label={name[role]} description={about[role]} />
        ))}
      </Stack>
    </Radio.Group>
  );
}
