import { readFileSync, statSync } from 'node:fs';
import { extname } from 'node:path';
import { ConfigError, type Settings, unquoted } from './environment.ts';

/** The public pages at the panel's address, in the operator's own name. */
export type SiteSettings = ReturnType<typeof readSiteSettings>;
export type SiteLogo = ReturnType<typeof logoAt>;

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
export function readSiteSettings(env: NodeJS.ProcessEnv, { isOn }: Pick<Settings, 'isOn'>) {
  const color = env.SITE_COLOR || undefined;
  if (color !== undefined && !/^#[0-9a-f]{6}$/i.test(color))
    throw new ConfigError('SITE_COLOR must be a colour like #0b5d7a');
  return {
    /** Off: there are no public pages. */
    isPublic: isOn('PUBLIC_SITE', 'on'),
    /** Whether the public catalog shows list prices. */
    showsPrices: isOn('PUBLIC_PRICES', 'on'),
    name: line('SITE_NAME', env.SITE_NAME || DEFAULT_NAME, MAX_NAME),
    tagline: line('SITE_TAGLINE', env.SITE_TAGLINE || DEFAULT_TAGLINE, MAX_TAGLINE),
    /** `#rrggbb`; undefined: ours. */
    color: color?.toLowerCase(),
    /** Shown in place of the name's letters; undefined: the name alone. */
    logo: env.SITE_LOGO ? logoAt(env.SITE_LOGO) : undefined,
    /** Markdown: the front page's text below the tagline; undefined: the built-in text. */
    text: env.SITE_TEXT ? fileAt('SITE_TEXT', env.SITE_TEXT).toString('utf8') : undefined,
    files: { logo: env.SITE_LOGO || undefined, text: env.SITE_TEXT || undefined },
  };
}

function line(setting: string, text: string, most: number): string {
  const trimmed = unquoted(text);
  if (trimmed === '' || trimmed.length > most || /\p{C}/u.test(trimmed))
    throw new ConfigError(`${setting} must be one line of 1 to ${most} characters`);
  return trimmed;
}

function logoAt(path: string) {
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
