import { Textarea, TextInput } from '@mantine/core';
import type { Key } from './keys.ts';

interface KeyFieldsProps {
  of?: Key;
  /** Once given, a name can be changed but not removed. */
  keepsName?: boolean;
}

/** What a key is called and for how long it works. */
export function KeyFields({ of: key, keepsName = false }: KeyFieldsProps) {
  const today = new Date().toISOString().slice(0, 10);
  const lastDay = key?.expires_at?.slice(0, 10);
  return (
    <>
      <TextInput
        name="name"
        label="Name"
        description="Where the key is used, so that you know later which one to revoke."
        placeholder="Checkout server"
        maxLength={60}
        required={keepsName && Boolean(key?.name)}
        defaultValue={key?.name}
        autoComplete="off"
        data-autofocus
      />
      <TextInput
        name="expires_on"
        type="date"
        label="Last day it works"
        description="The key stops working when this day ends, in UTC. Leave it empty for a key that doesn’t expire."
        // An expired key keeps its day while something else about it is changed.
        min={lastDay !== undefined && lastDay < today ? lastDay : today}
        defaultValue={lastDay}
      />
    </>
  );
}

export const NoteField = ({ of: key }: { of?: Key }) => (
  <Textarea name="note" label="Note" rows={2} maxLength={500} defaultValue={key?.note} />
);

export const AllowListField = ({ of: key }: { of?: Key }) => (
  <Textarea
    name="allow_list"
    label="Allowed IP addresses"
    description="IPv4 or IPv6 addresses or CIDR blocks, one per line or separated by commas. Leave empty to allow any address."
    placeholder={'203.0.113.7\n2001:db8::/32'}
    rows={4}
    defaultValue={key?.allow_list.join('\n')}
    styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
    spellCheck={false}
  />
);
