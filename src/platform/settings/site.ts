import { readFileSync, statSync } from 'node:fs';
import { extname } from 'node:path';
import { ConfigError } from './environment.ts';

/** The public pages at the panel's address, in the operator's own name. */
export interface SiteSettings {
  /** Off: there are no public pages. */
  readonly isPublic: boolean;
  /** Whether the public catalog shows list prices. */
  readonly showsPrices: boolean;
  readonly name: string;
  readonly tagline: string;
  /** `#rrggbb`; undefined: ours. */
  readonly color: string | undefined;
  /** Shown in place of the name's letters; undefined: the name alone. */
  readonly logo: SiteLogo | undefined;
  /** Markdown: the front page's text below the tagline; undefined: the built-in text. */
  readonly text: string | undefined;
  readonly files: { readonly logo: string | undefined; readonly text: string | undefined };
}

export interface SiteLogo {
  readonly type: string;
  readonly bytes: Buffer;
}

export const DEFAULT_NAME = 'Wayfare';
/** One blue for the public pages, the panel, travellers’ pages and mails. */
export const DEFAULT_COLOR = '#2f4fc4';
const DEFAULT_TAGLINE = 'Travel eSIMs for your customers, through one API';
const MAX_NAME = 60;
const MAX_TAGLINE = 200;
const MAX_FILE_BYTES = 256 * 1024;
const logoTypes: Readonly<Record<string, string>> = {
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webp': 'image/webp',
};

/** Files are read once, at the start. */
export function readSiteSettings(env: NodeJS.ProcessEnv): SiteSettings {
  const color = env.SITE_COLOR || undefined;
  if (color !== undefined && !/^#[0-9a-f]{6}$/i.test(color))
    throw new ConfigError('SITE_COLOR must be a colour like #0b5d7a');
  return {
    isPublic: isOn('PUBLIC_SITE', env.PUBLIC_SITE),
    showsPrices: isOn('PUBLIC_PRICES', env.PUBLIC_PRICES),
    name: line('SITE_NAME', env.SITE_NAME || DEFAULT_NAME, MAX_NAME),
    tagline: line('SITE_TAGLINE', env.SITE_TAGLINE || DEFAULT_TAGLINE, MAX_TAGLINE),
    color: color?.toLowerCase(),
    logo: env.SITE_LOGO ? logoAt(env.SITE_LOGO) : undefined,
    text: env.SITE_TEXT ? fileAt('SITE_TEXT', env.SITE_TEXT).toString('utf8') : undefined,
    files: { logo: env.SITE_LOGO || undefined, text: env.SITE_TEXT || undefined },
  };
}

function isOn(setting: string, value: string | undefined): boolean {
  const wanted = value || 'on';
  if (wanted !== 'on' && wanted !== 'off') throw new ConfigError(`${setting} must be on or off`);
  return wanted === 'on';
}

function line(setting: string, text: string, most: number): string {
  // Quotes around a value with spaces are taken off by systemd and shells, and left on by containers.
  const trimmed = text.trim().replace(/^"(.*)"$/, '$1');
  if (trimmed === '' || trimmed.length > most || /\p{C}/u.test(trimmed))
    throw new ConfigError(`${setting} must be one line of 1 to ${most} characters`);
  return trimmed;
}

function logoAt(path: string): SiteLogo {
  const type = logoTypes[extname(path).toLowerCase()];
  if (type === undefined) throw new ConfigError('SITE_LOGO must be a file that ends in .svg, .png or .webp');
  return { type, bytes: fileAt('SITE_LOGO', path) };
}

function fileAt(setting: string, path: string): Buffer {
  let bytes: Buffer | undefined;
  try {
    if (statSync(path).size <= MAX_FILE_BYTES) bytes = readFileSync(path);
  } catch {
    throw new ConfigError(`${setting}: the file ${path} cannot be read`);
  }
  if (bytes === undefined) throw new ConfigError(`${setting}: the file ${path} is larger than 256 KB`);
  return bytes;
}

/** Who may open an account without being invited. */
const signUpModes = ['off', 'review', 'open'] as const;
export type SignUpMode = (typeof signUpModes)[number];

/** Only this machine can reach it, so links may be shown instead of mailed, and a second factor is optional. */
export const isOwnMachine = ({ hostname }: URL): boolean => ['localhost', '127.0.0.1', '[::1]'].includes(hostname);

/** Off unless set, but open in a demo on localhost, the only place where a link may be shown instead of mailed. */
export function readSignUp(
  given: string | undefined,
  { panelUrl, isDemo, mails }: { readonly panelUrl: URL; readonly isDemo: boolean; readonly mails: boolean },
): SignUpMode {
  const isOwn = isOwnMachine(panelUrl);
  const wanted = given || (isDemo && isOwn ? 'open' : 'off');
  const mode = signUpModes.find((one) => one === wanted);
  if (!mode) throw new ConfigError(`SIGN_UP must be one of ${signUpModes.join(', ')}`);
  if (mode !== 'off' && !mails && !isOwn)
    throw new ConfigError(`SIGN_UP=${mode} also needs SMTP_URL: links are mailed`);
  return mode;
}
