import { type Html, html } from '../../platform/contract/html.ts';
import { brandStyle } from '../../platform/contract/palette.ts';
import { DEFAULT_COLOR, DEFAULT_NAME, type SiteSettings } from '../../platform/settings/site.ts';
import { fontFace, logoFile, named } from '../site/pages/files.ts';
import { type Description, type Entry, entriesOf, groupTitles } from './reference/description.ts';
import { guideNames } from './reference/guide-names.ts';
import { style } from './style.ts';

/**
 * All the pages need a script for: the language of samples is remembered, and code can be copied. Without it everything can be read.
 * Where storage is forbidden, the choice holds for the page. What an endpoint has for people who are signed in is loaded where
 * somebody has used the panel (`web/src/panel/useMode.ts` leaves the mark), so strangers ask for nothing.
 */
const script = `(()=>{
const d=document,KEY='language';
const kept=(key=KEY)=>{try{return localStorage.getItem(key)}catch{return null}};
const choose=language=>{for(const r of d.querySelectorAll('.samples input'))r.checked=r.value===language};
const known=[...d.querySelectorAll('.samples input')].map(r=>r.value);
if(known.includes(kept()))choose(kept());
d.addEventListener('change',({target})=>{if(!target.matches('.samples input'))return;
choose(target.value);try{localStorage.setItem(KEY,target.value)}catch{}});
if(navigator.clipboard)for(const pre of d.querySelectorAll('pre')){const b=d.createElement('button');
b.type='button';b.className='copy';b.textContent='Copy';
b.onclick=async()=>{try{await navigator.clipboard.writeText(pre.textContent);b.textContent='Copied'}catch{b.textContent='Not copied'}
setTimeout(()=>{b.textContent='Copy'},2000)};
const box=d.createElement('div');box.className='block';pre.before(box);box.append(b,pre)}
if(d.querySelector('.try')&&kept('wayfare-mode'))import('/site/try.js').catch(()=>{});
})()`;

export interface Site {
  readonly settings: SiteSettings;
  /** Addresses without a slash at the end. */
  readonly panel: string;
  readonly sandbox: string;
  readonly live: string;
  /** The operator's own website; undefined: they have named none. */
  readonly website: string | undefined;
  /** Where somebody can make an account; undefined: nowhere. */
  readonly signUp: string | undefined;
  /** Whether strangers see list prices. */
  readonly showsPrices: boolean;
}

export interface PublicPage {
  readonly path: string;
  readonly title: string;
  /** One sentence, for those who find the page in a search. */
  readonly description: string;
  readonly body: Html;
  /** False: for people who are here already, not for search engines. */
  readonly isListed?: false;
}

/** What every page loads. Their names change with their content, so a browser never asks for one twice. */
export type SiteFiles = ReturnType<typeof filesOf>;

export function filesOf({ color = DEFAULT_COLOR, logo }: SiteSettings) {
  return {
    style: named('style', '.css', 'text/css; charset=utf-8', Buffer.from(fontFace + style + brandStyle(color))),
    script: named('script', '.js', 'text/javascript; charset=utf-8', Buffer.from(script)),
    logo: logo && logoFile(logo),
  };
}

/** Undefined: the operator has another name than ours, and no logo. */
export const iconOf = ({ name }: SiteSettings, { logo }: SiteFiles): string | undefined =>
  logo?.path ?? (name === DEFAULT_NAME ? '/icon.svg' : undefined);

/** Everything comes from ourselves, nothing is written into the page, and no site may frame it. Only endpoints can be tried. */
export const policyOf = (path: string): string =>
  path.startsWith('/docs/api/') ? `${POLICY}; connect-src 'self'` : POLICY;

const POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "img-src 'self'",
  "font-src 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ');

const sections = [
  ['/destinations', 'Destinations'],
  ['/docs', 'Guides'],
  ['/docs/api', html`API<span> reference</span>`],
  ['/status', 'Status'],
  ['/changelog', 'Changelog'],
] as const;

