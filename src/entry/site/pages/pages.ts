import { createHash, randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { extname, join, sep } from 'node:path';
import { escaped } from '../../../platform/contract/html.ts';
import { acceptEncodingOf } from '../../../platform/http/compression.ts';
import { type Encoded, FixedBody } from '../../../platform/http/fixed-body.ts';
import { REVALIDATED } from '../../../platform/http/headers.ts';
import { notFound, page, type SiteReply, type SiteRoute } from '../routes.ts';

/** What a page may load beyond the usual, by the name of the feature that needs it. */
const additions = {
  /** The card form: Stripe's script, the frames it puts the card fields into, and its API. */
  stripe: {
    'script-src': ['https://js.stripe.com', 'https://*.js.stripe.com'],
    'frame-src': ['https://js.stripe.com', 'https://*.js.stripe.com', 'https://hooks.stripe.com'],
    'connect-src': ['https://api.stripe.com'],
  },
} as const satisfies Record<string, Readonly<Record<string, readonly string[]>>>;

type PolicyAddition = keyof typeof additions;

interface PolicyParts {
  /** For the styles that Mantine writes into the page: new with each response. Other inline styles are blocked. */
  readonly nonce: string;
  /** Inline scripts of the page, as they are written there; no other is run. */
  readonly scripts?: readonly string[];
  readonly and?: readonly PolicyAddition[];
}

/** The panel's content policy: scripts, pictures and requests come from ourselves and go to ourselves, and no site may frame us. */
export function contentPolicy({ nonce, scripts = [], and = [] }: PolicyParts): string {
  const rules: Record<string, string[]> = {
    'default-src': ["'self'"],
    'script-src': ["'self'", ...scripts.map(hashOf)],
    'style-src': ["'self'", `'nonce-${nonce}'`],
    'img-src': ["'self'", 'data:'],
    'connect-src': ["'self'"],
    'frame-src': ["'self'"],
    'object-src': ["'none'"],
    'form-action': ["'self'"],
    'frame-ancestors': ["'none'"],
    'base-uri': ["'none'"],
  };
  for (const name of and) for (const [rule, sources] of Object.entries(additions[name])) rules[rule]?.push(...sources);
  return Object.entries(rules)
    .map(([rule, sources]) => [rule, ...sources].join(' '))
    .join('; ');
}

const hashOf = (script: string): string => `'sha256-${createHash('sha256').update(script).digest('base64')}'`;

const HTML = 'text/html; charset=utf-8';
const TEXT = 'text/plain; charset=utf-8';
const types: Readonly<Record<string, string>> = {
  '.html': HTML,
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.txt': TEXT,
};

/** For the files beside the page, which can be opened too and then may do nothing. */
const fileHeaders = {
  'cache-control': REVALIDATED,
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
};
/** Files there are named by their content, so they never change, and they are the same for everybody. */
const assetHeaders = { 'cache-control': 'public, max-age=31536000, immutable' };

/**
 * The panel's page, the console's below /operator, and their files, read once at the start: a path that is not in the list does not exist, so none can reach
 * beyond the folder. A path that names no file is a place within the page if a browser asks for html, else 404.
 * `additionsOf` widens the policy of a place that must reach somebody else. It is the document's policy: such a place has to be
 * opened with a page load, not by moving there within the page.
 */
export async function pageRoutes(
  folder: string,
  look: PageLook,
  additionsOf: (path: string) => readonly PolicyAddition[] = () => [],
): Promise<SiteRoute> {
  const build = builds.get(folder) ?? readBuild(folder);
  builds.set(folder, build);
  const { files, panel, console } = await build;
  const written = { name: escaped(look.name), logo: look.logo, color: look.color };
  return {
    verb: 'GET',
    path: '/{*}',
    handle({ path, headers, request }) {
      const file = path.endsWith('.html') ? undefined : files.get(path);
      if (file) return file(acceptEncodingOf(request));
      if (path !== '/' && !headers.accept?.includes('text/html')) return notFound;
      const index = /^\/operator(\/|$)/.test(path) ? console : panel;
      return index?.(written, additionsOf(path)) ?? notBuilt;
    },
  };
}

/** By folder. A build does not change while a process runs, and reading one is the longest part of a second start in the same process. */
const builds = new Map<string, ReturnType<typeof readBuild>>();

type File = (acceptEncoding: string | undefined) => Promise<SiteReply>;
type Index = (look: PageLook, and: readonly PolicyAddition[]) => SiteReply;

async function readBuild(folder: string) {
  const [files, panel, console] = await Promise.all([
    readFiles(folder),
    readIndex(folder, 'index.html'),
    readIndex(folder, 'operator.html'),
  ]);
  return { files, panel, console };
}

/** Stand in the built page where a response's nonce and the operator's look belong. */
const PLACES = /\{(nonce|name|logo|color)\}/g;

/** The operator's name and look, for the panel and the console. */
interface PageLook {
  readonly name: string;
  /** The address of a picture; empty: there is none. */
  readonly logo: string;
  /** `#rrggbb`, readable on a light page. */
  readonly color: string;
}

/** Made for each response, because a nonce must not be guessed. It is short, so it is sent plain and never as "not modified". */
async function readIndex(folder: string, name: string): Promise<Index | undefined> {
  const text = await readFile(join(folder, name), 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  const scripts = [...text.matchAll(/<script>(.*?)<\/script>/gs)].map(([, script = '']) => script);
  return (look, and) => {
    const nonce = randomBytes(16).toString('base64');
    const headers = { 'cache-control': REVALIDATED, 'content-security-policy': contentPolicy({ nonce, scripts, and }) };
    return page(
      200,
      HTML,
      text.replaceAll(PLACES, (_, part: keyof PageLook | 'nonce') => ({ ...look, nonce })[part]),
      headers,
    );
  };
}

const notBuilt = page(503, TEXT, 'The panel was not built. Run `npm run build`, then start the server again.\n');

async function readFiles(folder: string): Promise<ReadonlyMap<string, File>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const files = entries
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.br'))
    .map(async (entry) => {
      const file = join(entry.parentPath, entry.name);
      const path = file.slice(join(folder, '.').length).split(sep).join('/');
      const type = types[extname(file)] ?? 'application/octet-stream';
      // The build compresses what is large.
      const br = await readFile(`${file}.br`).catch(() => undefined);
      const body = new FixedBody(await readFile(file), undefined, br && { br });
      const headers = { ...(path.startsWith('/assets/') ? assetHeaders : fileHeaders), vary: 'accept-encoding' };
      const reply = ({ bytes, etag, encoding }: Encoded) =>
        page(200, type, bytes, { ...headers, etag, ...(encoding && { 'content-encoding': encoding }) });
      return [path, async (acceptEncoding: string | undefined) => reply(await body.as(acceptEncoding))] as const;
    });
  return new Map(await Promise.all(files));
}
