import { KeyFields, keyFieldsOf } from '../../../subjects/keys/KeyFields.tsx';
import type { Key } from '../../../subjects/keys/keys.ts';
import { SpendingField } from '../../../subjects/keys/SpendingField.tsx';
import { KeyDialog } from './KeyDialog.tsx';

const changesIn = (form: FormData) => ({ ...keyFieldsOf(form), spending_limit: String(form.get('spending_limit')) });

/** Edits a key's name, note and expiry, and what agents may spend with it. */
export const EditKey = ({ of: key }: { of: Key }) => (
  <KeyDialog of={key} label="Edit" title={`Edit ${key.name || key.mask}`} changes={changesIn}>
    <KeyFields of={key} />
    <SpendingField limit={key.spending_limit} />
  </KeyDialog>
);
