import { NativeSelect, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { FormDialog } from '../../../parts/FormDialog.tsx';
import { useChange } from '../../../parts/server/useChange.ts';
import { type AccountKind, addSupplier, suppliersKey } from '../../api/service.ts';
import { AccountFields, typedSettings } from './AccountFields.tsx';

/** Adds a supplier with its account. */
export function AddSupplier({ kinds }: { kinds: readonly AccountKind[] }) {
  const add = useChange(addSupplier, suppliersKey);
  const [chosen, setChosen] = useState(kinds[0]?.kind ?? '');
  const kind = kinds.find((one) => one.kind === chosen);
  if (!kind) return null;
  return (
    <FormDialog
      label="Add supplier"
      variant="filled"
      size="sm"
      title="Add a supplier"
      submitLabel="Add supplier"
      dialogSize="lg"
      change={add}
      onSubmit={(form) =>
        add.mutateAsync({
          supplier: String(form.get('supplier')).trim(),
          kind: kind.kind,
          title: String(form.get('title')),
          settings: typedSettings(form, kind),
        })
      }
    >
      <NativeSelect
        label="Kind"
        description="Whose API it speaks. It cannot be changed later"
        data={kinds.map((one) => ({ value: one.kind, label: one.title }))}
        value={chosen}
        onChange={(event) => setChosen(event.currentTarget.value)}
      />
      <TextInput
        name="supplier"
        label="Short name"
        description="Lower-case letters, digits and dashes, for commands, addresses and figures. It cannot be changed later"
        required
        withAsterisk={false}
        autoComplete="off"
        spellCheck={false}
      />
      <TextInput name="title" label="Title" description="Its display name" required withAsterisk={false} />
      <AccountFields kind={kind} account={null} />
      <Text size="sm">
        Every process uses the account from its next call. Credentials are stored encrypted and never shown again. To
        sell its plans, make a test call, then import its list.
      </Text>
    </FormDialog>
  );
}
