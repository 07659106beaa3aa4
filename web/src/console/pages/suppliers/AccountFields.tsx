import { Checkbox, NativeSelect, PasswordInput, TextInput } from '@mantine/core';
import type { AccountKind, Supplier } from '../../api/service.ts';

type Account = Supplier['account'];
type Field = AccountKind['fields'][number];

interface AccountFieldsProps {
  kind: AccountKind;
  /** What is stored; null: nothing yet. */
  account: Account;
}

/** What an account of one kind consists of. Stored credentials are not here: the server never sends them. */
export function AccountFields({ kind, account }: AccountFieldsProps) {
  return kind.fields.map((field) => <AccountField key={`${kind.kind} ${field.name}`} of={field} account={account} />);
}

function AccountField({ of: field, account }: { of: Field; account: Account }) {
  const isStored = account?.secrets_set.includes(field.name) ?? false;
  const labelled = {
    name: field.name,
    label: field.isRequired || field.choices ? field.label : `${field.label} (optional)`,
    description: field.about,
  };
  if (field.isSecret)
    return (
      <div>
        <PasswordInput
          {...labelled}
          placeholder={isStored ? 'Stored. Leave empty to keep it' : ''}
          required={field.isRequired && !isStored}
          withAsterisk={false}
          autoComplete="new-password"
        />
        {isStored && !field.isRequired && (
          <Checkbox name={removal(field)} size="xs" mt={6} label="Remove the stored one" />
        )}
      </div>
    );
  const value = account?.settings[field.name] ?? '';
  if (field.choices) return <NativeSelect {...labelled} data={[...field.choices]} defaultValue={value || undefined} />;
  return (
    <TextInput
      {...labelled}
      defaultValue={value}
      placeholder={field.otherwise ?? ''}
      required={field.isRequired}
      withAsterisk={false}
      autoComplete="off"
      spellCheck={false}
    />
  );
}

const removal = ({ name }: Field): string => `remove ${name}`;

/** The form as the server takes it: null removes a value, and credentials that were left empty are not sent. */
export function typedSettings(form: FormData, kind: AccountKind): Record<string, string | null> {
  return Object.fromEntries(
    kind.fields.flatMap((field): [string, string | null][] => {
      const typed = String(form.get(field.name) ?? '').trim();
      if (typed !== '') return [[field.name, typed]];
      const isKept = field.isSecret && form.get(removal(field)) === null;
      return isKept ? [] : [[field.name, null]];
    }),
  );
}
