import { type Html, html } from '../../platform/contract/html.ts';
import { type Description, type Entry, entriesOf, groupTitles } from './reference/description.ts';
import { guideNames } from './reference/guide-names.ts';

export const guidePath = (name: string): string => `/docs/guides/${name}`;

export const endpointPath = ({ id }: Pick<Entry, 'id'>): string => `/docs/api/${id}`;

export const nameOf = ({ path }: Pick<Entry, 'path'>): string => path.replace(/^\//, '');

/** The endpoints and events by heading, in the headings' order. */
export function groupsOf(
  api: Description,
): { readonly title: string; readonly name: string; readonly entries: Entry[] }[] {
  const all = Map.groupBy(entriesOf(api), ({ group }) => group);
  const order = Object.keys(groupTitles);
  const names = [...all.keys()].sort((a, b) => order.indexOf(a) - order.indexOf(b));
  return names.map((name) => ({ name, title: groupTitles[name] ?? name, entries: all.get(name) ?? [] }));
}

/** A page of the documents with the list of all of them beside it; on a phone the list is below, and a link leads there. */
export const withContents = (api: Description, path: string, body: Html): Html => html`<div class="docs">
<article><p class="to-contents"><a href="#contents">All guides and endpoints</a></p>${body}</article>
<nav class="contents" id="contents" aria-label="Guides and endpoints"><h2>Guides</h2>
<ul>${Object.entries(guideNames).map(([name, [title]]) => link(path, guidePath(name), title))}${link(path, '/docs/tools', 'SDK and tools')}</ul>
${groupsOf(api).map(
  ({ title, entries }) =>
    html`<h2>${title}</h2><ul>${entries.map((entry) => link(path, endpointPath(entry), nameOf(entry)))}</ul>`,
)}</nav></div>`;

const link = (here: string, path: string, text: string): Html =>
  html`<li><a href="${path}"${here === path && html` aria-current="page"`}>${text}</a></li>`;
