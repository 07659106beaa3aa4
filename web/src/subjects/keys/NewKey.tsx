import { type ButtonProps, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Choice } from '../../parts/Choice.tsx';
import { FormDialog } from '../../parts/FormDialog.tsx';
import { type Mode, modeName, modes } from '../../parts/mode.ts';
import { SecretDialog } from '../../parts/SecretDialog.tsx';
import { useChange } from '../../parts/server/useChange.ts';
import type { KeyCalls } from './KeyActions.tsx';
import { AllowListField, KeyFields } from './KeyFields.tsx';
import type { KeyForm } from './keys.ts';
import { PermissionFields, permissionsIn } from './PermissionFields.tsx';

interface NewKeyProps extends ButtonProps {
  calls: Pick<KeyCalls, 'create' | 'touches'>;
  title: string;
  /** The world it is for unless another is chosen. */
  first: Mode;
  /** What a key of each world does. */
  about: Readonly<Record<Mode, string>>;
  /** Further fields. */
  fields?: ReactNode;
  secretTitle: string;
  /** What to do with the new key, which is shown once. */
  children: ReactNode;
}

/** Without the name of the world's radio buttons, which is made up. */
const typedIn = (form: FormData): KeyForm => ({
  ...Object.fromEntries(
    ['name', 'note', 'expires_on', 'allow_list'].filter((name) => form.has(name)).map((name) => [name, form.get(name)]),
  ),
  ...permissionsIn(form),
  ...(form.has('airalo') && { airalo: true }),
});

/** The button, the form it opens, and the new key. */
export function NewKey({ calls, title, first, about, fields, secretTitle, children, ...button }: NewKeyProps) {
  const [mode, setMode] = useState(first);
  const create = useChange(calls.create, calls.touches);
  const client = create.data?.client;
  return (
    <>
      <FormDialog
        label="New key"
        title={title}
        submitLabel="Create key"
        variant="filled"
        {...button}
        change={create}
        onOpen={() => setMode(first)}
        onSubmit={(form) => create.mutateAsync({ mode, ...typedIn(form) })}
      >
        <div>
          <Choice
            isFullWidth
            label="World"
            color={`var(--world-${mode})`}
            options={modes.map((value) => ({ value, label: modeName[value] }))}
            value={mode}
            onChange={setMode}
          />
          <Text size="xs" c="dimmed" mt={6}>
            {about[mode]}
          </Text>
        </div>
        <KeyFields />
        {fields}
        <PermissionFields />
        <AllowListField />
      </FormDialog>
      <SecretDialog
        title={secretTitle}
        what="the key"
        secret={create.data?.secret}
        more={
          client
            ? [
                { label: 'Client id', text: client.client_id },
                { label: 'Client secret', text: client.client_secret },
              ]
            : []
        }
        onClose={create.reset}
      >
        {children}
      </SecretDialog>
    </>
  );
}
