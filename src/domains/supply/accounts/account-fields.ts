import { Refused } from '../../../platform/contract/refused.ts';
import { type AccountField, type AccountKind, accountKinds } from '../../../platform/settings/supplier-fields.ts';

/** The values of an account by the names of its fields; one without a value has none. */
export type AccountValues = Readonly<Record<string, string>>;

function requireAccountKind(kind: string): AccountKind {
  const found = Object.hasOwn(accountKinds, kind) ? accountKinds[kind] : undefined;
  if (!found) throw new Refused('invalid_settings', `kind must be one of ${Object.keys(accountKinds).join(', ')}`);
  return found;
}

/**
 * The values of an account after `given` was applied to those it has: null or '' removes an optional one, fields not named stay. A
 * new address needs the credentials again. Refuses with one sentence, which never repeats a value.
 */
export function readAccountValues(
  kind: string,
  given: Readonly<Record<string, unknown>>,
  before: AccountValues = {},
): AccountValues {
  const { title, fields } = requireAccountKind(kind);
  const unknown = Object.keys(given).find((name) => !fields.some((field) => field.name === name));
  if (unknown !== undefined) {
    const known = fields.map(({ name }) => name).join(', ');
    throw new Refused(
      'invalid_settings',
      `“${unknown.slice(0, 40)}” is not a setting of ${title}; these are: ${known}`,
    );
  }
  const values: AccountValues = Object.fromEntries(
    fields.flatMap((field) => {
      const value = Object.hasOwn(given, field.name) ? readValue(field, given[field.name]) : before[field.name];
      if (value === undefined && field.isRequired)
        throw new Refused('invalid_settings', `${field.name} is missing: ${title} needs it`);
      return value === undefined ? [] : [[field.name, value]];
    }),
  );
  const kept = fields.filter(({ name, isSecret }) => isSecret && before[name] !== undefined && !given[name]);
  // Otherwise somebody who may change an account could have its credentials sent to their own server.
  if (kept.length > 0 && inForce(kind, values).url !== inForce(kind, before).url)
    throw new Refused(
      'invalid_settings',
      `with another url the credentials must be given again: ${kept.map(({ name }) => name).join(', ')}`,
    );
  return values;
}

function readValue({ name, pattern, must }: AccountField, given: unknown): string | undefined {
  if (given === null || given === '') return undefined;
  const text = typeof given === 'number' ? String(given) : given;
  if (typeof text !== 'string' || !pattern.test(text) || (name === 'url' && !URL.canParse(text)))
    throw new Refused('invalid_settings', `${name} must be ${must}`);
  return name === 'url' ? text.replace(/\/+$/, '') : text;
}

/** With the defaults where nothing was given. */
export const inForce = (kind: string, values: AccountValues): AccountValues => ({
  ...Object.fromEntries(
    (accountKinds[kind]?.fields ?? []).flatMap(({ name, otherwise }) => (otherwise ? [[name, otherwise]] : [])),
  ),
  ...values,
});

/** What may be shown, and what must be sealed. */
export function splitValues(kind: string, values: AccountValues): { plain: AccountValues; secret: AccountValues } {
  const secrets = new Set((accountKinds[kind]?.fields ?? []).flatMap(({ name, isSecret }) => (isSecret ? name : [])));
  const entries = Object.entries(values);
  return {
    plain: Object.fromEntries(entries.filter(([name]) => !secrets.has(name))),
    secret: Object.fromEntries(entries.filter(([name]) => secrets.has(name))),
  };
}
