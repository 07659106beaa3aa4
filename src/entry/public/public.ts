import type { Clock } from '../../platform/clock.ts';
import { accentOf } from '../../platform/contract/palette.ts';
import { FixedBody } from '../../platform/http/fixed-body.ts';
import { splitTarget } from '../../platform/http/target.ts';
import type { Log } from '../../platform/log.ts';
import { DEFAULT_COLOR } from '../../platform/settings/site.ts';
import type { Base } from '../../worlds/base.ts';
import { memberCookie } from '../site/json/browser.ts';
import { cardFormNeeds } from '../site/pages/cards.ts';
import { font, type SiteFile } from '../site/pages/files.ts';
import { guideRoutes, readGuides } from '../site/pages/guides.ts';
import { pageRoutes } from '../site/pages/pages.ts';
import { fixedReply, page, type SiteRoute } from '../site/routes.ts';
import { destinationPage, destinationsPage, type PublicCatalog } from './destinations.ts';
import { filesOf, iconOf } from './document.ts';
import { frontPage } from './front-page.ts';
import { searchPage } from './search-page.ts';
import { SHARED, Shelf, type ShelfParts } from './shelf.ts';
import { type ReadStatus, readStatus, statusPage, statusReader } from './status-page.ts';
import { collectionAt } from './tools-page.ts';

interface PublicParts extends ShelfParts {
  /** What a browser gets at `/` once somebody is signed in. */
  readonly panel: SiteRoute;
  readonly readStatus: ReadStatus;
  readonly clock: Clock;
  readonly log: Pick<Log, 'warn'>;
}

const NAMED_BY_CONTENT = 'public, max-age=31536000, immutable';
/** For files that can be opened by themselves: they may do nothing. */
const INERT = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'";

function publicRoutes(parts: PublicParts): SiteRoute[] {
  if (!parts.config.site.isPublic) return [];
  const shelf = new Shelf(parts);
  const { style, script } = shelf.files;
  const status = statusReader(parts);
  return [
    frontRoute(shelf, parts),
    ...['/docs', '/changelog'].map((path) => get(path, (incoming) => shelf.fixed(incoming, path))),
    get('/destinations', (incoming) => {
      const query = new URLSearchParams(splitTarget(incoming.request.url ?? '').query).get('q');
      const make = (catalog: PublicCatalog) => destinationsPage(shelf.site, catalog, query);
      return query ? shelf.fresh(incoming, make(parts.catalog)) : shelf.fromCatalog(incoming, '/destinations', make);
    }),
    get('/destinations/{*}', (incoming) => {
      const slug = incoming.path.slice('/destinations/'.length);
      return shelf.fromCatalog(incoming, incoming.path, (catalog) => destinationPage(shelf.site, catalog, slug));
    }),
    get('/docs/search', (incoming) => {
      const query = new URLSearchParams(splitTarget(incoming.request.url ?? '').query).get('q');
      return shelf.fresh(incoming, searchPage(shelf.made.api, shelf.findables, query));
    }),
    get('/status', async (incoming) => shelf.fresh(incoming, statusPage(shelf.site, await status()))),
    get('/docs/{*}', (incoming) => shelf.fixed(incoming, incoming.path)),
    ...[style, script].map(fileRoute),
    get('/sdk/{file}', ({ params }) => {
      const sdk = Object.values(shelf.made.sdks).find(({ name }) => name === params.file);
      return sdk
        ? page(200, sdk.type, sdk.bytes, { 'cache-control': SHARED, 'content-security-policy': INERT })
        : shelf.missing();
    }),
    textRoute('/collection.json', 'application/json', () => collectionAt(shelf.site)),
    textRoute('/sitemap.xml', 'application/xml', () => sitemap(shelf)),
    textRoute('/robots.txt', 'text/plain', () => robots(shelf)),
    elsewhere(shelf, parts),
  ];
}

const get = (path: string, handle: SiteRoute['handle']): SiteRoute => ({ verb: 'GET', path, handle });

