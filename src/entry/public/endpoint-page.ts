import { type Html, html } from '../../platform/contract/html.ts';
import { SANDBOX_KEY } from '../../platform/contract/ids.ts';
import { endpointPath, nameOf, type PublicPage, type Site, withContents } from './document.ts';
import { block, inline, plainText, prose, samples, shortened } from './markdown.ts';
import {
  answersOf,
  type Description,
  ENVELOPE,
  type Entry,
  examplesOf,
  FAILED_ENVELOPE,
  type Failure,
  type FormField,
  fieldsOf,
  resolved,
  type Schema,
} from './reference/description.ts';
import { callOf } from './reference/samples.ts';
import { flat, glance, insideOf, kindOf, meaningsOf, type Row, rulesOf } from './reference/words.ts';

/** How deep the fields of an answer are listed; deeper ones are in the description itself. */
const DEEPEST = 3;

interface Field {
  readonly name: string;
  readonly schema: Schema;
  readonly about: string;
  readonly note?: string;
  readonly inner?: Html | undefined;
}

function field({ name, schema, about, note, inner }: Field): Html {
  const [text, meanings] = meaningsOf(schema, about);
  const rules = rulesOf(schema);
  return html`<div><dt><span class="name">${name}</span> <span class="kind">${kindOf(schema)}${note && html`, ${note}`}</span></dt>
<dd>${prose(text)}${prose(meanings)}${rules !== '' && html`<p class="rules">${inline(rules)}</p>`}${inner}</dd></div>`;
}

