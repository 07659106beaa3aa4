import { readFileSync } from 'node:fs';
import { accountKinds } from '../../platform/settings/supplier-fields.ts';
import { html } from '../site/pages/html.ts';
import { guidePath, nameOf } from './contents.ts';
import type { PublicPage, Site } from './document.ts';
import { htmlOf } from './markdown.ts';
import { type Description, entriesOf } from './reference/description.ts';

/** Changes that matter to callers of the API. Entries about running the program, and about suppliers, are left out. */
export function changelogPage(site: Site, api: Description): PublicPage {
  const written = readFileSync(new URL('../../../CHANGELOG.md', import.meta.url), 'utf8');
  const changes = changesIn(written, api);
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

/** Versions with the points that name an endpoint, an event or the SDK. Only links to guides are kept: other files are not here. */
export function changesIn(changelog: string, api: Description): string {
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
    .map((version) => {
      const [heading = '', ...lines] = version.split('\n');
      const points = lines
        .join('\n')
        .replaceAll(/^#+ .*$/gm, '')
        .split(/^(?=- )/m)
        .filter((point) => point.startsWith('- ') && isForCallers(point) && !suppliers.test(point));
      return points.length === 0
        ? ''
        : `## ${heading === 'Unreleased' ? 'Latest' : heading}\n\n${points.map(withOwnLinks).join('')}`;
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
