import type { Key } from '../../api/keys.ts';
import { KeyDialog } from './KeyDialog.tsx';
import { KeyFields, keyFieldsOf } from './KeyFields.tsx';

/** Edits a key's name, note and expiry. */
export const EditKey = ({ of: key }: { of: Key }) => (
  <KeyDialog of={key} label="Edit" title={`Edit ${key.name || key.mask}`} changes={keyFieldsOf}>
    <KeyFields of={key} />
  </KeyDialog>
);
