import type { Key } from '../../api/keys.ts';
import { KeyDialog } from './KeyDialog.tsx';
import { KeyFields, keyFieldsOf } from './KeyFields.tsx';
import { SpendingField } from './SpendingField.tsx';

const changesIn = (form: FormData) => ({ ...keyFieldsOf(form), spending_limit: String(form.get('spending_limit')) });

/** Edits a key's name, note and expiry, and what agents may spend with it. */
export const EditKey = ({ of: key }: { of: Key }) => (
  <KeyDialog of={key} label="Edit" title={`Edit ${key.name || key.mask}`} changes={changesIn}>
    <KeyFields of={key} />
    <SpendingField limit={key.spending_limit} />
  </KeyDialog>
);
