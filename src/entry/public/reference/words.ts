import { type Description, resolved, type Schema } from './description.ts';

export function flat(api: Description, schema: Schema): Schema {
  const found = resolved(api, schema);
  const parts = [...(found.allOf ?? []), ...(found.anyOf ?? [])].map((part) => flat(api, part));
  const always = (found.allOf ?? []).flatMap((part) => flat(api, part).required ?? []);
  return {
    properties: Object.assign({}, ...parts.map((part) => part.properties), found.properties),
    required: [...always, ...(found.required ?? [])],
  };
}

/** The object within a field or a list; undefined if there is none. */
export function insideOf(api: Description, schema: Schema): Schema | undefined {
  const found = resolved(api, schema);
  const candidates = [found, ...(found.items ? [found.items] : []), ...(found.anyOf ?? [])];
  return candidates.find((one) => resolved(api, one).properties);
}

export function kindOf(schema: Schema): string {
  const types = [schema.type ?? (schema.anyOf ? schema.anyOf.map(({ type = 'object' }) => type) : 'object')].flat(2);
  return types.map((type) => (type === 'array' ? 'list' : type)).join(' or ');
}

/** What a value has to be, in a sentence or two. */
export function rulesOf(schema: Schema): string {
  const { minimum, maximum, maxLength, default: usual, examples, enum: values } = schema;
  const meanings = schema['x-enum-descriptions'];
  const [example] = examples ?? [];
  return [
    values && !meanings
      ? `One of ${values.map((value) => (value === '' ? 'an empty text' : `\`${value}\``)).join(', ')}.`
      : '',
    minimum !== undefined && maximum !== undefined ? `From ${minimum} to ${maximum}.` : '',
    maxLength !== undefined ? `At most ${maxLength} characters.` : '',
    usual !== undefined ? `Without it: \`${usual}\`.` : '',
    example !== undefined && example !== '' && !values ? `Example: \`${shown(example)}\`` : '',
  ]
    .filter(Boolean)
    .join(' ');
}

const shown = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** What a field is about, and what each of its values means: as a list, which then need not be in the text. */
export function meaningsOf(schema: Schema, about: string): [text: string, meanings: string] {
  const meanings = schema['x-enum-descriptions'];
  if (!meanings) return [about, ''];
  const lines = Object.entries(meanings).map(
    ([value, meaning]) => `- ${value === '' ? 'empty' : `\`${value}\``}: ${meaning}`,
  );
  return [about.split('\n\n- ')[0] ?? '', lines.join('\n')];
}

export type Row = readonly [name: string, text: string];

const forms: readonly (readonly [name: string, form: RegExp, write: (parts: readonly string[]) => string])[] = [
  ['Rate', /^Rate tier (`\w+`): (.+)\.$/, ([tier, limit]) => `${limit} (tier ${tier})`],
  ['Permission', /^A restricted key needs the permission (`\w+(?:`; .+|`))\.$/, ([permission]) => permission ?? ''],
  [
    'Can simulate',
    /^Errors it can simulate beyond the common four: (.+)\.$/,
    ([codes]) => `${codes}, and the common four`,
  ],
];

/** What a description says in sentences of a fixed form, for a table: they are written from the endpoint's own declaration. */
export function glance(description: string) {
  /** The other paragraphs. */
  const text: string[] = [];
  /** What an answer means, by its status and state; Markdown. */
  const outcomes: Row[] = [];
  /** Rate, permission and what can be simulated; Markdown. */
  const facts: Row[] = [];
  for (const paragraph of description.split('\n\n')) {
    const named = forms.flatMap(([name, form, write]): Row[] => {
      const found = form.exec(paragraph);
      return found ? [[name, write(found.slice(1))]] : [];
    });
    const ends = paragraph.startsWith('**2') ? paragraph.split(/ (?=\*\*\d{3} )/).map(outcomeIn) : [undefined];
    if (named.length > 0) facts.push(...named);
    else if (ends.every((one) => one !== undefined)) outcomes.push(...ends);
    else text.push(paragraph);
  }
  return { text: text.join('\n\n'), outcomes, facts };
}

function outcomeIn(sentence: string): Row | undefined {
  const [, answer, meaning] = /^\*\*(\d{3} `\w+`)\*\*: (.+)$/s.exec(sentence) ?? [];
  return answer === undefined || meaning === undefined
    ? undefined
    : [answer, `${meaning.charAt(0).toUpperCase()}${meaning.slice(1)}`];
}
