import { html } from '../site/pages/html.ts';
import { guidePath, withContents } from './contents.ts';
import type { PublicPage, Site } from './document.ts';
import { htmlOf } from './markdown.ts';
import type { Description } from './reference/description.ts';
import { type GuideName, guideNames } from './reference/guide-names.ts';

/** Links between guides lead to their pages. */
const linked = (text: string): string =>
  text.replace(/\]\(([\w-]+)\.md(#[\w-]+)?\)/g, (_, name: string, place = '') => `](${guidePath(name)}${place})`);

export function guidePage(api: Description, name: GuideName, text: string): PublicPage {
  const names = Object.keys(guideNames) as GuideName[];
  const next = names[names.indexOf(name) + 1];
  const path = guidePath(name);
  const [title, about] = guideNames[name];
  const body = html`<div class="text">${htmlOf(linked(text))}
<p class="soft"><a class="alone" href="/guides/${name}.md">This guide as Markdown</a></p>
${next && html`<p>Next: <a href="${guidePath(next)}">${guideNames[next][0]}</a></p>`}</div>`;
  return { path, title, description: `${title}. ${about}`, body: withContents(api, path, body) };
}

export function docsPage(site: Site, api: Description): PublicPage {
  const body = html`<h1>Guides</h1><p class="lead">How to sell eSIMs with ${site.settings.name}, from the first call to a shop.</p>
<ul class="cards">${Object.entries(guideNames).map(
    ([name, [title, about]]) => html`<li><h2><a href="${guidePath(name)}">${title}</a></h2><p>${about}</p></li>`,
  )}
<li><h2><a href="/docs/api">API reference</a></h2><p>Every endpoint and event.</p></li>
<li><h2><a href="/docs/tools">SDK and tools</a></h2><p>TypeScript, Postman, OpenAPI and agents.</p></li></ul>`;
  return {
    path: '/docs',
    title: 'Guides',
    description: `Guides to the ${site.settings.name} API: the first purchase, orders, webhooks, events, idempotency, the sandbox, errors and money.`,
    body: withContents(api, '/docs', body),
  };
}
