import { Refused } from '../../platform/contract/refused.ts';
import { hasSiteAddress } from '../../platform/contract/site-address.ts';

/** What applicants and operators type: its name on the page, its longest length, and whether it may have several lines. */
const fields = {
  name: ['your name', 100, 1],
  company: ['the company', 100, 1],
  address: ['the address', 300, 5],
  country: ['the country', 60, 1],
  tax_number: ['the tax number', 60, 1],
  volume: ['the expected volume', 200, 3],
  use: ['the use', 1_000, 20],
  answer: ['the answer', 1_000, 20],
  question: ['the question', 1_000, 20],
  note: ['the note', 1_000, 20],
} as const satisfies Record<string, readonly [label: string, max: number, lines: number]>;

/** Trimmed; without characters that cannot be shown, which would spoil lists, mails and terminals. */
export function requireTyped(field: keyof typeof fields, given: string): string {
  const [label, max, lines] = fields[field];
  const refuse = (why: string): never => {
    throw new Refused('invalid_input', `${label} ${why}`).about(field);
  };
  const text = given.trim().replace(/\r\n?/g, '\n');
  if (text === '') refuse('is missing');
  if ([...text].length > max) refuse(`has at most ${max} characters`);
  if (text.split('\n').length > lines) refuse('has too many lines');
  if (/[^\P{C}\n]|[\p{Zl}\p{Zp}]/u.test(text)) refuse('has characters that cannot be shown');
  return text;
}

/** The same for what a stranger signs up as, which is in mails to other strangers before anybody has looked at it. */
export function requireTypedName(field: 'name' | 'company', given: string): string {
  const text = requireTyped(field, given);
  if (!hasSiteAddress(text)) return text;
  if (field === 'name')
    throw new Refused('invalid_name', 'your name must not hold a website address; after a dot, leave a space');
  throw new Refused(
    'invalid_company',
    'the company must not hold a website address; write the name without its ending, and ask us to add it once you are live',
  );
}
