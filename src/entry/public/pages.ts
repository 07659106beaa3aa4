import { readFileSync } from 'node:fs';
import { html } from '../../platform/contract/html.ts';
import { accountKinds } from '../../platform/settings/supplier-fields.ts';
import { inOperatorsName } from '../site/pages/guides.ts';
import { examplePlan, type PublicCatalog } from './destinations.ts';
import { endpointPath, groupsOf, guidePath, nameOf, type PublicPage, type Site, withContents } from './document.ts';
import { endpointPage, failureList } from './endpoint-page.ts';
import { htmlOf, inline, prose } from './markdown.ts';
import { answersOf, type Description, entriesOf } from './reference/description.ts';
import { type GuideName, guideNames } from './reference/guide-names.ts';
import { type PackedSdks, toolsPage } from './tools-page.ts';

/** Changes that matter to callers of the API. Entries about running the program, and about suppliers, are left out. */
function changelogPage(site: Site, api: Description): PublicPage {
  const written = readFileSync(new URL('../../../CHANGELOG.md', import.meta.url), 'utf8');
  const changes = changesIn(inOperatorsName(written, site.settings.name), api);
  const body = html`<div class="middle"><h1>Changelog</h1>
<p class="lead">Changes to the API. In v3, fields and error codes are only ever added.</p>
${changes === '' ? html`<p>No changes yet.</p>` : htmlOf(changes)}</div>`;
  return {
    path: '/changelog',
    title: 'Changelog',
    description: `What changed in the ${site.settings.name} API, version by version.`,
    body,
  };
}

/** The points for callers of the API, version by version, with their dates. Only links to guides are kept: other files are not here. */
function changesIn(changelog: string, api: Description): string {
  const names = entriesOf(api).map((entry) => nameOf(entry).replace(/\/\{.*\}$/, ''));
  const isForCallers = (point: string) => /\bSDK\b/.test(point) || names.some((name) => point.includes(`\`${name}\``));
  const suppliers = new RegExp(
    Object.values(accountKinds)
      .map(({ title }) => title)
      .join('|'),
    'i',
  );
  const versions = changelog.split(/^## /m).slice(1);
  return versions
    .map((version, at) => {
      const [heading = ''] = version.split('\n');
      const own = version.split(/^### /m).find((section) => section.startsWith('For callers of the API\n'));
      const points = (own ?? version.slice(heading.length).replaceAll(/^#+ .*$/gm, ''))
        .split(/^(?=- )/m)
        .filter(
          (point) => point.startsWith('- ') && (own !== undefined || isForCallers(point)) && !suppliers.test(point),
        );
      const [, released] = versions[at + 1]?.split('\n')[0]?.split(' - ') ?? [];
      const title = heading === 'Unreleased' ? (released ? `Since ${released}` : 'Latest') : heading;
      return points.length === 0 ? '' : `## ${title}\n\n${points.map(withOwnLinks).join('')}`;
    })
    .filter((version) => version !== '')
    .join('\n');
}

const withOwnLinks = (point: string): string => {
  const text = point
    .trimEnd()
    .replaceAll(/\s+\(\[[^\]]+\]\((?!docs\/guides\/)[^)]+\)\)/g, '')
    .replaceAll(/\[([^\]]+)\]\(([^)]+)\)/g, (_, name: string, to: string) => {
      const guide = /^docs\/guides\/([\w-]+)\.md$/.exec(to)?.[1];
      return guide === undefined ? name : `[${name}](${guidePath(guide)})`;
    });
  return `${text}\n`;
};

/** The reference's first page: what holds for every endpoint, and where each is. */
function referencePage(site: Site, api: Description): PublicPage {
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

/** Links between guides lead to their pages. */
const linked = (text: string): string =>
  text.replace(/\]\(([\w-]+)\.md(#[\w-]+)?\)/g, (_, name: string, place = '') => `](${guidePath(name)}${place})`);

function guidePage(api: Description, name: GuideName, text: string): PublicPage {
  const names = Object.keys(guideNames) as GuideName[];
  const next = names[names.indexOf(name) + 1];
  const path = guidePath(name);
  const [title, about] = guideNames[name];
  const body = html`<div class="text">${htmlOf(linked(text))}
<p class="soft"><a class="alone" href="/guides/${name}.md">This guide as Markdown</a></p>
${next && html`<p>Next: <a href="${guidePath(next)}">${guideNames[next][0]}</a></p>`}</div>`;
  return { path, title, description: `${title}. ${about}`, body: withContents(api, path, body) };
}

function docsPage(site: Site, api: Description): PublicPage {
  const body = html`<h1>Guides</h1><p class="lead">How to sell eSIMs with ${site.settings.name}, from the first call to a shop.</p>
<ul class="cards">${Object.entries(guideNames).map(
    ([name, [title, about]]) => html`<li><h2><a href="${guidePath(name)}">${title}</a></h2><p>${about}</p></li>`,
  )}
<li><h2><a href="/docs/api">API reference</a></h2><p>Every endpoint and event.</p></li>
<li><h2><a href="/docs/tools">SDK and tools</a></h2><p>TypeScript, Python, PHP, Postman, OpenAPI and agents.</p></li></ul>`;
  return {
    path: '/docs',
    title: 'Guides',
    description: `Guides to the ${site.settings.name} API: the first purchase, orders, webhooks, events, idempotency, the sandbox, errors and money.`,
    body: withContents(api, '/docs', body),
  };
}

type MakePage = (catalog: PublicCatalog) => PublicPage;

export function pagesOf(
  site: Site,
  api: Description,
  guides: ReadonlyMap<string, string>,
  sdks: PackedSdks,
): ReadonlyMap<string, MakePage> {
  const names = Object.keys(guideNames) as GuideName[];
  return new Map<string, MakePage>([
    ['/docs', () => docsPage(site, api)],
    ['/docs/api', () => referencePage(site, api)],
    ['/docs/tools', () => toolsPage(site, api, sdks)],
    ['/changelog', () => changelogPage(site, api)],
    ...names.map((name) => [guidePath(name), () => guidePage(api, name, guides.get(`${name}.md`) ?? '')] as const),
    ...entriesOf(api).map(
      (entry) =>
        [
          endpointPath(entry),
          (catalog: PublicCatalog) => endpointPage(site, api, entry, examplePlan(catalog)?.alias),
        ] as const,
    ),
  ]);
}
