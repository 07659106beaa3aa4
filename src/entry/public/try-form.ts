import { SANDBOX_KEY } from '../../platform/contract/ids.ts';
import { type Html, html } from '../site/pages/html.ts';
import type { Site } from './document.ts';
import { type Description, type Entry, examplesOf, type FormField, fieldsOf } from './reference/description.ts';

/**
 * One call of the sandbox as a form. It stays hidden until `web/src/public/tryIt.ts` finds that the reader is signed in and may develop,
 * so the page is the same for everybody.
 */
export function tryForm(site: Site, api: Description, entry: Entry): Html {
  const values = examplesOf(api, entry);
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
