import type { ReactNode } from 'react';
import { FormDialog } from '../../../parts/FormDialog.tsx';
import { useChange } from '../../../parts/server/useChange.ts';
import { changeKey, type Key } from '../../../subjects/keys/keys.ts';

interface KeyDialogProps {
  of: Key;
  /** What the button that opens it says. */
  label: string;
  title: string;
  changes: (form: FormData) => Omit<Parameters<typeof changeKey>[0], 'id'>;
  /** The fields of the form. */
  children: ReactNode;
}

/** Changes one part of a key. */
export function KeyDialog({ of: key, changes, ...dialog }: KeyDialogProps) {
  const change = useChange(changeKey, ['keys']);
  return (
    <FormDialog
      {...dialog}
      submitLabel="Save"
      change={change}
      onSubmit={(form) => change.mutateAsync({ id: key.id, ...changes(form) })}
    />
  );
}
