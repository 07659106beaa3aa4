import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { FormDialog } from '../../../parts/FormDialog.tsx';
import { SecretDialog } from '../../../parts/SecretDialog.tsx';
import { useChange } from '../../../parts/server/useChange.ts';
import { AllowListField } from '../../../subjects/keys/AllowListField.tsx';
import { KeyFields, keyFieldsOf } from '../../../subjects/keys/KeyFields.tsx';
import { createKey } from '../../../subjects/keys/keys.ts';
import { ModeField } from '../../../subjects/keys/ModeField.tsx';
import type { Mode } from '../../paths.ts';
import { useMode } from '../../useMode.ts';

const about = {
  live: 'Live keys spend real money.',
  sandbox: 'Sandbox keys use test money and return test eSIMs.',
};

/** The button, the form it opens, and the new key, which is shown once. */
export function NewKey() {
  const current = useMode().mode;
  const [mode, setMode] = useState<Mode>(current);
  const create = useChange(createKey, ['keys']);
  return (
    <>
      <FormDialog
        label="New key"
        title="New API key"
        submitLabel="Create key"
        size="sm"
        variant="filled"
        leftSection={<IconPlus size={16} />}
        change={create}
        onOpen={() => setMode(current)}
        onSubmit={(form) =>
          create.mutateAsync({ mode, allow_list: String(form.get('allow_list')), ...keyFieldsOf(form) })
        }
      >
        <ModeField value={mode} onChange={setMode} about={about} />
        <KeyFields />
        <AllowListField defaultValue="" />
      </FormDialog>
      <SecretDialog title="Your new API key" what="the key" secret={create.data?.secret} onClose={create.reset}>
        Send it in the X-API-Key header, never in a URL. It can’t be shown again, so if you lose it, create a new key.
      </SecretDialog>
    </>
  );
}