export function documentOf(site: Site, files: SiteFiles, page: PublicPage): string {
  const { name } = site.settings;
  const title = page.path === '/' ? `${name}: ${page.title}` : `${page.title} · ${name}`;
  const icon = iconOf(site.settings, files);
  return `<!doctype html>\n${
    html`<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<meta name="description" content="${page.description}">
${
  page.isListed === false
    ? html`<meta name="robots" content="noindex">`
    : html`<link rel="canonical" href="${site.panel}${page.path}">
<meta property="og:title" content="${page.title}"><meta property="og:site_name" content="${name}"><meta property="og:description" content="${page.description}"><meta property="og:type" content="website">`
}
${icon && html`<link rel="icon" href="${icon}">`}
<link rel="stylesheet" href="${files.style.path}"><script src="${files.script.path}" defer></script>
</head><body>
<a class="skip" href="#main">Skip to the content</a>
<header class="top${hasOwnSearch(page.path) && html` finds`}"><a class="brand" href="/">${
      files.logo ? html`<img src="${files.logo.path}" alt="${name}">` : name
    }</a>
<nav aria-label="Sections">${sections.map(
      ([path, text]) => html`<a href="${path}"${isIn(page.path, path) && html` aria-current="page"`}>${text}</a>`,
    )}</nav>
<form class="search" role="search" action="/docs/search"><input type="search" name="q" aria-label="Search guides and endpoints" placeholder="Search" maxlength="100"><button>Search</button></form>
<span class="doors"><a href="/sign-in">Sign in</a>${site.signUp && html`<a class="go" href="${site.signUp}">Sign up</a>`}</span></header>
<main id="main">${page.body}</main>
<footer><p>${site.website ? html`<a href="${site.website}" rel="noreferrer">${name}</a>` : name}</p>
<nav aria-label="For tools"><a href="/docs/tools">SDK and tools</a> <a href="/openapi.json">openapi.json</a> <a href="/llms.txt">llms.txt</a></nav></footer>
</body></html>`.text
  }\n`;
}

/** On a phone one search is enough. */
const hasOwnSearch = (path: string): boolean =>
  path === '/' || path === '/docs/search' || path.startsWith('/destinations');

/** The reference is below the guides, and has a section of its own. */
const isIn = (path: string, section: string): boolean =>
  section === '/docs'
    ? path.startsWith('/docs') && !path.startsWith('/docs/api')
    : path === section || path.startsWith(`${section}/`);

export const guidePath = (name: string): string => `/docs/guides/${name}`;

export const endpointPath = ({ id }: Pick<Entry, 'id'>): string => `/docs/api/${id}`;

export const nameOf = ({ path }: Pick<Entry, 'path'>): string => path.replace(/^\//, '');

/** The endpoints and events by heading, in the headings' order. */
export function groupsOf(
  api: Description,
): { readonly title: string; readonly name: string; readonly entries: Entry[] }[] {
  const all = Map.groupBy(entriesOf(api), ({ group }) => group);
  const order = Object.keys(groupTitles);
  const names = [...all.keys()].sort((a, b) => order.indexOf(a) - order.indexOf(b));
  return names.map((name) => ({ name, title: groupTitles[name] ?? name, entries: all.get(name) ?? [] }));
}

/** A page of the documents with the list of all of them beside it; on a phone the list is below, and a link leads there. */
export const withContents = (api: Description, path: string, body: Html): Html => html`<div class="docs">
<article><p class="to-contents"><a href="#contents">All guides and endpoints</a></p>${body}</article>
<nav class="contents" id="contents" aria-label="Guides and endpoints"><h2>Guides</h2>
<ul>${Object.entries(guideNames).map(([name, [title]]) => link(path, guidePath(name), title))}${link(path, '/docs/tools', 'SDK and tools')}</ul>
${groupsOf(api).map(
  ({ title, entries }) =>
    html`<h2>${title}</h2><ul>${entries.map((entry) => link(path, endpointPath(entry), nameOf(entry)))}</ul>`,
)}</nav></div>`;

const link = (here: string, path: string, text: string): Html =>
  html`<li><a href="${path}"${here === path && html` aria-current="page"`}>${text}</a></li>`;
