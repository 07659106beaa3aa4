import { TextInput } from '@mantine/core';

/** What a key is called and for how long it works. The note beside them is the partner's own. */
export function KeyFields({ of: key }: { of?: { readonly name: string; readonly expires_at: string | null } }) {
  return (
    <>
      <TextInput
        name="name"
        label="Name"
        maxLength={60}
        required={Boolean(key?.name)}
        defaultValue={key?.name}
        autoComplete="off"
        data-autofocus
      />
      <TextInput
        name="last_day"
        type="date"
        label="Last day it works"
        description="Stops working when this day ends, in UTC. Leave it empty for a key that doesn’t expire."
        defaultValue={key?.expires_at?.slice(0, 10)}
      />
    </>
  );
}

export const keyFieldsOf = (form: FormData) => ({
  name: String(form.get('name') ?? ''),
  lastDay: String(form.get('last_day') ?? ''),
  allow: String(form.get('allow_list') ?? ''),
});
