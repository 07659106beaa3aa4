import { useState } from 'react';
import type { Mode } from '../../../panel/paths.ts';
import { FormDialog } from '../../../parts/FormDialog.tsx';
import { SecretDialog } from '../../../parts/SecretDialog.tsx';
import { AllowListField } from '../../../subjects/keys/AllowListField.tsx';
import { ModeField } from '../../../subjects/keys/ModeField.tsx';
import { allPartners, type Partner } from '../../api/partners.ts';
import { useRun } from '../../api/run.ts';
import { newKeyInput } from './inputs.ts';
import { KeyFields, keyFieldsOf } from './KeyFields.tsx';

const about = { live: 'A live key spends the partner’s money.', sandbox: 'A sandbox key uses test money.' };

/** Creates a key for a partner and shows it once. */
export function NewKey({ of }: { of: Partner }) {
  const [mode, setMode] = useState<Mode>('sandbox');
  const create = useRun<{ key: string; key_id: number }>('key create', allPartners);
  return (
    <>
      <FormDialog
        label="New key"
        title={`New API key for ${of.name}`}
        submitLabel="Create key"
        variant="filled"
        change={create}
        onOpen={() => setMode('sandbox')}
        onSubmit={(form) => create.mutateAsync(newKeyInput(of.id, mode, keyFieldsOf(form)))}
      >
        <ModeField value={mode} onChange={setMode} about={about} />
        <KeyFields />
        <AllowListField defaultValue="" />
      </FormDialog>
      <SecretDialog title={`New key of ${of.name}`} what="the key" secret={create.data?.key} onClose={create.reset}>
        Give it to the partner over a secure channel, not by plain mail. It can’t be shown again. Where you can, let a
        member create the key in the panel instead: then only they see it.
      </SecretDialog>
    </>
  );
}