function fields(api: Description, schema: Schema, without: readonly string[] = [], depth = 0): Html {
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

/**
 * One call of the sandbox as a form. It stays hidden until `web/src/public/tryIt.ts` finds that the reader is signed in and may develop,
 * so the page is the same for everybody.
 */
function tryForm(site: Site, api: Description, entry: Entry, values: Values): Html {
  const all = fieldsOf(api, entry);
  const inputs = (required: boolean) =>
    all.filter((field) => field.required === required).map((field) => input(field, values[field.name] ?? ''));
  const optional = inputs(false);
  return html`<form class="try" hidden data-base="${site.sandbox}" data-verb="${entry.verb}" data-path="${entry.path}"><h2>Try it</h2>
<p class="soft">Calls the sandbox: no money moves.</p>
<label>Sandbox key<input id="try-key" type="password" autocomplete="off" required pattern="\\s*${SANDBOX_KEY.source.slice(1, -1)}\\s*" title="A sandbox key: esk_test_ and 40 characters"></label>
${inputs(true)}${optional.length > 0 && html`<details><summary>Optional fields</summary>${optional}</details>`}
<button>Send</button><div role="status"></div></form>`;
}

const input = ({ name, place, schema }: FormField, value: string): Html =>
  html`<label><code>${name}</code>${
    schema.enum
      ? html`<select name="${name}" data-place="${place}"><option value="">not sent</option>${schema.enum
          .map(String)
          .filter((one) => one !== '')
          .map((one) => html`<option${one === value && html` selected`}>${one}</option>`)}</select>`
      : html`<input name="${name}" data-place="${place}" value="${value}" placeholder="${String(schema.examples?.[0] ?? '')}">`
  }</label>`;

/** Longer examples are cut; the description has them whole. */
const MOST_EXAMPLE_LINES = 120;

/** A page of the reference: what it is about and its fields on the left, code on the right. */
export function endpointPage(site: Site, api: Description, entry: Entry, planId: string | undefined): PublicPage {
  const { operation, isEvent } = entry;
  const path = endpointPath(entry);
  const { text, outcomes, facts } = glance(operation.description);
  const body = html`<div class="two">
<div class="about"><h1 class="h1">${!isEvent && html`<span class="verb">${entry.verb}</span>`}${nameOf(entry)}</h1>
<p class="lead">${inline(operation.summary)}</p>${table('Outcomes', outcomes)}${prose(text)}${table('Limits', facts)}</div>
<div class="code"><div>${isEvent ? eventCode(api, entry) : callCode(site, api, entry, planId)}</div></div>
<div class="more">${isEvent ? eventFields(api, entry) : callFields(api, entry)}</div></div>`;
  return {
    path,
    title: isEvent ? `Event ${nameOf(entry)}` : nameOf(entry),
    description: shortened(`${plainText(operation.summary)}. ${operation.description}`),
    body: withContents(api, path, body),
  };
}

/** Names on the left, as rows: two columns fit a phone. */
const table = (title: string, rows: readonly Row[]): Html | false =>
  rows.length > 0 &&
  html`<table class="glance"><caption>${title}</caption><tbody>${rows.map(
    ([name, text]) => html`<tr><th scope="row">${inline(name)}</th><td>${inline(text)}</td></tr>`,
  )}</tbody></table>`;

type Values = ReturnType<typeof examplesOf>;

/** The example's values, with a plan that is sold here. */
function callCode(site: Site, api: Description, entry: Entry, planId: string | undefined): Html {
  // Another one for each endpoint: the same key for another purchase is a conflict.
  const values = examplesOf(api, entry, { planId, key: `${entry.id.split('_').at(-1)}-4711` });
  const call = callOf(entry, fieldsOf(api, entry), values, site.sandbox);
  return html`${samples(call, 'Call it')}
<p class="soft" id="key">Put a sandbox key in <code>$WAYFARE_KEY</code>. You create keys in the panel under <a href="/keys">API keys</a>; there you can also <a href="/reference/${entry.id}">try this endpoint</a>.</p>
${tryForm(site, api, entry, values)}
${answersOf(api, entry).examples.map(({ status, summary, value }) => html`<p class="soft">${status}${summary && html`: ${inline(summary)}`}</p>${example(value)}`)}`;
}

function eventCode(api: Description, { operation }: Entry): Html {
  const [found] = Object.values(operation.requestBody?.content['application/json']?.examples ?? {});
  return html`<p class="soft">An example from the sandbox</p>${found && example(resolved(api, found).value)}
<p class="soft">The signature covers the raw body: verify it before you parse. <a href="/docs/guides/webhooks">How to receive webhooks</a></p>`;
}

function example(value: unknown): Html {
  const lines = JSON.stringify(value, null, 2).split('\n');
  return lines.length <= MOST_EXAMPLE_LINES
    ? block(lines.join('\n'))
    : html`${block(`${lines.slice(0, MOST_EXAMPLE_LINES).join('\n')}\n…`)}<p class="soft">Cut after ${MOST_EXAMPLE_LINES} lines; it is whole in <a href="/openapi.json">openapi.json</a>.</p>`;
}

function callFields(api: Description, entry: Entry): Html {
  const { good, schema, failures } = answersOf(api, entry);
  const sent = fieldsOf(api, entry);
  return html`${
    sent.length > 0 &&
    html`<h2 id="request">Request</h2><dl class="fields">${sent.map(({ name, schema: own, description, required }) =>
      field({ name, schema: own, about: description, ...(required && { note: 'required' }) }),
    )}</dl>`
  }
<h2 id="answer">Answer</h2>${good.map(({ status, said }) => html`<p>${status}: ${inline(said)}.</p>`)}
${schema && fields(api, schema, ENVELOPE)}
<h2 id="errors">Errors</h2><p>Decide by the code, never by the title. Besides these there are <a href="/docs/api#errors">errors that every endpoint can answer</a>.</p>
${failures.length > 0 && failureList(failures)}`;
}

function eventFields(api: Description, { operation }: Entry): Html {
  const content = operation.requestBody?.content['application/json'];
  return html`<h2 id="headers">Headers</h2><dl class="fields">${operation.parameters
    .map((one) => resolved(api, one))
    .map(({ name, description, schema }) => field({ name, schema, about: description }))}</dl>
<h2 id="body">Body</h2>${content && fields(api, content.schema)}`;
}
