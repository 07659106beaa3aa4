import { Textarea, TextInput } from '@mantine/core';

interface KeyFieldsProps {
  of?: { readonly name: string; readonly note: string; readonly expires_at: string | null };
}

/** What a key is called and for how long it works. */
export function KeyFields({ of: key }: KeyFieldsProps) {
  return (
    <>
      <TextInput
        name="name"
        label="Name"
        description="Where the key is used, so that you know later which one to revoke."
        placeholder="Checkout server"
        maxLength={60}
        defaultValue={key?.name}
        autoComplete="off"
        data-autofocus
      />
      <TextInput
        name="expires_on"
        type="date"
        label="Last day it works"
        description="The key stops working when this day ends, in UTC. Leave it empty for a key that doesn’t expire."
        min={new Date().toISOString().slice(0, 10)}
        defaultValue={key?.expires_at?.slice(0, 10)}
      />
      <Textarea name="note" label="Note" rows={2} maxLength={500} defaultValue={key?.note} />
    </>
  );
}

export const keyFieldsOf = (form: FormData) => ({
  name: String(form.get('name')),
  note: String(form.get('note')),
  expires_on: String(form.get('expires_on')),
});
