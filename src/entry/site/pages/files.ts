import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { SiteLogo } from '../../../platform/settings/site.ts';
import { notFound, page, type SiteRoute } from '../routes.ts';

export interface SiteFile {
  readonly path: string;
  readonly type: string;
  readonly bytes: Buffer;
}

/** A file whose name changes with its content. */
export function named(name: string, ending: string, type: string, bytes: Buffer): SiteFile {
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 10);
  return { path: `/site/${name}-${hash}${ending}`, type, bytes };
}

/** The operator's logo. */
export const logoFile = ({ type, bytes }: SiteLogo): SiteFile => named('logo', '', type, bytes);

/** Latin letters of every weight, in 48 kB. */
const inter = fileURLToPath(import.meta.resolve('@fontsource-variable/inter/files/inter-latin-wght-normal.woff2'));

/** The typeface of the pages that are written here, public and travellers'. The panel's build has its own copy. */
export const font = named('inter', '.woff2', 'font/woff2', readFileSync(inter));

/** For the style of a page. The words of the page are there before the font is. */
export const fontFace = `@font-face{font-family:Inter;font-weight:100 900;font-display:swap;src:url(${font.path}) format("woff2")}`;

const flags = new URL('flags/4x3/', import.meta.resolve('flag-icons/package.json'));

/** Each file is read when it is first asked for, and kept: all of them are 2 MB. A name that is not here has no file. */
const kept = new Map<string, Promise<Buffer> | undefined>(readdirSync(flags).map((name) => [name, undefined]));

function flagOf(name: string): Promise<Buffer> | undefined {
  if (kept.has(name) && !kept.get(name)) {
    const reading = readFile(new URL(name, flags));
    reading.catch(() => kept.set(name, undefined));
    kept.set(name, reading);
  }
  return kept.get(name);
}

/** For regions without a flag. */
const globe = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 480"><path fill="#0b4f8a" d="M0 0h640v480H0z"/>
<g fill="none" stroke="#fff" stroke-width="12"><circle cx="320" cy="240" r="150"/><ellipse cx="320" cy="240" rx="65" ry="150"/>
<path d="M170 240h300M190 165h260M190 315h260"/></g></svg>
`;

const headers = { 'cache-control': 'public, max-age=86400' };

/** Flags of destinations, served from here so that no third party sees the visitor: `/flags/tr.svg`, `/flags/europe.svg`. */
export const flagRoutes: readonly SiteRoute[] = [
  {
    verb: 'GET',
    path: '/flags/{file}',
    async handle({ params }) {
      const name = /^([a-z0-9-]{2,40})\.svg$/.exec(params.file ?? '')?.[1];
      if (name === undefined) return notFound;
      const file = name === 'europe' ? 'eu' : name;
      const flag = file.length === 2 ? await flagOf(`${file}.svg`) : globe;
      return flag === undefined ? notFound : page(200, 'image/svg+xml', flag, headers);
    },
  },
];
