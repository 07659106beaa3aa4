import { changelogPage } from './changelog-page.ts';
import { endpointPath, guidePath } from './contents.ts';
import type { PublicPage, Site } from './document.ts';
import { endpointPage } from './endpoint-page.ts';
import { frontPage } from './front-page.ts';
import { docsPage, guidePage } from './guide-pages.ts';
import { type Description, entriesOf } from './reference/description.ts';
import { type GuideName, guideNames } from './reference/guide-names.ts';
import { referencePage } from './reference-page.ts';
import { toolsPage } from './tools-page.ts';

export interface PageParts {
  readonly site: Site;
  readonly api: Description;
  readonly guides: ReadonlyMap<string, string>;
  readonly sdkPath: string | undefined;
}

/** Every static page, by its path; each is rendered on its first request. */
export function pagesOf({ site, api, guides, sdkPath }: PageParts): ReadonlyMap<string, () => PublicPage> {
  const names = Object.keys(guideNames) as GuideName[];
  return new Map<string, () => PublicPage>([
    ['/', () => frontPage(site)],
    ['/docs', () => docsPage(site, api)],
    ['/docs/api', () => referencePage(site, api)],
    ['/docs/tools', () => toolsPage(site, api, sdkPath)],
    ['/changelog', () => changelogPage(site, api)],
    ...names.map((name) => [guidePath(name), () => guidePage(api, name, guides.get(`${name}.md`) ?? '')] as const),
    ...entriesOf(api).map((entry) => [endpointPath(entry), () => endpointPage(site, api, entry)] as const),
  ]);
}
