import { readdir, readFile } from 'node:fs/promises';
import { extname, join, sep } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import { etagOf, type PanelReply, type PanelRoute, page } from './routes.ts';

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

/** Scripts and requests only of our own; styles also inline, because Mantine sets them; in nobody's frame. */
const contentSecurityPolicy = [
  "default-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ');

const pageHeaders = { 'cache-control': 'no-cache', 'content-security-policy': contentSecurityPolicy };
/** A file there is named by its content, so it never changes. */
const assetHeaders = { 'cache-control': 'public, max-age=31536000, immutable' };

/**
 * The panel's page and its files, read once: what is not in the list does not exist, wherever a path points. A path that
 * names no file is a place within the page, which a browser asks for as html; what asks for anything else gets 404.
 */
export async function pageRoutes(folder: string): Promise<PanelRoute[]> {
  const files = await readBuild(folder);
  const index = files.get('/index.html') ?? notBuilt;
  return [
    {
      verb: 'GET',
      path: '/{*}',
      handle({ path, headers }) {
        const wantsPage = path === '/' || headers.accept?.includes('text/html');
        const file = files.get(path) ?? (wantsPage ? index : notFound);
        const takesBrotli = /(^|[\s,])br($|[\s,;])/.test(String(headers['accept-encoding'] ?? ''));
        return takesBrotli ? file.small() : file.plain;
      },
    },
  ];
}

/** A file as it is, and compressed, which is done when it is first asked for. */
interface File {
  readonly plain: PanelReply;
  small(): PanelReply | Promise<PanelReply>;
}

const neverSmall = (plain: PanelReply): File => ({ plain, small: () => plain });
const notFound = neverSmall(page(404, TEXT, 'Not found\n'));
const notBuilt = neverSmall(
  page(503, TEXT, 'The panel was not built. `npm run build` builds it; then start the server again.\n', {
    'cache-control': 'no-store',
  }),
);

const compress = promisify(brotliCompress);
/** Most of what the highest quality gives, in a few milliseconds a file. */
const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };

async function readBuild(folder: string): Promise<ReadonlyMap<string, File>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const files = entries
    .filter((entry) => entry.isFile())
    .map(async (entry) => {
      const file = join(entry.parentPath, entry.name);
      const path = file.slice(join(folder, '.').length).split(sep).join('/');
      const body = await readFile(file);
      const headers = { ...(path.startsWith('/assets/') ? assetHeaders : pageHeaders), vary: 'accept-encoding' };
      const type = types[extname(file)] ?? 'application/octet-stream';
      const reply = (bytes: Buffer, more = {}) => page(200, type, bytes, { ...headers, ...more, etag: etagOf(bytes) });
      let packed: Promise<Buffer> | undefined;
      const small = async () => {
        packed ??= compress(body, quality);
        return reply(await packed, { 'content-encoding': 'br' });
      };
      return [path, { plain: reply(body), small }] as const;
    });
  return new Map(await Promise.all(files));
}
