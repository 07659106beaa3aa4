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
