import { Text, TextInput } from '@mantine/core';
import { FormDialog } from '../../../parts/FormDialog.tsx';
import { useChange } from '../../../parts/server/useChange.ts';
import { type AccountKind, changeAccount, type Supplier, suppliersKey } from '../../api/service.ts';
import { AccountFields, typedSettings } from './AccountFields.tsx';

/** Title, credentials and limits of an account that is in the database. */
export function ChangeAccount({ of: it, kind }: { of: Supplier; kind: AccountKind }) {
  const change = useChange(changeAccount, suppliersKey);
  return (
    <FormDialog
      label="Change account"
      title={`Account of ${it.title}`}
      submitLabel="Save"
      dialogSize="lg"
      change={change}
      onSubmit={(form) =>
        change.mutateAsync({
          supplier: it.supplier,
          title: String(form.get('title')),
          settings: typedSettings(form, kind),
        })
      }
    >
      <TextInput name="title" label="Title" defaultValue={it.title} required withAsterisk={false} />
      <AccountFields kind={kind} account={it.account} />
      <Text size="sm">
        Every process uses this from its next call on. Enter new credentials of the same account here: open orders are
        looked up with them. Another account at {kind.title} is another supplier; add it instead. A new address needs
        all credentials again.
      </Text>
    </FormDialog>
  );
}
