import { html } from '../site/pages/html.ts';
import { endpointPath, groupsOf, nameOf, withContents } from './contents.ts';
import type { PublicPage, Site } from './document.ts';
import { failureList } from './fields.ts';
import { inline, prose } from './prose.ts';
import { answersOf, type Description, entriesOf } from './reference/description.ts';

/** The reference's first page: what holds for every endpoint, and where each is. */
export function referencePage(site: Site, api: Description): PublicPage {
  const [first] = entriesOf(api);
  const body = html`<h1>API reference</h1>
<p class="lead">Every endpoint and event, with examples recorded from a running server.</p>
<dl class="fields"><div><dt>Sandbox</dt><dd><code>${site.sandbox}</code>: play money and fake eSIMs; keys begin with <code>esk_test_</code></dd></div>
<div><dt>Live</dt><dd><code>${site.live}</code>: real orders; keys begin with <code>esk_</code></dd></div></dl>
<div class="text">${prose(api.info.description)}</div>
${groupsOf(api).map(
  ({ name, title, entries }) => html`<h2 id="${name}">${title}</h2>
<p class="soft">${inline(api.tags.find((tag) => tag.name === name)?.description ?? '')}</p>
<ul class="rows">${entries.map(
    (entry) =>
      html`<li>${!entry.isEvent && html`<span class="verb">${entry.verb}</span>`}<a href="${endpointPath(entry)}">${nameOf(entry)}</a><p>${inline(entry.operation.summary)}</p></li>`,
  )}</ul>`,
)}
<h2 id="errors">Errors that every endpoint can answer</h2>${first && failureList(answersOf(api, first).everywhere)}`;
  return {
    path: '/docs/api',
    title: 'API reference',
    description: `Every endpoint and event of the ${site.settings.name} API: fields, answers, errors, and samples in five languages.`,
    body: withContents(api, '/docs/api', body),
  };
}
