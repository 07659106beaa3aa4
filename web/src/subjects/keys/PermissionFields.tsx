import { Checkbox, Fieldset, Stack, Switch } from '@mantine/core';
import { useState } from 'react';
import { keyPermissions } from '../../../../src/platform/contract/key-terms.ts';
import type { KeyForm } from './keys.ts';
import { permissionWords } from './permissions.ts';

/** What was chosen; nothing for a key that is not restricted. */
export const permissionsIn = (form: FormData): Pick<KeyForm, 'permissions'> =>
  form.has('restricted') ? { permissions: form.getAll('permissions').map(String) } : {};

/** Whether a new key is restricted, and to what. */
export function PermissionFields() {
  const [restricted, setRestricted] = useState(false);
  return (
    <Stack gap="xs">
      <Switch
        name="restricted"
        label="Restrict what the key may do"
        description="This can’t be changed later. A key that is not restricted may do everything except create, change and delete webhooks."
        checked={restricted}
        onChange={(event) => setRestricted(event.currentTarget.checked)}
      />
      {restricted && (
        <Fieldset legend="What it may do" variant="unstyled">
          <Stack gap="xs">
            {keyPermissions.map((permission) => (
              <Checkbox
                key={permission}
                name="permissions"
                value={permission}
                size="xs"
                label={permissionWords[permission].name}
                description={permissionWords[permission].about}
              />
            ))}
          </Stack>
        </Fieldset>
      )}
    </Stack>
  );
}