/** The panel stays at `/` for people who are signed in. A cookie is enough: the panel checks whether it is still valid. */
function frontRoute(shelf: Shelf, { config, panel }: PublicParts): SiteRoute {
  const cookie = memberCookie(config.panelUrl);
  const headers = { 'cache-control': 'private, no-cache', vary: 'accept-encoding, cookie' };
  return get('/', (incoming) =>
    cookie.read(incoming.headers.cookie) === ''
      ? shelf.fromCatalog(incoming, '/', (catalog) => frontPage(shelf.site, catalog), headers)
      : panel.handle(incoming),
  );
}

/** Where the panel and the console have pages, by the first part of the address. */
const PANEL =
  /^\/(accounts|forgotten|go-live|keys|live|operator|reference|retail|sandbox|security|settings|sign-in|sign-up|sso|traveller-page|welcome)(\/|$)/;

/** Files of the panel, by their endings. */
const FILE = /\.\w+$/;

/** Everything else is the panel's, but strangers are not asked to sign in for an address where there is nothing. */
function elsewhere(shelf: Shelf, { config, panel }: PublicParts): SiteRoute {
  const cookie = memberCookie(config.panelUrl);
  return get('/{*}', (incoming) => {
    const { path, headers } = incoming;
    const isPage = headers.accept?.includes('text/html') && !FILE.test(path);
    const isOpen = PANEL.test(path) || cookie.read(headers.cookie) !== '';
    return isPage && !isOpen ? shelf.missing() : panel.handle(incoming);
  });
}

function fileRoute({ path, type, bytes }: SiteFile): SiteRoute {
  const body = new FixedBody(bytes);
  const headers = { 'cache-control': NAMED_BY_CONTENT, 'content-security-policy': INERT };
  return get(path, async (incoming) => ({ ...(await fixedReply(incoming, '', body, headers)), type }));
}

function textRoute(path: string, type: string, write: () => string): SiteRoute {
  let body: FixedBody | undefined;
  return get(path, (incoming) => {
    body ??= new FixedBody(Buffer.from(write()));
    return fixedReply(incoming, type, body, { 'cache-control': SHARED });
  });
}

/** Pages that are written for each request; the others are made once. */
const others = ['/status'];

const sitemap = ({ site, made, destinationPaths }: Shelf): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${[
    '/',
    ...made.pages.keys(),
    ...destinationPaths,
    ...others,
  ]
    .map((path) => `<url><loc>${site.panel}${path}</loc></url>`)
    .join('\n')}\n</urlset>\n`;

/** Everything else here is for people who are signed in, or who were sent a link of their own. */
const robots = ({ site }: Shelf): string => `User-agent: *
Allow: /$
Allow: /destinations
Allow: /docs
Allow: /status
Allow: /changelog
Allow: /openapi.json
Allow: /collection.json
Allow: /llms.txt
Allow: /guides/
Allow: /site/
Allow: /sdk/
Disallow: /

Sitemap: ${site.panel}/sitemap.xml
`;

/** What browsers open: the guides and the public pages for everybody, then the panel and the console at every other address. */
export async function browserPages(base: Base, openapi: () => FixedBody, catalog: PublicCatalog): Promise<SiteRoute[]> {
  const { config, cardProvider, db, clock, log } = base;
  const guides = await readGuides(config);
  const files = filesOf(config.site);
  const look = {
    name: config.site.name,
    logo: iconOf(config.site, files) ?? '',
    color: accentOf(config.site.color ?? DEFAULT_COLOR, 'light'),
  };
  const panel = await pageRoutes(config.webDist, look, cardFormNeeds(cardProvider.cards?.name));
  const open = publicRoutes({
    config,
    openapi,
    guides,
    signUp: config.signUp === 'off' ? undefined : '/sign-up',
    panel,
    catalog,
    readStatus: (now) => readStatus(db, now),
    clock,
    log,
  });
  return [
    ...guideRoutes(guides, config),
    fileRoute(font),
    ...(files.logo ? [fileRoute(files.logo)] : []),
    ...open,
    panel,
  ];
}
