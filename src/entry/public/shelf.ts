import { html } from '../../platform/contract/html.ts';
import { FixedBody } from '../../platform/http/fixed-body.ts';
import type { Config } from '../../platform/settings/config.ts';
import { fixedReply, page, type SiteReply, type SiteRequest } from '../site/routes.ts';
import { type PublicCatalog, pathOf, soldIn } from './destinations.ts';
import { documentOf, filesOf, type PublicPage, policyOf, type Site, type SiteFiles } from './document.ts';
import { pagesOf } from './pages.ts';
import type { Description } from './reference/description.ts';
import { type Findable, findables } from './search-page.ts';
import { packedSdks } from './tools-page.ts';

/** The same for everybody, so any cache may keep it, and asks before it is used again. */
export const SHARED = 'public, no-cache';

export interface ShelfParts {
  readonly config: Pick<Config, 'site' | 'panelUrl' | 'sandboxBaseUrl' | 'liveBaseUrl' | 'websiteUrl'>;
  readonly openapi: () => FixedBody;
  readonly guides: ReadonlyMap<string, string>;
  /** Where somebody can make an account; undefined: nowhere. */
  readonly signUp: string | undefined;
  readonly catalog: PublicCatalog;
}

const bare = ({ href }: URL): string => href.replace(/\/$/, '');

/** The pages as they are sent. Each is rendered on its first request and kept until the catalog changes; a start renders none. */
export class Shelf {
  readonly site: Site;
  readonly files: SiteFiles;
  readonly #parts: ShelfParts;
  /** Written again after each change of the catalog: samples name a plan of it. */
  readonly #written = new Map<string, FixedBody>();
  #catalogVersion = 0;
  #made: ReturnType<typeof make> | undefined;
  #findables: readonly Findable[] | undefined;

  constructor(parts: ShelfParts) {
    const { config, signUp } = parts;
    this.#parts = parts;
    this.files = filesOf(config.site);
    this.site = {
      settings: config.site,
      panel: bare(config.panelUrl),
      sandbox: bare(config.sandboxBaseUrl),
      live: bare(config.liveBaseUrl),
      website: config.websiteUrl.href === config.panelUrl.href ? undefined : config.websiteUrl.href,
      signUp,
      showsPrices: config.site.showsPrices,
    };
  }

  get made() {
    this.#made ??= make(this.site, this.#parts);
    return this.#made;
  }

  get findables(): readonly Findable[] {
    this.#findables ??= findables(this.made.api, this.#parts.guides);
    return this.#findables;
  }

  fixed(incoming: SiteRequest, path: string): Promise<SiteReply> | SiteReply {
    return this.fromCatalog(incoming, path, (catalog) => this.made.pages.get(path)?.(catalog));
  }

  /** A page made from the catalog as it is now; `make` answers undefined where there is none. */
  fromCatalog(
    incoming: SiteRequest,
    path: string,
    make: (catalog: PublicCatalog) => PublicPage | undefined,
    headers = {},
  ): Promise<SiteReply> | SiteReply {
    const { catalog } = this.#parts;
    if (this.#catalogVersion !== catalog.version) this.#written.clear();
    this.#catalogVersion = catalog.version;
    let body = this.#written.get(path);
    if (!body) {
      const one = make(catalog);
      if (!one) return this.missing();
      body = this.#bodyOf(one);
      this.#written.set(path, body);
    }
    return sent(incoming, body, { ...headers, 'content-security-policy': policyOf(path) });
  }

  /** Addresses of all pages made from the catalog. */
  get destinationPaths(): string[] {
    return ['/destinations', ...soldIn(this.#parts.catalog).map(({ destination }) => pathOf(destination))];
  }

  fresh(incoming: SiteRequest, one: PublicPage, headers = {}): Promise<SiteReply> {
    return sent(incoming, this.#bodyOf(one), { ...headers, 'content-security-policy': policyOf(one.path) });
  }

  missing(): SiteReply {
    const body = html`<h1>Page not found</h1><p>There is nothing at this address. Look through the <a href="/destinations">destinations</a>, the <a href="/docs">guides</a> or the <a href="/docs/api">API reference</a>.</p>`;
    const one = { path: '/not-found', title: 'Page not found', description: 'There is nothing here.', body } as const;
    const text = documentOf(this.site, this.files, { ...one, isListed: false });
    return page(404, 'text/html; charset=utf-8', text, { 'content-security-policy': policyOf(one.path) });
  }

  #bodyOf(one: PublicPage): FixedBody {
    return new FixedBody(Buffer.from(documentOf(this.site, this.files, one)));
  }
}

function make(site: Site, { openapi, guides }: ShelfParts) {
  const api = JSON.parse(openapi().plain.bytes.toString('utf8')) as Description;
  const sdks = packedSdks();
  return { api, sdks, pages: pagesOf(site, api, guides, sdks) };
}

const sent = (incoming: SiteRequest, body: FixedBody, headers: Readonly<Record<string, string>>): Promise<SiteReply> =>
  fixedReply(incoming, 'text/html', body, { 'cache-control': SHARED, ...headers });
