import { Refusal } from './server/client.ts';

export type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

export const isField = (it: unknown): it is Field =>
  it instanceof HTMLInputElement || it instanceof HTMLSelectElement || it instanceof HTMLTextAreaElement;

/** Refusals about a field that do not have its name in their code, as in `invalid_amount`. */
const fieldByCode: Readonly<Record<string, readonly string[]>> = {
  wrong_email_or_password: ['password'],
  wrong_password: ['current', 'password'],
  password_too_short: ['password'],
  wrong_code: ['code'],
  name_too_long: ['name'],
  expiry_in_past: ['expires_on'],
  url_blocked: ['url'],
  url_already_subscribed: ['url'],
  insufficient_balance: ['amount'],
};

/** The field of the form that a refusal is about, with its sentence. */
export function fieldsOf(error: unknown, form: HTMLFormElement | null): { field: Field; message: string }[] {
  if (!(error instanceof Refusal) || form === null) return [];
  const { code, field: named, message } = error;
  const names = [named, ...(fieldByCode[code] ?? []), /^invalid_(\w+)$/.exec(code)?.[1]];
  for (const name of names) {
    const field = name === undefined ? null : form.elements.namedItem(name);
    if (isField(field) && field.type !== 'hidden' && !field.disabled) return [{ field, message }];
  }
  return [];
}

/** What is wrong with what was typed, in words. */
export function messageOf(field: Field): string {
  const { validity, validationMessage } = field;
  if (validity.valueMissing) return field.type === 'checkbox' ? 'This has to be ticked.' : 'This is required.';
  if (validity.typeMismatch && field.type === 'email') return 'Write an email address like name@example.com.';
  return validationMessage;
}
