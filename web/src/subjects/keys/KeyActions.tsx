import { Button } from '@mantine/core';
import type { QueryKey } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ConfirmButton } from '../../parts/ConfirmButton.tsx';
import { FormDialog } from '../../parts/FormDialog.tsx';
import type { Mode } from '../../parts/mode.ts';
import type { Change } from '../../parts/server/client.ts';
import { useChange } from '../../parts/server/useChange.ts';
import { KeyFields } from './KeyFields.tsx';
import type { Key, KeyForm } from './keys.ts';

interface MadeKey {
  readonly secret: string;
  /** What software made for Airalo signs in with, if it was asked for. */
  readonly client?: { readonly client_id: string; readonly client_secret: string } | null;
}

/** How an application changes keys. */
export interface KeyCalls<K extends Key = Key> {
  /** Read again afterwards. */
  readonly touches: QueryKey;
  readonly create: (wanted: KeyForm & { readonly mode: Mode }) => Change<MadeKey>;
  readonly change: (key: K, wanted: KeyForm) => Change<unknown>;
  readonly revoke: (key: K) => Change<unknown>;
}

interface KeyActionsProps<K extends Key> {
  of: K;
  calls: KeyCalls<K>;
  /** Once given, a name can be changed but not removed. */
  keepsName?: boolean;
  /** What else can be changed beside its name and its last day. */
  fields: ReactNode;
  /** Further buttons. */
  more?: ReactNode;
  /** What happens when it is revoked. */
  children: ReactNode;
}

export function KeyActions<K extends Key>({ of: key, calls, keepsName, fields, more, children }: KeyActionsProps<K>) {
  const revoke = useChange(() => calls.revoke(key), calls.touches);
  return (
    <Button.Group style={{ justifyContent: 'flex-end' }}>
      <KeyDialog of={key} calls={calls} label="Edit" title={`Edit ${key.name || key.mask}`}>
        <KeyFields of={key} {...(keepsName && { keepsName })} />
        {fields}
      </KeyDialog>
      {more}
      <ConfirmButton size="xs" label="Revoke" title={`Revoke ${key.name || key.mask}?`} change={revoke}>
        {children}
      </ConfirmButton>
    </Button.Group>
  );
}

interface KeyDialogProps<K extends Key> {
  of: K;
  calls: KeyCalls<K>;
  /** What the button that opens it says. */
  label: string;
  title: string;
  /** The fields of the form. */
  children: ReactNode;
}

/** A dialog that changes the values of its fields. */
export function KeyDialog<K extends Key>({ of: key, calls, ...dialog }: KeyDialogProps<K>) {
  const change = useChange((wanted: KeyForm) => calls.change(key, wanted), calls.touches);
  return (
    <FormDialog
      {...dialog}
      submitLabel="Save"
      change={change}
      onSubmit={(form) => change.mutateAsync(Object.fromEntries(form) as KeyForm)}
    />
  );
}
