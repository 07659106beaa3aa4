import { AllowListField } from '../../../subjects/keys/AllowListField.tsx';
import type { Key } from '../../../subjects/keys/keys.ts';
import { KeyDialog } from './KeyDialog.tsx';

/** Edits the addresses a key may be used from. */
export const AllowList = ({ of: key }: { of: Key }) => (
  <KeyDialog
    of={key}
    label="IP addresses"
    title={`Allowed IP addresses of ${key.mask}`}
    changes={(form) => ({ allow_list: String(form.get('allow_list')) })}
  >
    <AllowListField defaultValue={key.allow_list.join('\n')} />
  </KeyDialog>
);
