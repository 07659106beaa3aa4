import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { SiteLogo } from '../../../platform/settings/site.ts';

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
