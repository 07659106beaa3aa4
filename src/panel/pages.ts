import { readdir, readFile } from 'node:fs/promises';
import { extname, join, sep } from 'node:path';
import { acceptEncodingOf } from '../http/compression.ts';
import { type Encoded, FixedBody } from '../http/fixed-body.ts';
import { REVALIDATED } from '../http/headers.ts';
import { notFound, type PanelReply, type PanelRoute, page } from './routes.ts';

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

/** Scripts and requests only to ourselves; inline styles too, because Mantine sets them; no site may frame us. */
const contentPolicy = (scripts = '', frames = '', requests = ''): string =>
  [
    "default-src 'self'",
    `script-src 'self'${scripts}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    `connect-src 'self'${requests}`,
    `frame-src 'self'${frames}`,
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ');

/** What Stripe's documentation asks for: its script, the frames it puts the card fields and the bank's questions into, and its API. */
const stripePolicy = contentPolicy(
  ' https://js.stripe.com https://*.js.stripe.com',
  ' https://js.stripe.com https://*.js.stripe.com https://hooks.stripe.com',
  ' https://api.stripe.com',
);

const pageHeaders = { 'cache-control': REVALIDATED, 'content-security-policy': contentPolicy() };
/** Files there are named by their content, so they never change, and they are the same for everybody. */
const assetHeaders = { 'cache-control': 'public, max-age=31536000, immutable' };

/**
 * The panel's page and its files, read once at the start: a path that is not in the list does not exist, so none can reach
 * beyond the folder. A path that names no file is a place within the page if a browser asks for html, else 404.
 */
export async function pageRoutes(
  folder: string,
  additionsOf: (path: string) => readonly 'stripe'[] = () => [],
): Promise<PanelRoute[]> {
  const files = await readBuild(folder);
  const index = files.get('/index.html');
  return [
    {
      verb: 'GET',
      path: '/{*}',
      handle({ path, headers, request }) {
        const file = files.get(path);
        if (file) return file(acceptEncodingOf(request));
        if (path !== '/' && !headers.accept?.includes('text/html')) return notFound;
        if (index && additionsOf(path).includes('stripe')) return withStripe(index(acceptEncodingOf(request)));
        return index ? index(acceptEncodingOf(request)) : notBuilt;
      },
    },
  ];
}

async function withStripe(reply: Promise<PanelReply>): Promise<PanelReply> {
  const { headers, ...rest } = await reply;
  return { ...rest, headers: { ...headers, 'content-security-policy': stripePolicy } };
}

type File = (acceptEncoding: string | undefined) => Promise<PanelReply>;

const notBuilt = page(503, TEXT, 'The panel was not built. Run `npm run build`, then start the server again.\n');

async function readBuild(folder: string): Promise<ReadonlyMap<string, File>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const files = entries
    .filter((entry) => entry.isFile())
    .map(async (entry) => {
      const file = join(entry.parentPath, entry.name);
      const path = file.slice(join(folder, '.').length).split(sep).join('/');
      const type = types[extname(file)] ?? 'application/octet-stream';
      const body = new FixedBody(await readFile(file));
      const headers = { ...(path.startsWith('/assets/') ? assetHeaders : pageHeaders), vary: 'accept-encoding' };
      const reply = ({ bytes, etag, encoding }: Encoded) =>
        page(200, type, bytes, { ...headers, etag, ...(encoding && { 'content-encoding': encoding }) });
      return [path, async (acceptEncoding: string | undefined) => reply(await body.as(acceptEncoding))] as const;
    });
  return new Map(await Promise.all(files));
}
