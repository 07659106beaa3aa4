import { type Html, html } from '../../platform/contract/html.ts';
import { inline, prose } from './prose.ts';
import { type Description, FAILED_ENVELOPE, type Failure, resolved, type Schema } from './reference/description.ts';
import { flat, insideOf, kindOf, meaningsOf, rulesOf } from './reference/schema-words.ts';

/** How deep the fields of an answer are listed; deeper ones are in the description itself. */
const DEEPEST = 3;

interface Field {
  readonly name: string;
  readonly schema: Schema;
  readonly about: string;
  readonly note?: string;
  readonly inner?: Html | undefined;
}

export function field({ name, schema, about, note, inner }: Field): Html {
  const [text, meanings] = meaningsOf(schema, about);
  const rules = rulesOf(schema);
  return html`<div><dt><span class="name">${name}</span> <span class="kind">${kindOf(schema)}${note && html`, ${note}`}</span></dt>
<dd>${prose(text)}${prose(meanings)}${rules !== '' && html`<p class="rules">${inline(rules)}</p>`}${inner}</dd></div>`;
}

export function fields(api: Description, schema: Schema, without: readonly string[] = [], depth = 0): Html {
  const { properties = {}, required = [] } = flat(api, schema);
  const listed = Object.entries(properties).filter(([name]) => !without.includes(name));
  return html`<dl class="fields">${listed.map(([name, property]) => {
    const inside = depth < DEEPEST ? insideOf(api, property) : undefined;
    return field({
      name,
      schema: resolved(api, property),
      about: property.description ?? resolved(api, property).description ?? '',
      ...(!required.includes(name) && { note: 'not always' }),
      inner: inside && fields(api, inside, [], depth + 1),
    });
  })}</dl>`;
}

export const failureList = (failures: readonly Failure[]): Html =>
  html`<dl class="fields">${failures.map(({ status, code, meaning, schema }) => {
    const own = Object.keys(schema.properties ?? {}).filter((name) => !FAILED_ENVELOPE.includes(name));
    return html`<div><dt><span class="name">${code}</span> <span class="kind">${status}</span></dt>
<dd>${prose(meaning)}${own.length > 0 && html`<p class="rules">${inline(`With \`${own.join('`, `')}\`.`)}</p>`}</dd></div>`;
  })}</dl>`;
